"""A check that looked at nothing is no check: those of CI and of a release say so, and fail."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from npu_lsp.text import toml
from tests.together import together

ROOT = Path(__file__).parents[2]


def module(monkeypatch: pytest.MonkeyPatch, folder: str, name: str) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / folder))
    return importlib.import_module(name)


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return module(monkeypatch, ".ci", "audited")


def report(names: set[str], vulnerable: str = "", unasked: str = "") -> list[dict[str, Any]]:
    """Return what pip-audit reports of packages: one with a vulnerability, one that nobody was asked about."""
    found = [{"id": "X-1", "fix_versions": ["2"]}]
    asked = [
        {"name": name, "version": "1", "vulns": found if name == vulnerable else []}
        for name in names
        if name != unasked
    ]
    skipped = [{"name": name, "skip_reason": "not found"} for name in (unasked, "npu-lsp") if name]
    return asked + skipped


def test_an_audit_that_asked_nobody_is_none(audited: ModuleType) -> None:
    needed = {"attrs", *audited.DIRECT}
    assert audited.judged(report(needed))[0] == 0
    assert audited.judged(report(needed, vulnerable="attrs"))[0] == 1
    assert audited.judged(report(needed, vulnerable="attrs", unasked="libcst"))[0] == 1
    for packages in (
        [],
        report(set()),
        report({"attrs"}),
        report(needed, unasked="attrs"),
        report(needed, unasked="libcst"),
    ):
        code, lines = audited.judged(packages)
        assert code == audited.NO_AUDIT
        assert "No audit" in lines[-1]


def test_an_audit_is_about_what_users_get(audited: ModuleType) -> None:
    needs = toml.read(ROOT / "pyproject.toml")["project"]["dependencies"]
    assert {re.split("[<>=;]", need)[0] for need in needs if ";" not in need} == audited.DIRECT


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"dependencies": 1}', '{"dependencies": [1]}', '{"dependencies": []}']
)
def test_a_report_that_is_none_is_no_audit(text: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(text)
    done = subprocess.run([sys.executable, ROOT / ".ci/audited.py", path], capture_output=True, text=True, check=False)
    assert (done.returncode, "No audit" in done.stdout) == (3, True)


PYTHON = """#!/bin/sh
# Stands in for Python, its environments and pip: {missing} can't be installed, and pip-audit reports as told.
case "$*" in
  "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"
    printf '%s\\n' '#!/bin/sh' 'while [ "$1" != --output ]; do shift; done; {report}' 'echo No known vulnerabilities found' > "$3/bin/pip-audit"
    chmod +x "$3/bin/pip-audit" ;;
  *"install --quiet {missing}") exit 1 ;;
  *"-m pip "*) ;;
  *) exec {python} "$@" ;;
esac
"""


@pytest.mark.parametrize(
    ("missing", "written"), [("pip-audit", ""), ("nothing", ":"), ("nothing", r'echo "{\"dependencies\": []}" > "$2"')]
)
def test_the_step_of_ci_says_that_there_was_no_audit(missing: str, written: str, tmp_path: Path) -> None:
    ci, programs = tmp_path / "project/.ci", tmp_path / "bin"
    ci.mkdir(parents=True)
    programs.mkdir()
    for name in ("audit.sh", "audited.py"):
        (ci / name).write_bytes((ROOT / ".ci" / name).read_bytes())
    python = programs / "python3"
    python.write_text(PYTHON.format(missing=missing, report=written, python=sys.executable))
    python.chmod(0o755)
    done = subprocess.run(
        ["bash", ci / "audit.sh"],
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "No audit: " in done.stdout, "No known" in done.stdout) == (3, True, False), done.stderr


@pytest.mark.parametrize("code", [0, 1, 3])
def test_nothing_is_published_without_an_audit(code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    everything = module(monkeypatch, ".ci/release", "everything")
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci/audit.sh").write_text(f"exit {code}\n")
    monkeypatch.setattr(everything, "ROOT", tmp_path)
    if code == 0:
        everything._audit()
        return
    with pytest.raises(SystemExit) as ended:
        everything._audit()
    assert ended.value.code
    # A release asks before it makes anything.
    monkeypatch.setattr(everything, "DIST", tmp_path / "dist")
    monkeypatch.setattr(everything, "_version", lambda: "1")
    monkeypatch.setattr(everything, "_tag", lambda _: None)
    monkeypatch.setattr(everything, "wheel_and_sdist", lambda: pytest.fail("it was made"))
    with pytest.raises(SystemExit):
        everything.release(tagged=True)


def test_a_command_that_the_readme_has_not_ends_the_run() -> None:
    script = ROOT / ".ci/readme-command.sh"
    for wanted, code in (("test", 0), ("try", 0), ("nothing", 1)):
        done = subprocess.run(["bash", script, wanted], capture_output=True, text=True, check=False)
        assert (done.returncode, bool(done.stdout)) == (code, not code)
    # Bash takes no notice of the exit code of what is put into a line of words.
    for line in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines():
        assert not re.match(r".*\S.*[^=]\"\$\(bash ", line), line


def test_a_table_without_a_row_is_no_test() -> None:
    with pytest.raises(ValueError, match="can't fail"):
        together("case", [])
    options = toml.read(ROOT / "pyproject.toml")["tool"]["pytest"]["ini_options"]
    assert options["empty_parameter_set_mark"] == "fail_at_collect"
