"""When a setting sets something, and when a relation holds for it."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.linter.relations import is_set
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("output", "a", True),
        # An empty text means "not set" to the tools ...
        ("output", '""', False),
        ("output", "$A", True),
        # ... but for the option that is empty by itself.
        ("multi_stream_parallel_mode", '""', True),
    ],
)
def test_an_empty_text_sets_nothing(name: str, value: str, expected: bool) -> None:
    (block,) = read(Document(f"atc --{name}={value}\n", kind=Kind.SHELL)).blocks
    option = load().option(Surface.ATC, name)
    assert option is not None
    assert is_set(block.settings[0], option) is expected


def test_none_sets_nothing() -> None:
    (block,) = read(Document("c = NPURunConfig(precision_mode=None)\n", kind=Kind.PYTHON)).blocks
    option = load().option(Surface.RUN_CONFIG, "precision_mode")
    assert option is not None
    assert not is_set(block.settings[0], option)
