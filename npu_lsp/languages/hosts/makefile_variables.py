"""The variables of a makefile: what they hold, as far as its text tells, and which of them it exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.shell.program_names import TOOLS
from npu_lsp.text import lazy_re as re
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span

DOLLAR = re.compile(r"\$(?:\$|\((?P<round>[^()\r\n]*)\)|\{(?P<curly>[^{}\r\n]*)\}|.)")
_BRACKETS = {"(": re.compile(r"[()]"), "{": re.compile(r"[{}]")}
_ASSIGNED = re.compile(
    r"^(?P<rule>[^\s#:=][^#:=\r\n]*:[ \t]*)?(?P<how>(?:(?:override|private|export)[ \t]+)*)"
    r"(?P<name>[A-Za-z_][\w.-]*)[ \t]*(?P<sign>[:?+!]{0,3}=)[ \t]*"
    r"(?P<value>(?:[^#\r\n\\]|\\(?:\r\n|[^\r\n]|\n|\r)?)*)",
    re.MULTILINE,
)
_EXPORTED = re.compile(r"^(?P<sign>un)?export(?:[ \t]+(?P<names>[^#=:\r\n]*))?[ \t]*(?:#.*)?$", re.MULTILINE)
_LINE_END = re.compile(r"\r\n|\n|\r")
_DEEPEST = 4
_MOST = 200
_MOST_PARTS = 50
"""How often `+=` may add to a variable that is followed: all of it stands in each recipe that uses it."""
# A command longer than this is no command that a person wrote.
_LONGEST = 20_000


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
        """Add what make puts in the place of `match`, one of `DOLLAR`: words with their own places, or a value."""
        name = match["round"] or match["curly"] or ""
        budget = budget if budget is not None else [_MOST]
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
        """Return whether a variable holds flags, or a command with flags: these have their places where it is set."""
        first = " ".join(self._text[slice(*value)] for value in values).replace("\\", " ").split(None, 2)
        if not first or first[0].startswith("-"):
            return bool(first)
        program = DOLLAR.match(first[0])
        name = (program["round"] or program["curly"] or "") if program else ""
        starts = first[0].rpartition("/")[2] in TOOLS or name in self.tools
        return starts and len(first) > 1 and first[1].startswith(("-", "$"))

    def _expand(self, lines: VariableLines, span: Span, depth: int, budget: list[int]) -> None:
        at = span.start
        open_ended = False
        for match in DOLLAR.finditer(self._text, *span):
            budget[0] -= 1
            if match.start() < at:
                continue
            lines.take(self._text, Span(at, match.start()))
            end = None if open_ended else function_end(self._text, match, span.end)
            open_ended = open_ended or end == -1
            at = match.end()
            if end is not None and end > 0:
                at = end
                lines.put(HOLE, match.start(), at)
            else:
                self.put(lines, match, depth, budget)
        lines.take(self._text, Span(at, span.end))


def function_end(text: str, match: re.Match[str], limit: int) -> int | None:
    """Return where a reference ends that `DOLLAR` finds the start of only, since others stand in it.

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
