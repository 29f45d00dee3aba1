"""Whatever is done to a file that options point to, nothing crashes and no place leaves the text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from npu_lsp.languages import cursor, read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span, apply_edits

FILES = {
    Kind.OP_PRECISION: "# modes\n[ByOpType]\nAdd=high_precision\n[ByNodeName]\na/b=high_performance\n",
    Kind.OP_CACHE: "[op_compiler_cache]\nmax_op_cache_size=500\nremain_cache_size_ratio=80\n",
    Kind.MIXLIST: '{\n "black-list": {"to-add": ["Add"], "to-remove": ["Mul"]},\n "white-list": {"to-add": ["Mul"]}\n}\n',
    Kind.FUSION_SWITCH: '{"Switch": {"GraphFusion": {"ALL": "off", "AABiasaddConvFusion": "off"}, "UBFusion": {}}}\n',
    Kind.CUSTOMIZE_DTYPES: "a/b::InputDtype:float16,,int8,OutputDtype:float\nOpType::Add:InputDtype:int8\n",
    Kind.KEEP_DTYPE: "conv1\nOpType::Relu\n",
    Kind.OP_DEBUG: "op_debug_config=ccec_g,oom\nop_debug_list=GatherV2\n",
    Kind.COMPRESSION: "first: true\ncalibration:\n{\n  input_shape: data:32,3\n  log: info\n}\n",
    Kind.SINGLE_OP: '[{"op": "Add", "input_desc": [{"type": "float16", "shape": [1, -1], "format": "ND"}]}]\n',
    Kind.GE_OPTIONS: '{"ge.exec.device_id": "0", "ge.graphRunMode": "1"}\n',
    Kind.AIPP: 'aipp_op {\n  aipp_mode: static # why\n  related_input_name: "x"\n  crop: true\n}\n',
}
EDITS = st.lists(
    st.tuples(st.integers(0, 120), st.integers(0, 12), st.text(alphabet="{}[]\"',:=#<>\\\r\n\t aZ0中😀", max_size=4)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=150)
@given(kind=st.sampled_from(sorted(FILES, key=lambda each: each.value)), edits=EDITS)
def test_any_edits(kind: Kind, edits: list[tuple[int, int, str]]) -> None:
    text = FILES[kind]
    for at, size, new in edits:
        text = text[:at] + new + text[at + size :]
    document = Document(text, kind=kind)
    analyzer = Analyzer(Config(), all_rules)
    for finding in analyzer.findings(document):
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        for fix in finding.fixes:
            apply_edits(text, fix.edits)
    assert analyzer.failures == 0
    for block in read(document).blocks:
        for setting in block.settings:
            assert 0 <= setting.key.start <= setting.key.end <= len(text)
    for offset in range(0, len(text) + 1, 5):
        line = document.line_span(document.line_of(offset))
        at_offset = cursor(document, offset)
        # No position of an editor lies within a line end.
        if at_offset is not None and offset <= line.end:
            assert line.start <= at_offset.replace.start <= at_offset.replace.end <= line.end


@settings(max_examples=100)
@given(kind=st.sampled_from(sorted(FILES, key=lambda each: each.value)), edits=EDITS)
def test_an_edited_file_reads_as_a_fresh_one(kind: Kind, edits: list[tuple[int, int, str]]) -> None:
    document = Document(FILES[kind], kind=kind)
    read(document)
    for at, size, new in edits:
        at = min(at, len(document.text))
        document = document.edited(Span(at, min(len(document.text), at + size)), new)
        found = read(document)
        assert found == read(Document(document.text, kind=kind))
        for block in found.blocks:
            for setting in block.settings:
                value = setting.value
                assert setting.key.start <= setting.key.end <= len(document.text)
                if value.known and value.content is not None:
                    assert document.text[value.content.start : value.content.end] == str(value.data)
