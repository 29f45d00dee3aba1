"""Editor tests need the editor. In CI a missing one is a failure; elsewhere its tests are left out."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

REQUIRED = os.environ.get("CI") == "true"


def _vscode() -> bool:
    folder = os.environ.get("NPU_LSP_VSCODE", "")
    return bool(folder) and (Path(folder) / "node_modules/code-server/out/node/entry.js").is_file()


collect_ignore = []
if not REQUIRED and shutil.which("nvim") is None:
    collect_ignore.append("test_neovim.py")
if not REQUIRED and not (_vscode() and shutil.which("chromium")):
    collect_ignore.append("test_vscode.py")


@pytest.fixture(scope="session")
def server() -> str:
    """Return the command that starts the server under test: the one of this environment."""
    return str(Path(sys.executable).with_name("npu-lsp"))
