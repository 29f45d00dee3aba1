"""All slips in one command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.shell.program_names import TOOLS, name_of
from npu_lsp.languages.shell.syntax_findings import cut_off, equals, fullwidth, lines
from npu_lsp.languages.shell.syntax_findings.fullwidth import QUOTES
from npu_lsp.languages.shell.words import ShellWord, Simple
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text import lazy_re as re
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
    """Return whether a syntax error keeps flags from the tool. Behind a full-width quote, which is none, other quotes are paired wrongly."""
    wide = found.kind is SyntaxFault.FULLWIDTH and not set(fullwidth.QUOTES).isdisjoint(found.arguments["found"])
    return wide or found.kind in _CUTTING


# What shapes and steps look like behind a separator: `b:3`, `3,4`; behind `|` the second core count of `2|4`.
_GOES_ON = {
    ";": re.compile(r"(?:[A-Za-z_][\w./-]*(?::\d+)?:-?\d|-?\d+(?:,-?\d+)*(?=[;\s]|$))"),
    "|": re.compile(r"\d+(?=\s|$)"),
    "&": re.compile(r"[A-Za-z_][\w./-]*:-?\d"),
}
_LOOK_ALIKE = re.compile(f"[{QUOTES}]")
_RUN = re.compile(r"[^\s\"'`$()\\]*")


def unclosed(text: str, simple: Simple) -> Iterator[SyntaxFinding]:
    """Yield the quotes of a command that are never closed, or only by the next flag's."""
    for at, stop in simple.unclosed:
        word = next((w for w in simple.words if w.start <= at <= w.end), None)
        if word is not None and _LOOK_ALIKE.search(text, word.start, word.end):
            # Typed with full-width quotes: these are told.
            continue
        edits: tuple[Edit, ...] = ()
        if stop < len(text) and text[at : at + 1] not in text[at + 1 : stop]:
            opening = at == 0 or text[at - 1] in "= \t"
            edits = (Edit(Span(stop, stop), text[at]) if opening else Edit(Span(at, at + 1), ""),)
        yield SyntaxFinding(SyntaxFault.UNBALANCED_QUOTE, Span(at, at + 1), {"quote": text[at]}, edits)


def separator(text: str, simple: Simple) -> SyntaxFinding | None:
    """Return the `;`, `|` or `&` that cuts a flag's value in two."""
    goes_on = _GOES_ON.get(simple.operator)
    last = simple.words[-1]
    if goes_on is None or last.end != simple.stop or not last.lead.startswith("-") or "=" not in last.lead:
        return None
    behind = simple.stop + len(simple.operator)
    if goes_on.match(text, behind) is None:
        return None
    value = last.after(last.lead.index("=") + 1)
    run = text[value.start : simple.stop]
    end = behind
    # The value may hold more of them.
    rest = _RUN.match(text, behind)
    if rest is not None:
        end = rest.end()
    plain = not any(char in run for char in "\"'`$()\\") and (end == len(text) or text[end] in " \t\r\n")
    edits = (Edit(Span(value.start, value.start), '"'), Edit(Span(end, end), '"')) if plain else ()
    flag = last.lead[: last.lead.index("=")]
    return SyntaxFinding(
        SyntaxFault.UNQUOTED_SEPARATOR, Span(value.start, end), {"separator": simple.operator, "flag": flag}, edits
    )


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
    yield from unclosed(text, simple)
    cut = separator(text, simple)
    if cut is not None and not any(cut.span.start <= one.span.start < cut.span.end for one in wide):
        yield cut  # Behind a quote that is none for the shell, the separator is quoted once that is mended.
    yield from cut_off.cut_off(text, simple)
    yield from lines.dangling(text, simple)


def in_assignments(text: str, simple: Simple) -> Iterator[SyntaxFinding]:
    """Yield the slips in `export X=v` and `X=v` for variables that matter."""
    words = simple.words
    yield from equals.in_assignments(text, words)
    named = [word for word in words if is_variable(word.lead.partition("=")[0])]
    if named:
        yield from fullwidth.look_alikes(text, named, flags=False)
        if words[0].lead == "export" and len(words) == 1 + len(named):
            yield from unclosed(text, simple)
