"""What it costs to look at a text again after an edit, counted, not timed."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from npu_lsp.languages.python import source
from npu_lsp.languages.python.tree import statement
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span
from tests.benchmarks.scripts import Place, Script, conversion_script, training_script


class Typing:
    """Somebody who types a letter and deletes it, in a value and in a word that sets nothing, by turns."""

    def __init__(self, script: Script, kind: Kind) -> None:
        self.places = [script.value, script.value, script.word, script.word]
        self._analyzer = Analyzer(Config(), all_rules, in_editor=True)
        self.document = Document(script.text, kind=kind)
        self._analyzer.findings(self.document)
        self._done = 0
        self.keys(8)  # what is imported late is there

    def keys(self, count: int) -> None:
        """Press so many keys, each answered with findings."""
        for _ in range(count):
            place = self.places[self._done % 4]
            start = self._offset(place)
            typed = self._done % 2 == 0
            self.document = self.document.edited(Span(start, start if typed else start + 1), "x" if typed else "")
            self._analyzer.findings(self.document)
            self._done += 1

    def _offset(self, place: Place) -> int:
        return self.document.offset(place.line, place.column, "utf-16")


def _calls(task: Callable[[], None]) -> int:
    """Return how many functions written in Python `task` calls."""
    count = 0

    def watch(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(watch)
    try:
        task()
    finally:
        sys.setprofile(None)
    return count


@pytest.fixture
def quiet_collector() -> Iterator[None]:
    """Have no rings of objects freed but by the test itself."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    ("place", "statements"),
    [
        pytest.param(lambda script: script.value, 2, id="between the quotes of a value"),
        pytest.param(lambda script: script.word, 0, id="a word that sets nothing"),
        pytest.param(lambda script: script.option, 2, id="the name of an option"),
    ],
)
def test_a_key_parses_the_statement_that_it_changes_at_most(
    place: Callable[[Script], Place], statements: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = training_script(1_000)
    typing = Typing(script, Kind.PYTHON)
    typing.places = [place(script)] * 4
    parsed: list[str] = []

    def parse(text: str) -> statement.Statement | None:
        parsed.append(text)
        return statement.parse(text)

    monkeypatch.setattr(source, "parse", parse)
    typing.keys(2)
    assert len(parsed) == statements


def test_a_key_costs_what_it_changes_and_not_the_file() -> None:
    short, long = (Typing(training_script(lines), Kind.PYTHON) for lines in (1_000, 20_000))
    calls = [_calls(lambda typing=typing: typing.keys(8)) for typing in (short, long)]  # type: ignore[misc]
    assert calls[1] < 1.25 * calls[0], f"{calls} functions called"


@pytest.mark.usefixtures("quiet_collector")
@pytest.mark.parametrize(
    ("script", "kind"), [(training_script(1_000), Kind.PYTHON), (conversion_script(150), Kind.SHELL)]
)
def test_a_version_is_freed_as_soon_as_there_is_another(script: Script, kind: Kind) -> None:
    typing = Typing(script, kind)
    gc.collect()
    before = _documents()
    typing.keys(40)
    assert _documents() == before


def _documents() -> int:
    return sum(type(each) is Document for each in gc.get_objects())
