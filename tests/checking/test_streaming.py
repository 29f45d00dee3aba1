"""What a server has a folder checked by: how soon the first finding comes, counted in files that are read, and what is read at all."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.checking import streaming
from npu_lsp.checking.cache import RACY
from npu_lsp.checking.checked import SourceText
from npu_lsp.checking.checker import Checker
from npu_lsp.checking.streaming import Question, answer, likely
from npu_lsp.checking.walking import Candidate
from npu_lsp.linter.configuration import Config
from tests.checking.test_cache import check, remembered

WRONG = "export HCCL_BUFFSIZ=200\n"
OLD = (1_700_000_000, 1_700_000_000)
CASES = Path(__file__).parent.parent / "cases"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, OLD)  # what was written just now is not remembered


def _lines(folder: Path, *paths: Path, spare: Path | None = None, stream: BytesIO | None = None) -> Iterator[list[Any]]:
    """Return what a server is told."""
    spare = spare or folder.with_name("spare")
    spare.mkdir(exist_ok=True)
    stream = stream or BytesIO()
    time.sleep(RACY / 1e9)
    named = tuple(map(os.fspath, paths)) or (os.fspath(folder),)
    answer(Question(os.fspath(folder), named, Config(), "en", "utf-32", os.fspath(spare)), stream)
    return (json.loads(line) for line in stream.getvalue().splitlines())


def _found(folder: Path, *paths: Path, spare: Path | None = None) -> dict[str, list[str]]:
    """Return the codes of all files with findings, by their names."""
    told = [line[1:] for line in _lines(folder, *paths, spare=spare) if line[0] == "found"]
    return {os.path.relpath(path, folder): [each["code"] for each in items] for path, items in told if items}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read, in order: by one process, and with the cache."""
    monkeypatch.setattr(streaming, "processors", lambda: 1)
    monkeypatch.delenv("NPU_LSP_NO_CACHE", raising=False)
    paths: list[str] = []
    sift = Checker.sift

    def noted(self: Checker, candidate: Candidate) -> SourceText | object:
        paths.append(os.path.basename(candidate.absolute))  # noqa: PTH119
        return sift(self, candidate)

    monkeypatch.setattr(Checker, "sift", noted)
    return paths


class _First(BytesIO):
    """Ends the run with the first finding, as a server does that wants no more."""

    how: BaseException = SystemExit()

    def write(self, data: Any) -> int:
        line = json.loads(data)
        if line[0] == "found" and line[2]:
            super().write(data)
            raise self.how
        return super().write(data)


@pytest.mark.parametrize("name", ["z/serve_npu.sh", "scripts/train/run.sh", "z/docker-compose.yml", "z/.env"])
def test_the_first_finding_comes_before_most_files_are_read(tmp_path: Path, read: list[str], name: str) -> None:
    for number in range(5000):
        folder = tmp_path / f"m{number % 50}"
        folder.mkdir(exist_ok=True)
        (folder / f"module{number}.py").write_text("import os\nx = os.environ\n", encoding="utf-8")
    text = "services:\n  a:\n    environment:\n      HCCL_BUFFSIZ: 200\n" if name.endswith(".yml") else WRONG
    _write(tmp_path / name, text)
    stream = _First()
    with pytest.raises(SystemExit):
        next(_lines(tmp_path, spare=tmp_path.with_name("other"), stream=stream))
    (last,) = (json.loads(line) for line in stream.getvalue().splitlines()[-1:])
    assert last[1] == os.fspath(tmp_path / name)
    assert len(read) < 10


def test_the_first_finding_does_not_wait_for_all_scripts(tmp_path: Path, read: list[str]) -> None:
    for number in range(500):
        _write(tmp_path / f"train_npu{number}.sh", "export HCCL_BUFFSIZE=200\n")
    _write(tmp_path / "train_npu.py", "import os\nos.environ['HCCL_BUFFSIZ'] = '200'\n")
    stream = _First()
    with pytest.raises(SystemExit):
        next(_lines(tmp_path, spare=tmp_path.with_name("other"), stream=stream))
    (last,) = (json.loads(line) for line in stream.getvalue().splitlines()[-1:])
    assert last[1] == os.fspath(tmp_path / "train_npu.py")
    assert len(read) < 10


def test_every_file_is_read_once(tmp_path: Path, read: list[str]) -> None:
    names = [f"{number}.{suffix}" for number in range(100) for suffix in ("py", "sh", "yaml", "md")]
    for name in names:
        _write(tmp_path / name, WRONG)
    lines = list(_lines(tmp_path))
    assert sorted(read) == sorted(names)
    assert sorted(os.path.relpath(line[1], tmp_path) for line in lines if line[0] == "found") == sorted(names)
    assert [line[0] for line in lines].count("rests") == 1


