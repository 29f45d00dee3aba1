"""What Git tracks is checked, whatever ignore files say of it; Git itself is asked what that is."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from npu_lsp.checking.ignoring import names_in
from npu_lsp.checking.walking import Reach, Walk
from npu_lsp.config.discover import Discovery
from tests.checking.command import npu_lsp
from tests.robustness.steps import steps

WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
WAYS = (
    "2",
    "3",
    "4",
    "sha256",
    "work tree",
    "submodule",
    "below",
    "split 2",
    "split 4",
    "split sha256",
    "split work tree",
)


def git(folder: Path, *arguments: str) -> str:
    settings = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always")
    command = ["git", *settings, "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(WRONG, encoding="utf-8")


def seen(folder: Path) -> list[str]:
    return sorted(each.path for each in Walk(Discovery(here=folder), str(folder)).files(["."]))


def told_by_git(folder: Path) -> list[str]:
    """Return what Git tracks, and what it doesn't ignore."""
    listed = git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return sorted(name for name in set(listed.split("\0")) if name.endswith(".py"))


def repository(folder: Path, way: str) -> Path:
    """Return a work tree in which something is ignored, something of that is tracked, and of that something else is not."""
    folder.mkdir()
    split = way.startswith("split")
    way = way.removeprefix("split ")
    git(folder, "init", "-q", *(["--object-format=sha256"] if way == "sha256" else []))
    names = [f"{'x' * length}{number}.py" for length in range(1, 11) for number in range(3)]
    write(
        folder,
        "a.py",
        "test/deep/b.py",
        "test/c.py",
        "test/中文.py",
        "build/one.py",
        *(f"test/{n}" for n in names),
        *names,
    )
    (folder / ".gitignore").write_text("test\n/build/\nx*2.py\nsecret.py\n", encoding="utf-8")
    (folder / "test/.gitignore").write_text("!*.py\n", encoding="utf-8")
    git(
        folder,
        "add",
        "-f",
        "a.py",
        "test/deep/b.py",
        "test/xxx1.py",
        "test/中文.py",
        ".gitignore",
        "xx2.py",
        "xxxxxxx2.py",
    )
    git(folder, "commit", "-q", "-m", "all")
    if way == "3":
        write(folder, "test/later.py")
        git(folder, "add", "-f", "-N", "test/later.py")
    if way in "24":
        git(folder, "update-index", "--index-version", way)
    if way == "work tree":
        git(folder, "worktree", "add", "-q", "../beside")
        (folder / ".git/info/exclude").write_text("excluded.py\n", encoding="utf-8")
        folder = folder.parent / "beside"
        write(folder, "test/new.py", "secret.py", "new.py", "excluded.py")
    if way == "submodule":
        above = folder.parent / "above"
        above.mkdir()
        git(above, "init", "-q")
        git(above, "submodule", "--quiet", "add", "../repository", "part")
        (above / ".gitignore").write_text("a.py\npart\n", encoding="utf-8")
        folder = above / "part"
        write(folder, "test/new.py", "secret.py", "new.py")
    if split:
        _split(folder)
    return folder


def _split(folder: Path) -> None:
    """Have the index in two parts, and the one of them say that of the other something is gone, changed, and not all."""
    # What is tracked and ignored, so that only the index tells of it; most stays in the part that is shared.
    names = [f"test/many{number}.py" for number in range(200)]
    write(folder, *names)
    git(folder, "add", "-f", *names)
    git(folder, "-c", "splitIndex.maxPercentChange=100", "update-index", "--split-index")
    git(folder, "config", "splitIndex.maxPercentChange", "100")
    git(folder, "config", "core.splitIndex", "true")
    git(folder, "rm", "-q", "--cached", "test/xxx1.py", *names[3:150])
    (folder / names[160]).write_text("changed = 1\n", encoding="utf-8")
    write(folder, "test/0.py", "test/zzz.py")
    git(folder, "add", "-f", names[160], "test/0.py", "test/zzz.py")


@pytest.mark.parametrize("way", WAYS)
def test_what_git_tracks_is_checked(way: str, tmp_path: Path) -> None:
    folder = repository(tmp_path / "repository", way)
    wanted = told_by_git(folder)
    if way.startswith("split"):
        assert b"link" in Path(git(folder, "rev-parse", "--absolute-git-dir").strip(), "index").read_bytes()
        assert {"test/0.py", "test/many2.py", "test/many160.py", "test/zzz.py"} <= set(wanted)
        assert not {"test/many3.py", "test/many149.py", "test/xxx1.py"} & set(wanted)
    assert {"a.py", "test/deep/b.py", "test/中文.py", "xx2.py"} <= set(wanted)
    assert not {"build/one.py", "test/c.py", "secret.py", "excluded.py"} & set(wanted)
    assert seen(folder) == wanted
    if way == "submodule":
        assert seen(folder.parent) == [f"part/{name}" for name in wanted]
    version = (folder / ".git/index").read_bytes()[7] if (folder / ".git").is_dir() else 0
    assert version in {"2": (2,), "3": (3,), "4": (4,)}.get(way.removeprefix("split "), range(5))


