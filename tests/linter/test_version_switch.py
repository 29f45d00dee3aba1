"""A script that sets the old name for old versions and the new one for new versions hears of neither."""

from __future__ import annotations

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

OLD, NEW = "SLOG_PRINT_TO_STDOUT", "ASCEND_SLOG_PRINT_TO_STDOUT"
OPTION, FILE = 'op.parameter_map["op_select_implmode"].s', 'op.parameter_map["op_precision_mode"].s'
_ANALYZER = Analyzer(Config(select=("NPU301", "NPU302")), all_rules)


def told(text: str, kind: Kind) -> list[str]:
    return [finding.code for finding in _ANALYZER.findings(Document(text, kind=kind))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"if [ $O ]; then\n  export {OLD}=1\nelse\n  export {NEW}=1\nfi\n", Kind.SHELL),
        (f"[ $O ] && export {OLD}=1 || export {NEW}=1\n", Kind.SHELL),
        (f"case $V in\n  5*) export {OLD}=1 ;;\n  *) export {NEW}=1 ;;\nesac\n", Kind.SHELL),
        (f'if old:\n    os.environ["{OLD}"] = "1"\nelse:\n    os.environ["{NEW}"] = "1"\n', Kind.PYTHON),
        (f"env:\n{{{{- if .Values.old }}}}\n  {OLD}: '1'\n{{{{- else }}}}\n  {NEW}: '1'\n{{{{- end }}}}\n", Kind.YAML),
        (f'if old:\n    {OPTION} = b"high_precision"\nelse:\n    {FILE} = b"a.ini"\n', Kind.PYTHON),
    ],
)
def test_a_switch_is_left_alone(text: str, kind: Kind) -> None:
    assert told(text, kind) == []


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        # The new one is set in any case, or beside the old one, or only perhaps where the old one is certain.
        (f"export {NEW}=1\nif [ $O ]; then\n  export {OLD}=1\nelse\n  export {NEW}=1\nfi\n", Kind.SHELL, "NPU302"),
        (f"if [ $O ]; then\n  export {OLD}=1\n  export {NEW}=1\nfi\n", Kind.SHELL, "NPU302"),
        (f"export {OLD}=1\nif [ $O ]; then\n  export {NEW}=1\nfi\n", Kind.SHELL, "NPU302"),
        (f"if [ $O ]; then\n  export {OLD}=1\nfi\nif [ $P ]; then\n  export {NEW}=1\nfi\n", Kind.SHELL, "NPU302"),
        # Each of two subshells runs.
        (f"(export {OLD}=1; run)\n(export {NEW}=1; run)\n", Kind.SHELL, "NPU302"),
        # Different functions are no arms of one condition.
        (f'def a(op):\n    {OPTION} = b"high_precision"\ndef b(op):\n    {FILE} = b"a.ini"\n', Kind.PYTHON, "NPU301"),
    ],
)
def test_what_is_no_switch(text: str, kind: Kind, code: str) -> None:
    assert told(text, kind) == [code]
