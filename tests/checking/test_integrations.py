"""The ready-made ways into CI do what they say: each is run here as far as that goes on one machine."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from npu_lsp import __version__
from tests.checking.command import npu_lsp

ROOT = Path(__file__).parent.parent.parent
WRONG = 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
SAFE = 'op.parameter_map["use_off_line"].b = "True"\n'
FIXED = 'op.parameter_map["use_off_line"].b = True\n'


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """The folder of an `npu-lsp` that is this checkout's, and of a Python that has it."""
    folder = tmp_path / "npu-lsp" / "bin"
    folder.mkdir(parents=True)
    for name, words in (("npu-lsp", "-m npu_lsp "), ("python", "")):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
        script.chmod(0o755)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a finding in a file that counts, and one in a file that is excluded."""
    folder = tmp_path / "repository"
    (folder / "old").mkdir(parents=True)
    (folder / "train.py").write_text(WRONG + SAFE)
    (folder / "old" / "train.py").write_text(WRONG)
    (folder / "npu-lsp.toml").write_text('extend-exclude = ["old/"]\ncache = false\nselect = ["NPU101", "NPU103"]\n')
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-C", str(folder)]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *arguments], check=True)
    return folder


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "GITHUB_"))}
    return {**kept, "NPU_LSP_NO_CACHE": "1", **more}


# -- pre-commit ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hook", "left"), [("npu-lsp-check", WRONG + SAFE), ("npu-lsp-fix", WRONG + FIXED)])
def test_pre_commit_runs_the_hooks(hook: str, left: str, repository: Path, command: Path, tmp_path: Path) -> None:
    hooks = {each["id"]: each for each in read(".pre-commit-hooks.yaml")}
    # As the hook is, but for the installation: this checkout is installed already.
    local = {**hooks[hook], "language": "system"}
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    ran = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files"],
        cwd=repository,
        env=environment(PATH=f"{command}{os.pathsep}{os.environ['PATH']}", PRE_COMMIT_HOME=str(tmp_path / "home")),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "train.py:1:19" in ran.stdout
    assert "old/train.py" not in ran.stdout
    assert (repository / "train.py").read_text() == left


def snippets(name: str) -> dict[str, Any]:
    """Return the YAML blocks of a page by their first lines."""
    blocks = re.findall(r"```yaml\n# ([^\n]*)\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
    return {title: yaml.safe_load(text) for title, text in blocks}


@pytest.mark.parametrize("page", ["docs/ci.md", "docs/ci.zh.md"])
def test_what_the_page_shows_is_there(page: str) -> None:
    found = snippets(page)
    hooks, step, job = found[".pre-commit-config.yaml"], found["a step of a GitHub workflow"], found[".gitlab-ci.yml"]
    assert {hook["id"] for hook in hooks["repos"][0]["hooks"]} <= {
        each["id"] for each in read(".pre-commit-hooks.yaml")
    }
    assert set(step[0]["with"]) <= set(read("action.yml")["inputs"])
    assert (ROOT / job["include"][0]["local"]).is_file()
    versions = {hooks["repos"][0]["rev"], step[0]["uses"].rpartition("@")[2]}
    assert versions == {f"v{__version__}"}


def test_a_repository_with_old_findings_in_a_few_steps(repository: Path, command: Path, tmp_path: Path) -> None:
    """As the README has it: baseline, configuration, hook; then one new line is all that is told."""
    env = environment(PATH=f"{command}{os.pathsep}{os.environ['PATH']}", PRE_COMMIT_HOME=str(tmp_path / "home"), CI="")
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-C", str(repository)]

    def commit() -> subprocess.CompletedProcess[str]:
        subprocess.run([*git, "add", "."], check=True)
        return subprocess.run([*git, "commit", "-m", "x"], env=env, capture_output=True, text=True, check=False)

    said = npu_lsp("check", "--write-baseline", cwd=repository).err
    line = said.split("has the line: ")[1]
    config = repository / "npu-lsp.toml"
    config.write_text(line + config.read_text())
    hook = {**read(".pre-commit-hooks.yaml")[0], "language": "system"}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]}))
    subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=repository, env=env, check=True)
    assert commit().returncode == 0
    train = repository / "train.py"
    train.write_text(train.read_text() + SAFE.replace("use_off_line", "mix_compile_mode"))
    refused = commit()
    assert refused.returncode == 1
    assert refused.stderr.count("NPU") == 1
    assert "train.py:3:" in refused.stderr
    # Mending an old one shrinks the baseline, which is to be committed too.
    train.write_text(FIXED)
    assert npu_lsp("check", cwd=repository, env={"CI": "true"}).code == 1
    assert "files were modified by this hook" in commit().stderr
    assert commit().returncode == 0
    assert npu_lsp("check", cwd=repository, env={"CI": "true"}).code == 0


# -- GitHub -------------------------------------------------------------------------------------------------


def steps() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read("action.yml")["runs"]["steps"]
    return found


def test_nothing_that_a_workflow_passes_in_becomes_part_of_a_script() -> None:
    assert len(steps()) > 1
    for step in steps():
        assert "${{" not in step["run"]
        subprocess.run(["bash", "-n", "-c", step["run"]], check=True)
    workflow = read(".ci/templates/github.yml")
    for job in workflow["jobs"].values():
        assert all("${{" not in step.get("run", "") for step in job["steps"])


def run_step(repository: Path, tmp_path: Path, **inputs: str) -> tuple[int, str, str]:
    """Run the action's second step as the runner does, and return exit code, log and outputs."""
    step = steps()[1]
    defaults = {name: facts["default"] for name, facts in read("action.yml")["inputs"].items()}
    given = {**defaults, **{name.replace("_", "-"): value for name, value in inputs.items()}}

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: given[match[1]], text)

    output = tmp_path / "output"
    output.write_text("")
    env = environment(
        RUNNER_TEMP=str(tmp_path),
        GITHUB_OUTPUT=str(output),
        GITHUB_WORKSPACE=str(repository),
        **{name: filled(value) for name, value in step["env"].items()},
    )
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=repository / filled(step["working-directory"]),
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    return ran.returncode, ran.stdout, output.read_text()


