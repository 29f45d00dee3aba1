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


def _has(program: str) -> bool:
    """Return whether an editor is here, with the clients that it takes from packages of their own."""
    if shutil.which(program) is None:
        return False
    lisp = "emacs/site-lisp/elpa-src"
    clients = {"vim": ["vim-ale"], "emacs": [f"{lisp}/eglot-*", f"{lisp}/lsp-mode-*"]}
    return all(any(Path("/usr/share").glob(client)) for client in clients.get(program, ()))


collect_ignore = []
for program, test in (("nvim", "test_neovim.py"), ("vim", "test_vim.py"), ("emacs", "test_emacs.py")):
    if not REQUIRED and not _has(program):
        collect_ignore.append(test)
if not REQUIRED and not (Path(__file__).parents[2] / "editors/vscode/node_modules").is_dir():
    collect_ignore.append("test_locate.py")
if not REQUIRED and not (_vscode() and shutil.which("chromium")):
    collect_ignore += ["test_pictures.py", "test_vscode.py", "test_vscode_fresh.py"]
if not REQUIRED and not (Path(__file__).parents[2] / "build/release/npu-lsp-here.vsix").is_file():
    collect_ignore.append("test_vscode_fresh.py")


@pytest.fixture(scope="session")
def server() -> str:
    """Return the command that starts the server under test: the one of this environment."""
    return str(Path(sys.executable).with_name("npu-lsp"))
