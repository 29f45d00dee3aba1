"""Slips in lines that should give a variable a value, and don't, or give it another one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Edit, Span, line_start
from npu_lsp.text.word_search import lines_with

_NAME = r"[A-Z][A-Z0-9_]{2,200}"
_BLANKS = r"[ \t]{1,20}"
LOST_EQUALS = re.compile(
    rf"^[ \t]*export(?:(?P<gap>{_BLANKS})(?P<name>{_NAME})(?P<sign>{_BLANKS})(?=[\"']?(?:/|\.{{1,2}}/|~/|\d))[^\s;&|#=]+|(?P<glued>{_NAME})=\S*)[ \t]*\r?$",
    re.MULTILINE,
)
"""`export NAME /path`, `exportNAME=v`: a shell takes the one for two names, the other for a variable of that name."""
_SET = re.compile(rf"^[ \t]*(?:export{_BLANKS})?(?P<name>{_NAME})=(?P<value>[^\s;&|]*)", re.MULTILINE)
_TWICE = re.compile(r"\$\{\$(?P<name>[A-Za-z_]\w*)\}")
_UNOPENED = re.compile(r"(?<!\{)\$(?P<name>[A-Za-z_]\w*)\}")
_HASH = re.compile(r"#(?=[a-z_]+/)")
_LIST = re.compile(
    rf"^[ \t]*(?:export{_BLANKS})?(?P<name>{_NAME})=(?P<list>\d{{1,4}}(?:,[ \t]{{1,9}}\d{{1,4}}){{1,64}})[ \t]*\r?$",
    re.MULTILINE,
)
_CUT = re.compile(
    rf"^[ \t]*export{_BLANKS}(?P<name>{_NAME})=(?P<value>(?P<first>[^\s'\"\\;&|<>()`#]{{1,1000}})(?<!,){_BLANKS}(?P<rest>(?:(?!//)[\w.~@+-]{{0,100}}/(?=[^\s/])|\d)[^\s'\"\\;&|<>()`#=]{{0,1000}}|\$(?:(?P=name)|\{{(?P=name)\}})[:/]?))(?=[ \t\r\n;]|\Z)",
    re.MULTILINE,
)
"""`export X=a b/c`, `export X=a $X`: no name has a `/` in it, and none begins with a digit."""
_TO_FILL_IN = re.compile(r"(?i)(?<![a-z])your[ \t]path(?![a-z])")
"""What pages show in the place of a path."""
_NUMBERS = re.compile(r"\d{1,4}(?:[ \t]{1,9}\d{1,4}){1,64}(?=[ \t\r\n;]|\Z)")
_PATHS = frozenset({"PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LD_PRELOAD"})
"""Of everybody, and in scripts for NPUs they say where its software is."""
_WORD = r"(?:[^\s'\"\\;&|<>()`#=]|'[^'\n]*'|\"[^\"\n]*\")*"
_ALONE = re.compile(
    rf"^[ \t]*(?P<first>{_NAME}={_WORD})(?:{_BLANKS}{_NAME}={_WORD})*(?P<end>[ \t]*)\r?\n[ \t]*"
    r"(?P<command>(?:python|torchrun|accelerate|deepspeed|vllm|msrun|mpirun|swift|megatron|llamafactory-cli|bash|sh)[\d.]*)[ \t]",
    re.MULTILINE,
)
_EXPORTING = re.compile(r"(?:export|(?:declare|typeset)[ \t]+-\w*x)[^\n]*")
_READ = re.compile(r"\$\{?(?P<name>\w+)")
_WORDS = re.compile(r"\w+")
_ALL_EXPORTED = re.compile(
    r"(?:^|[;&\"'])[ \t]*set[ \t]+(?P<sign>[-+])(?:[a-z]*a|[a-z]*o[ \t]+allexport)\b", re.MULTILINE
)
_NAMES = re.compile(rf"(?:^|[ \t])(?P<name>{_NAME})=")
_HALF = re.compile(
    rf"^(?:[^\n#'\"]|'[^'\n]*'|\"[^\"\n]*\")*?\|\|[ \t]*(?P<first>export{_BLANKS}(?P<governed>{_NAME})={_WORD})[ \t]*&&[ \t]*"
    rf"(?P<second>export{_BLANKS}(?P<name>{_NAME})={_WORD})(?=[ \t]*(?:[;&|\r\n]|\Z)|[ \t]+#)",
    re.MULTILINE,
)
_UNSET = re.compile(
    rf"^[ \t]*export{_BLANKS}(?P<name>{_NAME})=[^\n]*\n[ \t]*(?P<unset>unset{_BLANKS}(?P=name))[ \t]*\r?$", re.MULTILINE
)


def in_lines(text: str) -> Iterator[SyntaxFinding]:
    """Yield the slips in the lines of a script that name variables that matter."""
    yield from _lost_equals(text)
    broken = list(_broken_expansions(text))
    yield from broken
    yield from _named_twice(text, {each.span.start for each in broken})
    for match in _in_lines_with(_LIST, text, ","):
        if is_variable(match["name"]):
            span = Span(*match.span("list"))
            joined = re.sub(r"\s", "", match["list"])
            arguments = {"name": match["name"], "value": joined}
            yield SyntaxFinding(SyntaxFault.UNQUOTED_LIST, span, arguments, (Edit(span, joined),))
    yield from _cut(text)
    used: AbstractSet[str] | None = None
    signs: list[tuple[int, str]] | None = None
    for match in _in_lines_with(_ALONE, text, "="):
        names = [each["name"] for each in _NAMES.finditer(match[0][: match.start("end") - match.start()])]
        ours = next(filter(is_variable, names), None)
        used = used if used is not None else _used(text)
        signs = signs if signs is not None else [(each.end(), each["sign"]) for each in _ALL_EXPORTED.finditer(text)]
        before = bisect_right(signs, (match.start(), "~"))
        if ours is not None and used.isdisjoint(names) and (not before or signs[before - 1][1] != "-"):
            at = match.start("end")
            arguments = {"name": ours, "command": match["command"]}
            yield SyntaxFinding(
                SyntaxFault.LONELY_ASSIGNMENT, Span(match.start("first"), at), arguments, (Edit(Span(at, at), " \\"),)
            )
    for match in _in_lines_with(_UNSET, text, "export") if "unset" in text else ():
        if is_variable(match["name"]):
            yield SyntaxFinding(SyntaxFault.UNSET_AT_ONCE, Span(*match.span("unset")), {"name": match["name"]})
    yield from _half_conditions(text)


def _in_lines_with(pattern: re.Pattern[str], text: str, sign: str) -> Iterator[re.Match[str]]:
    """Yield what `pattern` finds, which starts with `^` and has `sign` in its first line."""
    done = 0
    for start, _ in lines_with(text, sign):
        match = pattern.match(text, start) if start >= done else None
        if match is not None:
            yield match
            done = match.end()


def _half_conditions(text: str) -> Iterator[SyntaxFinding]:
    """Yield `a || export X=1 && export Y=1`: the shell takes both signs for as strong, and `Y` is set in any case."""
    for match in _in_lines_with(_HALF, text, "||"):
        if is_variable(match["name"]) or is_variable(match["governed"]):
            first, second = Span(*match.span("first")), Span(*match.span("second"))
            arguments = {"name": match["name"], "governed": match["governed"]}
            edits = (Edit(Span(first.start, first.start), "{ "), Edit(Span(second.end, second.end), "; }"))
            yield SyntaxFinding(SyntaxFault.HALF_CONDITION, second, arguments, edits)


def _used(text: str) -> AbstractSet[str]:
    """Return the names that a script reads, and the words behind `export`."""
    said = (_WORDS.findall(match.group()) for match in _EXPORTING.finditer(text))
    return {each["name"] for each in _READ.finditer(text)}.union(*said)


def _cut(text: str) -> Iterator[SyntaxFinding]:
    """Yield the values that end at a blank, where what stands behind can be no name to export."""
    for match in _in_lines_with(_CUT, text, "export"):
        # `${A:-a b/c}` is one word.
        is_word = match["first"].count("${") <= match["first"].count("}")
        is_shown = _TO_FILL_IN.search(match["value"]) is not None
        if (
            is_word
            and not is_shown
            and (match["name"] in _PATHS or (match["rest"][0] != "$" and is_variable(match["name"])))
        ):
            span, rest = Span(*match.span("value")), match["rest"]
            numbers = _NUMBERS.match(text, span.start)
            if numbers is not None and match["name"].endswith("DEVICES"):
                joined = ",".join(numbers[0].split())
                arguments, span = {"name": match["name"], "value": joined}, Span(*numbers.span())
                edit = Edit(span, joined)
            elif (
                match["name"] not in _PATHS
                and "/" not in match["first"]
                and (rest.startswith(("/", "./")) or rest.endswith((".sh", ".py")))
            ):
                arguments = {"name": match["name"], "reason": "command", "rest": rest}
                edit = Edit(Span(text.index("export", match.start()), match.start("name")), "")
            elif rest.startswith("$"):
                near = f"{match['first'].removesuffix(':')}:{rest}"
                arguments = {"name": match["name"], "reason": "joined", "near": near}
                edit = Edit(span, arguments["near"])
            else:
                span = Span(span.start, max(span.end, numbers.end() if numbers is not None else 0))
                arguments = {"name": match["name"], "reason": "cut", "rest": rest}
                edit = Edit(span, f'"{text[slice(*span)]}"')
            yield SyntaxFinding(SyntaxFault.UNQUOTED_LIST, span, arguments, (edit,))


def _lost_equals(text: str) -> Iterator[SyntaxFinding]:
    for match in _in_lines_with(LOST_EQUALS, text, "export"):
        glued = match["glued"]
        if glued is not None and is_variable(glued):
            at = match.start("glued")
            start = at - len("export")
            yield SyntaxFinding(
                SyntaxFault.LOST_EQUALS,
                Span(start, match.end("glued")),
                {"name": glued, "reason": "glued"},
                (Edit(Span(at, at), " "),),
            )
        elif glued is None and is_variable(match["name"]):
            sign = Span(*match.span("sign"))
            yield SyntaxFinding(
                SyntaxFault.LOST_EQUALS, Span(*match.span("name")), {"name": match["name"]}, (Edit(sign, "="),)
            )


def _broken_expansions(text: str) -> Iterator[SyntaxFinding]:
    for line in _in_lines_with(_SET, text, "=") if "$" in text or "#" in text else ():
        start, end = line.span("value")
        for pattern, reason in ((_TWICE, "twice"), (_UNOPENED, "unopened"), (_HASH, "hash")):
            match = pattern.search(text, start, end)
            if match is None or (reason == "hash" and match.start() > start):
                continue
            if reason == "unopened" and text.count("{", start, match.end()) >= text.count("}", start, match.end()):
                continue
            own = match["name"] if reason != "hash" else ""
            if line["name"] not in _PATHS and not is_variable(line["name"]) and not (own and is_variable(own)):
                continue
            new = f"${{{own}}}" if own else "$"
            span = Span(*match.span())
            yield SyntaxFinding(
                SyntaxFault.BROKEN_EXPANSION, span, {"name": line["name"], "reason": reason}, (Edit(span, new),)
            )
            break


def _named_twice(text: str, told: Collection[int]) -> Iterator[SyntaxFinding]:
    """Yield `${$X}` where it isn't told yet, such as in an argument: the shell stops wherever it stands."""
    for match in _TWICE.finditer(text):
        span, name = Span(*match.span()), match["name"]
        before = text[line_start(text, span.start) : span.start]
        # In a comment, or between quotes that leave it as it is.
        if span.start not in told and is_variable(name) and "#" not in before and before.count("'") % 2 == 0:
            edit = Edit(span, f"${{{name}}}")
            yield SyntaxFinding(SyntaxFault.BROKEN_EXPANSION, span, {"name": name, "reason": "twice"}, (edit,))
