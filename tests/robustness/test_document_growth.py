"""Twice the text takes twice the time, for every reader and for what it knows, repeated and nested."""

from __future__ import annotations

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.detection import detect
from npu_lsp.text.document import Document
from tests.robustness.constructs import CONSTRUCTS, Construct
from tests.robustness.timing import Task, outgrown

_CHARACTERS = 12_000
_NOISE = 0.02
"""Seconds: readers keep tables, whose first growth costs more than the next."""


@pytest.mark.parametrize("construct", [pytest.param(c, id=f"{c.path} {c.before}{c.unit}"[:60]) for c in CONSTRUCTS])
def test_reading_is_linear(construct: Construct) -> None:
    def make(times: int) -> Task:
        text = construct.text(times)
        # A document of its own each time: what is known of one is kept with it.
        return lambda: read(Document(text, path=construct.path, kind=detect(construct.path, text)))

    read(
        Document(construct.text(2), path=construct.path, kind=detect(construct.path, ""))
    )  # What is loaded once is loaded.
    assert outgrown(make, _CHARACTERS // len(construct.unit + construct.closing), _NOISE) is None
