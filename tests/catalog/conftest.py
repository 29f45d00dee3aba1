"""A small catalog of its own for tests that are about the engine and not about the data."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from npu_lsp.catalog.files import DATA, PLAIN
from npu_lsp.catalog.load import Catalog, open_store

WriteCatalog = Callable[..., Catalog]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a catalog folder without options."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in PLAIN:
        shutil.copy(DATA / name, folder / name)
    return folder


@pytest.fixture
def catalog_of(data: Path, tmp_path: Path) -> WriteCatalog:
    """Return a function that makes a catalog of files: path below the folder to content."""

    def make(files: dict[str, str]) -> Catalog:
        for name, text in files.items():
            path = data / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Catalog(open_store(tmp_path / "compiled" / "catalog.jsonl", data))

    return make


def option_file(more: str = "", surface: str = "session", facts: str = 'slot = "s"\ntype = "string"') -> str:
    """Return the smallest right option file, with `more` before its surface."""
    return f"""\
group = "basic"
summary = {{ en = "Does something.", zh = "做某件事。" }}
{more}
[{surface}]
{facts}
sources = ["tf:tf_adapter/util/npu_attrs.cc"]
"""
