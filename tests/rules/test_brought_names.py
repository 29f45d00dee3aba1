"""No fix that is safe writes a name where something that isn't known may set that name already.

A keyword argument that is there twice stops the call; of a key or a flag that is there twice, one takes the place of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.model import Form, Setting
from npu_lsp.linter.findings import Safety
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.spans import apply_edits
from tests.rules.trial import findings, write_files
from tests.together import together

FIXED = [
    pytest.param(r, e, id=f"{r.code}-{i}")
    for r in all_rules()
    for i, e in enumerate(r.invalid)
    # A slip in the syntax hides a name that its author has put there.
    if r.fault is None and any("safe" in said.split() for said in e.says)
]


def _widened(text: str, setting: Setting) -> Iterator[str]:
    """Yield the text with something beside a setting of which nobody knows what it sets."""
    start, end = setting.own
    if setting.form in (Form.KEYWORD, Form.ITEM):
        yield f"{text[:start]}**more, {text[start:]}"
        yield f"{text[:end]}, **more{text[end:]}"
    elif setting.form is Form.FLAG:
        yield f'{text[:start]}"$@" {text[start:]}'
        yield f"{text[:end]} $MORE{text[end:]}"
    elif setting.form is Form.PARAMETER_MAP:
        end = setting.statement.end
        line = text.rfind("\n", 0, setting.statement.start) + 1
        blanks = text[line : setting.statement.start]
        yield f"{text[:end]}\n{blanks}set_up({setting.receiver}){text[end:]}"


def _opened(document: Document) -> Iterator[Document]:
    """Yield the document with one of its blocks opened, as often as there is a way to."""
    for number, block in enumerate(read(document).blocks):
        for setting in block.settings if not block.open else ():
            for text in _widened(document.text, setting):
                after = Document(text, path=document.path, kind=document.kind)
                if [b.open for b in read(after).blocks[number : number + 1]] == [True]:
                    yield after


def _names(document: Document) -> list[tuple[bool, set[str]]]:
    return [(block.open, {setting.name for setting in block.settings}) for block in read(document).blocks]


@together(("rule", "example"), FIXED)
def test_a_safe_fix_brings_no_name_where_it_may_stand_already(rule: Rule, example: Invalid, tmp_path: Path) -> None:
    write_files(tmp_path, {**example.files, **example.creates})
    for opened in _opened(Document(example.text, path=str(tmp_path / "a"), kind=example.kind)):
        for fix in (fix for found in findings(rule, example, tmp_path, opened.text) for fix in found.fixes):
            if fix.safety is Safety.SAFE:
                after = Document(apply_edits(opened.text, fix.edits), path=opened.path, kind=opened.kind)
                for (is_open, before), (_, now) in zip(_names(opened), _names(after), strict=False):
                    assert not is_open or now <= before, after.text


def test_each_way_to_write_a_setting_is_opened() -> None:
    """What is asserted above is asserted of something."""
    ways = set()
    for each in FIXED:
        example = each.values[1]
        assert isinstance(example, Invalid)
        document = Document(example.text, path="/nowhere/a", kind=example.kind)
        if any(_opened(document)):
            ways |= {setting.form for block in read(document).blocks for setting in block.settings}
    assert ways >= {Form.KEYWORD, Form.ITEM, Form.FLAG, Form.PARAMETER_MAP}
