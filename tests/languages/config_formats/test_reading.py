"""What the files that options point to set: names, values and places, in every format."""

from __future__ import annotations

from itertools import product

from npu_lsp.languages import read
from npu_lsp.languages.model import Form, ParseResult
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together


def reading(text: str, kind: Kind) -> ParseResult:
    return read(Document(text, kind=kind))


def told(text: str, kind: Kind) -> list[list[tuple[str, str, str]]]:
    """Return block by block what stands at the key, the option's name, and what stands at the value."""
    found = reading(text, kind)
    for block in found.blocks:
        for setting in block.settings:
            assert setting.form is Form.ENTRY
            assert setting.statement.start <= setting.key.start <= setting.key.end <= setting.statement.end
    return [
        [(text[slice(*s.key)], s.name, text[slice(*(s.value.content or s.value.span))]) for s in b.settings]
        for b in found.blocks
    ]


def mistakes(text: str, kind: Kind) -> list[tuple[str, str, str]]:
    return [(m.kind, m.arguments.get("reason", ""), text[slice(*m.span)]) for m in reading(text, kind).syntax]


def test_op_precision() -> None:
    text = "Add = high_precision\n# Mul=x\n\n[ByNodeName]\r\nbert/softmax=high_performance\r\nno sign\n"
    assert told(text, Kind.OP_PRECISION) == [
        [("Add", "ByOpType", "high_precision")],
        [("ByNodeName", "ByNodeName", "[ByNodeName]"), ("bert/softmax", "ByNodeName", "high_performance")],
    ]


def test_lines_below_an_unknown_section_belong_to_the_one_before() -> None:
    text = "[ByNodeName]\n[ByNodeNam]\na=high_precision\n"
    assert told(text, Kind.OP_PRECISION)[1][1][1] == "ByNodeName"


def test_op_cache() -> None:
    text = "[op_compiler_cache]\nmax_op_cache_size=500\nremain_cache_size_ratio = 80\n"
    assert told(text, Kind.OP_CACHE)[0][1:] == [
        ("max_op_cache_size", "max_op_cache_size", "500"),
        ("remain_cache_size_ratio", "remain_cache_size_ratio", "80"),
    ]
    assert mistakes(text, Kind.OP_CACHE) == []
    assert mistakes("max_op_cache_size=500\n", Kind.OP_CACHE) == [("missing-section", "", "max_op_cache_size")]


def test_op_debug() -> None:
    text = "# why\nop_debug_config = ccec_g, oom\nop_debug_list=GatherV2,OpType::ReduceSum\n"
    assert told(text, Kind.OP_DEBUG) == [
        [
            ("op_debug_config", "op_debug_config", "ccec_g"),
            ("op_debug_config", "op_debug_config", "oom"),
            ("op_debug_list", "op_debug_list", "GatherV2"),
            ("op_debug_list", "op_debug_list", "OpType::ReduceSum"),
        ]
    ]
    assert mistakes("op_debug_config=\n", Kind.OP_DEBUG)[0][1] == "no_value"


def test_mixlist() -> None:
    text = '{"black-list": {"to-add": ["Add", "Mul"]}}'
    found = reading(text, Kind.MIXLIST).blocks[0].settings
    assert [(s.name, s.value.data) for s in found] == [("black-list", None), ("black-list.to-add", ["Add", "Mul"])]
    assert [text[slice(*item.span)] for item in found[1].value.items] == ['"Add"', '"Mul"']


def test_fusion_switch_in_json() -> None:
    text = '\ufeff{"Switch": {"GraphFusion": {"ALL": "off"}, "UBFusion": {"TbePass": "on"}}}'
    frame, graph, ub = told(text, Kind.FUSION_SWITCH)
    assert [name for _, name, _ in frame] == ["Switch", "Switch.GraphFusion", "Switch.UBFusion"]
    assert graph == [("ALL", "ALL", "off")]
    assert ub == [("TbePass", "TbePass", "on")]


def test_fusion_switch_in_lines() -> None:
    text = " APass : off \r\n\r\nBPass:on\r\n"
    assert told(text, Kind.FUSION_SWITCH) == [[("APass", "APass", "off"), ("BPass", "BPass", "on")]]
    assert mistakes("# x\nAPass\nB:Off\nC:\n", Kind.FUSION_SWITCH) == [
        ("malformed-entry", "comment", "# x"),
        ("malformed-entry", "no_colon", "APass"),
        ("malformed-entry", "switch", "Off"),
        ("malformed-entry", "switch", ""),
    ]


