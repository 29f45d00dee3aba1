"""What is turned down before anything is parsed holds nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.languages.detection import detect
from npu_lsp.languages.python.recognisers.run_config import NESTED, RUN_CONFIG
from npu_lsp.languages.triggers import may_match
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.case_files import case_files


def examples_of(rule: Rule) -> list[Valid | Invalid]:
    return [*rule.VALID, *rule.INVALID]


SAMPLES = case_files("clean", "broken")
EXAMPLES = [
    pytest.param(example.kind, example.text, id=f"{rule.code}-{number}")
    for rule in all_rules()
    for number, example in enumerate(examples_of(rule))
]


def holds_something(kind: Kind, text: str) -> bool:
    reading = read(Document(text, kind=kind))
    return bool(reading.blocks or reading.syntax or reading.comments or reading.facts)


@pytest.mark.parametrize(("kind", "text"), EXAMPLES)
def test_nothing_in_an_example_is_missed(kind: Kind, text: str) -> None:
    assert may_match(kind, text.encode()) or not holds_something(kind, text)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.name)
def test_nothing_in_a_sample_is_missed(path: Path) -> None:
    kind = detect(path.name, "")
    data = path.read_bytes()
    assert may_match(kind, data) or not holds_something(kind, data.decode())


@pytest.mark.parametrize("name", sorted(NESTED | {RUN_CONFIG}))
def test_every_configuration_object_counts(name: str) -> None:
    text = f"from npu_bridge.npu_init import *\nconfig = {name}(atomic_clean_policy=1)\n"
    assert may_match(Kind.PYTHON, text.encode())
    assert holds_something(Kind.PYTHON, text)


@pytest.mark.parametrize("name", sorted(load().names(Surface.ENV)))
def test_every_variable_of_the_catalog_counts(name: str) -> None:
    for text in (f'os.environ["{name}"] = "1"\n', f"os.environ.update({name}='1')\n"):
        assert may_match(Kind.PYTHON, text.encode())
    assert may_match(Kind.SHELL, f"export {name}=1\n".encode())


@pytest.mark.parametrize(
    "text",
    [
        "import os\nKEY = 'ASCEND_DEVICE_ID'\nos.environ[KEY] = '0'\n",
        "os.environ.setdefault(name, '0')\n",
        "os.environ.update(settings)\n",
        "os.putenv(name, '1')\n",
        "os.system('atc --model=a.onnx')\n",
        "subprocess.run(['/usr/local/bin/atc', '--model=a'])\n",
        "subprocess.run(['train'], env={'ASCEND_DEVICE_ID': '1'})\n",
        "# npu-lsp: ignore\n",
    ],
)
def test_what_may_set_something_is_read(text: str) -> None:
    assert may_match(Kind.PYTHON, text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\nbatch = match(catch)\n",
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\n",
        "import os\nprint(os.environ.get('HOME'))\n",
        "import subprocess\nsubprocess.run(['ls', 'batch'])\n",
        "from config import Config\nConfig(batch=1)\n",
    ],
)
def test_what_sets_nothing_costs_no_parser(text: str) -> None:
    assert not may_match(Kind.PYTHON, text.encode())


@pytest.mark.parametrize("text", ["for batch in 1 2 4; do\n  echo $batch\ndone\n", "#!/bin/sh\nHOME=/root make\n"])
def test_a_script_of_others_costs_no_parser(text: str) -> None:
    assert not may_match(Kind.SHELL, text.encode())
