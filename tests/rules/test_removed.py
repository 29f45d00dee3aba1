"""What is said of options that are gone, and which fixes there are, where something else in the file takes part."""

from __future__ import annotations

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.findings import Finding
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind


def found(text: str, kind: Kind = Kind.SHELL) -> tuple[Finding, ...]:
    config = Config(select=("NPU302",), target=TargetConfig({"vllm-ascend": "0.14"}))
    return Analyzer(config, all_rules).findings(Document(text, kind=kind))


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("if old; then\n  export PTCOPY_ENABLE=1\nelse\n  unset PTCOPY_ENABLE\nfi\n", []),
        # It is taken out again by what runs on, not instead ...
        ("export PTCOPY_ENABLE=1\npython train.py\nunset PTCOPY_ENABLE\n", ["PTCOPY_ENABLE"]),
        # ... or another one is.
        ("if old; then\n  export PTCOPY_ENABLE=1 SKT_ENABLE=1\nelse\n  unset SKT_ENABLE\nfi\n", ["PTCOPY_ENABLE"]),
    ],
)
def test_a_script_that_knows_where_it_counts(text: str, marks: list[str]) -> None:
    assert [text[f.span.start : f.span.end] for f in found(text)] == marks


def test_an_entry_waits_for_the_one_that_makes_its_group() -> None:
    first, second = found('vllm serve m --additional-config \'{"dynamic_eplb": true, "expert_map_path": "/a"}\'\n')
    assert [fix.title for fix in first.fixes] == ['Move it to "eplb_config.dynamic_eplb"', 'Remove "dynamic_eplb"']
    assert second.fixes == ()


def test_a_replacement_in_another_example_of_a_page() -> None:
    fence = "```sh\nexport {}=1\n```\n"
    text = fence.format("ASCEND_SLOG_PRINT_TO_STDOUT") + fence.format("SLOG_PRINT_TO_STDOUT")
    (only,) = found(text, Kind.MARKDOWN)
    assert [fix.title for fix in only.fixes] == ['Remove "SLOG_PRINT_TO_STDOUT"']
