"""What the readers of host files find, in a form that is easy to compare."""

from __future__ import annotations

from npu_lsp.languages import cursor, read
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.model import Block, ParseResult, Setting
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

UNKNOWN = "?"


def reading(text: str, kind: Kind) -> ParseResult:
    """Read `text` and prove that every range lies on it, and that known text stands where it says."""
    found = read(Document(text, kind=kind))
    for number, block in enumerate(found.blocks):
        assert block.id == number
        for setting in block.settings:
            spans = [setting.key, setting.own, setting.statement, setting.value.span]
            if setting.value.content is not None:
                spans.append(setting.value.content)
                if setting.value.known:
                    assert cut(text, setting.value.content) == setting.value.data
            assert all(0 <= span.start <= span.end <= len(text) for span in spans)
    return found


def rows(text: str, kind: Kind) -> list[list[tuple[str, str]]]:
    """Return name and value of each setting, by block."""
    return [[(s.name, value(s)) for s in block.settings] for block in reading(text, kind).blocks]


def value(setting: Setting) -> str:
    return str(setting.value.data) if setting.value.known else UNKNOWN


def cut(text: str, span: Span) -> str:
    return text[span.start : span.end]


def find(document: Document, name: str) -> tuple[Block, Setting]:
    for block in read(document).blocks:
        for setting in block.settings:
            if setting.name == name:
                return block, setting
    raise AssertionError(f"no setting {name}")


def at_bar(text: str, kind: Kind) -> CompletionContext | None:
    """Return what can be completed at the `|~` in `text`."""
    offset = text.index("|~")
    return cursor(Document(text[:offset] + text[offset + 2 :], kind=kind), offset)
