"""The Neovim client, driven in a real Neovim."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.editors.texts import CALL, OWN, PYTHON, SAVED
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


README = (ROOT / "editors/neovim/README.md").read_text(encoding="utf-8")
NEWER = os.environ.get("NPU_LSP_NVIM")
"""Another Neovim, to be tried besides the one that is installed."""


NEOVIMS = ["nvim", *([NEWER] if NEWER else [])]


def home(folder: Path, server: str, configuration: str) -> dict[str, str]:
    """Make a new home with a configuration of the README; return the environment for it."""
    init = folder / ".config/nvim/init.lua"
    init.parent.mkdir(parents=True)
    init.write_text(configuration.replace("/path/to/npu-lsp", str(ROOT)), encoding="utf-8")
    others = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {**others, "HOME": str(folder), "ANSWERS": str(folder / "answers.json"), "NPU_LSP_SERVER": server}


def shown(start: str) -> str:
    """Return the block of the README that begins so."""
    (found,) = re.findall(rf"```lua\n({re.escape(start)}.*?)```", README, re.DOTALL)
    return str(found)


@pytest.fixture(scope="module", params=NEOVIMS)
def answers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, server: str) -> dict[str, Any]:
    """Return what a session in Neovim saw."""
    folder = tmp_path_factory.mktemp("neovim")
    script = folder / "train.py"
    script.write_text(PYTHON, encoding="utf-8")
    (folder / "saved.sh").write_text(SAVED, encoding="utf-8")
    (folder / "own.sh").write_text(OWN, encoding="utf-8")
    (folder / "call.py").write_text(CALL, encoding="utf-8")
    (folder / "closed.sh").write_text("echo 😀昇腾; atc --model=a.onnx --soc_verison=Ascend310P3\n", encoding="utf-8")
    result = folder / "answers.json"
    environment = {**home(folder, server, shown("vim.opt.runtimepath")), "PATIENCE": str(PATIENCE)}
    drive = Path(__file__).with_name("neovim_session.lua")
    command = [
        request.param,
        "--headless",
        "-n",
        str(script),
        "-c",
        f"luafile {drive}",
    ]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=3 * PATIENCE, check=False
    )
    assert result.is_file(), done.stderr
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    assert "error" not in found, found["error"] + done.stderr
    return found


def test_findings(answers: dict[str, Any]) -> None:
    assert [(f["line"], f["code"], f["source"]) for f in answers["findings"] if f["code"] == "NPU101"] == [
        (7, "NPU101", "npu-lsp")
    ]


def test_hover(answers: dict[str, Any]) -> None:
    assert "use_off_line" in answers["hover"]["contents"]["value"]


def test_fix(answers: dict[str, Any]) -> None:
    assert any("precision_mode" in title for title in answers["actions"])
    assert PYTHON.replace("precison_mode", "precision_mode").splitlines() == answers["fixed"]


def test_completion(answers: dict[str, Any]) -> None:
    assert "graph_run_mode" in answers["completion"]


def test_a_project_is_checked_on_demand(answers: dict[str, Any]) -> None:
    # Columns are bytes from 1.
    start = len("echo 😀昇腾; atc --model=a.onnx ".encode()) + 1
    assert ["closed.sh", 1, start, start + len("--soc_verison"), "E", "NPU101"] in answers["checked"]
    assert {"train.py", "saved.sh"} < {each[0] for each in answers["checked"]}


def test_a_value_to_choose_and_a_new_name_for_a_variable(answers: dict[str, Any]) -> None:
    assert answers["renamed"] == OWN.replace("presicion", "precision").replace("NAME", "network").splitlines()


def test_hints(answers: dict[str, Any]) -> None:
    """Neovim shows them from 0.10 on."""
    if "hints" in answers:
        assert any("ONNX" in str(hint) for hint in answers["hints"])


def test_where_else_an_option_is_set(answers: dict[str, Any]) -> None:
    assert {("own.sh", 3), ("saved.sh", 2)} <= {tuple(each) for each in answers["references"]}


def test_arguments_of_a_call(answers: dict[str, Any]) -> None:
    assert "precision_mode: string" in answers["signature"]


def test_commands(answers: dict[str, Any]) -> None:
    assert "newest CANN" in answers["status"]
    assert answers["saved"] == SAVED.replace(" --op_select_implmode=high_performance", "").splitlines()
    assert answers["rule"].startswith("# unknown-option")
    assert "catalog:" in answers["doctor"]


def test_health(answers: dict[str, Any]) -> None:
    assert "npu-lsp 0" in answers["health"]
    assert "a server is running for" in answers["health"]
    assert "ERROR" not in answers["health"]


def test_files_that_options_point_to(answers: dict[str, Any]) -> None:
    assert answers["reads"] == {
        "op_precision.ini": True,
        "setup.cfg": True,
        "package.json": False,
        "Cargo.toml": False,
        "npu-lsp.toml": True,
    }


def _run(nvim: str, folder: Path, configuration: str, lua: str, server: str) -> dict[str, Any]:
    """Run Lua behind a configuration of the README, and return what it leaves in `answers` and what was said to the user."""
    environment = home(folder, server, f"{SAID}{configuration}")
    (folder / "train.py").write_text(PYTHON, encoding="utf-8")
    (folder / "run.lua").write_text(f"{lua}{TOLD}", encoding="utf-8")
    command = [nvim, "--headless", "-n", "-c", "luafile run.lua"]
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=3 * PATIENCE, check=True)
    found: dict[str, Any] = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    return found


SAID = """\
answers = { said = {} }
vim.notify = function(text) table.insert(answers.said, text) end
"""
TOLD = """\
local file = io.open(vim.env.ANSWERS, "w")
file:write(vim.fn.json_encode(answers))
file:close()
vim.cmd("qall!")
"""
FIND = """\
vim.cmd("edit train.py")
vim.wait(300000, function() return #vim.diagnostic.get(0) > 0 end, 20)
answers.found = #vim.diagnostic.get(0)
"""


@pytest.mark.parametrize("nvim", NEOVIMS)
def test_a_command_that_is_missing_is_told_once(nvim: str, tmp_path: Path) -> None:
    lua = 'for _, name in ipairs({ "train.py", "b.py", "c.sh" }) do vim.cmd("edit " .. name) end\n'
    answers = _run(nvim, tmp_path, shown("vim.opt.runtimepath"), lua, "/nowhere/npu-lsp")
    assert answers["said"] == ["npu-lsp: /nowhere/npu-lsp was not found; install it with: pip install npu-lsp"]


if NEWER:

    def test_the_way_of_newer_versions(tmp_path: Path, server: str) -> None:
        """As the README has it: the folder on the runtime path, `vim.lsp.config` for settings, `vim.lsp.enable` for the rest."""
        path = shown("vim.opt.runtimepath").splitlines()[0]
        configuration = f"{path}\n{shown('vim.lsp.config')}"
        answers = _run(str(NEWER), tmp_path / "a", configuration, FIND, server)
        assert answers["said"] == []
        assert answers["found"]
        answers = _run(str(NEWER), tmp_path / "b", configuration, 'vim.cmd("edit train.py")\n', "/nowhere/npu-lsp")
        assert len(answers["said"]) == 1


def test_help(tmp_path: Path, answers: dict[str, Any]) -> None:
    """It is there without a plugin manager that makes the list of its tags."""
    assert answers["help"].startswith("*npu-lsp.txt*")
    shutil.copytree(ROOT / "editors/neovim/doc", tmp_path / "doc")
    command = ["nvim", "--headless", "--clean", "-c", f"helptags {tmp_path / 'doc'}", "-c", "qall!"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3 * PATIENCE, check=True)
    assert done.stderr.strip() == ""
    tags = (tmp_path / "doc/tags").read_text(encoding="utf-8")
    assert (ROOT / "editors/neovim/doc/tags").read_text(encoding="utf-8") == tags
    assert {"npu-lsp", "npu-lsp-settings", ":NpuLsp"} <= {line.split("\t")[0] for line in tags.splitlines()}
