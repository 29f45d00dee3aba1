"""A change of every kind is made, and the running program does what it says."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.mutations.mutants import of_python
from tests.mutations.planting import Field

_PROGRAM = '''\
from npu_lsp.linter.findings import Safety, Severity

_OFF = frozenset({"0", "off"})
_MOST = 3


class Rule:
    severity = Severity.ERROR

    def said(self, text: str, many: int) -> str | None:
        """Return something."""
        said = []
        if text in _OFF:
            return None
        if many > _MOST and not text:
            said.append("many")
        return " ".join([*said, text, Safety.SAFE.value, *("long" for each in text if each == "g")])
'''
_CASES = (("", 2), ("", 3), ("", 4), ("0", 0), ("off", 9), ("long", 4), ("ab", 1))


def test_the_program_does_what_a_change_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "changed_program.py"
    path.write_text(_PROGRAM, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    made = list(of_python(path.name, _PROGRAM))
    kinds = ["severity", "safety", "condition", "connective", "comparison", "number", "returned", "deleted", "swapped"]
    assert {mutant.kind for mutant in made} == {*kinds, "dropped", "negation"}
    before = _said(path)
    assert [mutant for mutant in made if _said(path, mutant.made(_PROGRAM), mutant.function) == before] == []


def _said(path: Path, text: str = "", function: tuple[str, int] | None = None) -> list[object]:
    """Return what the program at `path` says when it runs as `text` has it."""
    sys.modules.pop(path.stem, None)
    module = import_module(path.stem)
    rule = module.Rule()
    if text:
        Field(path.parent, {path.name}).plant(path.name, text, function)
    return [rule.severity, *(rule.said(*case) for case in _CASES)]
