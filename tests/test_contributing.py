"""CONTRIBUTING.md, followed to the letter in a copy of the project: what it promises is there afterwards."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from npu_lsp.rules import all_rules
from tests.patience import PATIENCE
from tests.rules.new import next_code

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
STEP = re.compile(
    r"^<!-- step: (?P<way>new|into|end|from|run)(?: (?P<path>(?!-->)\S+))?(?: (?P<mark>[^\n]+?))? -->\n```\w+\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
NEEDED = ("npu_lsp", "docs", *(f"tests/{name}" for name in ("authoring", "forks", "lsp", "pages", "rules")))
LEFT_OUT = shutil.ignore_patterns(".pytest_cache")
MOST_TOUCHED = 3


class Step(NamedTuple):
    """One thing to do."""

    way: str
    path: str
    mark: str
    body: str


def steps(heading: str) -> list[Step]:
    """Return what a section of the page says to do."""
    section = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, heading
    found = [Step(m["way"], m["path"] or "", m["mark"] or "", m["body"]) for m in STEP.finditer(section[1])]
    assert len(found) == section[1].count("<!-- step:"), "a step that can't be followed"
    return found


class Copy:
    """A copy of the project."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.changed: set[str] = set()
        """The files that were there before and that a person changed."""
        for name in NEEDED:
            shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
        for name in ("README.md", "README.zh.md", "CONTRIBUTING.md", "pyproject.toml"):
            shutil.copy2(ROOT / name, folder / name)
        for path in (ROOT / "tests").glob("*.py"):
            shutil.copy2(path, folder / "tests" / path.name)

    def python(self, *arguments: str, code: int = 0, variables: dict[str, str] | None = None) -> str:
        """Run Python in the copy and return what it prints."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("ASCEND_", "PYTEST_"))}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=environment | {"PYTHONPATH": str(self.folder)} | (variables or {}),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def follow(self, heading: str) -> None:
        """Do what a section of the page says."""
        for step in steps(heading):
            self._do(step)

    def _do(self, step: Step) -> None:
        path = self.folder / step.path
        if step.way == "run":
            for line in step.body.splitlines():
                words = re.findall(r"\"[^\"]*\"|\S+", line)
                first = words.index("python")
                variables = dict(word.split("=") for word in words[:first])
                self.python(*(word.strip('"') for word in words[first + 1 :]), variables=variables)
            return
        if step.way == "new":
            assert not path.exists(), f"{step.path} is there already"
            path.parent.mkdir(exist_ok=True)
            path.write_text(step.body, encoding="utf-8")
            return
        if (ROOT / step.path).exists():
            self.changed.add(step.path)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        mark = step.mark.removeprefix("behind ")
        at = [number for number, line in enumerate(lines) if mark in line] if mark else [len(lines) - 1]
        assert len(at) == 1 or step.way == "from", f"{mark!r} stands {len(at)} times in {step.path}"
        lines[at[0] if step.way == "from" else at[0] + 1 : None if step.way == "from" else at[0] + 1] = [step.body]
        path.write_text("".join(lines), encoding="utf-8")

    def reports(self, texts: Mapping[str, str]) -> dict[str, list[tuple[str, str | None]]]:
        """Return the codes that each file gets, each with its option."""
        for name, text in texts.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        command = ("-m", "npu_lsp", "check", "--isolated", "--no-cache", "--exit-zero", "--output-format", "json")
        found: list[dict[str, Any]] = json.loads(self.python(*command, *texts))["findings"]
        return {name: [(each["code"], each["option"]) for each in found if each["path"] == name] for name in texts}

    def asked(self, *questions: tuple[str, str, str]) -> list[dict[str, list[str]]]:
        """Return what an editor is told about files: the names of diagnostics, completions and the hover at a sign of each text."""
        words = [word for question in questions for word in question]
        return list(json.loads(self.python("-m", "tests.lsp.asking", *words)))


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_an_option(copy: Copy) -> None:
    copy.follow("Add an option")
    assert copy.changed == set()
    texts = {"a.sh": ATC.format("--warmup_rounds=500"), "b.sh": ATC.format("--warmup_rounds=5")}
    assert copy.reports(texts) == {"a.sh": [("NPU106", "warmup_rounds")], "b.sh": []}


ATC = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 {}\n"


def test_a_rule(copy: Copy) -> None:
    code = next_code(3, [rule.code for rule in all_rules()])
    following = [step._replace(body=step.body.replace("NPU3xx", code)) for step in steps("Add a rule")]
    copy._do(following[0])
    # What the script makes passes all tests but those of its examples.
    made = copy.python("-m", "pytest", "-q", "-rf", "tests/rules/test_examples.py", "-k", code, code=1)
    failed = set(re.findall(r"^FAILED \S+::(\w+)\[", made, re.MULTILINE))
    assert failed == {"test_speaks", "test_what_people_read"}
    copy.python("-m", "ruff", "check", "npu_lsp/rules/profiling_left_on.py")
    copy.python("-m", "ruff", "format", "--check", "npu_lsp/rules/profiling_left_on.py")
    for step in following[1:]:
        copy._do(step)
    assert copy.changed == set()
    assert f'<a id="{code}"></a>' in (copy.folder / "docs" / "rules.md").read_text(encoding="utf-8")
    copy.python("-m", "tests.rules.new", "profiling-left-on", "3", "--en", "Again", "--zh", "再次", code=2)


def test_a_surface(copy: Copy) -> None:
    made = copy.folder / "npu_lsp" / "catalog" / "schema.json"
    before = made.read_bytes()
    copy.follow("Add a surface")
    assert len(copy.changed) + (made.read_bytes() != before) <= MOST_TOUCHED
    start = "from demo_npu import Pipeline\n\n"
    text = start + 'run = Pipeline(settings={"pipeline_depth": 12, "schedule_polcy": "fifo", "overlap_copies": True})\n'
    texts = {
        "a.py": text,
        "b.py": text.replace("12", "4").replace("polcy", "policy"),
        "c.py": text.replace("demo_npu", "other"),
        "a.sh": "export DEMO_PIPELINE_LOG=loud\npython a.py\n",
    }
    assert copy.reports(texts) == {
        "a.py": [("NPU106", "pipeline_depth"), ("NPU101", "schedule_polcy")],
        "b.py": [],
        "c.py": [],
        "a.sh": [("NPU104", "DEMO_PIPELINE_LOG")],
    }
    assert "schedule_policy" in copy.python("-m", "npu_lsp", "options", "--surface", "demo")
    told, values, variables = copy.asked(
        ("a.py", text, "pipeline_depth"),
        ("b.py", start + 'run = Pipeline(settings={"schedule_policy": "fi"})\n', 'fi"'),
        ("b.sh", "export DEMO_PIPELINE_L=1\n", "L="),
    )
    assert told["diagnostics"] == ["NPU101", "NPU106"]
    assert "batches are on their way" in told["hover"][0]
    assert {"trace_folder", "pipeline_depth"} <= set(told["completions"])
    assert values["completions"] == ["fifo", "greedy"]
    assert "DEMO_PIPELINE_LOG" in variables["completions"]


def test_a_file_format(copy: Copy) -> None:
    copy.follow("Add a file format")
    assert copy.changed == {
        *("npu_lsp/catalog/surfaces.py", "npu_lsp/catalog/data/surfaces.toml"),
        *("npu_lsp/text/kinds.py", "npu_lsp/languages/registry.py"),
    }
    text = '{"max_inflight": 0, "admission": {"policy": "lifo"}, "max_infligt": 2, "colour": "red"}\n'
    texts = {"serving_plan.json": text, "other.json": text.replace("max_inflight", "most")}
    assert copy.reports(texts) == {
        "serving_plan.json": [
            ("NPU106", "max_inflight"), ("NPU104", "admission.policy"), ("NPU101", "max_infligt"), ("NPU101", "colour"),
        ],
        "other.json": [],
    }  # fmt: skip
    told, keys = copy.asked(
        ("serving_plan.json", '{"max_inflight": 1, "admission": {"policy": "fi"}}\n', 'fi"'),
        ("serving_plan.json", '{"max_inflight": 1, ""}\n', '"}'),
    )
    assert told["completions"] == ["fifo", "shortest"]
    assert "admission" in keys["completions"]


def test_a_host(copy: Copy) -> None:
    copy.follow("Add a host")
    assert len(copy.changed) <= MOST_TOUCHED
    text = "project(demo)\nexecute_process(\n  # one model\n  COMMAND {}\n  RESULT_VARIABLE done)\n"
    wrong = text.format(ATC.strip().format("--precision_mode=forse_fp16\n    --log=info"))
    texts = {
        "CMakeLists.txt": wrong,
        "models.cmake": wrong.replace("forse", "force"),
        "notes.cmake": wrong.replace("execute_process", "message"),
    }
    assert copy.reports(texts) == {
        "CMakeLists.txt": [("NPU104", "precision_mode")],
        "models.cmake": [],
        "notes.cmake": [],
    }
    (told,) = copy.asked(("CMakeLists.txt", wrong, "forse_fp16"))
    assert "force_fp16" in told["completions"]
    copy.python("-m", "npu_lsp", "check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", "CMakeLists.txt")
    assert (copy.folder / "CMakeLists.txt").read_text(encoding="utf-8") == wrong.replace("forse", "force")


def test_no_block_of_the_page_is_left_out() -> None:
    """What stands in a block of code and is no step is the setting up."""
    (rest,) = re.findall(r"^```\w+\n(.*?)^```$", STEP.sub("", PAGE), re.MULTILINE | re.DOTALL)
    assert rest.startswith("python3 -m venv .venv && ")
