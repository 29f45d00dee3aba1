"""The settings that a file makes, one by one, whether right or wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.languages import read
from npu_lsp.languages.model import Setting, Value
from npu_lsp.text.document import Document


class Row(NamedTuple):
    """One setting. Lines and columns are 1-based, columns in code points; the range is that of the key or the flag."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    surface: str
    option: str
    slot: str | None
    value: Any
    """`None` where it isn't known."""
    known: bool
    """Whether the value is known."""
    block: int
    """Settings with the same number in one file take effect together."""


def rows(path: str, document: Document, catalog: Catalog) -> Iterator[Row]:
    """Yield the settings of a document in the order of the text."""
    found = [(setting, block.id) for block in read(document).blocks for setting in block.settings]
    for setting, block in sorted(found, key=lambda pair: (pair[0].key, pair[1], pair[0].name)):
        start, end = document.line_column(setting.key.start), document.line_column(setting.key.end)
        known, value = _value(setting.value)
        name = _name(setting, catalog)
        yield Row(path, *start, *end, setting.surface.value, name, setting.slot, value, known, block)


def _name(setting: Setting, catalog: Catalog) -> str:
    """Return the option's name, of which a command line may have the first letters only."""
    option = catalog.option(setting.surface, setting.name)
    if option is None and setting.surface.row.shortens and setting.name:
        longer = [name for name in catalog.names(setting.surface) if name.startswith(setting.name)]
        return longer[0] if len(longer) == 1 else setting.name
    return setting.name


def _value(value: Value) -> tuple[bool, Any]:
    """Return whether a value is known, and it in a form that JSON has."""
    if not value.known:
        return False, None
    data = _plain(value.data)
    return True, data


def _plain(data: object) -> Any:
    if isinstance(data, bool) or data is None or isinstance(data, (int, str)):
        return data
    if isinstance(data, float):
        return data if math.isfinite(data) else str(data)
    if isinstance(data, (list, tuple)):
        return [_plain(item) for item in data]
    if isinstance(data, dict):
        return {str(key): _plain(item) for key, item in data.items()}
    return str(data)
