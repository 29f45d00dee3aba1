"""What a reading says, in words that a test can compare."""

from __future__ import annotations

from npu_lsp.languages import read
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.model import Block, Form, ParseResult, Setting
from npu_lsp.languages.python import cursor
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind


def reading(text: str) -> ParseResult:
    """Read `text` as Python, and prove that every range lies on its text."""
    found = read(Document(text, kind=Kind.PYTHON))
    for block in found.blocks:
        assert block.head.within(block.span)
        for setting in block.settings:
            check_places(text, setting, block)
    return found


def check_places(text: str, setting: Setting, block: Block) -> None:
    """Assert that the places of a setting hold what it says."""
    assert setting.statement.within(block.span)
    assert text[setting.key.start : setting.key.end], setting
    if setting.slot_span is not None:
        assert text[slice(*setting.slot_span)] == setting.slot
    value = setting.value
    said = text[slice(*value.span)]
    assert said == said.strip()
    # A flag may stand there without its value: `--framework=`.
    assert said or setting.form is Form.FLAG
    if value.content is not None:
        assert text[slice(*value.content)] == value.data
        assert value.content.within(value.span)
    assert 0 <= setting.own.start <= setting.own.end <= len(text)


def settings(text: str) -> list[Setting]:
    """Return all settings in the order of the text."""
    return sorted((s for b in reading(text).blocks for s in b.settings), key=lambda s: s.key)


def told(text: str) -> list[tuple[str, object]]:
    """Return name and value of each setting; a value that isn't known shows its kind in angle brackets."""
    return [(s.name, s.value.data if s.value.known else f"<{s.value.kind.value}>") for s in settings(text)]


def at(marked: str) -> tuple[CompletionContext, str] | None:
    """Return what is wanted at the `|` in `marked`, and the text that a completion replaces."""
    offset = marked.index("|")
    text = marked.replace("|", "", 1)
    found = cursor(Document(text, kind=Kind.PYTHON), offset)
    return (found, text[slice(*found.replace)]) if found is not None else None
