"""What can be completed in the files that options point to."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import cursor
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.lsp.features.proposals import proposals
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

KEYS = [
    # text with a bar at the cursor, kind, prefix, typed, before, after
    ("[By|", Kind.OP_PRECISION, "", "By", "", "]"),
    ("[By|]", Kind.OP_PRECISION, "", "By", "", ""),
    ("[op_compiler_cache]\nmax|", Kind.OP_CACHE, "", "max", "", "="),
    ("[ascend_context]\nplug|", Kind.MSLITE, "", "plug", "", "="),
    ("op_deb|=oom", Kind.OP_DEBUG, "", "op_deb", "", ""),
    ('{"bl|', Kind.MIXLIST, "", "bl", "", '": '),
    ('{"bl|"', Kind.MIXLIST, "", "bl", "", ": "),
    ('{"black-list": {"|"', Kind.MIXLIST, "black-list.", "", "", ": "),
    ('{"black-list": {"to-add": ["Add"], |', Kind.MIXLIST, "black-list.", "", '"', '": '),
    ('{"Switch": {|}}', Kind.FUSION_SWITCH, "Switch.", "", '"', '": '),
    ('{"Switch": {"UBFusion": {"A": "on", "Tbe|": "on"}}}', Kind.FUSION_SWITCH, "Switch.GraphFusion.", "Tbe", "", ""),
    ("ALL:off\nConv|", Kind.FUSION_SWITCH, "Switch.GraphFusion.", "Conv", "", ":"),
    ('[{"output_desc": [{"for|', Kind.SINGLE_OP, "input_desc.", "for", "", '": '),
    ('{"ServerConfig": {"ma|', Kind.MINDIE, "ServerConfig.", "ma", "", '": '),
    ('{"p": {"BackendConfig": {"ScheduleConfig": {|', Kind.MINDIE, "BackendConfig.ScheduleConfig.", "", '"', '": '),
    ('{"layer1.0.conv": {"weight_quant_params": {"ch|', Kind.AMCT, "layer.weight_quant_params.", "ch", "", '": '),
    ('{"tensor_quantize": [{"in|', Kind.AMCT, "tensor_quantize.", "in", "", '": '),
    (
        '{"tensor_quantize": [{"activation_quant_params": {"a|',
        Kind.AMCT,
        "layer.activation_quant_params.",
        "a",
        "",
        '": ',
    ),
    ('{"server_list": [{"device": [{"ra|', Kind.RANK_TABLE, "server_list.device.", "ra", "", '": '),
    ('{"dump": {"dump_list": [{"mo|', Kind.ACL_JSON, "dump.dump_list.", "mo", "", '": '),
    ('{"ge.|"', Kind.GE_OPTIONS, "", "ge.", "", ": "),
    ("aipp_op {\n  src_|\n}", Kind.AIPP, "", "src_", "", ": "),
    ("calibration: {\n  inp|\n}", Kind.COMPRESSION, "calibration.", "inp", "", ": "),
    ("a::Inp|", Kind.CUSTOMIZE_DTYPES, "", "Inp", "", ":"),
    ("Op|", Kind.KEEP_DTYPE, "", "Op", "", "::"),
]
VALUES = [
    # text, kind, option, typed, one of the proposals
    ("[ByNodeName]\na=high|", Kind.OP_PRECISION, "ByNodeName", "high", "high_performance"),
    ("Add=|", Kind.OP_PRECISION, "ByOpType", "", "high_precision"),
    ("op_debug_config=oom,cc|", Kind.OP_DEBUG, "op_debug_config", "cc", "ccec_g"),
    ("APass:o|", Kind.FUSION_SWITCH, "ALL", "o", "off"),
    ('{"Switch": {"GraphFusion": {"APass": "|', Kind.FUSION_SWITCH, "ALL", "", "off"),
    ('[{"output_desc": [{"format": "N|', Kind.SINGLE_OP, "output_desc.format", "N", "NCHW"),
    ('{"ServerConfig": {"inferMode": "|"', Kind.MINDIE, "ServerConfig.inferMode", "", "dmi"),
    (
        '{"a.b": {"weight_quant_params": {"wts_algo": "ad|',
        Kind.AMCT,
        "layer.weight_quant_params.wts_algo",
        "ad",
        "ada_quantize",
    ),
    ('{"status": "|"', Kind.RANK_TABLE, "status", "", "completed"),
    ('{"dump": {"dump_scene": "aic|"', Kind.ACL_JSON, "dump.dump_scene", "aic", "aic_err_brief_dump"),
    ("aipp_op {\n  aipp_mode: st|\n}", Kind.AIPP, "aipp_mode", "st", "static"),
    ("calibration: {\n  log: |\n}", Kind.COMPRESSION, "calibration.log", "", "debug"),
    ("a::InputDtype:float16,fl|", Kind.CUSTOMIZE_DTYPES, "InputDtype", "fl", "float"),
]


def at_bar(text: str, kind: Kind) -> tuple[Document, CompletionContext | None]:
    offset = text.index("|")
    document = Document(text.replace("|", "", 1), kind=kind)
    return document, cursor(document, offset)


@together(("text", "kind", "prefix", "typed", "before", "after"), KEYS)
def test_a_key(text: str, kind: Kind, prefix: str, typed: str, before: str, after: str) -> None:
    _, at = at_bar(text, kind)
    assert at is not None
    assert (at.wanted, at.prefix, at.typed, at.before, at.after) == (CompletionKind.KEY, prefix, typed, before, after)
    assert any(proposal.name.startswith(typed) for proposal in proposals(Analyzer(Config(), all_rules), at))


@together(("text", "kind", "option", "typed", "proposed"), VALUES)
def test_a_value(text: str, kind: Kind, option: str, typed: str, proposed: str) -> None:
    _, at = at_bar(text, kind)
    assert at is not None
    assert (at.wanted, at.option, at.typed) == (CompletionKind.VALUE, option, typed)
    assert proposed in {proposal.name for proposal in proposals(Analyzer(Config(), all_rules), at)}


def test_fusion_rules_are_proposed_with_what_they_do() -> None:
    _, at = at_bar("|", Kind.FUSION_SWITCH)
    assert at is not None
    found = proposals(Analyzer(Config(), all_rules), at)
    assert found[0].name == "ALL"
    rules = {proposal.name: proposal.detail for proposal in found[1:]}
    assert len(rules) > 300
    assert rules["FusionVirtualOpSetSwitch"]


def test_what_is_set_already_is_known() -> None:
    _, at = at_bar('{"Switch": {"GraphFusion": {"APass": "on", "|"}}}', Kind.FUSION_SWITCH)
    assert at is not None
    assert "APass" in at.present
    assert at.surface is Surface.FUSION_SWITCH
