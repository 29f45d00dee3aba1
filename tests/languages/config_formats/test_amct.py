"""AMCT's quantization file: known by its shape; each layer is judged for itself, under whatever name."""

from __future__ import annotations

from functools import partial

from npu_lsp.languages import read
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.languages.told import changed as changed_in
from tests.languages.told import told as of_text
from tests.together import together

IFMR = '{"num_bits": 8, "max_percentile": 0.999999, "min_percentile": 0.999999, "search_range": [0.7, 1.3], "search_step": 0.01}'
HFMG = '{"num_bits": 8, "act_algo": "hfmg", "num_of_bins": 4096, "asymmetric": false}'
ADA = '{"wts_algo": "ada_quantize", "num_iteration": 10000, "reg_param": 0.1, "beta_range": [20, 2], "warm_start": 0.2}'
WHOLE = f"""{{"version": 1, "batch_num": 2, "activation_offset": true, "do_fusion": true, "skip_fusion_layers": ["fc"],
 "layer1.0.conv1": {{"quant_enable": true, "dmq_balancer_param": 0.5, "activation_quant_params": {IFMR},
   "weight_quant_params": {{"num_bits": 8, "wts_algo": "arq_quantize", "channel_wise": true}}}},
 "version_head": {{"quant_enable": true, "activation_quant_params": {HFMG}, "weight_quant_params": {ADA}}},
 "fc": {{"quant_enable": false}},
 "tensor_quantize": [{{"layer_name": "add", "input_index": 0, "activation_quant_params": {IFMR}}}]}}
"""
told = partial(of_text, kind=Kind.AMCT)
changed = partial(changed_in, WHOLE)


def settings(text: str) -> list[list[str]]:
    """Return the names of settings, a list for each block."""
    return [[each.name for each in block.settings] for block in read(Document(text, kind=Kind.AMCT)).blocks]


def test_a_whole_file_has_nothing_wrong() -> None:
    assert told(WHOLE) == []
    shared, first, second, last, tensor = settings(WHOLE)
    assert shared[:2] == ["version", "batch_num"]
    assert first[:3] == ["layer", "layer.quant_enable", "layer.dmq_balancer_param"]
    assert "layer.weight_quant_params.beta_range" in second
    assert last == ["layer", "layer.quant_enable"]
    assert tensor[:2] == ["tensor_quantize.layer_name", "tensor_quantize.input_index"]
    assert "layer.activation_quant_params.search_step" in tensor


@together(
    "text",
    [
        # HQQ, as model folders have it.
        '{"quant_config": {"weight_quant_params": {"nbits": 4, "channel_wise": true, "group_size": 64}}}',
        '{"a": {"quant_enable": true}}',
        '{"a": {"activation_quant_params": {}}, "weight_quant_params": {"wts_algo": "arq_quantize"}}',
        # Tools of that name for other chips.
        '{"a": {"quant_enable": true, "activation_quant_params": [{"search_step": 0.01}]}}',
        f'{{"a": {{"activation_quant_params": {IFMR}, "weight_quant_params": {{"wts_algo": "snq_quantize"}}}}}}',
        f'{{"update_bn": true, "a": {{"activation_quant_params": {IFMR}}}}}',
        f'{{"a": {{"activation_quant_params": {IFMR}, "weight_quant_params": {{"quantizer": "ArqWeightFakeQuantize"}}}}}}',
        '["activation_quant_params"]',
        "",
    ],
)
def test_other_files_are_left_alone(text: str) -> None:
    assert settings(text) == []
    assert told(text) == []


@together(
    ("before", "after", "expected"),
    [
        ('"version": 1', '"version": 2', [("NPU104", "2")]),
        ('"batch_num": 2', '"batch_num": 0', [("NPU106", "0")]),
        ('"batch_num": 2', '"batch_nmu": 2', [("NPU101", "batch_nmu")]),
        ('"do_fusion": true', '"do_fusion": "true"', [("NPU103", '"true"')]),
        ('"dmq_balancer_param": 0.5', '"dmq_balancer_param": 0.9', [("NPU106", "0.9")]),
        ('"dmq_balancer_param"', '"dmq_balancer_parma"', [("NPU101", "dmq_balancer_parma")]),
        ('"num_of_bins": 4096', '"num_of_bins": 4000', [("NPU104", "4000")]),
        ('"num_of_bins": 4096', '"search_range": [0.7, 1.3]', [("NPU203", "search_range")]),
        ('"wts_algo": "ada_quantize"', '"wts_algo": "ada_quantise"', [("NPU104", "ada_quantise")]),
        ('"reg_param": 0.1', '"reg_param": 0', [("NPU106", "0")]),
        ('"channel_wise": true', '"warm_start": 0.3', [("NPU201", "warm_start")]),
        ('"channel_wise": true', '"num_bits": 8', [("NPU207", "num_bits")]),
        # Builds for other frameworks have keys that no source shows.
        ('"channel_wise": true', '"with_offset": false', []),
        ('"batch_num": 2', '"somebodys_key": 2', []),
    ],
)
def test_what_stops_the_tool_is_told(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert told(changed(before, after)) == expected
