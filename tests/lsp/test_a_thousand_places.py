"""A file with more than 1,000 places: the first thousand are checked, and it is said so, on the command line and in an editor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.checking.command import check, npu_lsp
from tests.lsp.test_notebooks import NOTEBOOKS, Notebook
from tests.lsp.wire import Wire

_PLACES, _CHECKED = 1_205, 1_000
_LEFT = {
    "en": "The file sets options in 1,205 places. Only the first 1,000 were checked, which leaves 205 unchecked.",
    "zh": "文件中有 1,205 处设置选项，仅检查了前 1,000 处，其余 205 处未检查。",
}
_WRONG, _LARGE = "NPU104", "NPU004"
_SELECT = f"{_WRONG},{_LARGE}"


class _Crowded(NamedTuple):
    """A file in which each unit has one wrong value."""

    name: str
    language: str
    before: str
    unit: str
    after: str

    @property
    def text(self) -> str:
        """Return it with as many places as there are."""
        return self.before + self.unit * _PLACES + self.after

    @property
    def wrong(self) -> list[int]:
        """Return on which lines, from 0, the wrong values stand that are found."""
        start = self.text.find(self.unit)
        ends = (start + number * len(self.unit) + self.unit.rfind("9") for number in range(_CHECKED))
        return [self.text.count("\n", 0, end) for end in ends]


_STATEMENT = 'os.environ["TASK_QUEUE_ENABLE"] = "9"\n'
_LINE = json.dumps(_STATEMENT)
_CELL = '{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": [\n'
_FIRST = f'{{"cells": [\n{_CELL}"import os\\n"'
_LAST = ']}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n'
_FILES = (
    _Crowded("a.sh", "shellscript", "", "export TASK_QUEUE_ENABLE=9\n", ""),
    _Crowded("a.py", "python", "import os as o\n", 'o.environ["TASK_QUEUE_ENABLE"] = "9"\n', ""),
    _Crowded("a.yaml", "yaml", "a:\n", '- env:\n    TASK_QUEUE_ENABLE: "9"\n', ""),
    _Crowded("a.json", "json", "[\n", '  {"env": {"TASK_QUEUE_ENABLE": "9"}},\n', "  {}\n]\n"),
    _Crowded("one_line.json", "json", "[", '{"env": {"TASK_QUEUE_ENABLE": "9"}}, ', "{}]\n"),
    _Crowded("a.md", "markdown", "", "```bash\nexport TASK_QUEUE_ENABLE=9\n```\n", ""),
)


_NOTEBOOKS = (
    _Crowded("one_cell.ipynb", "", _FIRST, f",\n{_LINE}", _LAST),
    _Crowded("many_cells.ipynb", "", _FIRST, f"]}},\n{_CELL}{_LINE}", _LAST),
)


@pytest.mark.parametrize("file", [*_FILES, *_NOTEBOOKS], ids=lambda file: file.name)
def test_in_a_report(tmp_path: Path, file: _Crowded) -> None:
    (tmp_path / file.name).write_text(file.text)
    for language, said in _LEFT.items():
        found = check("--select", _SELECT, "--lang", language, file.name, cwd=tmp_path).findings
        assert [each["message"] for each in found if each["code"] == _LARGE] == [said]
        assert [each["line"] - 1 for each in found if each["code"] == _WRONG] == file.wrong


@pytest.mark.parametrize("file", [*_FILES, *_NOTEBOOKS], ids=lambda file: file.name)
def test_on_the_command_line(tmp_path: Path, file: _Crowded) -> None:
    (tmp_path / file.name).write_text(file.text)
    for language, said in _LEFT.items():
        chosen = ("--select", _SELECT, "--lang", language, "--output-format", "concise")
        ran = npu_lsp("check", *chosen, file.name, cwd=tmp_path)
        assert ran.code == 1
        assert ran.out.count(f"{_LARGE} {said}") == 1
        assert ran.out.count(f"error: {_WRONG} ") == _CHECKED


@pytest.mark.parametrize("language", _LEFT)
def test_in_an_editor(tmp_path: Path, language: str) -> None:
    with Wire() as wire:
        wire.initialize(locale=language, initializationOptions={"select": _SELECT.split(",")})
        for file in _FILES:
            uri = (tmp_path / file.name).as_uri()
            wire.open(uri, file.text, file.language)
            found = wire.diagnostics(uri)
            assert [each["message"] for each in found if each["code"] == _LARGE] == [_LEFT[language]]
            assert [each["range"]["start"]["line"] for each in found if each["code"] == _WRONG] == file.wrong


@pytest.mark.parametrize("statements", [_PLACES, 100, 1])
def test_cells_in_an_editor(statements: int) -> None:
    """The places of all cells count together, and the first cell says how many are left."""
    cells = [_STATEMENT * min(statements, _PLACES - before) for before in range(0, _PLACES, statements)]
    with Wire() as wire:
        wire.initialize(NOTEBOOKS, initializationOptions={"select": _SELECT.split(",")})
        notebook = Notebook(wire, "import os\n", *cells)
        shown = {uri: wire.diagnostics(uri) for uri in notebook.cells}
    large = [(uri, each["message"]) for uri, found in shown.items() for each in found if each["code"] == _LARGE]
    assert large == [(notebook.cells[0], _LEFT["en"])]
    wrong = [
        (notebook.cells.index(uri), each["range"]["start"]["line"])
        for uri, found in shown.items()
        for each in found
        if each["code"] == _WRONG
    ]
    every = [(number, line) for number, cell in enumerate(cells, 1) for line in range(cell.count("\n"))]
    assert wrong == every[:_CHECKED]


def test_entries_of_a_configuration_file(tmp_path: Path) -> None:
    entries = {"Switch": {"GraphFusion": {f"R{number}": "maybe" for number in range(3_008)}}}
    (tmp_path / "fusion_switch.cfg").write_text(json.dumps(entries, indent=1))
    found = check(cwd=tmp_path).findings
    large = [each["message"] for each in found if each["code"] == _LARGE]
    assert [said.partition(". ")[2] for said in large] == [
        "Only the first 3,000 were checked, which leaves 10 unchecked."
    ]
    # Two of the entries are sections.
    assert len(found) - len(large) == 3_000 - 2
