"""The hooks of pre-commit see what `npu-lsp check .` sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from identify import identify

from npu_lsp.checking.walking import Walk
from npu_lsp.config.discover import Discovery
from npu_lsp.languages.registry import LANGUAGES
from tests.checking.command import npu_lsp

HOOKS = {
    each["id"]: each for each in yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text())
}


def pattern() -> str:
    """Return the pattern of the files that the registry knows by name, and of those whose first line tells."""
    suffixes = [suffix.lstrip(".").replace(".", r"\.") for row in LANGUAGES for suffix in row.suffixes]
    names = [re.escape(name) for row in LANGUAGES for name in row.names]
    words = [word for row in LANGUAGES for word in row.within]
    within = rf"(?:[^/]*[^a-z0-9/])?(?:{'|'.join(words)})(?:[^a-z0-9/][^/]*)?"
    habits = [row.habit.replace(".*", "[^/]*") for row in LANGUAGES if row.habit]
    kinds = ["[^./]+", rf"(?:{'|'.join(names)})(?:\.[^/]+)?", rf"[^/]*\.(?:{'|'.join(suffixes)})", within, *habits]
    return "(?xi)(?:^|/)(?:\n" + "".join(f"  {'| ' if at else '  '}{each}\n" for at, each in enumerate(kinds)) + ")$\n"


@pytest.mark.parametrize("hook", HOOKS)
def test_the_pattern_is_that_of_the_registry(hook: str) -> None:
    assert HOOKS[hook]["files"] == pattern()
    assert HOOKS[hook]["types"] == ["text"]


def files() -> list[str]:
    found = [
        "LICENSE",
        "run",
        "notes.txt",
        "a.cfg",
        "data.json",
        "a.b",
        ".bashrc",
        "x.tar.gz",
        "settings.ini",
        "sub-op_precision-x/a.ini",
    ]
    for row in LANGUAGES:
        found += [f"a{suffix}" for suffix in row.suffixes] + [f"B{suffix.upper()}" for suffix in row.suffixes]
        found += [name for each in row.names for name in (each, each.capitalize(), f"{each}.gpu")]
        found += [name for each in row.within for name in (f"{each}_a3", f"a3-{each}.old", f"{each}s", f"my{each}")]
        found += (
            [sample(row.habit), f"my-{sample(row.habit)}", f"deep/er/{sample(row.habit).upper()}"] if row.habit else []
        )
    return found


def sample(habit: str) -> str:
    """Return the shortest name that a pattern of habit takes."""
    name = re.sub(r"\(\?:[^()]*\)\?|\[[^]]*\]\?|\w\?", "", habit)
    name = re.sub(r"\(\?:([^|()]*)\|[^()]*\)", r"\1", name).replace("\\", "").replace("?", "")
    assert re.fullmatch(habit, name), (habit, name)
    return name


def test_the_hooks_see_what_a_check_of_the_folder_sees(tmp_path: Path) -> None:
    for name in files():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    seen = {each.path for each in Walk(Discovery(here=tmp_path), str(tmp_path)).files(["."])}
    assert {row.kind for row in LANGUAGES if row.habit or row.suffixes} <= {
        each.kind for each in Walk(Discovery(here=tmp_path), str(tmp_path)).files(["."])
    }
    hook = HOOKS["npu-lsp-check"]
    passed = {
        name
        for name in files()
        if re.search(hook["files"], name) and set(hook["types"]) <= identify.tags_from_path(str(tmp_path / name))
    }
    assert passed == seen


def test_what_hooks_name_is_no_wrong_usage(tmp_path: Path) -> None:
    """They name every file, also those that turn out to be nothing for us, and those that are excluded."""
    (tmp_path / "LICENSE").write_text("free\n")
    (tmp_path / "old.py").write_text("x = 1\n")
    (tmp_path / "npu-lsp.toml").write_text('extend-exclude = ["old.py"]\n')
    ran = npu_lsp(*HOOKS["npu-lsp-check"]["entry"].partition(" npu_lsp ")[2].split(), "LICENSE", "old.py", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
