"""Files that MindSpore Lite's converter and runtime read: `[ascend_context]`, and sections with options of GE.

Source: mslite:mindspore-lite/tools/common/parse_config_utils.cc.
"""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.config_formats import ini
from npu_lsp.languages.config_formats.entries import block, comments, entry, word
from npu_lsp.languages.model import ParseResult, Setting, Value, ValueKind
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_SECTIONS = {
    "ascend_context": Surface.MSLITE,
    **dict.fromkeys(("ge_global_options", "ge_session_options", "ge_graph_options"), Surface.GE),
    **dict.fromkeys(("acl_init_options", "acl_build_options"), Surface.GE),
}
"""The sections whose entries are known; those of GE hold others besides."""


def read(document: Document) -> ParseResult:
    """Return a block with the entries of each section that is known."""
    text = document.text
    found: list[tuple[Surface, Span, list[Setting]]] = []
    surface: Surface | None = None
    for line in ini.parse(document):
        name = text[slice(*line.key)]
        if line.is_section:
            surface = _SECTIONS.get(name)
            if surface is not None:
                found.append((surface, line.key, []))
        elif surface is not None and line.value is not None and _is_known(surface, name):
            found[-1][2].append(entry(surface, name, line.key, _value(document, line.value), line.span))
    blocks = [block(number, *each) for number, each in enumerate(each for each in found if each[2])]
    return ParseResult(tuple(blocks), comments=comments(document))


def _is_known(surface: Surface, name: str) -> bool:
    """Return whether an entry is one of the surface's; what starts with `;` is no comment to the tool, but to its author."""
    return name.startswith("ge.") if surface is Surface.GE else not name.startswith(";")


def _value(document: Document, span: Span) -> Value:
    """Return a value; quotation marks are taken out of the line."""
    text = document.text[slice(*span)]
    inner = Span(span.start + 1, span.end - 1)
    if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]:
        return word(document, inner)
    return word(document, span) if '"' not in text else Value(ValueKind.WORD, span)


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed: a key of the section, a value."""
    typed = ini.typed_at(document, offset)
    surface = _SECTIONS.get(ini.section_at(document, offset))
    if typed is None or typed.in_section or surface is None:
        return None
    if typed.key:
        return ini.cursor(typed, document, offset, surface, option=typed.key)
    present = frozenset(s.name for s in read(document).settings if s.surface is surface)
    return ini.cursor(typed, document, offset, surface, present=present)
