"""Each form in which an option can be set has a sample; `expected/NAME.txt` holds what `settings` says of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from npu_lsp.languages import cursor
from npu_lsp.languages.detection import detect
from npu_lsp.text.document import Document

FORMS = Path(__file__).with_name("samples") / "forms"
NAMES = sorted(path.name for path in FORMS.iterdir() if path.is_file())


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """Return the inventory of all samples: for each a line for each setting."""
    command = [sys.executable, "-m", "npu_lsp", "settings", "--isolated", "--format", "json", "-j", "1", *NAMES]
    done = subprocess.run(command, cwd=FORMS, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    lines: dict[str, list[str]] = {name: [] for name in NAMES}
    for row in json.loads(done.stdout)["settings"]:
        assert row["known"] or row["value"] is None
        place = f"{row['line']}:{row['column']}-{row['end_line']}:{row['end_column']}"
        value = json.dumps(row["value"], ensure_ascii=False) if row["known"] else "unknown"
        slot = f".{row['slot']}" if row["slot"] else ""
        lines[row["path"]].append(f"{place} {row['surface']} {row['option']}{slot} = {value} [{row['block']}]")
    return lines


@pytest.mark.parametrize("name", NAMES)
def test_settings(found: dict[str, list[str]], name: str) -> None:
    said = "".join(f"{line}\n" for line in found[name])
    expected = FORMS / "expected" / f"{name}.txt"
    if os.environ.get("NPU_LSP_UPDATE_EXPECTED"):
        expected.write_text(said, encoding="utf-8")
    assert said == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_completed_is_what_is_typed(name: str) -> None:
    """At each place, also in the middle of an escape and in the signs of a host."""
    text = (FORMS / name).read_bytes().decode("utf-8-sig", "replace")
    document = Document(text, path=str(FORMS / name), kind=detect(name, text))
    for at in range(len(text) + 1):
        found = cursor(document, at)
        if found is not None:
            assert found.typed == text[found.replace.start : at]
            assert at <= found.replace.end <= len(text)
            assert document.line_of(found.replace.start) == document.line_of(at)
