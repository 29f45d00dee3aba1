"""Nothing of the checked repository is run: by the action, the templates, the hooks, the image, the extension's start, or a run.

Python takes modules from the current folder, from `PYTHONPATH`, and from an environment that is there already, before its own.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from tests.checking.hostile_checkout import Marks, plant, project, wheel
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'


@pytest.fixture(scope="module")
def own_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a Python with pip, and with no npu-lsp yet."""
    folder = tmp_path_factory.mktemp("python")
    venv.create(folder, with_pip=True, symlinks=True)
    return folder / "bin"


@pytest.fixture
def marks(tmp_path: Path) -> Marks:
    return Marks(tmp_path / "marks")


@pytest.fixture
def checkout(tmp_path: Path, marks: Marks) -> Path:
    """A hostile checkout with a finding in it."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    plant(folder, marks)
    (folder / "train.py").write_text(WRONG)
    (folder / "npu-lsp.toml").write_text('include = ["train.py"]\nextend-exclude = ["*", "!train.py"]\ncache = false\n')
    return folder


def environment(checkout: Path, *first: Path, **more: str) -> dict[str, str]:
    """Return what a workflow may have set: a `PYTHONPATH` that leads into the checkout in each way that there is."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT", "PRE_COMMIT", "PYTHON", "PIP_"))}
    kept["PATH"] = os.pathsep.join((*map(str, first), kept["PATH"]))
    return {**kept, "PYTHONPATH": f":.:{checkout}", **more}


def run(command: Sequence[str | Path], cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_the_action(checkout: Path, marks: Marks, own_python: Path, tmp_path: Path) -> None:
    temp = tmp_path / "temp"
    temp.mkdir()
    source = project(tmp_path, marks)
    contexts = {
        "github.action_path": str(source),
        "runner.temp": str(temp),
        **{f"inputs.{name}": facts["default"] for name, facts in ACTION["inputs"].items()},
    }

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: contexts[match[1]], text)

    more = {
        "RUNNER_TEMP": str(temp),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tmp_path),
    }
    for step in ACTION["runs"]["steps"]:
        given = {name: filled(value) for name, value in step["env"].items()}
        ran = run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            checkout / filled(step.get("working-directory", ".")),
            environment(checkout, own_python, **more, **given),
        )
        assert ran.returncode == 0, ran.stderr
    assert marks.left() == {"ours __main__"}


def templates() -> dict[str, list[tuple[str, str]]]:
    """Return the commands of each template, each with the folder that it runs in: empty for the checkout."""
    jobs = yaml.safe_load((ROOT / ".ci/templates/github.yml").read_text(encoding="utf-8"))["jobs"].values()
    job = yaml.safe_load((ROOT / ".ci/templates/gitlab.yml").read_text(encoding="utf-8"))["npu-lsp"]
    pipeline = (ROOT / ".ci/templates/Jenkinsfile").read_text(encoding="utf-8")
    steps = [step for each in jobs for step in each["steps"] if "run" in step]
    return {
        "github": [(step["run"], step.get("working-directory", "")) for step in steps],
        "gitlab": [(line, "") for line in job["before_script"] + job["script"]],
        "Jenkins": [(line, "") for line in re.findall(r"\bsh '([^']*)'", pipeline)],
    }


@pytest.mark.parametrize("template", templates())
def test_the_templates(template: str, checkout: Path, marks: Marks, own_python: Path, tmp_path: Path) -> None:
    wheel(tmp_path, marks)
    (tmp_path / "temp").mkdir()
    env = environment(
        checkout,
        own_python,
        PIP_NO_INDEX="1",
        PIP_FORCE_REINSTALL="1",
        PIP_FIND_LINKS=str(tmp_path),
        WORKSPACE_TMP=str(tmp_path / "temp"),
        SHARD="1",
        NPU_LSP_ARGS="",
    )
    lines = templates()[template]
    for line, folder in lines:
        where = {"": checkout, "${{ runner.temp }}": tmp_path / "temp"}[folder]
        ran = run(["bash", "-e", "-c", line], where, env)
        assert ran.returncode == 0, (line, ran.stderr)
    assert len(lines) >= 2
    assert marks.left() == {"ours __main__"}


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_the_hooks(hook: dict[str, str], checkout: Path, marks: Marks) -> None:
    env = environment(checkout, Path(sys.executable).parent)
    ran = run([*hook["entry"].split(), "train.py"], checkout, env)
    assert (ran.returncode, "NPU101" in ran.stdout) == (1, True), ran.stderr
    assert marks.left() == set()


