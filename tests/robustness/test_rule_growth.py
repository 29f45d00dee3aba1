"""A rule costs no more for each finding than for the first, in one block and in many: its examples, written down often."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.density import MOST
from npu_lsp.languages.model import Block, Form
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.robustness.steps import characters, projected, steps

_SIZE = 60
"""Examples in the shortest text: more than anything is compared with that has a bound of its own."""
_SHORT = 24
_LONGEST = 1_000
"""Characters of an example: longer ones are about length themselves."""

Make = Callable[[int], str]


def _functions(text: str) -> Make:
    inside = "".join(f"    {line}" for line in text.splitlines(keepends=True))
    return lambda times: "".join(f"def f{times}_{number}(op, config):\n{inside}\n" for number in range(times))


def _conditions(text: str) -> Make:
    return lambda times: "".join(f"if [ a{times}_{number} ]; then\n{text}\nfi\n" for number in range(times))


def _forms(example: Invalid) -> Iterator[tuple[str, Make]]:
    """Yield ways to have an example often: one behind the other, each in a branching of its own, all in one block."""
    text = example.text
    yield "again", lambda times: text * times
    if example.kind in (Kind.PYTHON, Kind.SHELL):
        yield "apart", (_functions if example.kind is Kind.PYTHON else _conditions)(text)
    inside = next((b for b in read(Document(text, kind=example.kind)).blocks if b.settings and _has_parts(b)), None)
    if inside is not None:
        start, end = inside.settings[0].own.start, max(setting.own.end for setting in inside.settings)
        joint = " " if inside.settings[0].form is Form.FLAG else ", "
        yield "inside", lambda times: text[:start] + joint.join([text[start:end]] * times) + text[end:]


def _has_parts(block: Block) -> bool:
    return block.settings[0].own != block.settings[0].statement


class Tried(NamedTuple):
    """An example in one form, and whether it is the first one that is read like this: the same surfaces, forms and language."""

    name: str
    rule: Rule
    example: Invalid
    make: Make
    unread: bool


@cache
def _tried() -> Sequence[Tried]:
    """Return of each rule, language and form one example: the others differ in what they say, and not in how it is found."""
    had: set[Hashable] = set()
    found = []
    for rule in all_rules():
        for number, example in enumerate(rule.invalid):
            for form, make in _forms(example) if len(example.text) <= _LONGEST else ():
                if (one := (rule.code, example.kind, form)) not in had:
                    alike = (example.kind, form, _read_as(example))
                    found.append(Tried(f"{number}-{form}", rule, example, make, alike not in had))
                    had |= {one, alike}
    return found


def _read_as(example: Invalid) -> Hashable:
    """Return what tells by what an example is read."""
    found = read(Document(example.text, kind=example.kind))
    settings = frozenset((block.surface, setting.form) for block in found.blocks for setting in block.settings)
    return settings, frozenset(type(fact) for fact in found.facts), bool(found.comments), bool(found.syntax)


@pytest.mark.parametrize("code", [rule.code for rule in all_rules() if rule.of_text])
def test_thousands(code: str) -> None:
    told = {one.name: said for one in _tried() if one.rule.code == code and (said := _outgrown(one))}
    assert not told


@pytest.mark.parametrize("code", [rule.code for rule in all_rules() if rule.of_text])
def test_text_is_looked_through_once(code: str) -> None:
    """A search is one step: whoever looks through the whole text for each finding takes many more characters, and no more steps."""
    first = {
        one.example.kind: one for one in reversed(_tried()) if one.rule.code == code and one.name.endswith("again")
    }
    told = {one.name: said for one in first.values() if (said := _outgrown(one, _SHORT, characters))}
    assert not told


def _outgrown(tried: Tried, size: int = _SIZE, count: Callable[[Callable[[], object]], int] = steps) -> str | None:
    """Return what is to be said of a rule that takes longer for each of many findings than for one."""
    rule, example = tried.rule, tried.example
    analyzer = Analyzer(Config(select=(rule.code, *example.others)), all_rules)

    def analysis(times: int) -> Callable[[], object]:
        document = Document(tried.make(times), kind=example.kind, path="/nowhere/file")
        if not tried.unread and count is steps:
            # How reading grows is known of another one: what is read is kept with the document.
            read(document)
        return lambda: analyzer.findings(document)

    analysis(2)()  # What is loaded once is loaded.
    said = projected(analysis, size, MOST, count)
    assert not analyzer.failures
    return said
