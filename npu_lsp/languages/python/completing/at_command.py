"""Answers inside the text of a command that the script starts; the shell's reader gives them."""

from __future__ import annotations

import re

from npu_lsp.catalog.programs import PROGRAMS, SERVERS
from npu_lsp.languages.python.completing.fragment import Fragment, texts_in
from npu_lsp.languages.shell.expansions import HOLE
from npu_lsp.languages.wanted import Cursor
from npu_lsp.text.spans import Span

_STARTS = re.compile(
    r"(?:^|[^\w.])(?:os\s*\.\s*(?:system|popen\d?)|get_ipython\(\)\s*\.\s*(?:system|getoutput)|popen"
    r"|(?:\w+\s*\.\s*)?(?:Popen|check_call|check_output|getoutput|getstatusoutput|create_subprocess_shell)"
    r"|(?:subprocess|sp|sub)\s*\.\s*\w+|run|call)\s*\Z"
)
_TOOL = re.compile(r"\s*(?:[\w./-]*/)?(?:" + "|".join((*PROGRAMS, *SERVERS)) + r")(?:\s|\Z)")
_FIELD = re.compile(r"\{[^{}\r\n]*\}|%\(\w+\)[a-z]|%[a-z]")


def answer(at: Fragment, end: int) -> Cursor | None:
    """Return what is wanted in the command that the open literal is a part of; its statement ends at `end`."""
    if not at.quote:
        return None
    start = _command_start(at)
    if start is None:
        return None
    limit = max(end, at.line_end)
    shown = [" "] * (limit - start)
    for text in texts_in(at.text, start, limit):
        written = at.text[text.start : text.end]
        holes = _FIELD.sub(lambda m: HOLE * len(m.group()), written) if "{" in written or "%" in written else written
        shown[text.start - start : text.end - start] = holes
    from npu_lsp.languages.shell.at_cursor import cursor_in

    found = cursor_in("".join(shown), at.cursor - start)
    if found is None:
        return None
    span = found.replace.shifted(start)
    if span.start < at.content or span.start < at.line_start:
        return None
    behind = at.text[span.start : span.end].find(at.quote)
    if behind >= 0:
        span = Span(span.start, max(span.start + behind, at.cursor))
    # Quotes of the shell would end the text of the script.
    before, after = ("" if at.quote[0] in part else part for part in (found.before, found.after))
    return found._replace(replace=span, typed=at.text[span.start : at.cursor], before=before, after=after)


def _command_start(at: Fragment) -> int | None:
    """Return where the texts of the command begin, or `None` where the literal is no command."""
    for bracket in at.innermost:
        if bracket.sign == "(" and _STARTS.search(at.before(bracket)):
            return bracket.at + 1
    first = next(iter(texts_in(at.text, at.start, at.cursor)), None)
    if first is not None and _TOOL.match(at.text, first.start):
        return at.start
    return at.literal if _TOOL.match(at.text, at.content) else None
