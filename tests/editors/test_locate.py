"""Where the VS Code extension looks for the server, and in which order."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors/vscode"
ASK = """\
const { locate, expand } = require(process.argv[1]);
const [setting, folder, extension] = JSON.parse(process.argv[2]);
locate(setting, folder, extension).then(
  (found) => console.log(JSON.stringify(found)),
  (error) => console.log(JSON.stringify({ error: error.constructor.name, message: error.message })),
);
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled module."""
    made = tmp_path_factory.mktemp("locate") / "locate.js"
    esbuild, source = str(EXTENSION / "node_modules/.bin/esbuild"), str(EXTENSION / "src/locate.ts")
    build = [esbuild, source, "--bundle", "--platform=node", f"--outfile={made}"]
    subprocess.run(build, check=True, capture_output=True, timeout=60)
    return made


class Machine:
    """A machine with what a test puts there."""

    def __init__(self, folder: Path, module: Path) -> None:
        self.folder, self.module = folder, module
        self.home, self.project, self.extension = folder / "home", folder / "project", folder / "extension"
        for each in (self.home, self.project, self.extension / "bundled"):
            each.mkdir(parents=True)
        self.environment = {"HOME": str(self.home), "PATH": str(folder / "bin")}
        self.node = str(shutil.which("node"))

    def program(self, path: str, text: str = "exit 0") -> str:
        made = self.folder / path
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        made.chmod(0o755)
        return str(made)

    def find(self, setting: str = "") -> dict[str, Any]:
        asked = json.dumps([setting, str(self.project), str(self.extension)])
        command = [self.node, "-e", ASK, str(self.module), asked]
        done = subprocess.run(
            command, env=self.environment, cwd=self.project, capture_output=True, text=True, timeout=60, check=True
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@pytest.fixture
def machine(tmp_path: Path, module: Path) -> Machine:
    """Return a machine without a server."""
    return Machine(tmp_path, module)


def test_nothing(machine: Machine) -> None:
    assert machine.find()["error"] == "Error"


def test_a_setting_wins_and_is_not_second_guessed(machine: Machine) -> None:
    machine.program("bin/npu-lsp")
    machine.environment["NPU_LSP_SERVER"] = machine.program("named/npu-lsp")
    chosen = machine.program("chosen/npu-lsp")
    assert machine.find(chosen) == {"command": chosen, "args": []}
    assert machine.find("/there/is/none") == {"error": "NotThere", "message": "/there/is/none"}


@pytest.mark.parametrize(
    ("setting", "place"),
    [
        ("~/npu-lsp", "home/npu-lsp"),
        ("${workspaceFolder}/npu-lsp", "project/npu-lsp"),
        ("${env:TOOLS}/npu-lsp", "tools/npu-lsp"),
        ("other", "bin/other"),
    ],
)
def test_a_setting_is_expanded(machine: Machine, setting: str, place: str) -> None:
    machine.environment["TOOLS"] = str(machine.folder / "tools")
    program = machine.program(place)
    assert machine.find(setting) == {"command": program, "args": []}


def test_the_environment_wins_over_the_path(machine: Machine) -> None:
    machine.program("bin/npu-lsp")
    machine.environment["NPU_LSP_SERVER"] = machine.program("named/npu-lsp")
    assert machine.find()["command"] == machine.environment["NPU_LSP_SERVER"]


def test_the_path_wins_over_a_python(machine: Machine) -> None:
    machine.program("bin/python3")
    on_path = machine.program("bin/npu-lsp")
    assert machine.find() == {"command": on_path, "args": []}


def test_the_project_is_no_place_to_look_in(machine: Machine) -> None:
    machine.environment["PATH"] = f".:{machine.environment['PATH']}"
    machine.program("project/npu-lsp")
    assert "error" in machine.find()
    (machine.project / "npu_lsp/commands").mkdir(parents=True)
    (machine.project / "npu_lsp/__init__.py").write_text("")
    (machine.project / "npu_lsp/commands/main.py").write_text("main = lambda: 0")
    machine.program("bin/python3", f'exec {sys.executable} -S "$@"')
    assert "error" in machine.find()


def test_a_python_that_has_the_package_wins_over_the_bundle(machine: Machine) -> None:
    python = machine.program("bin/python3", f'exec {sys.executable} "$@"')
    _bundle(machine)
    found = machine.find()
    assert found["command"] == python
    assert found["args"][:2] == ["-I", "-c"]


def test_the_bundle_comes_last(machine: Machine) -> None:
    python = machine.program("bin/python3", f'exec {sys.executable} -S "$@"')
    assert "error" in machine.find()
    _bundle(machine)
    assert machine.find() == {"command": python, "args": ["-I", str(machine.extension / "bundled/start.py")]}


def _bundle(machine: Machine) -> None:
    bundled = machine.extension / "bundled"
    shutil.copy(EXTENSION / "bundled/start.py", bundled)
    library = bundled / f"lib-{sys.implementation.cache_tag}"
    library.mkdir()
    (library / "npu_lsp").symlink_to(ROOT / "npu_lsp")
