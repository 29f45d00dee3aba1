"""Runs over many files: several processes, shards, statistics, exit codes, where the report goes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.checking.checked import Request
from npu_lsp.checking.progress import Progress
from npu_lsp.checking.run import Outcome, Plan, run
from npu_lsp.commands.runs import BOTH, CHECKED, LISTED
from npu_lsp.config.discover import Discovery
from tests.checking.command import Ran, check, npu_lsp
from tests.together import together

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
SAFE = 'op.parameter_map["use_off_line"].b = "True"\n'


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of 600 files, so that several processes are started."""
    folder = tmp_path_factory.mktemp("forest")
    for number in range(600):
        path = folder / f"d{number % 7}" / f"train{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text((WRONG if number % 5 == 0 else "") + (SAFE if number % 11 == 0 else "x = 1\n"))
    return folder


def test_the_number_of_processes_changes_nothing(forest: Path) -> None:
    one = check("-j", "1", cwd=forest)
    assert len(one.codes) == 120 + 55
    for jobs in ("2", "5"):
        assert check("-j", jobs, cwd=forest) == one
    places = [(f["path"], f["line"], f["column"]) for f in one.findings]
    assert places == sorted(places)


def test_configurations_of_folders_reach_every_process(forest: Path) -> None:
    config = forest / "d3" / "npu-lsp.toml"
    config.write_text('ignore = ["NPU101"]\n')
    try:
        ran = check("-j", "3", cwd=forest)
    finally:
        config.unlink()
    assert not [f for f in ran.findings if f["path"].startswith("d3/") and f["code"] == "NPU101"]
    assert [f for f in ran.findings if f["path"].startswith("d3/") and f["code"] == "NPU103"]


@pytest.mark.parametrize("report", ["json", "sarif"])
def test_shards_joined_are_the_whole(forest: Path, report: str, tmp_path: Path) -> None:
    whole = npu_lsp("check", "--output-format", report, cwd=forest)
    parts: list[str] = []
    for number in (1, 2, 3):
        part = tmp_path / f"{number}.{report}"
        ran = npu_lsp("check", "--shard", f"{number}/3", "--output-format", report, "-o", part, cwd=forest)
        assert (ran.code, ran.out) == (1, "")
        parts.append(str(part))
    assert len({Path(part).read_text() for part in parts}) == 3
    for order in (parts, parts[::-1], [*parts, parts[0]]):
        assert npu_lsp("merge", *order, cwd=forest) == whole
    assert npu_lsp("merge", *parts, "--exit-zero", cwd=forest).code == 0


def test_merge_makes_other_reports_from_json(forest: Path, tmp_path: Path) -> None:
    whole = npu_lsp("check", "--output-format", "json-lines", cwd=forest)
    (tmp_path / "a.json").write_text(whole.out)
    for report in ("concise", "github", "gitlab", "junit", "json-lines"):
        direct = npu_lsp("check", "--output-format", report, cwd=forest)
        merged = npu_lsp("merge", tmp_path / "a.json", "--output-format", report, cwd=forest)
        if report == "gitlab":
            # Fingerprints are made from source lines, which JSON doesn't have.
            assert _without(json.loads(merged.out), "fingerprint") == _without(json.loads(direct.out), "fingerprint")
        else:
            assert merged.out == direct.out


_FINDING = (
    '{"path":"a.py","line":1,"column":1,"end_line":1,"end_column":1,"code":"NPU101","name":"x","severity":"error",'
    '"message":"m","option":"o","fixable":false,"suppressed":false}'
)


@together(
    "content",
    [
        "",
        "nonsense",
        "[]",
        '{"version": 2, "findings": []}',
        '{"runs": [{}], "version": "2.1.0"}',
        '{"findings": [1]}',
        '{"runs": [], "version": "1"}',
        '{"runs": [{"tool": {"driver": {"name": "npu-lsp"}}, "invocations": [1]}], "version": "2.1.0"}',
        '{"runs": [{"tool": {"driver": {"name": "npu-lsp"}}, "results": [5]}], "version": "2.1.0"}',
        _FINDING.replace(":1,", ":1e999,", 1),
        _FINDING.replace('"o"', "[]"),
        _FINDING.replace('"o"', "1.5"),
        _FINDING.replace("}", ',"in_cell":[1]}'),
    ],
)
def test_merge_says_what_it_can_not_read(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.json").write_text(content)
    ran = npu_lsp("merge", "a.json", cwd=tmp_path)
    if content:
        assert (ran.code, ran.out) == (2, "")
        assert "a.json" in ran.err or "SARIF" in ran.err
        chinese = npu_lsp("merge", "a.json", "--lang", "zh", cwd=tmp_path)
        assert re.search(r"[\u4e00-\u9fff]", chinese.err)
    assert npu_lsp("merge", "nosuch.json", cwd=tmp_path).code == 2


def test_merge_says_that_nothing_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "ok.py").write_text("x = 1\n")
    npu_lsp("check", "ok.py", "--output-format", "json", "-o", "a.json", cwd=tmp_path)
    assert npu_lsp("merge", "a.json", "--output-format", "full", cwd=tmp_path).out == "All checks passed!\n"
    assert json.loads(npu_lsp("merge", "a.json", cwd=tmp_path).out)["findings"] == []