def test_what_is_as_it_was_is_not_read_again(tmp_path: Path, read: list[str]) -> None:
    for number in range(40):
        _write(tmp_path / f"plain{number}.py", "x = 1\n")
    _write(tmp_path / "a.sh", WRONG)
    _write(tmp_path / "b.sh", WRONG)
    _write(tmp_path / "c.sh", "atc --model=a.onnx --framework=5 --op_precision_mode=any.name\n")
    before = _found(tmp_path)
    assert {"a.sh", "b.sh", "c.sh"} <= before.keys()
    read.clear()
    assert _found(tmp_path) == before
    assert read == []
    # One is another text, one is new, and a file that a setting names is there now.
    _write(tmp_path / "b.sh", "export HCCL_BUFFSIZE=200\n")
    _write(tmp_path / "new.sh", WRONG)
    _write(tmp_path / "any.name", "[ByOpType]\nSoftmax=high_precison\n")
    after = _found(tmp_path)
    assert sorted(read) == ["any.name", "b.sh", "c.sh", "new.sh"]
    assert "b.sh" not in after
    assert {"new.sh", "any.name"} <= after.keys()


def test_the_command_and_the_server_share_what_they_remember(tmp_path: Path, read: list[str]) -> None:
    for number in range(40):
        _write(tmp_path / f"{number}.sh", WRONG if number % 2 else "x=1\n")
    first = check(tmp_path, "--lang", "en")
    assert remembered(first) == 0
    found = _found(tmp_path)
    assert read == []
    assert len(found) == 20
    _write(tmp_path / "0.sh", WRONG + WRONG)
    assert len(_found(tmp_path)) == 21
    assert read == ["0.sh"]
    assert remembered(check(tmp_path, "--lang", "en")) == 40


@pytest.mark.parametrize("how", [SystemExit(), BrokenPipeError()])
def test_what_was_found_before_it_was_ended_is_not_looked_for_again(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch, how: BaseException
) -> None:
    monkeypatch.setattr(_First, "how", how)
    for number in range(60):
        _write(tmp_path / f"{number}.sh", WRONG if number == 59 else "x=1\n")
    with pytest.raises(SystemExit):
        next(_lines(tmp_path, stream=_First()))
    before = list(read)
    read.clear()
    assert _found(tmp_path) == {"59.sh": ["NPU101"]}
    # The one that was being told of when it ended counts as not told.
    assert not {*read} & {*before[:-1]}
    assert len(read) + len(before) <= 61


@pytest.mark.parametrize("how", ["configuration", "environment"])
def test_without_a_cache_all_is_remembered_elsewhere(
    tmp_path: Path, read: list[str], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "project"
    _write(folder / "a.sh", WRONG)
    if how == "configuration":
        _write(folder / "npu-lsp.toml", "cache = false\n")
    else:
        monkeypatch.setenv("NPU_LSP_NO_CACHE", "1")
    assert _found(folder) == {"a.sh": ["NPU101"]}
    read.clear()
    assert _found(folder) == {"a.sh": ["NPU101"]}
    assert not (folder / ".npu-lsp-cache").exists()
    _write(folder / "a.sh", WRONG + WRONG)
    assert _found(folder) == {"a.sh": ["NPU101", "NPU101"]}


def test_it_finds_what_the_command_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cases of the project, by several processes."""
    monkeypatch.setattr(streaming, "processors", lambda: 2)
    monkeypatch.setenv("NPU_LSP_NO_CACHE", "1")
    found = {
        (os.path.relpath(path, CASES), each["code"], each["message"], *_place(each["range"]))
        for line, *what in _lines(CASES, spare=tmp_path)
        if line == "found"
        for path, items in (what,)
        for each in items
    }
    reported = {
        (
            each["path"],
            each["code"],
            each["message"],
            each["line"],
            each["column"],
            each["end_line"],
            each["end_column"],
        )
        for each in check(CASES, "--no-cache", "--lang", "en").findings
        if not each["suppressed"]
    }
    assert found == reported
    assert len(found) > 100


def _place(where: dict[str, Any]) -> tuple[int, ...]:
    return tuple(where[end][unit] + 1 for end in ("start", "end") for unit in ("line", "character"))


def test_files_that_are_named_are_looked_at_alone(tmp_path: Path, read: list[str]) -> None:
    for number in range(20):
        _write(tmp_path / f"{number}.sh", WRONG)
    assert _found(tmp_path, tmp_path / "7.sh") == {"7.sh": ["NPU101"]}
    assert read == ["7.sh"]


def test_what_starts_something_comes_first() -> None:
    paths = ["/w/readme.md", "/w/util.py", "/w/tool.sh", "/w/train.py", "/w/serve.sh", "/w/npu/notes.md"]
    expected = ["/w/serve.sh", "/w/train.py", "/w/npu/notes.md", "/w/tool.sh", "/w/util.py", "/w/readme.md"]
    assert sorted(paths, key=likely) == expected
