"""No text makes a regular expression slow: each one of the package is fed with what it is itself made of.

Those that whole texts are searched for begin with what a search finds quickly.
"""

from __future__ import annotations

import re
from functools import partial

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.lsp.every_surface import everywhere
from tests.robustness.alphabet import Fed, feeds
from tests.robustness.patterns import Used, begins_quickly, patterns
from tests.robustness.steps import looked_through
from tests.robustness.timing import Task, outgrown, suspicious

_LONGEST = 4096
_PARTS = 24
"""Into which the patterns are divided, so that some processes can share the work."""


@pytest.mark.parametrize("part", range(_PARTS))
def test_no_text_makes_one_slow(part: int) -> None:
    slow = [found for used in patterns()[part::_PARTS] if (found := _slow(used))]
    assert slow == []


def _slow(used: Used) -> str | None:
    """Return the first text that makes a pattern slow, and how."""
    for fed in dict.fromkeys(feeds(used.pattern)):
        said = _said(used, fed)
        if said:
            return f"{used.name}: {said} times {fed.unit!r} behind {fed.prefix!r}"
    return None


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:[ \t]|>[ ]?)*`{3,}", "match"),
        (r"<!--[^>]*?npu-lsp:[^>]*?-->", "finditer"),
        (r"(?:\s|#[^\r\n]*)*", "fullmatch"),
        (r"(?:[\n\r]|\\(?:\r\n|\n|\r))+", "fullmatch"),
        (r"except\b(?:[^:]|\"[^\"]*\")*[ \t]*:", "match"),
        (r"-[A-Za-z]*n[A-Za-z]*", "fullmatch"),
        (r"(?:a|b|ab)+c", "match"),
        (r"\$\{\{[^}]*\}\}", "search"),
        (r"(?<![\w.])\w+(?:\(\)\w*)*\s*\Z", "search"),
    ],
)
def test_what_is_slow_is_seen(pattern: str, method: str) -> None:
    used = Used(pattern, re.compile(pattern), {method})
    # Four times as long as what is tried above: what is barely to be measured there mustn't depend on a busy machine.
    assert any(_said(used, fed, 4 * _LONGEST) for fed in feeds(used.pattern))


def test_what_is_tried_is_what_the_code_does() -> None:
    by_name = {used.name: used for used in patterns()}
    assert len(by_name) > 250
    hashes = by_name["npu_lsp.languages.injections._HASH"]
    assert (hashes.scans, hashes.calls("match"), hashes.calls("fullmatch")) == (True, False, False)
    assert sum(used.scans for used in by_name.values()) > 100


def _said(used: Used, fed: Fed, longest: int = _LONGEST) -> str | None:
    """Return what is to be said of the time that a pattern takes for long runs, which end with what it won't take."""

    def make(times: int) -> Task:
        text = fed.prefix + fed.unit * times + "\x01"
        subject = text if isinstance(used.pattern.pattern, str) else text.encode()
        return lambda: _tried(used, subject)

    return outgrown(make, longest // len(fed.unit)) if suspicious(make, len(fed.unit)) else None


def _tried(used: Used, subject: str | bytes) -> None:
    if used.calls("match"):
        used.pattern.match(subject)  # type: ignore[arg-type]
    if used.calls("fullmatch"):
        used.pattern.fullmatch(subject)  # type: ignore[arg-type]
    if used.scans:
        # All that it finds, without a record of each: `search`, `findall`, `finditer` and `split` look at no more.
        used.pattern.sub(subject[:0], subject)  # type: ignore[arg-type]


_PLAIN = {
    Kind.SHELL: "echo some words of a line and more of them\n",
    Kind.PYTHON: "print('some words of a line', more)\n",
    Kind.YAML: "# some words of a line and more of them\n",
    Kind.DOCKERFILE: "RUN echo some words of a line\n",
    Kind.MARKDOWN: "some words of a line and more\n",
}
"""A line that sets nothing, which most lines of a text are."""
_LINES = 1000


@pytest.mark.parametrize("kind", _PLAIN, ids=lambda kind: kind.value)
def test_what_a_whole_text_is_searched_for_begins_quickly(kind: Kind) -> None:
    analyzer = Analyzer(Config(), all_rules)
    examples = "\n".join(dict.fromkeys(each.text for _, _, held, each in everywhere() if held is kind)) + "\n"
    analyzer.findings(Document(examples, kind=kind, path="/nowhere/a"))
    before, after = (
        looked_through(
            partial(analyzer.findings, Document(examples + _PLAIN[kind] * lines, kind=kind, path="/nowhere/a"))
        )
        for lines in (1, _LINES + 1)
    )
    assert len(after) > 50
    names = {used.pattern: used.name for used in patterns()}
    searched = [each for each in after if after[each] - before[each] > _LINES * len(_PLAIN[kind]) / 2]
    assert searched
    slow = {names.get(each, each.pattern) for each in searched if not begins_quickly(each)}
    # `lines_with`, `in_lines_with` and `Words` find the few places where it can stand.
    assert slow == set()


def test_a_beginning_is_quick_or_not() -> None:
    quick = (r"export[ \t]", r"[A-Z](?<!\w.)[A-Z_]+", r"(?:a|b)c", r"\A\s*x", r"[Ff](?i:rom)", rb"--[a-z]")
    slow = (r"^[ \t]*export", r"\bexport", r"(?<!\w)export", r"(?i)from", r"[^\n]a", r"[ \t]*x", rb"^--[a-z]")
    assert [begins_quickly(re.compile(each)) for each in (*quick, *slow)] == [True] * len(quick) + [False] * len(slow)
