"""Each case says what is expected of it: a file in `clean` has no findings, the others have theirs beside them.

With `NPU_LSP_UPDATE_EXPECTED=1` what is expected is written anew: read the difference before it is committed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.case_files import CASES, EXPECTED, case_files
from tests.checking.command import npu_lsp
from tests.golden import agrees
from tests.together import together

FOLDERS = {"clean", "broken", "forms"}
FORMS = case_files("forms")


def _run(folder: Path, *arguments: str) -> str:
    done = npu_lsp(*arguments, cwd=folder)
    assert done.code in (0, 1), done.err
    assert done.err == ""
    return done.out


def _findings(path: Path) -> str:
    options = ("--isolated", "--no-cache", "--quiet", "--lang", "en", "--output-format", "concise")
    return _run(path.parent, "check", *options, path.name)


def _compare(path: Path, ending: str, found: str) -> None:
    agrees(path.with_name(path.name + ending), found)


@together("path", case_files("clean"), ids=lambda path: path.name)
def test_clean(path: Path) -> None:
    assert _findings(path) == ""


@together("path", case_files("broken"), ids=lambda path: path.name)
def test_broken(path: Path) -> None:
    found = _findings(path)
    assert found, "nothing is found in it: it belongs to `clean`"
    _compare(path, ".findings", found)


@pytest.fixture(scope="module")
def settings() -> dict[str, list[str]]:
    """Return the inventory of the forms: for each file a line for each setting."""
    names = [path.name for path in FORMS]
    said = _run(CASES / "forms", "settings", "--isolated", "--format", "json", "-j", "1", *names)
    lines: dict[str, list[str]] = {name: [] for name in names}
    for row in json.loads(said)["settings"]:
        assert row["known"] or row["value"] is None
        place = f"{row['line']}:{row['column']}-{row['end_line']}:{row['end_column']}"
        value = json.dumps(row["value"], ensure_ascii=False) if row["known"] else "unknown"
        slot = f".{row['slot']}" if row["slot"] else ""
        lines[row["path"]].append(f"{place} {row['surface']} {row['option']}{slot} = {value} [{row['block']}]")
    return lines


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_forms(settings: dict[str, list[str]], path: Path) -> None:
    _compare(path, ".settings", "".join(f"{line}\n" for line in settings[path.name]))


def test_all_that_is_expected_is_of_a_case() -> None:
    assert {path.name for path in CASES.iterdir() if path.is_dir()} == FOLDERS
    assert [path for path in CASES.rglob("*") if path.suffix in EXPECTED and not path.with_suffix("").is_file()] == []
    assert list((CASES / "clean").glob("*.findings")) == []
