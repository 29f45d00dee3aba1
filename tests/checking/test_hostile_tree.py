"""Nothing is shown or touched that was not asked for, whatever the names in a tree lead to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npu_lsp.checking import fixing
from npu_lsp.checking.checked import FixMode, Request
from npu_lsp.checking.checker import Checker
from npu_lsp.checking.walking import Candidate
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.fixing import rounds
from npu_lsp.reports import FORMATS
from npu_lsp.text.kinds import Kind
from tests.checking.command import check, npu_lsp
from tests.checking.hostile import FIXED, MADE, SECRET, WRONG, build
from tests.checking.snapshot import changed, snapshot
from tests.together import together

CACHED = {"NPU_LSP_NO_CACHE": ""}


@together("report", FORMATS)
def test_no_report_has_a_word_of_them(tmp_path: Path, report: str) -> None:
    made = build(tmp_path)
    before = snapshot(tmp_path)
    ran = npu_lsp("check", "-v", "--output-format", report, cwd=made, env=CACHED)
    assert ran.code == 1
    assert "precison_mode" in ran.out
    assert SECRET not in ran.out + ran.err
    assert changed(before, snapshot(tmp_path)) == set()


@together("arguments", [("--diff",), ("--statistics",), ("--jobs", "2"), ("--shard", "1/1")])
def test_looking_changes_nothing(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    made = build(tmp_path)
    before = snapshot(tmp_path)
    ran = npu_lsp("check", *arguments, cwd=made, env=CACHED)
    assert SECRET not in ran.out + ran.err
    assert changed(before, snapshot(tmp_path)) == set()


@pytest.mark.parametrize("paths", [(), ("*.py", "p/*.sh", "*/*.py", "**/*.json"), ("git", "git.py", "config.sh", ".")])
def test_only_what_was_asked_for_is_fixed(tmp_path: Path, paths: tuple[str, ...]) -> None:
    made = build(tmp_path)
    before = snapshot(tmp_path)
    ran = npu_lsp("check", "--fix", "--unsafe-fixes", *paths, cwd=made, env=CACHED)
    after = snapshot(tmp_path)
    assert changed(before, after) == FIXED | MADE
    for path in FIXED:
        # Mode, owner and extended attributes.
        assert before[path][:3] == after[path][:3]
        assert before[path][5] == after[path][5]
    assert SECRET not in ran.out + ran.err
    assert "hard.py: has more than one name" in ran.err


def test_listing_settings_shows_none_of_theirs(tmp_path: Path) -> None:
    made = build(tmp_path)
    before = snapshot(tmp_path)
    ran = npu_lsp("settings", cwd=made)
    assert "precison_mode" in ran.out
    assert SECRET not in ran.out + ran.err
    assert changed(before, snapshot(tmp_path)) == set()


def test_a_file_that_becomes_a_link_before_it_is_read(tmp_path: Path) -> None:
    made = build(tmp_path)
    # The walk saw a file there.
    candidate = Candidate("link.py", os.fspath(made / "link.py"), Kind.PYTHON, 0, explicit=False)
    done = Checker([Config()], Request(mending=FixMode.ALL, write=True)).check(candidate)
    assert [entry.code for entry in done.entries] == ["NPU001"]
    large = Checker([Config(max_file_size=1)], Request()).check(candidate)
    assert [entry.code for entry in large.entries] == ["NPU001"]
    assert SECRET not in repr((done, large))


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_becomes_a_link_between_reading_and_writing(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, user = tmp_path / "made", tmp_path / "user"
    for folder in (made, user):
        folder.mkdir()
        (folder / "train.py").write_text(WRONG)
    before: dict[str, object] = {}
    as_fixed = rounds.fixed

    def fixed(*arguments: object, **more: object) -> object:
        done = as_fixed(*arguments, **more)  # type: ignore[arg-type]
        if what == "file":
            (made / "train.py").unlink()
            (made / "train.py").symlink_to(user / "train.py")
        else:
            made.rename(tmp_path / "away")
            made.symlink_to(user, target_is_directory=True)
        before.update(snapshot(tmp_path))
        return done

    monkeypatch.setattr(fixing, "fixed", fixed)
    candidate = Candidate("train.py", os.fspath(made / "train.py"), Kind.PYTHON, 0, explicit=False)
    done = Checker([Config()], Request(mending=FixMode.ALL, write=True)).check(candidate)
    assert not done.fixed
    assert before == snapshot(tmp_path)


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WRONG)
    (tmp_path / "link.py").symlink_to("train.py")
    assert check("link.py", cwd=tmp_path).codes == ["NPU101"]
    check("--fix", "--unsafe-fixes", "link.py", cwd=tmp_path)
    assert (tmp_path / "link.py").is_symlink()
    assert "precision_mode" in (tmp_path / "train.py").read_text()


@pytest.mark.parametrize(
    "line",
    [
        'extend = ".git/secret.toml"', 'extend = "folder/secret.toml"', 'extend = "secret.toml"',
        'catalog = [".git/secret.toml"]', 'catalog = ["folder/secret.toml"]', 'catalog = ["secret.toml"]',
        'baseline = "secret.toml"', 'baseline = "folder/secret.toml"', 'baseline = "train.py"',
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_configuration_names_is_neither_shown_nor_replaced(tmp_path: Path, line: str, language: str) -> None:
    made = build(tmp_path)
    for folder in (tmp_path / "user", made / ".git"):
        (folder / "secret.toml").write_text(f'{SECRET} = "{SECRET}"\ntarget = {{cann = "{SECRET}"}}\n')
    (made / "secret.toml").symlink_to("../user/secret.toml")
    (made / "npu-lsp.toml").write_text(line + "\n")
    before = snapshot(tmp_path)
    for arguments in ((), ("--write-baseline",)):
        ran = npu_lsp("check", "--lang", language, *arguments, cwd=made)
        assert (ran.code, ran.out) == (2, "")
        assert SECRET not in ran.err
    assert changed(before, snapshot(tmp_path)) == set()


def test_a_configuration_that_is_a_link(tmp_path: Path) -> None:
    made = build(tmp_path)
    (made / "npu-lsp.toml").unlink()
    (made / "npu-lsp.toml").symlink_to(".git/config")
    ran = check(cwd=made)
    assert ran.code == 2
    assert SECRET not in ran.out + ran.err
    (tmp_path / "right.toml").write_text('ignore = ["NPU"]\n')
    (made / "npu-lsp.toml").unlink()
    (made / "npu-lsp.toml").symlink_to("../right.toml")
    assert check(cwd=made).codes == []


def test_a_report_or_a_baseline_never_goes_through_a_link(tmp_path: Path) -> None:
    made = build(tmp_path)
    before = snapshot(tmp_path)
    for arguments in (("-o", "link.py"), ("--write-baseline",), ("--baseline", "npu-lsp-baseline.json")):
        ran = npu_lsp("check", *arguments, cwd=made)
        assert ran.code == 2
        assert "link" in ran.err
        assert SECRET not in ran.out + ran.err
    assert changed(before, snapshot(tmp_path)) == set()
