"""A real VS Code in a browser: the packed extension is installed into a fresh one, and a session of ours is run in its extension host."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from tests.patience import PATIENCE

RUN = Path(__file__).with_name("run.js")
"""What runs a session, in the extension host."""
# Without this the editor asks a public gallery for extensions.
GALLERY = '{"serviceUrl":"http://127.0.0.1:9","itemUrl":"http://127.0.0.1:9","resourceUrlTemplate":"http://127.0.0.1:9/{publisher}"}'

STILL = {"workbench.reduceMotion": "on", "editor.cursorBlinking": "solid"}
"""What moves without end is drawn anew without end, by the processor."""


def installed() -> Path:
    """Return the folder that the editor was installed into."""
    return Path(os.environ["NPU_LSP_VSCODE"])


_NEIGHBOURS = (
    ("basedpyright", "basedpyright/langserver.index.js", "--stdio", ("python",)),
    ("bash", "bash-language-server/out/cli.js", "start", ("shellscript",)),
    ("yaml", "yaml-language-server/bin/yaml-language-server", "--stdio", ("yaml", "dockercompose")),
    ("docker", "dockerfile-language-server-nodejs/bin/docker-langserver", "--stdio", ("dockerfile",)),
    ("compose", "@microsoft/compose-language-service/bin/docker-compose-langserver", "--stdio", ("dockercompose",)),
)


def neighbours() -> list[dict[str, Any]]:
    """Return how the servers are started that people have beside ours, and for which languages their extensions ask them."""
    modules, node = installed().with_name("neighbours") / "node_modules", shutil.which("node") or "node"
    ruff = {
        "name": "ruff",
        "command": str(Path(sys.executable).with_name("ruff")),
        "args": ["server"],
        "languages": ["python"],
    }
    return [ruff] + [
        {"name": name, "command": node, "args": [str(modules / program), argument], "languages": list(languages)}
        for name, program, argument, languages in _NEIGHBOURS
    ]


def visit(
    work: Path,
    workspace: Path,
    session: Path,
    package: Path | None,
    settings: dict[str, Any],
    *,
    trusted: bool = True,
    more: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Return what a session saw, and what was ever told in the window's corner (`told`); with a `package`, that extension is installed.

    `work` is the home and has all that the editor writes; unless `trusted`, the workspace is one that the editor asks about.
    """
    home = installed()
    server = home / "node_modules/code-server/out/node/entry.js"
    for needed in (server, home / "node_modules/playwright-core", package):
        assert needed is None or needed.exists(), f"{needed} is missing: bash .ci/install-clients.sh {home.parent}"
    (work / "data/User").mkdir(parents=True)
    quiet = {"workbench.startupEditor": "none", "git.enabled": False, **STILL}
    (work / "data/User/settings.json").write_text(json.dumps({**quiet, **settings}), encoding="utf-8")
    port = free_port()
    config = work / "config.yaml"
    config.write_text(f"bind-addr: 127.0.0.1:{port}\nauth: none\ncert: false\n", encoding="utf-8")
    environment = {
        **os.environ,
        "HOME": str(work),
        "EXTENSIONS_GALLERY": GALLERY,
        "ANSWERS": str(work / "answers.json"),
        "CHROMIUM": shutil.which("chromium") or "chromium",
        "READY": str(work / "ready"),
        "SESSION": str(session),
        "SCREENSHOT": str(work / "workbench.png"),
        "NEIGHBOURS": json.dumps(neighbours()),
        "PATIENCE": str(int(PATIENCE * 1000)),
        "TOASTS": str(work / "toasts.json"),
        **(more or {}),
    }
    # A window of the editor that started these tests must not be taken for ours.
    environment.pop("VSCODE_IPC_HOOK_CLI", None)
    node = shutil.which("node") or "node"
    command = [node, str(server), "--config", str(config)]
    command += ["--user-data-dir", str(work / "data"), "--extensions-dir", str(work / "extensions")]
    command += ["--disable-telemetry", "--disable-update-check"]
    command += ["--disable-workspace-trust"] if trusted else []
    base = f"vscode-remote://127.0.0.1:{port}"
    tests = [["extensionDevelopmentPath", f"{base}{session.parent}"], ["extensionTestsPath", f"{base}{RUN}"]]
    payload = json.dumps(tests)
    kind = "workspace" if workspace.suffix else "folder"
    url = f"http://127.0.0.1:{port}/?{kind}={quote(str(workspace))}&payload={quote(payload)}"
    script = Path(__file__).with_name("vscode_session") / "visit.js"
    # The browser takes as long to start as the editor does: it waits for the file READY.
    with (
        (work / "server.log").open("wb") as log,
        _running([node, str(script), url], environment, log) as browser,
        ExitStack() as servers,
    ):

        def start() -> subprocess.Popen[bytes]:
            return servers.enter_context(_running([*command, str(workspace)], environment, log))

        server_process = start()
        if package is not None:
            install = [*command, "--install-extension", str(package)]
            subprocess.run(install, env=environment, check=True, capture_output=True, timeout=PATIENCE)
        wait_for(f"http://127.0.0.1:{port}/healthz", server_process, start)
        Path(environment["READY"]).touch()
        # Each of its steps has as long as that; that several take so long is hardly so.
        browser.wait(3 * PATIENCE)
        result = Path(environment["ANSWERS"])
        assert result.is_file(), (work / "server.log").read_text(errors="replace")
        found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
        assert "error" not in found, found["error"]
        found["told"] = json.loads(Path(environment["TOASTS"]).read_text(encoding="utf-8"))
        return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def _running(command: list[str], environment: dict[str, str], log: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(url: str, process: subprocess.Popen[bytes], start: Callable[[], subprocess.Popen[bytes]]) -> None:
    """Wait until a server answers, and start it anew where it has ended: on a loaded machine code-server gives up its own
    second process after ten seconds.
    """
    latest = time.monotonic() + PATIENCE
    while time.monotonic() < latest:
        try:
            urllib.request.urlopen(url, timeout=1).close()  # noqa: S310
        except OSError:
            if process.poll() is not None:
                process = start()
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(url)
