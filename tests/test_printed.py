"""What the pages print: each command runs as it stands there, in the page's own order, and each configuration is taken.

Commands that need a network or a program that isn't ours are listed by their first words, so that nothing else is passed over.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.commands.main import command_parser
from npu_lsp.config.keys import KEYS
from npu_lsp.text import toml
from tests.checking.command import Ran, npu_lsp
from tests.pages import ROOT
from tests.test_pages import PAGES

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>```+)(?P<kind>\w+)\n(?P<body>.*?)^ *(?P=ticks)", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`(?P<code>[^`\n]+)`(?!`)")
NAME = re.compile(r"# (?P<name>[\w./-]+\.\w+)\n")
ELSEWHERE = (
    "python3 -m venv .venv",
    ".venv/bin/",
    "pip install",
    "python3 -m pip ",
    "python -m ",
    "NPU_LSP_UPDATE_EXPECTED=1 ",
)
"""How commands begin that install something or belong to a checkout: `test_readme`, `test_contributing` and `.ci/run` follow those."""
PLACEHOLDERS = {"CODE": "NPU101", "NAME": "precision_mode", "FILE": "convert.sh", "COMMAND": "check"}
PLACEHOLDERS |= {"编码": "NPU101", "编号": "NPU101", "名称": "precision_mode", "文件": "convert.sh"}
OWN = {
    # A folder of somebody who reads the pages.
    "train.py": 'op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n',
    "convert.sh": "atc --model=a.onnx --framework=5 --output=a\n",
    "mindie.cmate": "[par env]\nassert ${HCCL_BUFFSIZE} == '200', 'buffer', info\n",
    "serve-a2.sh": "export HCCL_BUFFSIZE=200\n",
    "serve-a3.sh": "export HCCL_BUFFSIZE=400\n",
    "serve.sh": "export HCCL_BUFFSIZE=200\nvllm serve deepseek-ai/DeepSeek-V3.1 --enable-expert-parallel\n",
    "train.log": "E10001: Value [Ascend31] is invalid.\n",
    "ascend/log/debug/plog/plog-70_1.log": "[ERROR] HCCL(70,python):2026-01-02-03:09:05.000.000 EI0006: Getting socket times out.\n",
}
"""Its home, too: `~` is this folder."""
LOGS = ("atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend31 2>&1", "vllm serve … 2>&1")
"""What stands in front of a pipe, and is no command of ours."""


DATA = [page for page in PAGES if page.name not in ("rules.md", "rules.zh.md")]
"""Pages whose data isn't broken on purpose: rules show what they find."""


class Block(NamedTuple):
    """A block of code of a page."""

    kind: str
    body: str
    first: bool
    """Whether it is a file, whose name stands in its first line."""


def blocks(page: Path) -> Iterator[Block]:
    for found in FENCE.finditer(page.read_text(encoding="utf-8")):
        body = re.sub(rf"^{found['indent']}", "", found["body"], flags=re.MULTILINE)
        yield Block(found["kind"], body, NAME.match(body) is not None)


def commands(page: Path) -> list[str]:
    """Return the lines of a page's blocks that are commands."""
    shell = [block.body for block in blocks(page) if block.kind == "sh"]
    lines = (line.strip() for body in shell for line in body.splitlines())
    return [line for line in lines if "npu-lsp " in line and not line.startswith(("#", *ELSEWHERE))]


def described(page: Path) -> list[str]:
    """Return the commands that stand in a page's sentences."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return [found["code"] for found in INLINE.finditer(text) if found["code"].startswith("npu-lsp ")]


def run(line: str, folder: Path) -> Ran:
    """Run a line as a shell would, with a log in place of what isn't ours, and what goes into a file there."""
    left, _, line = line.rpartition(" | ")
    assert left in ("", *LOGS), left
    line, _, file = line.partition(" > ")
    program, *words = (re.sub("^~(?=/)", str(folder), word) for word in shlex.split(line, comments=True))
    assert program == "npu-lsp"
    ran = npu_lsp(*words, cwd=folder, stdin="E10001: Value [Ascend31] is invalid.\n" if left else None)
    if file:
        (folder / file).write_text(ran.out, encoding="utf-8")
    return ran


def named(pages: list[Path]) -> Any:
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


@named([page for page in PAGES if commands(page)])
def test_commands_run(page: Path, tmp_path: Path) -> None:
    for name, text in OWN.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for line in commands(page):
        ran = run(line, tmp_path)
        assert ran.code in (0, 1), f"{line}: {ran.err}"
        assert "error" not in ran.err, f"{line}: {ran.err}"


@named([page for page in PAGES if described(page)])
def test_commands_in_sentences_are_commands(page: Path) -> None:
    for line in described(page):
        _, command, *words = shlex.split(line.partition(" | ")[0])
        # An option may be named without the value that it takes.
        value = {"--tcp": ["127.0.0.1:0"]}.get(words[-1] if words else "", [])
        try:
            command_parser(command).parse([*(PLACEHOLDERS.get(word, word) for word in words), *value])
        except SystemExit:
            pytest.fail(line)


@named([page for page in PAGES if any(block.first and block.kind == "toml" for block in blocks(page))])
def test_configurations_are_taken(page: Path, tmp_path: Path) -> None:
    """With the other files that the page shows, and no more."""
    shown = [block.body for block in blocks(page) if block.first and block.kind == "toml"]
    own = [body for body in shown if body.startswith("# npu-lsp.toml\n")]
    assert own
    (tmp_path / "a.sh").write_text("echo\n", encoding="utf-8")
    for body in shown:
        (tmp_path / body.split()[1].split("/")[-1]).write_text(body, encoding="utf-8")
    for body in own:
        (tmp_path / "npu-lsp.toml").write_text(body, encoding="utf-8")
        ran = npu_lsp("check", ".", cwd=tmp_path)
        assert (ran.code, ran.err) == (0, ""), body


def _keys(content: Any) -> Iterator[str]:
    """Yield the keys of what goes to the server, wherever it stands in a client's settings."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key == "initializationOptions":
                yield from value
            yield from _keys(value)


@named([page for page in DATA if any(block.kind in ("toml", "json", "yaml") for block in blocks(page))])
def test_data_is_whole(page: Path) -> None:
    known = {key.name for key in KEYS}
    for block in blocks(page):
        if block.kind == "json":
            whole = block.body if block.body.startswith("{") else f"{{{block.body}}}"
            assert set(_keys(json.loads(whole))) <= known
        elif block.kind == "yaml":
            assert yaml.safe_load(block.body)
        elif block.kind == "toml" and page.parent.name != "data":  # the catalog's page has marks of omission
            assert toml.parse(block.body)


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "README.zh.md"], ids=["en", "zh"])
def test_a_comment_that_is_shown_silences_what_it_names(page: Path, tmp_path: Path) -> None:
    (body,) = (block.body for block in blocks(page) if block.body.startswith("# npu-lsp: ignore"))
    (tmp_path / "a.sh").write_text(body, encoding="utf-8")
    assert npu_lsp("check", "--isolated", "a.sh", cwd=tmp_path).code == 0
    (tmp_path / "a.sh").write_text(body.partition("\n")[2], encoding="utf-8")
    assert npu_lsp("check", "--isolated", "a.sh", cwd=tmp_path).code == 1


def test_every_surface_that_a_command_names_is_one() -> None:
    found = {name for page in PAGES for name in re.findall(r"--surface (\w+)", page.read_text(encoding="utf-8"))}
    assert found - {"demo"} <= {surface.value for surface in Surface}
