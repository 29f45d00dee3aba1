"""The file of `customize_dtypes`: `node::InputDtype:a,b,OutputDtype:c`, `OpType::Type:InputDtype:a`, a line each.

As `op_cust_dtypes_config_parser.cc` of GE reads it: it is strict, and has neither comments nor empty lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats.entries import blocks, entry, lines, malformed, once_a_run, stripped, word
from npu_lsp.languages.config_formats.keep_dtype import PREFIX
from npu_lsp.languages.model import ParseResult, Setting, SyntaxFinding
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_TYPE = "OpType::"
_KEY = re.compile(r"(?:InputDtype|OutputDtype)(?=:)")
_ELEMENT = re.compile(r"[^,]+")
_FORM = "name::InputDtype:float16,OutputDtype:float16"


def read(document: Document) -> ParseResult:
    """Return a block for each line; each data type is an entry of its own."""
    text = document.text
    groups: list[tuple[list[Setting], str]] = []
    mistakes: list[SyntaxFinding] = []
    last = len(text.rstrip())
    for number, span in lines(document):
        if span.start == span.end:
            if span.start < last:
                mistakes.append(malformed(Span(span.start, document.line_end(number)), "empty", form=_FORM))
            continue
        wrong = PREFIX.match(text, span.start, span.end)
        if wrong is not None and wrong.group() != _TYPE:
            edit = Edit(Span(*wrong.span()), _TYPE)
            mistakes.append(malformed(edit.span, "prefix", edit, name=_TYPE + text[wrong.end() : span.end]))
            continue
        reason = _reason(text[span.start : span.end])
        if reason:
            mistakes.append(malformed(span, reason, form=_FORM))
            continue
        settings = list(_settings(document, span))
        groups.append((settings, settings[0].receiver if settings else ""))
    return ParseResult(blocks(Surface.CUSTOMIZE_DTYPES, groups), tuple(once_a_run(document, mistakes)))


def _reason(line: str) -> str:
    """Return what is wrong with a line, empty for a good one."""
    plain = line.removeprefix(_TYPE)
    found = [match.group() for match in _KEY.finditer(plain)]
    if line.startswith("#"):
        return "comment"
    if not found or plain.find(":") <= 0:
        return "no_dtype"
    if found == ["OutputDtype", "InputDtype"]:
        return "order"
    return ""


def _settings(document: Document, span: Span) -> Iterator[Setting]:
    text = document.text
    by_type = text.startswith(_TYPE, span.start)
    start = span.start + (len(_TYPE) if by_type else 0)
    colon = text.find(":", start, span.end)
    name = stripped(text, Span(start, colon))
    receiver = text[span.start if by_type else name.start : name.end]
    if by_type:
        key = Span(span.start, span.start + len("OpType"))
        yield entry(Surface.CUSTOMIZE_DTYPES, "OpType", key, word(document, name), span, receiver=receiver)
    keys = list(_KEY.finditer(text, colon, span.end))
    for index, key_match in enumerate(keys):
        end = keys[index + 1].start() if index + 1 < len(keys) else span.end
        for match in _ELEMENT.finditer(text, key_match.end() + 1, end):
            part = stripped(text, Span(*match.span()))
            if part.start < part.end:
                key = Span(*key_match.span())
                value = word(document, part)
                yield entry(
                    Surface.CUSTOMIZE_DTYPES, key_match.group(), key, value, part, receiver=receiver, statement=span
                )


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed: a key, a data type."""
    text = document.text
    line = document.line_span(document.line_of(offset))
    start = max(text.rfind(sign, line.start, offset) + 1 for sign in (":", ",")) or line.start
    start = max(start, line.start)
    end = min((at for sign in (":", ",") if (at := text.find(sign, offset, line.end)) >= 0), default=line.end)
    replace = stripped(text, Span(start, max(end, start)))
    replace = replace if replace.covers(offset) else Span(offset, offset)
    typed = text[replace.start : max(offset, replace.start)]
    keys = [match for match in _KEY.finditer(text, line.start, offset) if match.end() < offset]
    if keys and not "OutputDtype".startswith(typed or "-"):
        return CompletionContext(
            CompletionKind.VALUE, Surface.CUSTOMIZE_DTYPES, replace, typed, option=keys[-1].group()
        )
    after = "" if text.startswith(":", replace.end) else "::" if start == line.start else ":"
    return CompletionContext(CompletionKind.KEY, Surface.CUSTOMIZE_DTYPES, replace, typed, after=after)
