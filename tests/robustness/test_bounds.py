"""What sets more than a file is read for is told, once, and nothing else is said about it."""

from __future__ import annotations

import pytest

from npu_lsp.languages.density import MOST, MOST_ENTRIES, MOST_PARTS
from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_SETTING = 'op.parameter_map["precision_mode"].s = "a"\n'
_WRONG = 'os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "9"'


@pytest.mark.parametrize(
    ("path", "text", "most"),
    [
        ("a.sh", "atc --model=a\n", MOST),
        ("a.py", _SETTING, MOST),
        ("a.py", f"import os\n{_WRONG}\n", MOST),
        ("a.md", "```bash\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n```\n", MOST),
        ("fusion_switch.cfg", "UBFusion:on\n", MOST_ENTRIES),
        ("aipp.cfg", "# a\n", MOST_PARTS),
    ],
)
def test_what_is_too_much_is_told_once(path: str, text: str, most: int) -> None:
    def codes(times: int) -> list[str]:
        written = text * times
        document = Document(written, path=path, kind=detect(path, written))
        return [found.code for found in Analyzer(Config(), all_rules).findings(document)]

    assert "NPU004" not in codes(most)
    assert codes(most + 1) == ["NPU004"]


def test_what_stands_too_deep_is_told_once() -> None:
    def codes(times: int) -> list[str]:
        document = Document("if a; then\nexport RANK_ID=1\n" * times + "fi\n" * times, kind=Kind.SHELL)
        return [f.code for f in Analyzer(Config(), all_rules).findings(document)]

    assert "NPU004" not in codes(80)
    assert codes(200).count("NPU004") == 1
