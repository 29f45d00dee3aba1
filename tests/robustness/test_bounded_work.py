"""What stands thousands of times in one place costs no more for each than a few: steps, findings and characters are counted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import SupportsIndex

import pytest

from npu_lsp.catalog import well_known
from npu_lsp.catalog.near import distance
from npu_lsp.languages import read
from npu_lsp.languages.density import is_crowded
from npu_lsp.languages.model import SyntaxFault
from npu_lsp.languages.shell.tree import tree_of
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.launch.launch import Launch, launches
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import line_start
from tests.robustness.steps import characters, multiplied, steps


class _Counted(str):
    """A text that counts the characters in which something may be looked for from the end on."""

    looked = 0

    def find(self, sub: str, start: SupportsIndex | None = 0, end: SupportsIndex | None = sys.maxsize) -> int:
        first, last = int(start or 0), min(len(self), int(end if end is not None else sys.maxsize))
        found = super().find(sub, first, last)
        self.looked += (found if found >= 0 else last) - first
        return found

    def rfind(self, sub: str, start: SupportsIndex | None = 0, end: SupportsIndex | None = sys.maxsize) -> int:
        first, last = int(start or 0), min(len(self), int(end if end is not None else sys.maxsize))
        found = super().rfind(sub, first, last)
        self.looked += last - max(first, found)
        return found

    def count(self, sub: str, start: SupportsIndex | None = 0, end: SupportsIndex | None = sys.maxsize) -> int:
        self.looked += len(self)
        return super().count(sub, start, end)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_starts_near_its_place(end: str) -> None:
    text = _Counted(f"# npu-lsp: a{end}" * 5_000)
    starts = {line_start(text, at) for at in range(3, len(text), len(text) // 5_000)}
    assert len(starts) == 5_000
    assert text.looked < 1_000 * len(starts)


@pytest.mark.parametrize("code", ["NPU101", "a"])
def test_codes_of_a_comment(code: str) -> None:
    text = f"import os\nos.environ['ASCEND_GLOBAL_LOG_LEVEL'] = '3' # npu-lsp: ignore[{f'{code},' * 3_000}]\n"
    found = Analyzer(Config(), all_rules).findings(Document(text, kind=Kind.PYTHON))
    assert 100 < sum(each.code in ("NPU901", "NPU902") for each in found) <= 1_000


@pytest.mark.parametrize("text", [" －－log＝info" * 2_000, "　" * 5_000, "：＝" * 2_000])
def test_look_alikes_of_a_command(text: str) -> None:
    found = read(Document(f"atc －－model＝a{text}\n", kind=Kind.SHELL)).syntax
    told = [each for each in found if each.kind == SyntaxFault.FULLWIDTH]
    assert 0 < len(told) <= 200
    assert all(len(each.edits) <= 201 for each in told)


@pytest.mark.parametrize(("left_open", "closed"), [("if ${A=\n", "if ${A=}\n"), ("if (( A=1\n", "if (( A=1 ))\n")])
def test_what_nobody_closes(left_open: str, closed: str) -> None:
    def work(unit: str) -> int:
        return steps(lambda: read(Document(unit * 500 + "atc --model=$A\n", kind=Kind.SHELL)))

    work(left_open)
    assert work(left_open) < 3 * work(closed)


def test_names_that_are_far_from_each_other() -> None:
    assert steps(lambda: distance("ab" * 40, "cd" * 40, 3)) < 100 * len("ab" * 40)
    assert steps(lambda: distance("b" + "ac" * 40, "ca" * 40 + "b", 3)) < 25 * len("ac" * 40)


def test_what_a_text_reads_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    read_in = well_known._read

    def counted(text: str) -> frozenset[str]:
        asked.append(text)
        return read_in(text)

    monkeypatch.setattr(well_known, "_read", counted)
    text = "export HCCL_BUFFSIZE=1\n" + "export LD_LIBARY_PATH=/a\n" * 100
    assert len(list(well_known.misspelt(text, "shell"))) == 100
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.PYTHON, "LLM(additional_config)\n" * 1_001),
        (Kind.RANK_TABLE, '{"server_list": [' + '{"server_id": "a"}, ' * 9_001 + "{}]}"),
    ],
)
def test_what_sets_too_much_is_not_read(kind: Kind, text: str) -> None:
    assert is_crowded(Document(text, kind=kind))


_SOURCES = "source /opt/a/set_env.sh\nvllm serve m -tp 2\n"
_STEPS = "jobs:\n  env:\n    ASCEND_RT_VISIBLE_DEVICES: '0,1'\n  steps:\n"
_RUN = "  - run: vllm serve m -tp 2\n"
_JSON = "vllm serve m --additional-config '{\"refresh\": true}'\n"


@pytest.mark.parametrize(
    ("kind", "head", "each", "ask"),
    [
        pytest.param(Kind.SHELL, "", _SOURCES, Launch.sources_before, id="scripts that are sourced"),
        pytest.param(Kind.YAML, _STEPS, _RUN, lambda launch: launch.devices, id="the environment"),
        pytest.param(Kind.SHELL, "", _JSON, lambda launch: launch.keys, id="keys of JSON"),
    ],
)
def test_what_each_launch_asks_of_its_file(kind: Kind, head: str, each: str, ask: Callable[[Launch], object]) -> None:
    analyzer = Analyzer(Config(), all_rules)

    def asked(times: int) -> Callable[[], object]:
        context = analyzer.context(Document(head + each * times, kind=kind))
        started = launches(context)
        assert len(started) == times
        return lambda: [ask(launch) for launch in started]

    asked(2)()  # What is loaded once is loaded.
    assert multiplied(asked, 45) is None


_SETS = "HOST=1\nexport HCCL_BUFFSIZE=1\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for folder in (".git", "conf"):
        (tmp_path / folder).mkdir()
    (tmp_path / "conf" / "tune0_A3.yaml").touch()
    return tmp_path


@pytest.mark.parametrize(("code", "unit"), [("NPU219", "a http://HOST:80/ "), ("NPU810", "a conf/tune{}.yaml ")])
def test_many_on_one_line(code: str, unit: str, repository: Path) -> None:
    analyzer = Analyzer(Config(select=(code,)), all_rules)

    def looked_through(times: int) -> int:
        text = f"{_SETS}{''.join(map(unit.format, range(times)))}\n"
        document = Document(text, kind=Kind.SHELL, path=str(repository / "a.sh"))
        read(document)
        return characters(lambda: analyzer.findings(document))

    assert (
        len(analyzer.findings(Document(f"{_SETS}{unit.format(0)}\n", kind=Kind.SHELL, path=str(repository / "a.sh"))))
        == 1
    )
    assert looked_through(2_000) < 3 * looked_through(1_000)


def test_here_documents_of_one_command_are_no_reason_to_read_it_again() -> None:
    def looked_through(times: int) -> int:
        document = Document("atc --model=a\nA " + "<<A\n$a\nA " * times, kind=Kind.SHELL)
        return characters(lambda: read(document))

    assert looked_through(2_000) < 3 * looked_through(1_000)


@pytest.mark.parametrize("unit", [")", "))", ")a", "])"])
def test_brackets_that_nobody_opens_are_not_parsed(unit: str) -> None:
    """The parser asks nobody meanwhile whether to stop: 60,000 of them took a second."""
    document = Document(f"atc --model=a\n{unit * 3_000}\n", kind=Kind.SHELL)
    assert tree_of(document).unread
    arms = f"case $1 in\n{'a) atc --model=a ;;' * 3_000}\nesac\n"
    assert not tree_of(Document(arms, kind=Kind.SHELL)).unread


def test_assignments_of_all_variables_are_found_at_once() -> None:
    script = "".join(f"V{number}=--device={number}\natc $V{number}\n" for number in range(1_000))
    text = _Counted(script)
    commands = read(Document(text, kind=Kind.SHELL)).blocks
    assert len(commands) == 1_000
    assert text.looked < 100 * len(text)


@pytest.mark.parametrize("unit", ["a conf/tune_{}.yaml\n", "atc --model=a --insert_op_conf=conf/aipp_{}.cfg\n"])
def test_files_are_counted_at_once(unit: str, repository: Path) -> None:
    text = _Counted(_SETS + "".join(map(unit.format, range(1_000))))
    Analyzer(Config(select=("NPU810",)), all_rules).findings(
        Document(text, kind=Kind.SHELL, path=str(repository / "a.sh"))
    )
    assert text.looked < 50 * len(text)


def test_mounts_are_compared_with_the_commands_of_their_container() -> None:
    container = (
        '  - name: a{0}\n    image: ascend/image\n    command: ["bash", "-c", "/mnt/{0}.sh"]\n'
        "    resources:\n      limits:\n        huawei.com/Ascend910: 1\n"
        "    volumeMounts:\n    - name: boot\n      mountPath: /mnt/boot{0}.sh\n"
    )
    volumes = "  volumes:\n  - name: boot\n    configMap:\n      name: boot\n      defaultMode: 0644\n"
    analyzer = Analyzer(Config(select=("NPU234",)), all_rules)

    def analysis(times: int) -> Callable[[], object]:
        containers = "".join(map(container.format, range(times)))
        document = Document(f"apiVersion: v1\nkind: Pod\nspec:\n  containers:\n{containers}{volumes}", kind=Kind.YAML)
        read(document)
        return lambda: analyzer.findings(document)

    analysis(1)()
    assert steps(analysis(800)) < 10 * steps(analysis(100))