@pytest.mark.parametrize("names", ["sha1", "sha256"])
def test_an_index_whose_entries_are_all_in_the_shared_part(names: str, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", f"--object-format={names}")
    write(tmp_path, "test/a.py", "test/b.py", "c.py")
    (tmp_path / ".gitignore").write_text("test\n", encoding="utf-8")
    git(tmp_path, "add", "-f", "test/a.py")
    git(tmp_path, "update-index", "--split-index")
    assert seen(tmp_path) == ["c.py", "test/a.py"] == told_by_git(tmp_path)


def test_trees_at_random(tmp_path: Path) -> None:
    """Whatever is ignored and tracked: Git and we see the same."""
    chance = random.Random(29)
    for number in range(12):
        folder = tmp_path / str(number)
        folder.mkdir()
        git(folder, "init", "-q")
        words = ("a", "b", "ab", "a b", "中")
        names = {"/".join(chance.choices(words, k=chance.randint(1, 4))) + ".py" for _ in range(40)}
        write(folder, *names)
        patterns = [*words, "/a", "b/", "*.py", "!a", "!b/", "a/b", "**/ab", "a/**", "!*b.py"]
        for place in ("", "a/", "a/b/"):
            if (folder / place).is_dir():
                lines = chance.sample(patterns, 4)
                (folder / place / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")
        git(folder, "add", "-f", *chance.sample(sorted(names), 12))
        git(folder, "update-index", "--index-version", chance.choice("24"))
        if number % 2:
            git(folder, "config", "splitIndex.maxPercentChange", "100")
            git(folder, "update-index", "--split-index")
            tracked = git(folder, "ls-files", "-z").split("\0")[:-1]
            git(folder, "rm", "-q", "--cached", *chance.sample(tracked, 5))
            git(folder, "add", "-f", *chance.sample(sorted(names), 3))
        assert seen(folder) == told_by_git(folder), folder


def test_a_setting_may_name_a_tracked_file_that_is_ignored(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, "train.py", "out/other.py")
    (tmp_path / ".gitignore").write_text("out/\ntrain.py\n", encoding="utf-8")
    walk = Walk(Discovery(here=tmp_path), str(tmp_path))
    assert list(walk.files(["."])) == []
    assert walk.passes_over(str(tmp_path / "train.py"))
    reach = Reach(Discovery(here=tmp_path), str(tmp_path))
    assert not any(reach.has(str(tmp_path / name)) for name in ("train.py", "out/other.py"))
    git(tmp_path, "add", "-f", ".")
    walk = Walk(Discovery(here=tmp_path), str(tmp_path))
    assert len(list(walk.files(["."]))) == 2
    assert not walk.passes_over(str(tmp_path / "train.py"))
    assert not walk.passes_over(str(tmp_path / "out/other.py"))
    assert walk.passes_over(str(tmp_path / "out/new.py"))
    reach = Reach(Discovery(here=tmp_path), str(tmp_path))
    assert [reach.has(str(tmp_path / name)) for name in ("train.py", "out/other.py", "out/new.py")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("way", ["2", "3", "4", "sha256", "split 2"])
def test_a_damaged_index_tracks_nothing_and_ends_nothing(way: str, tmp_path: Path) -> None:
    folder = repository(tmp_path / "repository", way)
    path = folder / ".git/index"
    data = path.read_bytes()
    base = b"".join(each.read_bytes() for each in path.parent.glob("sharedindex.*"))
    assert names_in(data, lambda _: base)
    for end in range(0, len(data) - 100, 7):
        names_in(data[:end], lambda _: base)
    chance = random.Random(7)
    for _ in range(300):
        at = chance.randrange(len(data))
        names_in(data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :], lambda _: base)
    path.write_bytes(b"\xff" * 1000)
    assert "a.py" in seen(folder)
    path.unlink()
    path.mkdir()
    assert "a.py" in seen(folder)
    shutil.rmtree(folder / ".git")
    (folder / ".git").write_text("gitdir: /dev/zero\n", encoding="utf-8")
    assert "a.py" in seen(folder)


@pytest.mark.parametrize("version", [2, 3, 4])
@pytest.mark.parametrize("fill", [b"a", b"\0", b"\xff", b"ab\0", b"\0" * 61 + b"a"])
def test_reading_is_linear_in_an_index_of_anything(version: int, fill: bytes) -> None:
    def read(size: int) -> int:
        count = size // 100
        data = b"DIRC" + version.to_bytes(4, "big") + count.to_bytes(4, "big") + (fill * size)[:size]
        return steps(lambda: names_in(data))

    small, large = read(20_000), read(80_000)
    assert large <= 4.5 * small + 1_000


def test_where_everything_is_passed_over_that_is_said(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, "test/train.py", "old/a.py", "serve.py")
    (tmp_path / ".gitignore").write_text("# what is made\ntest\n", encoding="utf-8")
    (tmp_path / ".git/info/exclude").write_text("old/\n*.py\n", encoding="utf-8")
    ran = npu_lsp("check", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    first, *lines = ran.err.splitlines()
    assert first == "npu-lsp: error: found no file to check; --allow-empty lets that pass"
    assert [line.removeprefix("npu-lsp: warning: ") for line in lines] == [
        "Git ignores old: .git/info/exclude:1: old/",
        "Git ignores test: .gitignore:2: test",
        "Git ignores serve.py: .git/info/exclude:2: *.py",
    ]
    ran = npu_lsp("check", "--lang", "zh", cwd=tmp_path)
    assert "Git 忽略了 test：.gitignore:2: test" in ran.err
    (tmp_path / ".gitignore").write_text("*\n", encoding="utf-8")
    (tmp_path / ".git/info/exclude").write_text("", encoding="utf-8")
    ran = npu_lsp("check", "--show-files", "test", cwd=tmp_path)
    assert "Git ignores test/train.py: .gitignore:1: *" in ran.err


def test_a_name_that_no_path_has_is_no_name() -> None:
    """In version 4 each entry repeats the start of the one before: a megabyte, a million times."""
    head = b"DIRC" + (4).to_bytes(4, "big") + (2).to_bytes(4, "big")
    first, second = (bytes(60) + b"\x0f\xff\0" + name + b"\0" for name in (b"a" * 4_096, b""))
    assert len(names_in(head + first + second + bytes(20))) == 2
    assert names_in(head + first.replace(b"a\0", b"aa\0") + second + bytes(20)) == ()
