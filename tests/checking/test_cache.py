"""The cache makes the second run nearly free, and never wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.reports import FORMATS
from tests.checking.command import Ran, names, npu_lsp

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
RIGHT = WRONG.replace("precison", "precision")
IMPLMODE = (
    "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 "
    "--op_select_implmode=high_precision --optypelist_for_implmode=Gelu\n"
)
COUNT = 40


def check(folder: Path, *arguments: str, **env: str) -> Ran:
    return npu_lsp(
        "check", "-v", "--output-format", "json", *arguments, cwd=folder, env={"NPU_LSP_NO_CACHE": "", **env}
    )


def remembered(ran: Ran) -> int:
    """Return how many results came from the cache."""
    line = next(line for line in ran.err.splitlines() if "from the cache" in line)
    return int(line.split(" files, ")[1].split()[0])


def cache_of(folder: Path) -> Path:
    return max((folder / ".npu-lsp-cache").glob("*.json"), key=lambda path: path.stat().st_mtime_ns)


def tree(folder: Path) -> None:
    for number in range(COUNT):
        (folder / f"train{number}.py").write_text(WRONG if number % 2 else "x = 1\n")
    age(folder)


def age(folder: Path) -> None:
    """Make the files look as if they had not been written just now: such ones are not remembered."""
    for path in folder.glob("*.py"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


def test_the_second_run_says_the_same_from_the_cache(tmp_path: Path) -> None:
    tree(tmp_path)
    first = check(tmp_path)
    assert remembered(first) == 0
    second = check(tmp_path)
    assert remembered(second) == COUNT
    assert second.out == first.out
    assert (tmp_path / ".npu-lsp-cache" / ".gitignore").read_text().endswith("*\n")


def test_every_report_is_the_same_from_the_cache(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / "convert.sh").write_text(IMPLMODE)
    age(tmp_path)
    for report in FORMATS:
        fresh = npu_lsp("check", "--output-format", report, cwd=tmp_path)
        # The first one fills the cache, whatever its report; all others are made from it.
        for _ in range(2 if report == FORMATS[0] else 1):
            assert npu_lsp("check", "--output-format", report, cwd=tmp_path, env={"NPU_LSP_NO_CACHE": ""}) == fresh


def test_a_change_is_seen(tmp_path: Path) -> None:
    tree(tmp_path)
    assert len(check(tmp_path).codes) == COUNT // 2
    path = tmp_path / "train1.py"
    status = path.stat()
    path.write_text(RIGHT)
    # Same size and same time of modification: what a program can't set is looked at too.
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    ran = check(tmp_path)
    assert len(ran.codes) == COUNT // 2 - 1
    assert remembered(ran) == COUNT - 1


def test_new_times_alone_cost_no_analysis(tmp_path: Path) -> None:
    tree(tmp_path)
    check(tmp_path)
    for path in tmp_path.glob("*.py"):
        os.utime(path, (1_700_000_500, 1_700_000_500))
    # A fresh checkout: files with findings are told by their content, the others hold no word worth a look.
    assert remembered(check(tmp_path)) == COUNT // 2
    assert remembered(check(tmp_path)) == COUNT


def test_another_configuration_is_another_cache(tmp_path: Path) -> None:
    tree(tmp_path)
    assert check(tmp_path).codes
    for arguments in (["--ignore", "NPU101"], ["--lang", "zh"], ["--target", "cann=8.0"]):
        assert remembered(check(tmp_path, *arguments)) == 0
    (tmp_path / "npu-lsp.toml").write_text('severity = { NPU101 = "info" }\n')
    ran = check(tmp_path)
    assert (remembered(ran), ran.code) == (0, 0)
    assert remembered(check(tmp_path)) == COUNT


def test_a_file_that_a_finding_rests_on_counts(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / "convert.sh").write_text(IMPLMODE)
    age(tmp_path)

    def creates(ran: Ran) -> bool:
        log: Any = json.loads(ran.out)
        return not any("fixes" in result for result in log["runs"][0]["results"] if result["ruleId"] == "NPU301")

    def sarif() -> Ran:
        return npu_lsp("check", "--output-format", "sarif", "convert.sh", cwd=tmp_path, env={"NPU_LSP_NO_CACHE": ""})

    assert creates(sarif())
    assert creates(sarif())
    # With the file there already, the fix is one that creates nothing.
    (tmp_path / "op_precision.ini").write_text("[ByOpType]\nGelu=high_precision\n")
    assert not creates(sarif())


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml"])
def test_a_file_that_comes_to_a_folder_counts_for_those_below_it(tmp_path: Path, name: str) -> None:
    for folder in (tmp_path / "one" / "deep", tmp_path / "two"):
        folder.mkdir(parents=True)
        tree(folder)
    (tmp_path / ".git").mkdir()
    check(tmp_path)
    assert remembered(check(tmp_path)) == 2 * COUNT
    (tmp_path / "one" / "NOTES.md").write_text("# a")
    assert remembered(check(tmp_path)) >= 2 * COUNT
    (tmp_path / "one" / name).write_text("torch-npu==2.5.1\n")
    # Files without a setting rest on nothing but themselves.
    assert remembered(check(tmp_path)) < 2 * COUNT
    again = check(tmp_path)
    assert remembered(again) >= 2 * COUNT
    assert again.out == check(tmp_path, "--no-cache").out


def test_a_broken_cache_is_made_anew(tmp_path: Path) -> None:
    tree(tmp_path)
    expected = check(tmp_path).out
    cache = cache_of(tmp_path)
    good = json.loads(cache.read_text())
    (shelf,) = good["files"].values()
    row = next(iter(shelf[2].values()))
    broken = ["", "{", "[]", '{"format": 1}', '{"format": 1, "files": {"a": 1}}', '{"format": 99}']
    looks = {**good, "looks": [["a", 5, {}]]}
    rows = {**good, "files": {folder: ["", "", {"train1.py": 5}] for folder in good["files"]}}
    broken += [json.dumps(looks), json.dumps(rows)]
    known = list(row)
    for number, wrong in ((2, [["nonsense"]]), (4, ["x"]), (4, {"x": "no-kind"})):
        row[:] = known
        row[number] = wrong
        broken.append(json.dumps(good))
    row[:] = known
    for field, bad in ((0, ["a", "b", "c", "d"]), (4, None), (10, [5])):
        row[2] = [[*known[2][0]]]
        row[2][0][field] = bad
        broken.append(json.dumps(good))
    for content in broken:
        cache.write_text(content)
        ran = check(tmp_path)
        assert ran.out == expected
    for text in (b"\0" * 100, b"[" * 100_000):
        cache.write_bytes(text)
        assert check(tmp_path).out == expected


def test_where_no_cache_can_be_there_is_none(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / ".npu-lsp-cache").write_text("a file")
    assert len(check(tmp_path).codes) == COUNT // 2
    ran = check(tmp_path, "--cache-dir", "/proc/nosuch")
    assert (len(ran.codes), ran.code) == (COUNT // 2, 1)


def test_no_cache_leaves_nothing(tmp_path: Path) -> None:
    tree(tmp_path)
    check(tmp_path, "--no-cache")
    check(tmp_path, "--config", "cache = false")
    assert ".npu-lsp-cache" not in names(tmp_path)
    check(tmp_path, "--cache-dir", "elsewhere")
    assert "elsewhere" in names(tmp_path)
    check(tmp_path, NPU_LSP_CACHE_DIR="there")
    assert "there" in names(tmp_path)


def test_files_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    tree(tmp_path)
    check(tmp_path)
    (tmp_path / "train1.py").unlink()
    check(tmp_path)
    assert '"train1.py"' not in cache_of(tmp_path).read_text()


def test_what_a_run_remembers_is_mended_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "convert.py"
    path.write_text(WRONG)
    age(tmp_path)
    assert check(tmp_path).codes == ["NPU101"]
    shown = check(tmp_path, "--diff", "--unsafe-fixes")
    assert '+op.parameter_map["precision_mode"]' in shown.out
    assert shown.code == 1
    check(tmp_path, "--fix", "--unsafe-fixes")
    assert path.read_text() == RIGHT


def test_a_diff_leaves_what_it_would_mend_wrong(tmp_path: Path) -> None:
    tree(tmp_path)
    assert "+op" in check(tmp_path, "--diff", "--unsafe-fixes").out
    assert len(check(tmp_path).codes) == COUNT // 2


def test_fixing_uses_what_is_known_of_files_without_fixes(tmp_path: Path) -> None:
    tree(tmp_path)
    check(tmp_path)
    assert remembered(check(tmp_path, "--diff")) == COUNT // 2


def test_what_is_known_and_has_no_fix_is_silenced(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text('op.parameter_map["graph_run_mode"].i = 7\n')
    age(tmp_path)
    assert check(tmp_path).codes == ["NPU104"]
    assert check(tmp_path, "--add-ignores").codes == []
    assert path.read_text().startswith("# npu-lsp: ignore[NPU104]\n")
    age(tmp_path)
    check(tmp_path)
    assert remembered(check(tmp_path, "--add-ignores")) == 1