def test_customize_dtypes() -> None:
    text = "fp32/Relu::InputDtype:float16,,int8,OutputDtype:float\nOpType::Add:OutputDtype:float16\n"
    assert told(text, Kind.CUSTOMIZE_DTYPES) == [
        [
            ("InputDtype", "InputDtype", "float16"),
            ("InputDtype", "InputDtype", "int8"),
            ("OutputDtype", "OutputDtype", "float"),
        ],
        [("OpType", "OpType", "Add"), ("OutputDtype", "OutputDtype", "float16")],
    ]
    assert [b.receiver for b in reading(text, Kind.CUSTOMIZE_DTYPES).blocks] == ["fp32/Relu", "OpType::Add"]
    wrong = "# x\n\na::OutputDtype:int8,InputDtype:int8\nonly\n"
    assert [m[1] for m in mistakes(wrong, Kind.CUSTOMIZE_DTYPES)] == ["comment", "empty", "order", "no_dtype"]


def test_keep_dtype() -> None:
    assert told("conv1\nOpType::Relu\n", Kind.KEEP_DTYPE) == [[("OpType", "OpType", "Relu")]]
    assert [m[1] for m in mistakes("# x\nOpType::relu\n", Kind.KEEP_DTYPE)] == ["comment_is_name", "pascal_case"]


def test_compression() -> None:
    text = "first: true\ncalibration:\n{\n  input_shape: data:32,3\n  log: info\n}\nlast: 1"
    assert [(name, value) for _, name, value in told(text, Kind.COMPRESSION)[0]] == [
        ("first", "true"),
        ("calibration", "calibration:"),
        ("calibration.input_shape", "data:32,3"),
        ("calibration.log", "info"),
        ("last", "1"),
    ]


def test_aipp() -> None:
    text = 'aipp_op {\n aipp_mode : static # why\n related_input_name: "x y"\n}\naipp_op: {\n crop: true }\n'
    assert told(text, Kind.AIPP) == [
        [
            ("aipp_op", "aipp_op", "{"),
            ("aipp_mode", "aipp_mode", "static"),
            ("related_input_name", "related_input_name", "x y"),
        ],
        [("aipp_op", "aipp_op", "{"), ("crop", "crop", "true")],
    ]


def test_single_op() -> None:
    text = '[{"op": "Add", "input_desc": [{"type": "float16", "shape": [1, 2]}, {"type": "int8"}]}]'
    (block,) = reading(text, Kind.SINGLE_OP).blocks
    assert [(s.name, s.value.data) for s in block.settings if s.value.known] == [
        ("op", "Add"),
        ("input_desc.type", "float16"),
        ("input_desc.shape", [1, 2]),
        ("input_desc.type", "int8"),
    ]


def test_ge_options() -> None:
    text = '{"ge.exec.device_id": "0", "other": {"ge.graphRunMode": 1}}'
    assert told(text, Kind.GE_OPTIONS) == [
        [("ge.exec.device_id", "ge.exec.device_id", "0")],
        [("ge.graphRunMode", "ge.graphRunMode", "1")],
    ]


SIDECARS = [
    Kind.OP_PRECISION,
    Kind.OP_CACHE,
    Kind.MIXLIST,
    Kind.CUSTOMIZE_DTYPES,
    Kind.KEEP_DTYPE,
    Kind.FUSION_SWITCH,
    Kind.OP_DEBUG,
    Kind.COMPRESSION,
    Kind.SINGLE_OP,
    Kind.GE_OPTIONS,
    Kind.AIPP,
]
ODD = [
    "",
    "\ufeff",
    "\0",
    "=",
    "[",
    "[[[[",
    "{",
    '{"',
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":}',
    "{,}",
    "[,]",
    "{]",
    '{"a" "b"}',
    "{'a': 1}",
    '"\\ud800"',
    "[" * 5000,
    '{"a":' * 5000,
    "}" * 50,
    "a { " * 500,
    ":::",
    "OpType::",
    "::InputDtype:",
    "a::InputDtype:,,,OutputDtype:",
    "1e999999",
    "9" * 5000,
    "calibration:\n{\n{\n}",
    "\r\r\n\n=\r",
    "a: 'x\nb: \"y",
]


@together(("kind", "text"), product(SIDECARS, ODD))
def test_odd_text_is_no_trouble(kind: Kind, text: str) -> None:
    from npu_lsp.languages import cursor
    from npu_lsp.linter.analysis import Analyzer
    from npu_lsp.linter.configuration import Config

    document = Document(text, kind=kind)
    analyzer = Analyzer(Config(), all_rules)
    for finding in analyzer.findings(document):
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
    assert analyzer.failures == 0
    for offset in {0, 1, len(text) // 2, max(0, len(text) - 1), len(text)}:
        at = cursor(document, min(offset, len(text)))
        if at is not None:
            assert 0 <= at.replace.start <= at.replace.end <= len(text)


def test_mslite() -> None:
    text = (
        '[ascend_context]\ninput_format=NCHW\n; provider=ge\nprecision_mode = "enforce_fp16"\n# aoe_mode=x\n'
        "[other]\nprovider=x\n[ge_session_options]\nge.externalWeight=1\ninput_format=ND\n"
    )
    assert told(text, Kind.MSLITE) == [
        [("input_format", "input_format", "NCHW"), ("precision_mode", "precision_mode", "enforce_fp16")],
        [("ge.externalWeight", "ge.externalWeight", "1")],
    ]
