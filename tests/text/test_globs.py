"""Patterns match what Git says they match."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npu_lsp.text.globs import Globs, globs
from tests.robustness.timing import Task, outgrown

NAMES = ["a", "b", "ab", "a.py", "b.py", "x y", "[z]", "a-b", "build"]
PATTERNS = [
    "a", "*.py", "/a", "a/", "/a/b", "a/**", "**/b", "a/**/b", "!a.py", "!b.py", "*", "?", "[ab]", "[!a]", "[^a].py",
    "a*", "*b", "x\\ y", "x y", "#a", "", "\\#a", "a/*", "!a/b", "**", "build/", "/build", "a-[a-c]", "[[:alpha:]]",
    "*/b", "a/*/b", "*a*b*", "a*/*b*", "**/a/**/b", "**/a*/**", "a/**/**/b", "?*?*", "*[ab]*.p*y", "!/a", "**/a/", "[z", "\\[z\\]", ".", "a ", "a\\ ", "[]-]", "[a-]", "a\\",
    "*.p[xy]", "a/[ab]", "[ab]/", "/[ab]b", "*[ab]", "!*.p[yz]", "**/[ab]", "a[.]py", "[ab][ab]", "[ab]*",
]  # fmt: skip


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", folder], check=True)
    for one in NAMES:
        for two in NAMES[:5]:
            if one in ("a", "b", "build"):
                (folder / one / two).mkdir(parents=True, exist_ok=True)
                for three in NAMES[:4]:
                    (folder / one / two / three).touch()
            else:
                (folder / one).touch()
    return folder


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(patterns=st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=5))
def test_as_git_says(repository: Path, patterns: list[str]) -> None:
    paths = [
        p.relative_to(repository).as_posix() for p in repository.rglob("*") if p.is_file() and ".git" not in p.parts
    ]
    (repository / ".gitignore").write_text("\n".join(patterns) + "\n")
    ran = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=repository,
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    )
    ignored = {path for path in ran.stdout.decode().split("\0") if path}
    matcher = Globs(patterns)
    assert {path for path in paths if matcher.matches(path)} == ignored


@settings(max_examples=300)
@given(pattern=st.text("*?[]!^-\\/ab.", max_size=40), path=st.text("ab/.", max_size=60))
def test_no_pattern_fails_or_takes_long(pattern: str, path: str) -> None:
    Globs([pattern]).matches(path)


@pytest.mark.parametrize(
    ("make", "most"),
    [
        (lambda n: ["*a" * n + "b"], 256),
        (lambda n: ["**/a/" * n + "b"], 128),
        (lambda n: ["a*/**/" * n + "*b*c"], 128),
        (lambda n: [f"*a*{number}*b" for number in range(n)], 1 << 15),
        (lambda n: [f"*.a{number}" for number in range(n)], 1 << 16),
        (lambda n: [f"{'!' * (number % 2)}a{number}" for number in range(n)], 1 << 16),
        (lambda n: ["?" * n], 1 << 18),
        (lambda n: ["[" + "a" * n + "]*"], 1 << 18),
    ],
    ids=range(8),
)
def test_no_list_of_a_stranger_takes_long(make: Callable[[int], list[str]], most: int) -> None:
    def matched(number: int) -> Task:
        patterns = make(number)
        return lambda: Globs(patterns).matches("a/" * 60 + "a" * 200)

    assert not Globs(make(most)).matches("a/" * 60 + "a" * 200)
    assert outgrown(matched, most, 0.02) is None


def test_a_pattern_that_is_too_long_takes_no_other_with_it() -> None:
    assert Globs(["?" * 30_000, "a*"]).matches("ab")


def test_a_configuration_may_write_a_leading_dot() -> None:
    assert globs(("./build",)).matches("build/x.py")
    assert not globs(("./build",)).matches("a/build/x.py")
