"""`check --fix --interactive`: each fix is shown and asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.command import check

SAFE = 'op.parameter_map["use_off_line"].b = "True"\n'
FIXED = SAFE.replace('"True"', "True")
MORE, MENDED = (each.replace("use_off_line", "enable_data_pre_proc") for each in (SAFE, FIXED))
UNSAFE = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
RENAMED = UNSAFE.replace("precison", "precision")


@pytest.mark.parametrize(
    ("answers", "more", "left"),
    [
        ("y\ny\ny\n", (), FIXED + RENAMED + MENDED),
        ("n\ny\nn\n", (), SAFE + RENAMED + MORE),
        ("a\nn\n", (), FIXED + UNSAFE + MENDED),
        ("a\n", ("--unsafe-fixes",), FIXED + RENAMED + MENDED),
        ("y\nq\n", (), FIXED + UNSAFE + MORE),
        ("what\n?\ny\n", (), FIXED + UNSAFE + MORE),
        ("", (), SAFE + UNSAFE + MORE),
    ],
)
def test_what_is_said_is_done(tmp_path: Path, answers: str, more: tuple[str, ...], left: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(SAFE + UNSAFE + MORE, encoding="utf-8")
    check("--fix", "--interactive", *more, "a.py", cwd=tmp_path, stdin=answers)
    assert path.read_text(encoding="utf-8") == left


def test_each_is_shown_and_the_report_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SAFE + UNSAFE, encoding="utf-8")
    ran = check("--fix", "--interactive", "--output-format", "concise", "a.py", cwd=tmp_path, stdin="n\nn\n")
    assert "-" + SAFE in ran.err.replace("  ", "")
    assert "+" + FIXED in ran.err.replace("  ", "")
    assert "(review) " in ran.err
    assert "[y, n, a, q, ?]" not in ran.out
    assert ran.code == 1


def test_a_quit_holds_for_all_files(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(SAFE, encoding="utf-8")
    ran = check("--fix", "--interactive", ".", cwd=tmp_path, stdin="q\n")
    assert ran.err.count("[y, n, a, q, ?]") == 1
    assert {(tmp_path / name).read_text(encoding="utf-8") for name in ("a.py", "b.py")} == {SAFE}


@pytest.mark.parametrize("with_", [(), ("--fix", "--diff"), ("--fix", "--watch"), ("--fix", "-")])
def test_what_it_goes_with(tmp_path: Path, with_: tuple[str, ...]) -> None:
    ran = check("--interactive", *with_, cwd=tmp_path)
    assert ran.code == 2
    assert "--interactive" in ran.err


def test_the_configuration_says_which_fixes_are_safe(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(SAFE + UNSAFE, encoding="utf-8")
    (tmp_path / "npu-lsp.toml").write_text(
        'extend-safe-fixes = ["unknown-option"]\nextend-unsafe-fixes = ["ALL"]\n', encoding="utf-8"
    )
    check("--fix", "a.py", cwd=tmp_path)
    assert path.read_text(encoding="utf-8") == SAFE + RENAMED
