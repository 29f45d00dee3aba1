"""The servers that are measured: ours, an empty one as the floor, and those of others that this machine has."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_EMPTY = """\
from pygls.lsp.server import LanguageServer
from lsprotocol import types
server = LanguageServer("empty", "1")
@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(params): return None
@server.feature(types.TEXT_DOCUMENT_COMPLETION)
def completion(params): return []
def told(params):
    document = params.text_document
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri=document.uri, version=document.version, diagnostics=[]))
server.feature(types.TEXT_DOCUMENT_DID_OPEN)(lambda params: told(params))
server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(lambda params: told(params))
server.start_io()
"""


ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""What processes are measured with: as installed, where modules are compiled once and not for each start."""


@dataclass(frozen=True, slots=True)
class Server:
    """A language server that can be started here."""

    name: str
    command: tuple[str, ...]
    languages: tuple[str, ...] = ("python",)
    debounce: float = 0
    """Seconds that it waits for after a change, which is not counted."""
    hovers: bool = True
    """It knows hover and completion."""
    options: dict[str, Any] | None = None
    """What a session begins with."""


OURS = Server("npu-lsp", (sys.executable, "-m", "npu_lsp", "serve"), ("python", "shellscript"))
WHOLE = Server("npu-lsp, workspace", OURS.command, OURS.languages, options={"diagnosticMode": "workspace"})
"""Ours, while it looks at all files of the folder."""
EMPTY = Server("empty pygls", (sys.executable, "-c", _EMPTY), ("python", "shellscript"))

_PEERS = (
    Server("ruff", ("ruff", "server"), hovers=False),
    Server("pylsp", ("pylsp",), debounce=0.5),
    Server("jedi", ("jedi-language-server",), debounce=1),
    Server("basedpyright", ("basedpyright-langserver", "--stdio")),
    Server("bash", ("bash-language-server", "start"), ("shellscript",), debounce=0.5),
)


def installed(folders: tuple[Path, ...] = ()) -> list[Server]:
    """Return the peers that are on PATH, beside this Python or in `folders`."""
    path = os.pathsep.join([*map(str, folders), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = []
    for peer in _PEERS:
        program = shutil.which(peer.command[0], path=path)
        if program is not None:
            command = (program, *peer.command[1:])
            found.append(Server(peer.name, command, peer.languages, peer.debounce, peer.hovers))
    return found


def ruff(folders: tuple[Path, ...] = ()) -> str | None:
    """Return the path of ruff, if it is there."""
    return next((peer.command[0] for peer in installed(folders) if peer.name == "ruff"), None)
