"""Quotes that are never closed, and separators that should be in quotes."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.shell.syntax_findings.fullwidth import QUOTES
from npu_lsp.languages.shell.words import Simple
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Edit, Span

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
