"""What the tools around NPUs print when they fail: codes of errors, and signatures, which are phrases of messages that have no code.

Each says what it means, what to do, and the options that it is about. Codes stand in `error_codes.toml`, signatures in `signatures/`, a file
for each component.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import translate
from typing import Any, Literal, NamedTuple

from npu_lsp.catalog import links
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.phrases import Phrase

_CALLED = ("code", "Code", "ret", "result", "errno")
_SIGNS = (" is ", " is : ", ": ", ":", " = ", "=", "(", "[")
_BEFORE_NUMBER = (
    *(word + sign for word in _CALLED for sign in _SIGNS),
    *("errorcode ", "error code ", "Error ", "with ERROR ", "failure ", "status: ", "error:"),
)
"""What stands before a number that a function returns, in messages of CANN, torch_npu and what runs on them."""
_WITHIN = ("errcode", "errorcode", "retcode")
"""Words that end in such a one; of others, as of `decode: 100000`, the end says nothing."""
_IS_RESULT = "|".join(
    (
        *(
            rf"(?<={re.escape(words)}\d{{6}})" + (rf"(?<![a-z]{re.escape(words)}\d{{6}})" if words[0].islower() else "")
            for words in _BEFORE_NUMBER
        ),
        *(rf"(?<={word}{re.escape(sign)}\d{{6}})" for word in _WITHIN for sign in _SIGNS),
    )
)
_COUNTS = (
    r" ?(?:(?:[kKMG]?B|[mun]?s|ops|bytes|rows|records|re(?:quest|sult)s|tokens|samples|items|images|files|lines|steps"
    r"|iter(?:ation)?s|times|messages|events|users|points|entries)\b|/|%)"
)
"""What stands behind a number that counts something: `200000 rows`, `300000 ms`."""
_BEFORE_NEGATIVE = ("is -", "ret=-", "ret = -", "ret:-", "code: -", "code -", "code=-")
_IS_NEGATIVE = "|".join(rf"(?<={words}\d{{4}})" for words in _BEFORE_NEGATIVE)
BEFORE_NUMBER = (*_BEFORE_NUMBER, *_BEFORE_NEGATIVE)
"""What stands in a line that has a number as its code."""
SHAPE = re.compile(
    # A set of signs goes first: places where no code begins are passed over at once.
    r"[-EWM01235](?<![\w-].)(?:(?<=E)(?:RR\d{5}|[0-9A-Z]\d{4})(?![\w-])|(?<=W)(?:\d{5}|[A-Z]\d{4})(?![\w-])"
    r"|(?<=M)IE\d\dE[0-9A-F]{6}(?![\w-])|(?<=0)x(?:A0[0-9A-F]{6}|8[0-9A-Fa-f]{7})(?!\w)"
    rf"|(?:(?<=[1235])(?:0[0367]|28|45)|(?<=1)48|(?<=[135])61)\d{{3}}(?!\w|\.\d|{_COUNTS})"
    rf"(?:{_IS_RESULT}|(?<=\A\d{{6}}))|(?<=-)8\d{{3}}(?!\w|\.\d)(?:{_IS_NEGATIVE}|(?<=\A-\d{{4}})))"
)
"""What a code looks like: `E10001`, `EI0006`, `W40010`, `ERR02011`, `MIE05E010000`, `0xA0408002`; `507018` and `-8005` where a message says
that it is one. A word of this shape may yet be something else."""

_PLACE = re.compile(r"\{(\w+)\}")
_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?")
_MAYBE = re.compile(r"\[\[(.{1,200}?)\]\]")
"""What a text of a signature says only where its phrase has the places: `port[[ {port}]] is taken`."""

_ADVICE = re.compile(r"`(?:export )?([A-Za-z_]\w{2,60})=([^`\s]{1,60})`")
"""A variable and its value in a text that says what to do."""

Kind = Literal["cause", "general", "echo", "wrapper", "harmless"]
"""What a message is: one that tells the cause, one of a form that any program prints, one that others' failing brings (a timeout), one that
only says that something failed, or one that working runs print, too: nothing is said of its line."""


class Wanted(NamedTuple):
    """A value that a message asks for."""

    name: str
    value: str
    bound: Literal["", "least", "most"] = ""
    """More, or less, than the value will do, too."""
    now: str = ""
    """What the message says that it is; empty: nothing."""
    certain: bool = True
    """The message is about this value itself, not about what several could cure."""

    def met(self, value: str) -> bool:
        """Return whether a value is what the message asks for."""
        if self.bound:
            try:
                return float(value) >= float(self.value) if self.bound == "least" else float(value) <= float(self.value)
            except ValueError:
                return False
        return value.lower() == self.value.lower()


class ErrorCode(NamedTuple):
    """One code of an error."""

    code: str
    component: Text
    """Who prints it."""
    what: Text
    """What it means, in one sentence."""
    remedy: Text | None
    """What to do; `None` where only the message itself can tell."""
    options: tuple[tuple[Surface, str], ...]
    """The options that may be its cause."""
    source: Text
    """The web address of the source."""
    kind: Kind = "cause"
    looks: tuple[str, ...] = ()
    """Names of settings besides the options, which the catalog may not have: flags, keys and variables of other programs."""
    rules: tuple[str, ...] = ()
    """The rules whose findings explain it."""
    tells: str | None = None
    """A command that tells whether this is it, or which of several causes."""
    wants: Wanted | None = None
    """The setting and the value that the message asks for, with places of the phrase."""
    confirmed: int = 0
    """Failures that people posted of which it was the confirmed cause, as far as they were counted."""
    last: bool = False
    """It counts where a log ends with it: a run that goes on prints it, too."""
    says: tuple[str, Text] | None = None
    """What its message looks like, and what it means with what stands in the places."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names of settings that it is about."""
        return tuple(dict.fromkeys((*(name for _, name in self.options), *self.looks)))

    @property
    def advises(self) -> Mapping[str, str]:
        """The variables that it asks to be set, with the value of those that it gives only one."""
        found = _ADVICE.findall(self.remedy.en) if self.remedy is not None else []
        values: dict[str, set[str]] = {}
        for name, value in found:
            values.setdefault(name, set()).add(value)
        return {name: next(iter(several)) for name, several in values.items() if len(several) == 1}

    def read_from(self, message: str) -> ErrorCode:
        """Return it with what its message says, as far as it looks as it should."""
        places = Phrase.of(self.says[0]).within(message.encode()) if self.says is not None else None
        if self.says is None or places is None:
            return self
        said = {name: place.decode("utf-8", "replace").strip("[] ") for name, place in places.items()}
        return self._replace(what=_filled(self.says[1], said)) if all(said.values()) else self

    def filled(self, places: Mapping[str, str]) -> ErrorCode:
        """Return it with what stands in the places of its phrase, and without what is said of places that it doesn't have."""
        places = {name: said for name, said in places.items() if said}
        return self._replace(
            what=_filled(self.what, places),
            remedy=_filled(self.remedy, places) if self.remedy is not None else None,
            wants=self._wanted(places),
        )

    def _wanted(self, places: Mapping[str, str]) -> Wanted | None:
        wants = self.wants
        if wants is None or not places.keys() >= set(_PLACE.findall(wants.value)):
            return None
        value, now = _put(wants.value, places), _put(wants.now, places)
        if value != wants.value and _NUMBER.fullmatch(value) is None:
            return None  # A log may hold anything.
        return wants._replace(value=value, now=now if _PLACE.search(now) is None else "")


