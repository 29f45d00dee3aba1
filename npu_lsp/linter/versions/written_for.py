"""Which MindSpore a README says that the files beside it were written for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from npu_lsp.catalog.target import Version

_BESIDE = re.compile(
    r"(?<![\w/.-])mindspore(?:[_-](?:ascend|gpu))?[]*_`|:：\[=<>~≥\\ \t]{0,12}(?:(?:版本|version)[]*_`|:：\[=<>~≥ \t]{0,40})?"
    r"v?(?P<version>\d{1,2}\.\d[\w.]*)",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"^(?P<before>[^\r\n]{0,200}?\|)?[ \t]{0,40}mindspore(?:版本|[ \t]version)?[ \t]{0,40}\|[^\r\n]{0,400}\r?\n"
    r"[|:\t -]{3,400}\r?\n(?P<row>[^\r\n]{1,600})",
    re.IGNORECASE | re.MULTILINE,
)
_CELL = re.compile(r"[ \t>=≥*`v]*(?P<version>\d{1,2}\.\d[\w.]*)[ \t*`]*")
"""A version beside the name, or below it in a table."""


def written_for(text: str) -> Iterator[tuple[str, Version, bool]]:
    """Yield the versions of MindSpore that a README names; newer ones may do as well."""
    # Patterns that any case fits take a hundred times as long as this.
    if "mindspore" not in text.lower():
        return
    found = [match["version"] for match in _BESIDE.finditer(text)]
    for match in _HEADER.finditer(text):
        cells = match["row"].split("|")
        column = (match["before"] or "").count("|")
        cell = _CELL.fullmatch(cells[column]) if column < len(cells) else None
        if cell is not None:
            found.append(cell["version"])
    for version in found:
        with suppress(ValueError):
            yield "mindspore", Version.parse(version.rstrip(".")), False
