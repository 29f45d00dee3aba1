"""All slips in one command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.shell.program_names import TOOLS, name_of
from npu_lsp.languages.shell.syntax_findings import cut_off, equals, fullwidth, lines, quotes
from npu_lsp.languages.shell.words import ShellWord, Simple
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text.spans import Edit, Span

_CUTTING = frozenset(
    {
        SyntaxFault.LOST_BACKSLASH,
        SyntaxFault.BLANK_AFTER_BACKSLASH,
        SyntaxFault.GLUED_LINES,
        SyntaxFault.UNQUOTED_SEPARATOR,
        SyntaxFault.UNBALANCED_QUOTE,
    }
)
"""Slips after which the tool doesn't get all the flags that its author wrote."""


def cuts(found: SyntaxFinding) -> bool:
    """Return whether a slip takes flags from the tool; a quote that is none pairs up those behind it the wrong way."""
    wide = found.kind is SyntaxFault.FULLWIDTH and not set(fullwidth.QUOTES).isdisjoint(found.arguments["found"])
    return wide or found.kind in _CUTTING


def in_tool_command(text: str, simple: Simple, words: Sequence[ShellWord], head: int) -> Iterator[SyntaxFinding]:
    """Yield the slips in the command of a tool.

    `words` are those that stand in the command itself, up to where a swallowed command starts; `head` is the tool's.
    """
    first = head + 1
    again = words[first] if first < len(words) else None
    if again is not None and not again.lead.startswith("-") and name_of(again) in TOOLS:
        edits = (Edit(Span(words[head].end, again.end), ""),)
        yield SyntaxFinding(SyntaxFault.REPEATED_COMMAND, again.span, {"command": text[again.start : again.end]}, edits)
    yield from equals.around_flags(text, words, first)
    wide = list(fullwidth.look_alikes(text, words[first:], flags=True))
    yield from wide
    yield from lines.glued(text, words, first)
    yield from quotes.unclosed(text, simple)
    cut = quotes.separator(text, simple)
    if cut is not None and not any(cut.span.start <= one.span.start < cut.span.end for one in wide):
        yield cut  # Behind a quote that is none for the shell, the separator is quoted once that is mended.
    yield from cut_off.cut_off(text, simple)


def in_assignments(text: str, simple: Simple) -> Iterator[SyntaxFinding]:
    """Yield the slips in `export X=v` and `X=v` for variables that matter."""
    words = simple.words
    yield from equals.in_assignments(text, words)
    named = [word for word in words if is_variable(word.lead.partition("=")[0])]
    if named:
        yield from fullwidth.look_alikes(text, named, flags=False)
        if words[0].lead == "export" and len(words) == 1 + len(named):
            yield from quotes.unclosed(text, simple)