def test_the_image(checkout: Path, marks: Marks) -> None:
    recipe = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    found = re.search(r"^ENTRYPOINT (.*)$", recipe, re.MULTILINE)
    assert found
    program, *words = json.loads(found[1])
    ran = run([Path(sys.executable).parent / Path(program).name, *words, "check"], checkout, environment(checkout))
    assert (ran.returncode, "NPU101" in ran.stdout) == (1, True), ran.stderr
    assert marks.left() == set()


def test_the_start_of_what_the_extension_brings(checkout: Path, marks: Marks, tmp_path: Path) -> None:
    bundled = tmp_path / "bundled"
    (bundled / "lib").mkdir(parents=True)
    shutil.copy(ROOT / "editors/vscode/bundled/start.py", bundled)
    for package in ("npu_lsp", "libcst", "yaml", "ahocorasick_rs", "tree_sitter", "tree_sitter_bash"):
        found = importlib.util.find_spec(package)
        assert found is not None
        assert found.origin is not None
        (bundled / "lib" / package).symlink_to(Path(found.origin).parent)
    # The way in which the extension starts it; that it does is shown where the extension is tested.
    start = [sys.executable, "-I", str(bundled / "start.py")]
    for words, code in ((["--version"], 0), (["check", "--no-cache"], 1)):
        ran = run([*start, *words], checkout, environment(checkout))
        assert ran.returncode == code, ran.stderr
    assert marks.left() == set()


def test_processes_that_are_not_forked(checkout: Path, marks: Marks, tmp_path: Path) -> None:
    """Those of macOS and Windows start anew, in the checkout."""
    (checkout / "npu-lsp.toml").write_text('extend-exclude = ["/*", "!/many"]\ncache = false\n')
    (checkout / "many").mkdir()
    for number in range(450):
        (checkout / "many" / f"{number}.py").write_text(WRONG if number == 7 else "x = 1\n")
    program = tmp_path / "program" / "start.py"
    program.parent.mkdir()
    program.write_text(
        "import sys\n"
        "from npu_lsp.checking import pool\n"
        "from npu_lsp.commands.main import main\n"
        "pool._METHOD = 'spawn'\n"
        "if __name__ == '__main__':\n"
        "    sys.exit(main())\n"
    )
    env = environment(checkout)
    del env["PYTHONPATH"]  # it would speak to the first process already
    ran = run([sys.executable, program, "check", "--jobs", "2"], checkout, env)
    assert (ran.returncode, "many/7.py:1:" in ran.stdout.replace(os.sep, "/")) == (1, True), ran.stderr
    assert marks.left() == set()


@pytest.mark.parametrize(
    "name",
    [
        "action.yml",
        "Dockerfile",
        ".pre-commit-hooks.yaml",
        *(f".ci/templates/{n}" for n in ("github.yml", "gitlab.yml", "Jenkinsfile")),
    ],
)
def test_each_call_of_python_is_isolated(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(("#", "//"))]
    calls = re.findall(r"(?:\bpython3?|_PYTHON)\"?,?\s+\"?(-\w*)", "\n".join(lines))
    assert calls
    assert set(calls) == {"-I"}
    assert not re.search(r"\bpip3? (?:install|uninstall)", re.sub(r"-m pip\b", "", "\n".join(lines)))