def test_the_action_annotates(repository: Path, command: Path, tmp_path: Path) -> None:
    code, log, output = run_step(repository, tmp_path)
    assert (code, output) == (1, "exit-code=1\n")
    assert log.startswith("::error title=npu-lsp (NPU101),file=train.py,line=1,col=19,")
    code, log, output = run_step(repository, tmp_path, working_directory="old", args="--isolated\n--select\nNPU101")
    assert "file=old/train.py" in log


def test_the_action_passes_words_on_as_they_are(repository: Path, command: Path, tmp_path: Path) -> None:
    (repository / "with space; touch hacked.py").write_text(WRONG)
    (repository / "-v.py").write_text(WRONG)
    code, log, _ = run_step(
        repository,
        tmp_path,
        paths="with space; touch hacked.py\n-v.py\n",
        args='--select\nNPU101\n--config\nknown = ["`touch${IFS}hacked`"]\n--exit-zero',
    )
    assert code == 0
    assert log.count("::error") == 2
    assert not list(repository.glob("hacked*"))


def test_the_action_writes_sarif(repository: Path, command: Path, tmp_path: Path) -> None:
    code, log, _ = run_step(repository, tmp_path, output_format="sarif", output_file="report.sarif", args="--exit-zero")
    assert (code, log) == (0, "")
    results = json.loads((repository / "report.sarif").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["NPU101", "NPU103"]


def test_the_problem_matcher_matches_the_concise_report(repository: Path) -> None:
    (pattern,) = read(".ci/templates/problem-matcher.json")["problemMatcher"][0]["pattern"]
    keys = ("file", "line", "column", "severity", "code")
    ran = npu_lsp("check", "-q", "--output-format", "concise", cwd=repository)
    found = [re.match(pattern["regexp"], line) for line in ran.out.splitlines()]
    assert [tuple(m[pattern[key]] for key in keys) for m in found if m] == [
        ("train.py", "1", "19", "error", "NPU101"),
        ("train.py", "2", "38", "error", "NPU103"),
    ]
    assert all(m and not m[pattern["message"]].startswith("[") for m in found)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("severity", ["error", "warning", "info", "hint"])
def test_one_problem_matcher_takes_each_line(severity: str, language: str, repository: Path) -> None:
    matchers = read(".ci/templates/problem-matcher.json")["problemMatcher"]
    config = f"severity = {{NPU101 = '{severity}', NPU103 = '{severity}'}}"
    ran = npu_lsp("check", "-q", "--output-format=concise", "--lang", language, "--config", config, cwd=repository)
    lines = ran.out.splitlines()
    assert len(lines) == 2
    for line in lines:
        found = [(each, m) for each in matchers if (m := re.match(each["pattern"][0]["regexp"], line))]
        ((matcher, match),) = found
        pattern = matcher["pattern"][0]
        told = match[pattern["severity"]] if "severity" in pattern else matcher["severity"]
        assert told == {"info": "notice", "hint": "notice"}.get(severity, severity)
        assert (match[pattern["file"]], match[pattern["code"]][:3]) == ("train.py", "NPU")


# -- commands in templates -----------------------------------------------------------------------------------


def scripts() -> list[Any]:
    """Return the npu-lsp commands of all templates."""
    workflow = read(".ci/templates/github.yml")
    lines = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    lines += read(".ci/templates/gitlab.yml")["npu-lsp"]["script"]
    lines += re.findall(r"sh '([^']*npu_lsp check[^']*)'", (ROOT / ".ci/templates/Jenkinsfile").read_text())
    return [
        pytest.param(line, id=line.partition(" npu_lsp ")[2][:40])
        for line in lines
        if re.search(r"npu_lsp (check|merge)", line)
    ]


@pytest.mark.parametrize("line", scripts())
def test_the_commands_of_templates_work(line: str, repository: Path, command: Path, tmp_path: Path) -> None:
    for number in range(1, 5):
        (repository / f"{number}.sarif").write_text(
            npu_lsp("check", "--shard", f"{number}/4", "--output-format", "sarif", cwd=repository).out
        )
    ran = subprocess.run(
        ["bash", "-e", "-c", line],
        cwd=repository,
        env=environment(
            PATH=f"{command}{os.pathsep}{os.environ['PATH']}",
            SHARD="1",
            NPU_LSP_ARGS="--target cann=9.0",
            WORKSPACE_TMP=str(tmp_path),
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == (0 if "--exit-zero" in line else 1), ran.stderr
    assert ran.stderr == ""
