"""The words that are looked for in each text: `npu_lsp/languages/python/common_words.py`."""

from __future__ import annotations

import random

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.python.lines.occurrences import OccurrenceIndex
from npu_lsp.languages.python.source import COMMON
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import TextChange
from npu_lsp.text.word_search import Words

SCRIPTS = ("npu.global_options()\n", "import torch_npu\n", "from mindspore import context\n", "import os\nos.environ\n")
"""They set nothing, and hold words without which others aren't asked for."""


def test_what_each_text_is_asked_for_is_common(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    substring = OccurrenceIndex.substring

    def noting(self: OccurrenceIndex, word: str) -> list[int]:
        asked.add(word)
        return substring(self, word)

    monkeypatch.setattr(OccurrenceIndex, "substring", noting)
    read(Document("NPURunConfig\n", kind=Kind.PYTHON))
    assert asked <= set(COMMON.words), "a word that each text is asked for belongs into common_words.py"
    for script in SCRIPTS:
        read(Document(f"{script}NPURunConfig\n", kind=Kind.PYTHON))
    assert {word for word in COMMON.words if not word.endswith("(")} <= asked


def test_an_edited_index_knows_what_a_new_one_finds() -> None:
    rng = random.Random(7)
    words = Words(("ab", "aba", "b", "aab"))
    index = OccurrenceIndex("ab" * 5, words)
    for _ in range(2000):
        start, text = rng.randrange(len(index.text) + 1), index.text
        end = min(start + rng.choice((0, 0, 1, 3)), len(text))
        more = "".join(rng.choices("ab.,", k=rng.choice((0, 1, 2, 5)))) if len(text) < 60 else ""
        index = index.edited(text[:start] + more + text[end:], TextChange(start, end, start + len(more)))
        new = OccurrenceIndex(index.text, words)
        for word in (*words.words, "ba", "a,b"):
            assert index.substring(word) == new.substring(word)
            assert index.name(word) == new.name(word)
