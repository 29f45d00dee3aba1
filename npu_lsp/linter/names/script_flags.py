"""Which flags a Python script takes that a command starts: by its own parser where it stands in the project, by release where it is MindSpeed-LLM's."""

from __future__ import annotations

import os.path
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.target import Version
from npu_lsp.languages.model import Declared, Fact, FactKind, Value
from npu_lsp.languages.placeholders import is_left_open
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import manifests
from npu_lsp.linter.versions.required import up_to_top
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_LARGEST = 1 << 18
_NAME = re.compile(r"--+[A-Za-z][\w-]*\Z")
_FLAG = re.compile(r"--\S*\Z")
"""What `argparse` takes for a flag; with a blank in it, it is a value."""
_MOVE = re.compile(r"(?:cd(?<![\w./$-]cd)|pushd(?<![\w./$-]pushd)|popd(?<![\w./$-]popd))\b(?P<to>[^\n;&|]*)")
_FROM_HERE = re.compile(r"\$\w+|\$\{[^}\n]{0,200}\}|\$\([^\n]{0,200}\)|`[^`\n]{0,200}`")
"""What says where the script stands, or where it was started."""
_AWAY = ("/", "~", "-", "$HOME", "${HOME")
_SHOWN = re.compile(r"[\[\]{}<>|*?]")
"""What stands in a value that a page leaves open."""
_OF_OTHERS = re.compile(r"(?:\A|/)tools\b")
"""Where Megatron and its other forks keep scripts of the same names."""
_ANY = Declared(takes=False)
_FROM_FILE = re.compile(
    r"kubectl[ \t]+create[ \t]+configmap[^\r\n]{1,300}?--from-file=[\"']?(?P<path>(?:[\w.-]{1,80}/){0,8}(?P<name>[\w.-]{1,80}\.py))(?![\w./=-])"
)
"""What of the project is put into a ConfigMap, which containers get as a file of the same name."""
_PLAIN = re.compile(
    r"\.add_argument\([\"'](?P<flag>--[A-Za-z][\w-]{0,60})[\"'][ \t]*,[ \t]*type[ \t]*=[ \t]*(?P<type>str|int|bool)\b(?P<rest>[^()\r\n]{0,300})\)"
)
_SPECIAL = re.compile(r"choices|action|nargs|\*|#")
_COMPARED = re.compile(r"(?:==|\bin)[ \t]{0,4}[(\[]?[\"'](?P<flag>--[A-Za-z][\w-]{2,60})[\"']")
_MOST = 200
"""Files of a folder that is looked through."""
_ENOUGH = 3
"""Flags of a script of MindSpeed-LLM by which it is told from another one of its name."""


class Given(NamedTuple):
    """A flag of a command, and the words up to the next one."""

    name: str
    """With its dashes."""
    word: Value
    values: tuple[Value, ...]
    glued: bool
    """Its value stands behind `=` in the same word."""
    following: int | None
    """Where the next flag starts; `None` for the last one, behind which something may have been cut off."""

    @property
    def key(self) -> Span:
        """Where its name stands."""
        return Span(self.word.span.start, self.word.span.start + len(self.name))

    @property
    def value(self) -> tuple[str, Span] | None:
        """The one word that it is given, where all of that can be told."""
        word = self.word if self.glued else self.values[0] if self.values else None
        if word is None or not word.known or len(self.values) != (not self.glued):
            return None
        text = word.data.partition("=")[2] if self.glued else word.data
        return None if not text or _SHOWN.search(text) else (text, Span(word.span.end - len(text), word.span.end))


class ScriptParser(NamedTuple):
    """What a script takes."""

    script: str
    flags: Mapping[str, Declared]
    gone: Mapping[str, str]
    """Flags that a newer release doesn't have, with the last one that does."""
    owner: str = ""
    """Whose releases they are; empty: the script stands there."""
    lenient: str = ""
    """The last release that goes on at a flag that it doesn't know."""
    compares: bool = False
    """It has no parser, and compares its words with these flags: another one may be left out or mean something."""


@Memoized
def parsers(context: Context) -> list[tuple[tuple[Given, ...], ScriptParser]]:
    """Return what each script is given that a command of the text starts, and what it takes."""
    found: list[tuple[tuple[Given, ...], ScriptParser]] = []
    for fact in context.parsed.facts:
        if fact.kind is FactKind.SCRIPT and fact.value is not None and fact.value.data:
            given = tuple(_flags(fact))
            parser = _there(fact.value, given, context) or _released(fact.value, given, context)
            if parser is not None:
                found.append((given, parser))
    return found


