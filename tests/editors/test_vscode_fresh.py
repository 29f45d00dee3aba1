"""The extension for this platform, in a fresh VS Code, on a machine with nothing but a Python: nothing has to be installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from npu_lsp import __version__
from tests.editors.code_server import visit

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "build/release/npu-lsp-here.vsix"
"""What `python .ci/release --vsix here` makes: the extension of this checkout as a release has it."""
SESSION = Path(__file__).with_name("vscode_fresh") / "session.js"
OLDER = """\
#!/bin/sh
[ "$1" = "-I" ] && [ "$3" != "${3#import site}" ] || exit 1
shift 3
exec %s -c 'import sys, npu_lsp; npu_lsp.__version__ = "0.0.9"; from npu_lsp.commands.main import main; sys.exit(main())' "$@"
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what a session saw that began without trust and without a Python."""
    work = tmp_path_factory.mktemp("fresh")
    folder = work / "project"
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / "convert.sh").write_text("atc --model=a.onnx --soc_verison=Ascend310P3\n", encoding="utf-8")
    (folder / "older").write_text(OLDER % sys.executable, encoding="utf-8")
    (folder / "older").chmod(0o755)
    programs = work / "bin"
    programs.mkdir()
    # The interpreter itself, not that of the environment of these tests, which has the package.
    (programs / "python3").symlink_to(Path(sys.base_prefix) / "bin/python3")
    settings = {"security.workspace.trust.startupPrompt": "never", "npuLsp.language": "en"}
    path = f"{programs}:/usr/bin:/bin"
    return visit(work, folder, SESSION, PACKAGE, settings, trusted=False, more={"PATH": path})


def test_without_trust_and_without_a_server_nothing_is_said_but_to_those_who_ask(answers: dict[str, Any]) -> None:
    assert answers["trusted"] == [False, True]
    assert answers["restricted"] == []
    assert "needs Python 3.10" in answers["doctor"]
    assert "trusted: false" in answers["doctor"]


def test_findings_with_nothing_but_a_python(answers: dict[str, Any]) -> None:
    assert [1, "NPU101"] in answers["findings"]
    assert answers["command"]["command"].endswith("bin/python3")
    assert answers["command"]["args"][1].endswith("/bundled/start.py")


def test_an_older_server_says_so(answers: dict[str, Any]) -> None:
    assert answers["older"].endswith("/.venv/bin/python")
    assert answers["version"] == "0.0.9"
    assert __version__ != "0.0.9"


def test_no_python_is_one_message_with_a_page_that_helps(answers: dict[str, Any]) -> None:
    assert len([text for text in answers["told"] if "needs Python 3.10" in text]) == 1
    assert answers["page"]