@together("shard", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2"])
def test_a_shard_that_is_none(tmp_path: Path, shard: str) -> None:
    ran = npu_lsp("check", f"--shard={shard}", cwd=tmp_path)
    assert ran.code == 2
    assert "--shard" in ran.err


def test_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG)

    def code(*arguments: str) -> int:
        return npu_lsp("check", *arguments, cwd=tmp_path).code

    assert code() == 1
    assert code("--exit-zero") == 0
    assert code("--ignore", "NPU101") == 0
    for severity, expected in (("error", 1), ("warning", 1), ("info", 0), ("hint", 0)):
        assert code("--config", f'severity = {{NPU101 = "{severity}"}}') == expected
    assert code("--fail-on", "error", "--config", 'severity = {NPU101 = "warning"}') == 0
    assert code("--fail-on", "hint", "--config", 'severity = {NPU101 = "hint"}') == 1
    assert code("--fail-on", "nonsense") == 2
    assert code("--config", "nosuch.toml") == 2
    assert code("--output-file", "/nosuch/folder/report") == 2


def test_an_error_of_ours_exits_with_2_and_the_rest_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(WRONG)
    (tmp_path / "b.py").write_text(WRONG)
    (tmp_path / "sitecustomize.py").write_text(
        "import npu_lsp.checking.checker as checker\n"
        "real = checker.Checker._analyse\n"
        "def broken(self, candidate, text):\n"
        "    if candidate.path == 'a.py':\n"
        "        raise ZeroDivisionError('oops')\n"
        "    return real(self, candidate, text)\n"
        "checker.Checker._analyse = broken\n"
    )
    ran = check("a.py", "b.py", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)})
    assert ran.code == 2
    assert [finding["path"] for finding in ran.findings] == ["b.py"]
    assert "a.py" in ran.err
    assert "ZeroDivisionError: oops" in ran.err
    assert "Traceback" not in ran.err
    assert "Traceback" in check("-v", "a.py", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}).err


def test_the_report_goes_to_a_file(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    direct = npu_lsp("check", "-q", "--output-format", "full", cwd=tmp_path)
    ran = npu_lsp("check", "--output-format", "full", "--output-file", "report.txt", cwd=tmp_path)
    assert (tmp_path / "report.txt").read_text(encoding="utf-8") == direct.out
    assert ran.out == ""
    assert npu_lsp("check", "--output-format", "json", "-o", "/dev/null", cwd=tmp_path).code == 1


def test_statistics(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(WRONG + SAFE)
    (tmp_path / "b.py").write_text(WRONG)

    def statistics(*arguments: str) -> Ran:
        return npu_lsp("check", "--statistics", "--select", "NPU101,NPU103", *arguments, cwd=tmp_path)

    lines = statistics().out.splitlines()
    assert [line.split()[0] for line in lines] == ["2", "1"]
    assert "NPU101" in lines[0]
    assert "[*]" in lines[1]
    assert "NPU103" in lines[1]
    by_file = json.loads(statistics("--group-by", "file", "--output-format", "json").out)["groups"]
    assert [(group["key"], group["count"], group["codes"]) for group in by_file] == [
        ("a.py", 2, {"NPU101": 1, "NPU103": 1}),
        ("b.py", 1, {"NPU101": 1}),
    ]
    by_option = json.loads(statistics("--group-by", "option", "--output-format", "json").out)["groups"]
    assert [(group["key"], group["count"], group["files"]) for group in by_option] == [
        ("precison_mode", 2, 2),
        ("use_off_line", 1, 1),
    ]
    assert statistics().code == 1


def test_the_target_decides(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('op.parameter_map["op_select_implmode"].s = b"high_precision"\n')
    assert check("--target", "cann=5.0", cwd=tmp_path).codes != check("--target", "cann=9.0", cwd=tmp_path).codes
    ran = check("--target", "product=nosuch", cwd=tmp_path)
    assert ran.code == 2
    assert "nosuch" in ran.err


def test_the_language_follows_the_locale_and_the_choice(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    chinese = npu_lsp("check", cwd=tmp_path, env={"LC_ALL": "zh_CN.UTF-8"})
    assert "未知配置项" in chinese.out
    assert "发现" in chinese.out
    assert npu_lsp("check", "--lang", "zh", cwd=tmp_path) == chinese
    assert "Unknown option" in npu_lsp("check", "--lang", "en", cwd=tmp_path, env={"LC_ALL": "zh_CN.UTF-8"}).out


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG * 2000)
    command = f"'{sys.executable}' -m npu_lsp check --no-cache --output-format concise | head -n 1"
    ran = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.stdout.startswith("train.py:1:")
    assert ran.stderr == ""


def _without(issues: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in issue.items() if name != key} for issue in issues]


def test_one_run_gives_what_a_check_and_a_list_of_settings_give(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG + SAFE)
    (tmp_path / "run.sh").write_text("atc --model=a.onnx --framework=5 --output=a --precision_mode=force_fp17\n")
    (tmp_path / "broken.py").write_bytes(b"\xff\xfe\x00")

    def ran(request: Request) -> Outcome:
        return run(Plan([str(tmp_path)], str(tmp_path), request, cache=False), Discovery(), Progress(None))

    both, checked, listed = ran(BOTH), ran(CHECKED), ran(LISTED)
    assert both.entries == checked.entries
    assert sorted(both.rows) == sorted(listed.rows)
    assert {entry.code for entry in checked.entries} > {"NPU101"}
    assert len(listed.rows) > 4
    assert (checked.rows, listed.entries) == ((), ())