def longer(name: str, parser: ScriptParser) -> str | None:
    """Return the flag that a name means, which may be the start of one."""
    if name in parser.flags or parser.compares:
        return name if name in parser.flags else None
    # The parser of vLLM takes either sign between words, and `--a.b` for a key of the JSON in `--a`.
    said = name.partition(".")[0].replace("_", "-") if parser.owner == "vLLM" else name
    return next((each for each in parser.flags if each == said), None) or next(
        (each for each in parser.flags if each.startswith(said)), None
    )


def _flags(fact: Fact) -> Iterator[Given]:
    words = fact.value.items if fact.value is not None else ()
    at = 0
    while at < len(words):
        lead = words[at].data
        name, equals, _ = lead.partition("=")
        if name == "--":
            return
        end = at + 1
        while end < len(words) and not _FLAG.match(words[end].data):
            end += 1
        if _NAME.match(name) and (words[at].known or equals):
            yield Given(
                name,
                words[at],
                tuple(words[at + 1 : end]),
                glued=bool(equals),
                following=words[end].span.start if end < len(words) else None,
            )
        at = end


def _there(script: Value, given: Sequence[Given], context: Context) -> ScriptParser | None:
    """Return what the script takes, where it stands in the project and says all of it; of several those of all."""
    path = context.document.path
    # What an image or a pod starts lies where others put it.
    if context.document.kind is Kind.DOCKERFILE or manifests(context):
        return None
    if not script.known or not path or script.data.startswith(("~", "$")) or is_left_open(script.data):
        return None
    if script.data.startswith("/"):
        return _mounted(script.data, Path(path).absolute().parent)
    # A page or a script deep down is often for the project's own folder, where another script may have the same name.
    folders = [Path(each) for each in up_to_top(path, context.root)]
    if len(folders) == 1 and folders[0] != context.root:
        folders.append(folders[0].parent)
    starts, moves = _moves(context.document)
    at = bisect_left(starts, script.span.start)
    name = os.path.normpath(script.data)
    found: dict[str, Declared] = {}
    below = _below(folders, moves[at - 1]) if at else folders
    # In a page, what stands further down may be for whoever goes back.
    looked = dict.fromkeys([*below, *folders] if below and context.document.kind in PAGES else below)
    if any(_takes_all(given, surroundings.once(_plain_flags, folder, name)) for folder in looked):
        return ScriptParser(script.data, dict.fromkeys((each.name for each in given), _ANY), {})
    for folder in looked:
        flags = surroundings.once(_declared, folder, name)
        if flags is None:
            continue
        if not flags:
            return None
        found.update({flag: said.beside(found.get(flag)) for flag, said in flags.items()})
    return ScriptParser(script.data, found, {}) if found else None


def _mounted(script: str, here: Path) -> ScriptParser | None:
    """Return what a script takes that a container gets from the folder of a deployment, or from the one above."""
    for folder in (here, here.parent):
        name = surroundings.once(_put_into_maps, folder).get(Path(script).name)
        flags = surroundings.once(_declared, folder, name) if name is not None else None
        if flags:
            return ScriptParser(script, flags, {})
        compared = surroundings.once(_compared, folder, name) if name is not None else ()
        if compared:
            return ScriptParser(script, dict.fromkeys(compared, _ANY), {}, compares=True)
    return None


def _put_into_maps(folder: Path) -> Mapping[str, str]:
    """Return the scripts of a folder that its shell scripts put into ConfigMaps, by name: none of several of one name."""
    found: dict[str, set[str]] = {}
    for each in sorted(surroundings.names_below(folder, "", _MOST)):
        data = surroundings.content_below(folder, each, _LARGEST) if each.endswith(".sh") else None
        for match in _FROM_FILE.finditer(data.decode("utf-8", errors="replace")) if data is not None else ():
            found.setdefault(match["name"], set()).add(os.path.normpath(match["path"]))
    return {name: paths.pop() for name, paths in found.items() if len(paths) == 1}


@Memoized
def _moves(document: Document) -> tuple[list[int], list[str | None]]:
    """Return where a text changes the folder, and to which one below; `None` where nobody knows."""
    starts: list[int] = []
    found: list[str | None] = []
    for match in _MOVE.finditer(document.text):
        said = match["to"].strip("\"' \t")
        to = _FROM_HERE.sub("", said).strip("\"' \t)")
        names = [name for name in to.split("/") if name not in ("", ".", "..")]
        # The folder above is looked at as well, and none above that.
        known = (
            to.split("/").count("..") < 2
            and match.group().startswith("cd")
            and not said.startswith(_AWAY)
            and not re.search(r"[\s$`]", to)
        )
        # From folder to folder it goes on where it came to.
        known = known and (not found or found[-1] == "" or _FROM_HERE.match(said) is not None)
        starts.append(match.start())
        found.append("/".join(names) if known else None)
    return starts, found


