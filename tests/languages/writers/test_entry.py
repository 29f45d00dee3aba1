"""What changes in the files that options point to, and what stays as it is."""

from __future__ import annotations

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.model import Setting
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.together import together


def found(text: str, kind: Kind, name: str) -> tuple[Document, Setting]:
    document = Document(text, kind=kind)
    every = [s for b in read(document).blocks for s in b.settings]
    return document, next(s for s in every if name in (s.name, s.receiver))


REMOVED = [
    ("[ByOpType]\nAdd=high_precision\nMul=x\n", Kind.OP_PRECISION, "Add", "[ByOpType]\nMul=x\n"),
    ("A: on\r\nB:off\r\nC:on", Kind.FUSION_SWITCH, "B", "A: on\r\nC:on"),
    ('{"Switch": {"GraphFusion": {"A": "on", "B": "off"}}}', Kind.FUSION_SWITCH, "A", None),
    ('{"Switch": {"GraphFusion": {"A": "on", "B": "off"}}}', Kind.FUSION_SWITCH, "B", None),
    (
        '{"Switch": {"GraphFusion": {\n  "A": "on",\n  "B": "off"\n}}}',
        Kind.FUSION_SWITCH,
        "A",
        '{"Switch": {"GraphFusion": {\n  "B": "off"\n}}}',
    ),
    (
        '{"Switch": {"GraphFusion": {\n  "A": "on",\n  "B": "off"\n}}}',
        Kind.FUSION_SWITCH,
        "B",
        '{"Switch": {"GraphFusion": {\n  "A": "on"\n}}}',
    ),
    # What follows on the line takes the place of what goes.
    (
        '{"Switch": {"GraphFusion": {"A": "on", \t"B": "off"}}}',
        Kind.FUSION_SWITCH,
        "A",
        '{"Switch": {"GraphFusion": {"B": "off"}}}',
    ),
    (
        '{"Switch": {"GraphFusion": {"A": "on",  \n  "B": "off", "C": "on"}}}',
        Kind.FUSION_SWITCH,
        "B",
        '{"Switch": {"GraphFusion": {"A": "on",  \n  "C": "on"}}}',
    ),
    ("aipp_op {\n  crop: true\n  padding: true\n}\n", Kind.AIPP, "crop", "aipp_op {\n  padding: true\n}\n"),
    ("op_debug_config=oom,ccec_g\n", Kind.OP_DEBUG, "op_debug_config", "op_debug_config=oom,ccec_g\n"),
]


@together(("text", "kind", "name", "left"), REMOVED)
def test_remove(text: str, kind: Kind, name: str, left: str | None) -> None:
    document, setting = found(text, kind, name)
    result = apply_edits(text, writer_for(setting).remove(document, [setting]))
    if left is not None:
        assert result == left
    after = read(Document(result, kind=kind))
    assert not after.syntax
    if result != text:
        assert not any(s.key and result[slice(*s.key)] == name for b in after.blocks for s in b.settings)


def test_remove_both() -> None:
    text = "A:on\nB:off\nC:on\n"
    document = Document(text, kind=Kind.FUSION_SWITCH)
    settings = read(document).blocks[0].settings
    assert apply_edits(text, writer_for(settings[0]).remove(document, settings[:2])) == "C:on\n"


RENAMED = [
    ("convbatch:off\n", Kind.FUSION_SWITCH, "convbatch", "NewName", "NewName:off\n"),
    (
        '{"black-list": {"to_add": []}}',
        Kind.MIXLIST,
        "black-list.to_add",
        "black-list.to-add",
        '{"black-list": {"to-add": []}}',
    ),
    ("aipp_op {\n crp: true\n}", Kind.AIPP, "crp", "crop", "aipp_op {\n crop: true\n}"),
]


@pytest.mark.parametrize(("text", "kind", "name", "new", "wanted"), RENAMED)
def test_rename(text: str, kind: Kind, name: str, new: str, wanted: str) -> None:
    document, setting = found(text, kind, name)
    assert apply_edits(text, writer_for(setting).rename(document, setting, new)) == wanted


SET = [
    ("Add = high_pre # x\n", Kind.OP_PRECISION, "Add", "high_precision", "Add = high_precision\n"),
    ('{"ge.a": "x"}', Kind.GE_OPTIONS, "ge.a", "y", '{"ge.a": "y"}'),
    ('{"ge.a": 1}', Kind.GE_OPTIONS, "ge.a", 2, '{"ge.a": 2}'),
    ("aipp_op {\n crop: True\n}", Kind.AIPP, "crop", True, "aipp_op {\n crop: true\n}"),
    ("aipp_op {\n name: 'a'\n}", Kind.AIPP, "name", "b", "aipp_op {\n name: 'b'\n}"),
    ('{"ge.a": {"b": 1}}', Kind.GE_OPTIONS, "ge.a", "y", '{"ge.a": {"b": 1}}'),
]


@together(("text", "kind", "name", "value", "wanted"), SET)
def test_set_value(text: str, kind: Kind, name: str, value: str | int | bool, wanted: str) -> None:
    document, setting = found(text, kind, name)
    assert apply_edits(text, writer_for(setting).set_value(document, setting, value)) == wanted


def test_add_below() -> None:
    text = "[op_compiler_cache]\r\nmax_op_cache_size=5\r\n# end\r\n"
    document, setting = found(text, Kind.OP_CACHE, "max_op_cache_size")
    block = read(document).blocks[0]
    edits = writer_for(setting).add(document, block, setting, Added("remain_cache_size_ratio", 50))
    assert apply_edits(text, edits) == (
        "[op_compiler_cache]\r\nmax_op_cache_size=5\r\nremain_cache_size_ratio=50\r\n# end\r\n"
    )
