"""Makefiles: recipes, what `$(shell ...)` and `!=` run, and variables that a makefile exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from npu_lsp.languages.completion_context import Lack
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.injections import Injection, careful, hash_comments, host
from npu_lsp.languages.shell.expansions import close
from npu_lsp.languages.shell.program_names import TOOLS
from npu_lsp.languages.shell.triggers import may_match
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span

_DOLLAR = re.compile(r"\$(?:\$|\((?P<round>[^()\r\n]*)\)|\{(?P<curly>[^{}\r\n]*)\}|.)")
_BRACKETS = {"(": re.compile(r"[()]"), "{": re.compile(r"[{}]")}
_ASSIGNED = re.compile(
    r"^(?P<rule>[^\s#:=][^#:=\r\n]*:[ \t]*)?(?P<how>(?:(?:override|private|export)[ \t]+)*)"
    r"(?P<name>[A-Za-z_][\w.-]*)[ \t]*(?P<sign>[:?+!]{0,3}=)[ \t]*"
    r"(?P<value>(?:[^#\r\n\\]|\\(?:\r\n|[^\r\n]|\n|\r)?)*)",
    re.MULTILINE,
)
_EXPORTED = re.compile(r"^(?P<sign>un)?export(?:[ \t]+(?P<names>[^#=:\r\n]*))?[ \t]*(?:#.*)?$", re.MULTILINE)
_DEEPEST = 4
_MOST_NAMES = 200
_MOST_PARTS = 50
"""How often `+=` may add to a variable that is followed: all of it stands in each recipe that uses it."""


class MakefileAssignment(NamedTuple):
    """`export X := v`."""

    name: str
    key: Span
    sign: str
    value: Span
    exported: bool
    start: int
    """Where its line starts."""
    of_rule: bool
    """True: for one rule only, `all: X = v`."""


def assignments(text: str) -> list[MakefileAssignment]:
    """Return the assignments of a makefile in their order; those in recipes are none."""
    found: list[MakefileAssignment] = []
    for match in _ASSIGNED.finditer(text):
        said = match["value"].rstrip(" \t")
        value = Span(match.start("value"), match.start("value") + len(said))
        key = Span(*match.span("name"))
        found.append(
            MakefileAssignment(
                match["name"], key, match["sign"], value, "export" in match["how"], match.start(), bool(match["rule"])
            )
        )
    return found


class Definitions:
    """What the variables of a makefile hold."""

    def __init__(self, text: str, every: list[MakefileAssignment]) -> None:
        self._text = text
        self._found: dict[str, list[Span] | None] = {}
        self.tools: Mapping[str, str] = {}
        """Variables that hold a tool, with its name."""
        tools: dict[str, str] = {}
        for each in every:
            known = self._found.setdefault(each.name, []) if "+" in each.sign else None
            if known is not None:
                known.append(each.value)
            else:
                # Set twice, or for one rule only: which one counts isn't known.
                self._found[each.name] = [each.value] if each.name not in self._found and not each.of_rule else None
            name = text[slice(*each.value)].rpartition("/")[2]
            if name in TOOLS:
                tools[each.name] = name
            else:
                tools.pop(each.name, None)
        self.tools = tools

    def put(self, lines: VariableLines, match: re.Match[str], depth: int = 0, budget: list[int] | None = None) -> None:
        """Add what make puts in the place of `match`, one of `_DOLLAR`: words with their own places, or a value."""
        name = match["round"] or match["curly"] or ""
        budget = budget if budget is not None else [_MOST_NAMES]
        values = self._found.get(name)
        if match.group() == "$$":
            lines.put("$", match.start(), match.end())
        elif name in self.tools:
            lines.put(self.tools[name], match.start(), match.end())
        elif (
            not values
            or len(values) > _MOST_PARTS
            or depth >= _DEEPEST
            or budget[0] <= 0
            or len(lines.starts) > _LONGEST
        ):
            lines.put(HOLE, match.start(), match.end())
        elif self._holds_words(values):
            for number, value in enumerate(values):
                if number:
                    lines.put(" ", lines.ends[-1])
                self._expand(lines, value, depth + 1, budget)
        else:
            said = self._text[slice(*values[0])]
            certain = len(values) == 1 and "$" not in said and said and not _LINE_END.search(said)
            lines.put(said if certain else HOLE, match.start(), match.end())

    def _holds_words(self, values: list[Span]) -> bool:
        """Return whether a variable holds flags, or a command with flags, so that findings about them belong where it is set."""
        first = " ".join(self._text[slice(*value)] for value in values).replace("\\", " ").split(None, 2)
        if not first or first[0].startswith("-"):
            return bool(first)
        program = _DOLLAR.match(first[0])
        name = (program["round"] or program["curly"] or "") if program else ""
        starts = first[0].rpartition("/")[2] in TOOLS or name in self.tools
        return starts and len(first) > 1 and first[1].startswith(("-", "$"))

    def _expand(self, lines: VariableLines, span: Span, depth: int, budget: list[int]) -> None:
        at = span.start
        open_ended = False
        for match in _DOLLAR.finditer(self._text, *span):
            budget[0] -= 1
            if match.start() < at:
                continue
            lines.take(self._text, Span(at, match.start()))
            end = None if open_ended else _function_end(self._text, match, span.end)
            open_ended = open_ended or end == -1
            at = match.end()
            if end is not None and end > 0:
                at = end
                lines.put(HOLE, match.start(), at)
            else:
                self.put(lines, match, depth, budget)
        lines.take(self._text, Span(at, span.end))


def _function_end(text: str, match: re.Match[str], limit: int) -> int | None:
    """Return where a reference ends that `_DOLLAR` finds the start of only, since others stand in it.

    `$(filter %.pb,$(wildcard *))`: brackets of its own kind count, and quotes don't. `None` for any other match; -1 where
    the end is missing.
    """
    if match.group() not in ("$(", "${"):
        return None
    depth = 1
    for bracket in _BRACKETS[text[match.start() + 1]].finditer(text, match.end(), limit):
        depth += 1 if bracket.group() in "({" else -1
        if depth == 0:
            return bracket.end()
    return -1


def exported(text: str, every: list[MakefileAssignment]) -> Iterator[MakefileAssignment]:
    """Yield the assignments whose variables the makefile hands to what it runs."""
    names: set[str] = set()
    all_of_them = False
    for match in _EXPORTED.finditer(text):
        said = (match["names"] or "").split()
        if match["sign"]:
            names.difference_update(said)
        else:
            names.update(said)
            all_of_them = all_of_them or not said
    for each in every:
        if "+" not in each.sign and (each.exported or each.name in names or all_of_them):
            yield each


_SIGNS = re.compile(r"[ \t]*[@+-][@+ \t-]*")
_INLINE = re.compile(r"^[^\s#:=][^#:=\r\n]*::?(?!=)[^;#=\r\n]*;[ \t]*", re.MULTILINE)
_DEFINE = re.compile(r"[ ]*(?:(?:override|export)[ \t]+)?define[ \t]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_PREFIX = re.compile(r"\.RECIPEPREFIX[ \t]*[:?]?=[ \t]*(?P<sign>\S?)")
_SHELL = re.compile(r"\$[({]shell[ \t]+")
_COMMENT = re.compile(r"^[ \t]*#", re.MULTILINE)
_LONGEST = 20_000
_MOST = 200_000
"""Code points that are looked at for where `$(shell` ends, as long as it may be nested."""


def _find(document: Document) -> Iterator[Injection]:
    text = document.text
    if not may_match(text) and "export" not in text:
        return
    every = assignments(text)
    definitions = Definitions(text, every)
    defining = False
    line = 0
    prefix = "\t"
    while line < document.line_count:
        start, end = document.line_span(line)
        if text.startswith(prefix, start):
            first = start + 1
        elif defining:
            first = start
            defining = document.line_text(line).strip() != "endef"
        else:
            defining = _DEFINE.match(text, start, end) is not None
            inline = _INLINE.match(text, start, end)
            changed = _PREFIX.match(text, start, end)
            if changed is not None:
                prefix = changed["sign"] or "\t"
            line += 1
            if inline is None:
                # A definition may go on over lines that look like recipes.
                while line < document.line_count and document.line_text(line - 1).endswith("\\"):
                    line += 1
                continue
            line -= 1
            first = inline.end()
        while line + 1 < document.line_count and document.line_text(line).endswith("\\"):
            line += 1
        yield _recipe(text, Span(first, document.line_end(line)), definitions, prefix)
        line += 1
    yield from _run_by_make(document, every, definitions)
    yield from _exports(text, every)


def _run_by_make(document: Document, every: list[MakefileAssignment], definitions: Definitions) -> Iterator[Injection]:
    """Yield the commands whose output make takes: `$(shell ...)`, `X != ...`."""
    text = document.text
    left = _MOST
    for match in _SHELL.finditer(text):
        if left <= 0:
            break
        end = close(text, match.start() + 1, min(len(text), match.end() + _LONGEST))
        start = document.line_span(document.line_of(match.start())).start
        left -= (end if end >= 0 else min(len(text), match.end() + _LONGEST)) - match.end()
        if end >= 0 and not _COMMENT.match(text, start):
            yield _recipe(text, Span(match.end(), end - 1), definitions)
    for each in every:
        if each.sign == "!=":
            yield _recipe(text, each.value, definitions)


def _recipe(text: str, span: Span, definitions: Definitions, prefix: str = "\t") -> Injection:
    """Return one recipe line, as the shell gets it: with what make fills in, as far as that is known."""
    lines = VariableLines()
    signs = _SIGNS.match(text, span.start, span.end)
    at = signs.end() if signs else span.start
    open_ended = False
    for match in _DOLLAR.finditer(text, at, span.end):
        if match.start() < at:
            continue
        _take(lines, text, Span(at, match.start()), prefix)
        at = match.end()
        if _SHELL.match(text, match.start(), span.end):
            # It runs before, and not here.
            end = close(text, match.start() + 1, span.end)
            at = end if end >= 0 else span.end
            lines.put(HOLE, match.start(), at)
        elif not open_ended and (inside := _function_end(text, match, span.end)) is not None:
            # One that nothing closes is tried once only.
            open_ended, at = inside < 0, max(inside, at)
            lines.put(HOLE, match.start(), at)
        else:
            definitions.put(lines, match)
    _take(lines, text, Span(at, span.end), prefix)
    inner, places = lines.done()
    # Of a command whose words stand in several places nothing is taken out that could be another's.
    return Injection(Kind.SHELL, inner, places, careful if places.scattered else _written)


def _take(lines: VariableLines, text: str, span: Span, prefix: str) -> None:
    """Add a stretch of a recipe; of lines that a backslash joins, make takes the sign away that recipes start with."""
    at = span.start
    found = text.find(f"\n{prefix}", at, span.end) if prefix != "\t" else -1
    while found >= 0:
        lines.take(text, Span(at, found + 1))
        at = found + 2
        found = text.find(f"\n{prefix}", at, span.end)
    lines.take(text, Span(at, span.end))


def _written(text: str) -> str:
    return text.replace("$", "$$").replace("\n", "\n\t")


def _exports(text: str, every: list[MakefileAssignment]) -> Iterator[Injection]:
    """Yield the variables that a makefile exports with their values."""
    lines = VariableLines()
    for each in exported(text, every):
        lines.wall()
        if text.startswith("export", each.start):
            lines.take(text, Span(each.start, each.key.end))
        else:
            lines.put("export ", each.start, each.key.start)
            lines.take(text, each.key)
        lines.put("=", each.key.end, each.value.start)
        lines.value(text, each.value)
        behind = _LINE_END.search(text, each.value.end)
        lines.take(text, Span(each.value.end, behind.end() if behind else len(text)))
    yield from lines.script()


LACKS = (Lack(":=1", " := "), Lack("=1 x", "="))

read, cursor = host(_find, hash_comments)
