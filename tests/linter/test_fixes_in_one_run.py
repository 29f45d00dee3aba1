"""One run makes every fix that a second one would make: what one round has to refuse, another fix may make room for."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import settings as configured
from hypothesis import strategies as st

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.fixing.rounds import fixed
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

ANALYZER = Analyzer(Config(), all_rules)
SETTINGS = st.lists(
    st.sampled_from(
        (
            ("modify_mixlist", "a.json"),
            ("op_select_implmode", "high_precision"),
            ("op_select_implmode", " high_performance"),
            ("optypelist_for_implmode", "Gelu"),
            ("optypelist_for_implmode", "Gelu,Softmax "),
            ("op_precision_mode", "a.ini"),
            ("precision_mode", " force_fp16"),
            ("precision_mode_v2", "fp16 "),
        )
    ),
    min_size=2,
    max_size=5,
)
FORMS = {
    Kind.PYTHON: (
        "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n{}",
        'custom_op.parameter_map["{}"].s = tf.compat.as_bytes("{}")\n',
    ),
    Kind.SHELL: ("atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3{}\n", ' --{}="{}"'),
}
TWICE = ("modify_mixlist", "a.json")


@pytest.mark.parametrize("unsafe", [True, False])
@configured(max_examples=25)
@given(kind=st.sampled_from(tuple(FORMS)), chosen=SETTINGS)
@example(kind=Kind.SHELL, chosen=[TWICE, TWICE, ("precision_mode_v2", "fp16 "), TWICE])
@example(
    kind=Kind.PYTHON, chosen=[TWICE, TWICE, ("op_select_implmode", " high_performance"), ("precision_mode_v2", "fp16 ")]
)
def test_a_second_run_finds_nothing_to_do(unsafe: bool, kind: Kind, chosen: list[tuple[str, str]]) -> None:
    around, one = FORMS[kind]
    document = Document(around.format("".join(one.format(*each) for each in chosen)), kind=kind)
    first = fixed(document, ANALYZER.findings, unsafe=unsafe)
    again = fixed(Document(first.document.text, kind=kind), ANALYZER.findings, unsafe=unsafe)
    assert not again.counts, first.document.text
