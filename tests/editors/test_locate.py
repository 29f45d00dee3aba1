"""Where the VS Code extension looks for the server, and in which order."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors/vscode"
ASK = """\
const { locate } = require(process.argv[1]);
locate(JSON.parse(process.argv[2])).then(
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
    subprocess.run(build, check=True, capture_output=True, timeout=PATIENCE)
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

    def find(self, setting: str = "", **more: object) -> dict[str, Any]:
        places = {"folder": str(self.project), "extension": str(self.extension), "trusted": True, "bundled": False}
        asked = json.dumps({"setting": setting, **places, **more})
        command = [self.node, "-e", ASK, str(self.module), asked]
        done = subprocess.run(
            command,
            env=self.environment,
            cwd=self.project,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@pytest.fixture
def machine(tmp_path: Path, module: Path) -> Machine:
    """Return a machine without a server."""
    return Machine(tmp_path, module)


def test_nothing(machine: Machine) -> None:
    assert machine.find()["error"] == "NoPython"
    machine.program("bin/python3", "exit 1")
    assert machine.find()["error"] == "NoPython"
    machine.program("bin/python3.12", f'exec {sys.executable} -S "$@"')
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


def test_pythons_of_ones_own_win_over_the_path(machine: Machine) -> None:
    """The selected one first, then that of the project; neither of a folder that isn't trusted."""
    on_path = machine.program("bin/npu-lsp")
    project = machine.program("project/.venv/bin/python", f'exec {sys.executable} "$@"')
    assert machine.find()["command"] == project
    selected = machine.program("selected/python", f'exec {sys.executable} "$@"')
    assert machine.find(interpreter=selected)["command"] == selected
    assert machine.find(interpreter=selected, trusted=False)["command"] == on_path
    without = machine.program("selected/python", f'exec {sys.executable} -S "$@"')
    assert machine.find(interpreter=without)["command"] == project


def test_the_bundle_comes_last(machine: Machine) -> None:
    python = machine.program("bin/python3", f'exec {sys.executable} -S "$@"')
    assert "error" in machine.find()
    _bundle(machine)
    bundled = {"command": python, "args": ["-I", str(machine.extension / "bundled/start.py")]}
    assert machine.find() == bundled
    machine.program("bin/npu-lsp")
    assert machine.find(machine.program("chosen/npu-lsp"), bundled=True) == bundled


def test_a_newer_python_beside_one_that_is_too_old(machine: Machine) -> None:
    _bundle(machine)
    machine.program("bin/python3", "exit 1")
    newer = machine.program("bin/python3.11", f'exec {sys.executable} -S "$@"')
    assert machine.find()["command"] == newer


@pytest.mark.parametrize(
    ("version", "than", "answer"),
    [
        ("0.1.0", "0.1.0", False),
        ("0.1.0", "0.2.0", True),
        ("0.10.0", "0.9.1", False),
        ("1.0", "0.9.9", False),
        ("0.1.0.dev1", "0.1.0", False),
    ],
)
def test_older(machine: Machine, version: str, than: str, answer: bool) -> None:
    ask = f"console.log(require({json.dumps(str(machine.module))}).older({json.dumps(version)}, {json.dumps(than)}))"
    said = subprocess.run(
        [machine.node, "-e", ask], capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout
    assert said.strip() == str(answer).lower()


def _bundle(machine: Machine) -> None:
    """Lay out what comes with the extension, of the packages of this environment."""
    library = machine.extension / "bundled/lib"
    shutil.copy(EXTENSION / "bundled/start.py", machine.extension / "bundled")
    library.mkdir()
    for package in ("npu_lsp", "libcst", "yaml"):
        found = importlib.util.find_spec(package)
        assert found is not None
        assert found.origin is not None
        (library / package).symlink_to(Path(found.origin).parent)
