"""What is remembered of the files of a folder: those that hold nothing take no more than two words."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.checking.cache import FolderCache
from npu_lsp.checking.loading import load, word_at
from tests.together import together

NAMES = ["a.py", "b c.py", "中.py", "\udcff.py"]


def filled(folder: Path) -> FolderCache:
    shelf = FolderCache()
    for name in reversed(NAMES):
        (folder / name).write_text(name, errors="surrogateescape")
        shelf.put(name, load(os.fspath(folder / name), 100)[1].word, None)
    shelf.put("row.py", "", [""])
    return shelf


def again(shelf: FolderCache) -> FolderCache:
    return FolderCache(*json.loads(json.dumps(shelf.fields())))


def test_what_is_as_it_was_is_not_told(tmp_path: Path) -> None:
    above = f"{tmp_path}{os.sep}"
    first = filled(tmp_path)
    for shelf in (first, again(first), again(again(first))):
        assert list(shelf.changed(above, NAMES)) == []
        assert list(shelf.changed(above, NAMES[1:])) == []
        assert list(shelf.changed(above, [*NAMES, "new.py"])) == ["new.py"]
        assert shelf.rows == {"row.py": [""]}


def test_what_changed_is_told(tmp_path: Path) -> None:
    above, shelf = f"{tmp_path}{os.sep}", filled(tmp_path)
    os.utime(tmp_path / NAMES[2], (5, 5))
    (tmp_path / NAMES[0]).unlink()
    assert list(again(shelf).changed(above, NAMES)) == [NAMES[0], NAMES[2]]
    shelf.put(NAMES[2], word_at(above + NAMES[2]), None)
    assert list(again(shelf).changed(above, NAMES)) == [NAMES[0]]


def test_a_file_is_forgotten_when_it_is_gone(tmp_path: Path) -> None:
    above, shelf = f"{tmp_path}{os.sep}", again(filled(tmp_path))
    assert not shelf.keep([*NAMES, "row.py"])
    assert shelf.keep(NAMES[1:])
    assert (shelf.rows, list(shelf.changed(above, NAMES))) == ({}, NAMES[:1])
    assert shelf.keep([])
    assert shelf.fields() == []


@together("fields", [[1], [1, 2], ["a", "b/c"], ["a", "b", []], ["a", "b", {}, 4], [["a"], ["b"]], [None, None]])
def test_what_was_never_a_shelf_is_none(fields: list[Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        FolderCache(*fields)