def _filled(text: Text, places: Mapping[str, str]) -> Text:
    return Text(_put(text.en, places), _put(text.zh, places))


def _put(text: str, places: Mapping[str, str]) -> str:
    text = _MAYBE.sub(lambda found: found[1] if places.keys() >= set(_PLACE.findall(found[1])) else "", text)
    for name, said in places.items():
        text = text.replace(f"{{{name}}}", said)
    return text


class ErrorCodes:
    """All codes and signatures that the catalog knows."""

    def __init__(
        self, components: Mapping[str, Any], signatures: Mapping[str, Any], sources: Mapping[str, Any]
    ) -> None:
        """Take what the catalog has under `error_codes`, `signatures` and `sources`."""
        self._components = {**components, **{f"signatures/{name}": home for name, home in signatures.items()}}
        self._sources = sources
        self._plain: dict[str, tuple[str, Any]] = {}
        self._patterns: list[tuple[str, str, Any]] = []
        self._of: dict[str, list[str]] = {}
        self.phrases: list[tuple[str, str]] = []
        """The phrases of signatures, each with the name of its signature."""
        self.harmless: set[str] = set()
        """Signatures of what working runs print."""
        self._signatures: dict[str, tuple[str, Any]] = {}
        for component, facts in components.items():
            for code, entry in facts["codes"].items():
                if "?" in code or "*" in code:
                    self._patterns.append((code, component, entry))
                    continue
                self._plain[code.upper()] = (component, entry)
                for option in entry.get("options", ()):
                    self._of.setdefault(option, []).append(code)
        # A log may have ever other codes: one pattern tells them all.
        self._form = re.compile("|".join(f"({translate(form.upper())})" for form, _, _ in self._patterns))
        for component, home in signatures.items():
            for name, entry in home["signatures"].items():
                self._signatures[name] = (f"signatures/{component}", entry)
                self.phrases += [(phrase, name) for phrase in entry["phrases"]]
                if entry.get("kind", home.get("kind")) == "harmless":
                    self.harmless.add(name)

    def find(self, code: str) -> ErrorCode | None:
        """Return what is known of a code, or of a signature by its name; upper and lower case don't count."""
        found = self._signatures.get(code.lower())
        if found is not None:
            return self._made(code.lower(), *found)
        found = self._plain.get(code.upper())
        if found is None and SHAPE.fullmatch(code.replace("0X", "0x")):
            form = self._form.match(code.upper())
            found = self._patterns[form.lastindex - 1][1:] if form is not None and form.lastindex is not None else None
        return self._made(code.upper().replace("0X", "0x"), *found) if found is not None else None

    def forms(self) -> Iterator[str]:
        """Yield all codes as they are written in logs, with `?` and `*` for what differs."""
        yield from (form.replace("0X", "0x") for form in self._plain)
        yield from (form for form, _, _ in self._patterns)

    def signatures(self) -> Iterator[ErrorCode]:
        """Yield all signatures, in the order of the files."""
        return (self._made(name, *found) for name, found in self._signatures.items())

    def of(self, surface: Surface, name: str) -> tuple[str, ...]:
        """Return the codes that the catalog gives an option as a possible cause, sorted."""
        return tuple(sorted(self._of.get(f"{surface.value}.{name}", ())))

    def all(self) -> tuple[ErrorCode, ...]:
        """Return the codes that are written out, sorted."""
        return tuple(self._made(code, *found) for code, found in sorted(self._plain.items()))

    def _made(self, code: str, component: str, entry: Any) -> ErrorCode:
        home = self._components[component]
        references = (reference.partition(".") for reference in entry.get("options", ()))
        source = entry.get("source", home["source"])
        wants = entry.get("wants")
        return ErrorCode(
            code,
            Text(**home["title"]),
            Text(**entry["what"]),
            Text(**entry["do"]) if "do" in entry else None,
            tuple((Surface(surface), name) for surface, _, name in references),
            Text(*(links.address(source, self._sources, language) for language in ("en", "zh"))),
            entry.get("kind", home.get("kind", "cause")),
            tuple(entry.get("looks", ())),
            tuple(entry.get("rules", ())),
            entry.get("tells"),
            Wanted(**wants) if wants is not None else None,
            entry.get("confirmed", 0),
            entry.get("last", False),
            (says["phrase"], Text(says["en"], says["zh"])) if (says := entry.get("says")) is not None else None,
        )
