"""`npu-lsp check`: what it finds, what it says, how it exits."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.docs.labels import rule_url
from tests.case_files import CASES
from tests.checking.command import check, npu_lsp

WRONG = 'custom_op.parameter_map["precison_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'
RIGHT = WRONG.replace("precison", "precision")


def test_clean_file_exits_with_0(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(RIGHT)
    ran = check("train.py", cwd=tmp_path)
    assert (ran.code, ran.findings, ran.err) == (0, [], "")


def test_finding_exits_with_1_and_tells_everything(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("# 中文 😀\n" + WRONG)
    ran = check("train.py", cwd=tmp_path)
    assert ran.code == 1
    assert ran.err == ""
    assert "precision_mode" in ran.findings[0]["message"]
    assert [fix["title"] for fix in ran.findings[0]["fixes"]] == ['Change to "precision_mode"']
    assert [{k: v for k, v in f.items() if k not in ("message", "fixes")} for f in ran.findings] == [
        {
            "path": "train.py",
            "line": 2,
            "column": 26,
            "end_line": 2,
            "end_column": 39,
            "code": "NPU101",
            "name": "unknown-option",
            "severity": "error",
            "option": "precison_mode",
            "fixable": False,
            "suppressed": False,
            "url": rule_url("NPU101"),
        }
    ]


def test_what_is_shown_as_fixable_is_what_is_fixed(tmp_path: Path) -> None:
    """An empty name in quotes: without them the file would be none, so that their removal isn't shown, either."""
    for name, mode, fixable in (("aipp.cfg", '""', []), ("insert_op.cfg", '"static"', ["NPU103"])):
        (tmp_path / name).write_text(f"aipp_op {{\n  aipp_mode: {mode}\n}}\n")
        told = check(name, cwd=tmp_path).findings
        assert "NPU103" in {finding["code"] for finding in told}
        assert [finding["code"] for finding in told if finding["fixable"] or finding["fixes"]] == fixable
        npu_lsp("check", "--fix", "--exit-zero", name, cwd=tmp_path)
        assert (mode in (tmp_path / name).read_text()) is not bool(fixable)


def test_paths_stand_as_given(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "train.py").write_text(WRONG)
    for given, shown in (
        ("a/train.py", "a/train.py"),
        ("./a/train.py", "./a/train.py"),
        ("a", "a/train.py"),
        ("a/", "a/train.py"),
        (".", "a/train.py"),
        (tmp_path / "a", str(tmp_path / "a" / "train.py")),
    ):
        assert [f["path"] for f in check(given, cwd=tmp_path).findings] == [shown], given


def test_concise_has_a_line_for_each(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    ran = npu_lsp("check", "--output-format", "concise", "train.py", cwd=tmp_path)
    assert ran.out.startswith("train.py:1:26: error: NPU101 ")
    # What a CI system would take for its own command begins with something else.
    (tmp_path / "::warning::x.py").write_text(WRONG)
    ran = npu_lsp("check", "--output-format", "concise", "::warning::x.py", cwd=tmp_path)
    assert ran.out.startswith("./::warning::x.py:1:26: error: NPU101 ")


def test_a_terminal_is_not_controlled_by_what_is_checked(tmp_path: Path) -> None:
    name = "\x1b[31mred.py"
    (tmp_path / name).write_text(WRONG.replace("precison_mode", "precison\x1b[2J_mode\x9b2J"))
    (tmp_path / "npu-lsp.toml").write_text('"\\u001b[2J" = 1\n')
    for arguments in (
        ["check", "--isolated"],
        ["check", "--isolated", "--format=concise"],
        ["check"],
        ["settings", "--isolated"],
        ["check", "--isolated", f"{name}.x"],
    ):
        ran = npu_lsp(*arguments, cwd=tmp_path)
        assert "\x1b" not in ran.out + ran.err, arguments
        assert "\x9b" not in ran.out + ran.err, arguments


def test_a_report_never_takes_the_place_of_what_is_checked(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    (tmp_path / "same.txt").symlink_to("train.py")
    for output in ("train.py", "./train.py", "same.txt"):
        ran = npu_lsp("check", "-o", output, "train.py", cwd=tmp_path)
        assert (ran.code, ran.out) == (2, "")
        assert "the report can't take the place" in ran.err
    assert (tmp_path / "train.py").read_text() == WRONG


def test_files_are_checked_in_the_order_of_their_names(tmp_path: Path) -> None:
    ran = check(CASES, cwd=tmp_path)
    assert ran.code == 1
    places = [(f["path"], f["line"], f["column"]) for f in ran.findings]
    assert places == sorted(places)
    assert not any("clean" in Path(f["path"]).parts for f in ran.findings)


@pytest.mark.parametrize("named", ["nosuch.py", "nosuch/", "*.nosuch", "a/**/*.nosuch"])
def test_what_matches_nothing_is_wrong_usage(tmp_path: Path, named: str) -> None:
    (tmp_path / "train.py").write_text(RIGHT)
    for paths in ([named], [named, "train.py"]):
        ran = npu_lsp("check", *paths, cwd=tmp_path)
        assert (ran.code, ran.out) == (2, "")
        told = "there is nothing of that name; --allow-empty lets that pass"
        assert ran.err == f"npu-lsp: error: {named}: {told}\n"
        assert check(*paths, cwd=tmp_path).findings == []
        ran = npu_lsp("check", "--allow-empty", *paths, cwd=tmp_path)
        assert (ran.code, ran.err) == (0, "")
    # What else was named is checked, and mended, all the same.
    (tmp_path / "train.py").write_text(WRONG)
    assert check(named, "train.py", cwd=tmp_path).codes == ["NPU101"]
    assert npu_lsp("check", "--allow-empty", named, "train.py", cwd=tmp_path).code == 1


def test_unknown_flag_exits_with_2(tmp_path: Path) -> None:
    ran = npu_lsp("check", "--frobnicate", cwd=tmp_path)
    assert ran.code == 2
    assert ran.out == ""
    assert "--frobnicate" in ran.err


def test_where_there_is_no_file_that_is_said(tmp_path: Path) -> None:
    ran = npu_lsp("check", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "npu-lsp: error: found no file to check; --allow-empty lets that pass\n"
    ran = npu_lsp("check", "--allow-empty", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    (tmp_path / "a.py").write_text("x = 1\n")
    assert npu_lsp("check", cwd=tmp_path).err == ""
    assert npu_lsp("check", "--exclude", "a.py", "--force-exclude", "a.py", cwd=tmp_path).err == ""


def test_an_output_file_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    ran = npu_lsp("check", "-o", "nosuch/report.txt", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "npu-lsp: nosuch/report.txt: No such file or directory\n")
