"""One mistake is one finding: a slip in a sample says at most one thing that was not said before."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.case_files import case_files
from tests.rules.slips import SLIPS

BROKEN = {"half_typed.py", "half_finished.py", "shell_slips.sh", "gbk.py"}
"""Samples that are damaged already: what a slip in them uncovers was wrong before."""
TIMES = 4
EXCEPTIONS = {
    # Two flags stand on the line: each of them is set twice.
    ("line-twice", "NPU207", "NPU207"),
    # The same with the command's own line, whose name is a word too many as well.
    ("line-twice", "NPU110", "NPU207", "NPU207", "NPU207"),
    # What was two commands is one, once the backslash is there: it hides that their flags exclude each other.
    ("line-twice", "NPU203", "NPU701"),
    # What is no Python cuts the program in two, and the halves lack what the other one has.
    ("lines-pasted", "NPU203", "NPU505"),
    ("lines-pasted", "NPU201", "NPU505"),
    # The quotes behind a lost one are paired anew: what was text is words, and what was words is text.
    ("quote-lost", "NPU110", "NPU207", "NPU709"),
    ("quote-lost", "NPU110", "NPU110", "NPU207", "NPU709"),
    ("quote-wide", "NPU110", "NPU207", "NPU709"),
    ("quote-wide", "NPU110", "NPU110", "NPU207", "NPU709"),
    # Slips of the shell are looked for where a command stands, and not in what a variable carries to it.
    ("comma-wide", "NPU105", "NPU707"),
    ("blanks-around-equals", "NPU109", "NPU110"),
    # A table that nothing in the file looks into any more, by its name, is one for others: of its two entries, both names are
    # gone, and what they are given is no value.
    ("letters", "NPU104", "NPU105", "NPU302", "NPU302"),
    # A command that lost its last line on a page lacks a flag, and waits behind its backslash.
    ("line-lost", "NPU208", "NPU703"),
    # Without its bracket the list is an object with text in it, wherever the reader takes up the thread.
    ("bracket-lost", "NPU103", "NPU804"),
    ("bracket-lost", "NPU101", "NPU804"),
}
"""(slip, codes): what may be told of one slip in two findings, and why."""
ANALYZER = Analyzer(Config(), all_rules)
PIECES = ("", "1", "-1", "a", "~", ":", ";", ",", "[", "]", "|", "-", "0", "x:1", " ", "=", "/", "..", "{", "１")
"""What values with a form of their own are made of; no quotes, which the shell would take."""
ROUNDS = 60


def samples() -> list[Path]:
    return [path for path in case_files() if path.name not in BROKEN and detect(str(path), "#!") is not Kind.OTHER]


def said(text: str, path: Path, kind: Kind) -> set[tuple[str, str | None, str]]:
    document = Document(text, path=str(path), kind=kind)
    return {(found.code, found.option, found.message) for found in ANALYZER.findings(document)}


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.name)
def test_one_slip_is_one_finding(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    kind = detect(str(path), text)
    before = said(text, path, kind)
    for name, slip in SLIPS.items():
        slips = [slip(Random(f"{path.name} {name} {number}"), text) for number in range(TIMES)]
        for number, changed in enumerate(dict.fromkeys(slips)):
            new = sorted(said(changed, path, kind) - before) if changed is not None else []
            if len(new) > 1 and (name, *(code for code, _, _ in new)) not in EXCEPTIONS:
                pytest.fail(f"{name} {number}: {new}\n{changed}")


@pytest.mark.parametrize("surface", [Surface.ATC, Surface.ENV, Surface.SESSION], ids=str)
def test_one_fault_in_a_value_is_told_once(surface: Surface) -> None:
    options = [option for option in load().options(surface) if option.grammar is not None]
    assert len(options) > 10
    write = {
        Surface.ATC: "atc --{}='{}'\n",
        Surface.ENV: "export {}='{}'\n",
        Surface.SESSION: "op.parameter_map['{}'].s = b'{}'\n",
    }
    kind = Kind.PYTHON if surface is Surface.SESSION else Kind.SHELL
    chance = Random(surface.value)
    for _ in range(ROUNDS):
        lines = [write[surface].format(option.name, _value(option, chance)) for option in options]
        found = [each for each in ANALYZER.findings(Document("".join(lines), kind=kind)) if each.code == "NPU105"]
        for first, second in pairwise(sorted(found, key=lambda each: each.span)):
            assert first.span.end <= second.span.start, (first.message, second.message)


def _value(option: Option, chance: Random) -> str:
    """Return an example of an option with slips in it, or signs at random."""
    examples = [str(each) for each in option.examples if not {"'", "\\"} & set(str(each))]
    if not examples or chance.random() < 0.5:
        return "".join(chance.choices(PIECES, k=chance.randint(1, 6)))
    signs = list(chance.choice(examples))
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(signs))
        signs[at : at + chance.randint(0, 1)] = chance.choice(PIECES)
    return "".join(signs)