def _below(folders: list[Path], to: str | None) -> list[Path]:
    """Return where a script may be started that went to a folder."""
    if not to:
        return folders if to == "" else []
    return [folder if folder.as_posix().endswith(f"/{to}") else folder / to for folder in folders]


def _plain_flags(folder: Path, name: str) -> Mapping[str, bool]:
    """Return the flags of a script that take any one word, as far as each is declared on one line, and whether it must be a number."""
    data = surroundings.content_below(folder, name, _LARGEST)
    if data is None or b"add_argument(" not in data:
        return {}
    found = _PLAIN.finditer(data.decode("utf-8", errors="replace"))
    return {match["flag"]: match["type"] == "int" for match in found if not _SPECIAL.search(match["rest"])}


def _takes_all(given: Sequence[Given], plain: Mapping[str, bool]) -> bool:
    """Return whether a script takes what it is given, whatever else it takes: then nobody has to wait for the parser of Python."""
    return bool(given) and all(
        each.name in plain and each.value is not None and (not plain[each.name] or each.value[0].isdecimal())
        for each in given
    )


def _declared(folder: Path, name: str) -> dict[str, Declared] | None:
    """Return the flags of a script; none where it may take any, `None` where there is no such script."""
    data = surroundings.content_below(folder, name, _LARGEST)
    if data is None or b"ArgumentParser(" not in data:
        return None if data is None else {}
    # Most checks look at no such script, and needn't wait for the parser of Python.
    from npu_lsp.languages.python.argument_parser import declared

    text = data.decode("utf-8", errors="replace")
    return declared(Document(text, kind=Kind.PYTHON, path=str(folder / name))) or {}


def _compared(folder: Path, name: str) -> Sequence[str]:
    """Return the flags that a script without a parser compares the words of `sys.argv` with."""
    data = surroundings.content_below(folder, name, _LARGEST) or b""
    if b"sys.argv" not in data or b"ArgumentParser" in data:
        return ()
    return tuple(match["flag"] for match in _COMPARED.finditer(data.decode("utf-8", errors="replace")))


def _released(script: Value, given: tuple[Given, ...], context: Context) -> ScriptParser | None:
    """Return what a script of MindSpeed-LLM takes on the target, or what measures an engine."""
    folder, _, name = script.data.rpartition("/")
    if _OF_OTHERS.search(folder):
        return None
    facts: Mapping[str, Any] = context.catalog.plain("script_flags").get(name, {})
    rows: Mapping[str, Any] = facts.get("flags", {})
    if "owner" not in facts and sum(each.name[2:] in rows for each in given) < _ENOUGH:
        return None
    version = context.target.version("mindspeed") if "owner" not in facts else None
    flags, gone = {"--help": Declared(takes=False)}, {}
    for flag, row in rows.items():
        if not _is_in(row, version):
            continue
        flags[f"--{flag}"] = Declared(row.get("takes", False), tuple(_allowed(row, version)), row.get("number", False))
        if "last" in row:
            gone[f"--{flag}"] = row["last"]
    if "engine" in facts:
        flags.update(
            {f"--{no}{each}": _ANY for each in context.catalog.names(Surface(facts["engine"])) for no in ("", "no-")}
        )
    return ScriptParser(name, flags, gone, facts.get("owner", "MindSpeed-LLM"), facts.get("lenient", ""))


def _is_in(life: Mapping[str, Any], version: Version | None) -> bool:
    """Return whether something is there in a version; where nobody names one, in any."""
    if version is None:
        return True
    if "first" in life and not version.reaches(Version.parse(life["first"])):
        return False
    last = Version.parse(life["last"]) if "last" in life else None
    return last is None or version.line == last.line or last.reaches(version)


def _allowed(row: Mapping[str, Any], version: Version | None) -> Iterator[str]:
    """Yield the values that a flag may have; none where any may stand there, in one of the releases at least."""
    if "closed" in row and (version is None or not version.reaches(Version.parse(row["closed"]))):
        return
    yield from (value for value, life in row.get("choices", {}).items() if _is_in(life, version))
