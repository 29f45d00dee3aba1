"""What can be completed at a place, told from the text of its statement: it need not parse.

Inside the text of a command that the script starts the shell's reader answers.
"""

from __future__ import annotations

from npu_lsp.catalog.programs import PROGRAMS, SERVERS
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.python.completing import at_argument
from npu_lsp.languages.python.completing.at_target import answer_attribute, answer_entry
from npu_lsp.languages.python.completing.fragment import Fragment, fragment, texts_in
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.shell.expansions import HOLE
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_STARTS = re.compile(
    r"(?:^|[^\w.])(?:os\s*\.\s*(?:system|popen\d?)|get_ipython\(\)\s*\.\s*(?:system|getoutput)|popen"
    r"|(?:\w+\s*\.\s*)?(?:Popen|check_call|check_output|getoutput|getstatusoutput|create_subprocess_shell)"
    r"|(?:subprocess|sp|sub)\s*\.\s*\w+|run|call)\s*\Z"
)
_TOOL = re.compile(r"\s*(?:[\w./-]*/)?(?:" + "|".join((*PROGRAMS, *SERVERS)) + r")(?:\s|\Z)")
_FIELD = re.compile(r"\{[^{}\r\n]*\}|%\(\w+\)[a-z]|%[a-z]")


def cursor_at(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`."""
    source = source_of(document)
    index = source.logical_lines.before(offset)
    if index < 0:
        return None
    at = fragment(document.text, source.logical_lines.starts[index], offset)
    if at is None:
        return None
    roles = source.roles
    return (
        answer_entry(at, roles)
        or at_argument.answer(at, roles)
        or answer_attribute(at, roles)
        or _in_command(at, source.logical_lines.ends[index])
    )


def _in_command(at: Fragment, end: int) -> CompletionContext | None:
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
