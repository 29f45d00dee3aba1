"""What is turned down before anything is parsed holds nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from npu_lsp.catalog.calls import RUN_CONFIG, RUN_CONFIG_PARTS
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.languages.detection import detect
from npu_lsp.languages.triggers import may_match
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.word_search import _STRIDE
from tests.case_files import case_files
from tests.lsp.every_surface import everywhere
from tests.together import together


def examples_of(rule: Rule) -> list[Valid | Invalid]:
    return [*rule.valid, *rule.invalid]


SAMPLES = case_files("clean", "broken")


def holds_something(kind: Kind, text: str) -> bool:
    reading = read(Document(text, kind=kind))
    return bool(reading.blocks or reading.syntax or reading.comments or reading.facts)


def test_nothing_in_an_example_is_missed() -> None:
    missed = [
        f"{rule.code}-{number}"
        for rule in all_rules()
        for number, example in enumerate(examples_of(rule))
        if not may_match(example.kind, example.text.encode()) and holds_something(example.kind, example.text)
    ]
    assert missed == []


@together("path", SAMPLES, ids=lambda p: p.name)
def test_nothing_in_a_sample_is_missed(path: Path) -> None:
    kind = detect(path.name, "")
    data = path.read_bytes()
    assert may_match(kind, data) or not holds_something(kind, data.decode())


@together("name", [RUN_CONFIG, *RUN_CONFIG_PARTS])
def test_every_configuration_object_counts(name: str) -> None:
    text = f"from npu_bridge.npu_init import *\nconfig = {name}(atomic_clean_policy=1)\n"
    assert may_match(Kind.PYTHON, text.encode())
    assert holds_something(Kind.PYTHON, text)


def test_every_object_of_the_catalog_has_its_name() -> None:
    owners = {name.partition(".")[0] for name in load().names(Surface.RUN_CONFIG) if "." in name}
    assert owners == set(RUN_CONFIG_PARTS)


def test_every_variable_of_the_catalog_counts() -> None:
    missed = [
        text
        for name in load().names(Surface.ENV)
        for kind, text in (
            (Kind.PYTHON, f'os.environ["{name}"] = "1"\n'),
            (Kind.PYTHON, f"os.environ.update({name}='1')\n"),
            (Kind.SHELL, f"export {name}=1\n"),
        )
        if not may_match(kind, text.encode())
    ]
    assert missed == []


@together(
    "text",
    [
        "import os\nKEY = 'ASCEND_DEVICE_ID'\nos.environ[KEY] = '0'\n",
        "os.environ.setdefault(NAME, '0')\n",
        "os.environ[names.NAME] = '0'\n",
        "import os as system\nsystem.environ[name] = '0'\n",
        "os.putenv(NAME, '1')\n",
        "npu_device.global_options().jit_compile = '2'\n",
        "torch.npu.set_option({'MM_BMM_ND_ENABLE': 'enable'})\n",
        "os.system('atc --model=a.onnx')\n",
        "subprocess.run(['/usr/local/bin/atc', '--model=a'])\n",
        "subprocess.run(['train'], env={'ASCEND_DEVICE_ID': '1'})\n",
        "# npu-lsp: ignore\n",
    ],
)
def test_what_may_set_something_is_read(text: str) -> None:
    assert may_match(Kind.PYTHON, text.encode())


@together(
    "text",
    [
        "import tensorflow as tf\nbatch = match(catch)\n",
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\n",
        "import os\nprint(os.environ.get('HOME'))\n",
        "import subprocess\nsubprocess.run(['ls', 'batch'])\n",
        "from config import Config\nConfig(batch=1)\n",
        "def app(request):\n    request.environ[KEY] = '1'\n",
        "import os\ndef put(self, name):\n    os.environ[self.name] = '1'\n    print(os.environ[NAME])\n",
        "parser.add_argument('input', global_options)\nset_option(input)\n",
        "self._set_context()\nprepare_additional_configuration(conf)\nlrp_set_options(npu)\nwith_global_options(npu)\n",
    ],
)
def test_what_sets_nothing_costs_no_parser(text: str) -> None:
    assert not may_match(Kind.PYTHON, text.encode())


def test_each_surface_is_seen_in_each_language_that_holds_it() -> None:
    """Hosts ask this before they look for what stands in them."""
    marks = str.maketrans("", "", "⟨⟩⟪⟫")
    missed = [
        f"{surface.value} in {kind.value} in {around.value}"
        for surface, kind, around, example in everywhere()
        if not may_match(around, example.text.translate(marks).encode())
    ]
    assert missed == []


def test_a_line_end_inside_of_a_text_is_no_letter() -> None:
    data = rb'{"cells": [{"cell_type": "code", "source": "import x\nset_context(mode=0)"}]}'
    assert may_match(Kind.NOTEBOOK, data)
    assert may_match(Kind.PYTHON, data)


@pytest.mark.parametrize("before", [1, 2, 3])
def test_what_stands_far_behind_is_read(before: int) -> None:
    """A large text is looked through in parts: a word may begin in one and end in the next, or stand behind both."""
    for word in ("parameter_map", "additional_config"):
        for shift in range(-len(word) - 1, 2):
            text = "#" * (before * _STRIDE + shift) + word
            assert may_match(Kind.PYTHON, text.encode()), shift
    far = "x = 1\n" * (before * _STRIDE // 6)
    assert may_match(Kind.SHELL, f"{far}export HCCL_BUFFSIZE=1\n".encode())
    assert not may_match(Kind.SHELL, f"{far}export HOME_BUFFSIZE=1\n".encode())


@settings(max_examples=300)
@given(
    st.sampled_from(sorted(load().names(Surface.ENV))), st.integers(0, 60), st.sampled_from(("miss", "twice", "turn"))
)
def test_every_slip_that_counts_is_seen(name: str, at: int, slip: str) -> None:
    at %= len(name)
    here, rest = name[:at], name[at + 1 :]
    wrong = {"miss": here + rest, "twice": here + name[at] * 2 + rest, "turn": here + rest[:1] + name[at] + rest[1:]}[
        slip
    ]
    assume(is_variable(wrong) and re.fullmatch("[A-Z][A-Z0-9_]{2}[A-Za-z0-9_]*", wrong))
    assert may_match(Kind.SHELL, f"export {wrong}=1\n".encode())


@settings(max_examples=300)
@given(
    st.sampled_from(sorted(load().names(Surface.ENV))),
    st.integers(1, 60),
    st.characters(exclude_characters="\r\n\\'\"", exclude_categories=["Cs"]),
)
def test_no_variable_is_read_where_no_file_would_be(name: str, at: int, sign: str) -> None:
    other = name[:at] + sign + name[at:]
    text = f'import os\nos.environ["{other}"] = "1"\n'
    assert may_match(Kind.PYTHON, text.encode()) or not is_variable(other)


@pytest.mark.parametrize("text", ["for batch in 1 2 4; do\n  echo $batch\ndone\n", "#!/bin/sh\nHOME=/root make\n"])
def test_a_script_of_others_costs_no_parser(text: str) -> None:
    assert not may_match(Kind.SHELL, text.encode())


@pytest.mark.parametrize("name", ["ASCEND_RT_VI.SIBLE_DEVICES", "VLLM-ASCEND_ENABLE_NZ"])
def test_a_name_with_another_sign_is_looked_at(name: str) -> None:
    assert may_match(Kind.PYTHON, f'import os\nos.environ["{name}"] = "1"\n'.encode())
