"""What sets more than a file is read for is told, once; of a text the beginning is checked, of data nothing."""

from __future__ import annotations

import pytest

from npu_lsp.languages.density import MOST, MOST_ENTRIES, MOST_PARTS
from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_SETTING = 'op.parameter_map["precision_mode"].s = "a"\n'
_WRONG = 'os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "9"'


@pytest.mark.parametrize(
    ("path", "text", "most", "wrong"),
    [
        ("a.sh", "atc --model=a\n", MOST, False),
        ("a.sh", "export TASK_QUEUE_ENABLE=9\n", MOST, True),
        ("a.py", _SETTING, MOST, True),
        ("a.py", f"import os\n{_WRONG}\n", MOST, True),
        ("a.md", "```bash\nexport TASK_QUEUE_ENABLE=9\n```\n", MOST, True),
        ("fusion_switch.cfg", "UBFusion:on\n", MOST_ENTRIES, False),
        ("aipp.cfg", "# a\n", MOST_PARTS, False),
    ],
)
def test_what_is_too_much_is_told_once(path: str, text: str, most: int, wrong: bool) -> None:
    def found(times: int) -> list[tuple[str, Span]]:
        written = text * times
        document = Document(written, path=path, kind=detect(path, written))
        return [(each.code, each.span) for each in Analyzer(Config(), all_rules).findings(document)]

    whole, crowded = found(most), found(most + 1)
    assert "NPU004" not in dict(whole)
    assert [code for code, _ in crowded].count("NPU004") == 1
    # What is said of the beginning is true of the whole; the last place may go on behind it, and what is missing stand there.
    told = [each for each in crowded if each[0] != "NPU004"]
    assert set(told) <= set(whole)
    assert len(told) >= (most - 1 if wrong else 0)


def test_what_stands_too_deep_is_told_once() -> None:
    def codes(times: int) -> list[str]:
        document = Document("if a; then\nexport RANK_ID=1\n" * times + "fi\n" * times, kind=Kind.SHELL)
        return [f.code for f in Analyzer(Config(), all_rules).findings(document)]

    assert "NPU004" not in codes(80)
    assert codes(200).count("NPU004") == 1
