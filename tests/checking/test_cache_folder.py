"""The cache keeps to its own folder: nothing of anybody else is removed, replaced or hidden from Git."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from npu_lsp.checking import cache_folder
from npu_lsp.checking.writing import replace_or_create
from tests.checking.command import Ran, names, npu_lsp
from tests.checking.snapshot import changed, snapshot

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
OLD = 1_500_000_000
USER = {
    "data.json": "{}",
    "0123456789abcdef01234567.json": "{}",
    ".left.0123456789ab.npu-lsp-tmp": "mine",
    "sub/more.json": "{}",
}


def project(folder: Path) -> Path:
    """Make a project with what a cache remembers, and beside it a folder with what looks like an old cache."""
    made = folder / "project"
    made.mkdir()
    for number in range(40):
        (made / f"train{number}.py").write_text(WRONG)
    for name, text in USER.items():
        path = folder / "user" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for path in folder.rglob("*"):
        os.utime(path, (OLD, OLD))
    return made


def check(folder: Path, *arguments: str) -> Ran:
    return npu_lsp("check", "--output-format", "json", *arguments, cwd=folder, env={"NPU_LSP_NO_CACHE": ""})


def nothing(_: Path) -> None:
    pass


def link(made: Path) -> None:
    (made / ".npu-lsp-cache").symlink_to("../user", target_is_directory=True)


def link_above(made: Path) -> None:
    (made / "at").symlink_to("../user", target_is_directory=True)
    (made / "npu-lsp.toml").write_text('cache-dir = "at/sub/new"\n')


def link_to_an_empty_folder(made: Path) -> None:
    (made.parent / "user" / "empty").mkdir()
    (made / ".npu-lsp-cache").symlink_to("../user/empty", target_is_directory=True)


def link_to_nothing(made: Path) -> None:
    (made / ".npu-lsp-cache").symlink_to("../user/nothing", target_is_directory=True)


def loop(made: Path) -> None:
    (made / ".npu-lsp-cache").symlink_to(".npu-lsp-cache")


def itself(made: Path) -> None:
    (made / "npu-lsp.toml").write_text('cache-dir = "."\n')


def elsewhere(made: Path) -> None:
    (made / "npu-lsp.toml").write_text('cache-dir = "../user"\n')


def in_git(made: Path) -> None:
    (made / ".git").mkdir()
    (made / "npu-lsp.toml").write_text('cache-dir = ".git"\n')


def without_mark(made: Path) -> None:
    (made / ".npu-lsp-cache").mkdir()
    (made / ".npu-lsp-cache" / "0123456789abcdef01234567.json").write_text("{}")


def marked_by_others(made: Path) -> None:
    without_mark(made)
    (made / ".npu-lsp-cache" / cache_folder.MARK).write_text("Signature: 8a477f597d28d172789f06886806bc55\n# ccache\n")


def linked_mark(made: Path) -> None:
    other = made.parent / "other"
    cache_folder.make_ready(os.fspath(other), os.fspath(made))
    without_mark(made)
    (made / ".npu-lsp-cache" / cache_folder.MARK).symlink_to(other / cache_folder.MARK)


def linked_file(made: Path) -> None:
    check(made)
    (made / ".npu-lsp-cache" / "0123456789abcdef01234567.json").symlink_to("../../user/data.json")


def one_more_file(made: Path) -> None:
    check(made)
    (made / ".npu-lsp-cache" / "notes.json").write_text("{}")


def a_file(made: Path) -> None:
    (made / ".npu-lsp-cache").write_text("{}")


FOLDERS = (
    link, link_above, link_to_an_empty_folder, link_to_nothing, loop, itself, elsewhere, in_git, without_mark,
    marked_by_others, linked_mark, linked_file, one_more_file, a_file,
)  # fmt: skip


@pytest.mark.parametrize("prepare", FOLDERS)
def test_what_is_not_ours_is_left_alone(tmp_path: Path, prepare: Callable[[Path], None]) -> None:
    made = project(tmp_path)
    prepare(made)
    before = snapshot(tmp_path)
    for language, words in (("en", "nothing is remembered"), ("zh", "不使用缓存")):
        ran = check(made, "--lang", language)
        assert (ran.code, len(ran.codes)) == (1, 40)
        assert ran.err.count(words) == 1, ran.err
        assert len(ran.err.splitlines()) == 1
    assert changed(before, snapshot(tmp_path)) == set()


def test_one_cache_of_many_configurations_is_refused_once(tmp_path: Path) -> None:
    made = project(tmp_path)
    for name in ("a", "b", "c"):
        (made / name).mkdir()
        (made / name / "npu-lsp.toml").write_text('cache-dir = "../../user"\n')
        (made / name / "train.py").write_text(WRONG)
    assert check(made).err.count("nothing is remembered") == 1


def test_an_empty_folder_is_taken_and_gets_no_ignore_file(tmp_path: Path) -> None:
    made = project(tmp_path)
    (made / ".npu-lsp-cache").mkdir()
    assert check(made).err == ""
    found = names(made / ".npu-lsp-cache")
    assert cache_folder.MARK in found
    assert len(found) == 2
    assert sum(name.endswith(".json") for name in found) == 1


def test_only_old_files_of_a_cache_are_removed(tmp_path: Path) -> None:
    made = project(tmp_path)
    check(made)
    folder = made / ".npu-lsp-cache"
    kept = names(folder)
    for name in ("0123456789abcdef01234567.json", ".0123456789abcdef01234567.json.0123456789ab.npu-lsp-tmp"):
        (folder / name).write_text("{}")
        os.utime(folder / name, (OLD, OLD))
    (folder / "76543210fedcba9876543210.json").write_text("{}")
    (made / "train0.py").write_text("x = 1\n")
    assert check(made).err == ""
    assert names(folder) == sorted([*kept, "76543210fedcba9876543210.json"])


def test_what_another_run_just_makes_is_no_reason_to_refuse(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / f".{cache_folder.MARK}.0123456789ab.npu-lsp-tmp").write_text("Signature")
    cache_folder.make_ready(os.fspath(folder), os.fspath(tmp_path))
    cache_folder.verify(os.fspath(folder), os.fspath(tmp_path))
    assert cache_folder.MARK in names(folder)


@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_run_that_is_killed_amid_making_it_leaves_what_the_next_one_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    folder, root = os.fspath(tmp_path / "cache"), os.fspath(tmp_path)
    written = 0

    def killed(path: str, data: bytes) -> None:
        nonlocal written
        if written == done:
            raise KeyboardInterrupt
        written += 1
        replace_or_create(path, data)

    monkeypatch.setattr(cache_folder, "replace_or_create", killed)
    with suppress(KeyboardInterrupt):
        cache_folder.make_ready(folder, root)
    monkeypatch.undo()
    assert len(names(tmp_path / "cache")) == done
    cache_folder.make_ready(folder, root)
    assert cache_folder.MARK in names(tmp_path / "cache")


def test_an_ignore_file_of_somebody_else_is_a_reason_to_refuse(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / ".gitignore").write_text("*\n")
    with pytest.raises(cache_folder.RefusedError):
        cache_folder.make_ready(os.fspath(folder), os.fspath(tmp_path))


def test_a_folder_that_becomes_a_link_while_files_are_checked(tmp_path: Path) -> None:
    folder, user = tmp_path / "cache", tmp_path / "user"
    user.mkdir()
    (user / "0123456789abcdef01234567.json").write_text("{}")
    cache_folder.verify(os.fspath(folder), os.fspath(tmp_path))
    folder.symlink_to(user, target_is_directory=True)
    before = snapshot(tmp_path)
    with pytest.raises(cache_folder.RefusedError):
        cache_folder.make_ready(os.fspath(folder), os.fspath(tmp_path))
    assert changed(before, snapshot(tmp_path)) == set()
