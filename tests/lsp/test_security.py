"""What the server never does, watched by Python's own audit hooks."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import npu_lsp
from tests.lsp.wire import Wire
from tests.patience import PATIENCE

# Tells what is opened and started once the server serves; a module that comes in later is a file of the installation.
PROGRAM = """
    import json, os, sys

    log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    watched = ("open", "os.", "socket.", "subprocess.", "shutil.", "tempfile.", "urllib.", "exec_of_text", "ctypes.dlopen")

    def hook(event, arguments):
        if event.startswith(watched):
            shown = [str(a, "utf-8", "replace") if isinstance(a, bytes) else repr(a) for a in arguments]
            os.write(log, json.dumps([event, shown]).encode() + b"\\n")

    from npu_lsp.commands.main import main
    sys.addaudithook(hook)
    sys.exit(main(["serve"]))
"""
PACKAGE = Path(npu_lsp.__file__).parent
SCRIPT = """\
import os, subprocess, evil_module_of_the_user
os.system("touch {folder}/pwned")
eval("open('{folder}/pwned', 'w')")
custom_op.parameter_map["fusion_switch_file"].s = b"{folder}/secret.cfg"
custom_op.parameter_map["precision_mode"].s = b"$(touch {folder}/pwned)"
custom_op.parameter_map["op_precision_mode"].s = b"/dev/zero"
custom_op.parameter_map["modify_mixlist"].s = b"/proc/self/environ"
print(f"{{__import__('os').system('touch {folder}/pwned')}}")
"""
SHELL = """\
atc --model=$(touch {folder}/pwned) --fusion_switch_file=../../../../etc/passwd --insert_op_conf=/dev/zero
`touch {folder}/pwned`
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, list[str]]]]:
    """Return a folder, and what a server did while it was asked everything about hostile scripts in it."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "evil_module_of_the_user.py").write_text(f"open({str(folder / 'pwned')!r}, 'w')\n", encoding="utf-8")
    (folder / "bystander.txt").write_text("secret", encoding="utf-8")
    log = tmp_path_factory.mktemp("log") / "events"
    with Wire((sys.executable, "-c", textwrap.dedent(PROGRAM), str(log)), folder=folder) as wire:
        capabilities = {"workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}}
        wire.initialize(capabilities, workspaceFolders=[{"uri": folder.as_uri(), "name": "x"}])
        for name, language, text in (("train.py", "python", SCRIPT), ("convert.sh", "shellscript", SHELL)):
            uri = (folder / name).as_uri()
            written = text.format(folder=folder)
            wire.open(uri, written, language)
            wire.diagnostics(uri)
            document = {"textDocument": {"uri": uri}}
            for line, content in enumerate(written.splitlines()):
                for column in range(0, len(content), 7):
                    place = {**document, "position": {"line": line, "character": column}}
                    for method in ("hover", "completion", "definition"):
                        assert "error" not in wire.request(f"textDocument/{method}", place)
            for method in ("documentSymbol", "documentLink"):
                assert "error" not in wire.request(f"textDocument/{method}", document)
            whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
            wire.request("textDocument/codeAction", {**document, "range": whole, "context": {"diagnostics": []}})
            wire.notify("textDocument/didSave", document)
            wire.status(uri)
        assert wire.leave() == 0
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return folder, [(event, arguments) for event, arguments in events if arguments]


def test_nothing_of_the_user_is_run(seen: tuple[Path, Any]) -> None:
    folder, events = seen
    assert not (folder / "pwned").exists()
    started = [
        e for e in events if e[0].startswith(("subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn"))
    ]
    assert started == []


def test_no_network(seen: tuple[Path, Any]) -> None:
    _, events = seen
    # A pair of sockets inside of the process wakes the event loop.
    used = [e for e in events if e[0].startswith(("socket.", "urllib."))]
    assert [e for e in used if e[0] != "socket.__new__"] == []


def test_nothing_is_written(seen: tuple[Path, Any]) -> None:
    folder, events = seen
    changing = (
        "os.remove",
        "os.rename",
        "os.mkdir",
        "os.rmdir",
        "os.truncate",
        "os.link",
        "os.symlink",
        "os.chmod",
        "shutil.",
    )
    # A checkout compiles its own modules and its own catalog when they have changed; an installed one has nothing to do.
    others = [e for e in events if str(PACKAGE) not in e[1][0] and "__pycache__" not in e[1][0]]
    assert [e for e in others if e[0].startswith(changing)] == []
    assert [e for e in others if e[0] == "open" and set(e[1][1]) & set("wax+")] == []
    assert sorted(path.name for path in folder.iterdir()) == ["bystander.txt", "evil_module_of_the_user.py"]


def test_no_file_is_read_that_nobody_names(seen: tuple[Path, Any]) -> None:
    folder, events = seen
    assert any(e[0] == "open" for e in events)
    opened = {e[1][0].strip("'") for e in events if e[0] == "open"}
    inside = {Path(path).name for path in opened if path.startswith(str(folder))}
    assert inside <= {"npu-lsp.toml", ".npu-lsp.toml", "pyproject.toml", "secret.cfg"}
    assert not {path for path in opened if path.startswith(("/proc", "/etc", "/dev/zero"))}


def test_modules_of_the_project_are_not_taken_for_those_of_python(tmp_path: Path) -> None:
    for name in (*sys.stdlib_module_names, "npu_lsp", "libcst", "pygls", "tree_sitter"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    (tmp_path / "npu-lsp.toml").write_text('extend-exclude = ["*.py"]\n', encoding="utf-8")
    (tmp_path / "convert.sh").write_text("atc --mdoel=a.onnx\n", encoding="utf-8")
    command = Path(sys.executable).with_name("npu-lsp")
    done = subprocess.run(
        [command, "check", "--no-cache"], cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, b"NPU101" in done.stdout, done.stderr) == (1, True, b"")
    with Wire((str(command), "serve"), folder=tmp_path) as wire:
        wire.initialize()
        assert wire.status()["version"]
        assert wire.leave() == 0
