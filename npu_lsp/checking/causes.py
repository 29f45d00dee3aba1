"""What in a folder an error may come from: the settings and the findings of the options that its message names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from npu_lsp.catalog.error_codes import ErrorCode
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.checking.inventory import Row
from npu_lsp.checking.log import Mention
from npu_lsp.checking.report import Entry

_SHORTEST = 2
"""Characters of a value that is looked for in a message: one digit stands in every line of a log."""


class Cause(NamedTuple):
    """A place that may have caused an error."""

    path: str
    line: int
    """1-based."""
    column: int
    """1-based, in code points."""
    row: Row | None
    """The setting there; `None` where one is missing, which the finding tells."""
    entry: Entry | None
    """What is found wrong there."""
    quoted: bool = False
    """The message has the value that is set there."""


class Evidence:
    """The settings and the findings of a folder, by option."""

    def __init__(self, rows: Sequence[Row], entries: Sequence[Entry], catalog: Catalog) -> None:
        self._catalog = catalog
        self._rows: dict[str, list[Row]] = {}
        for row in sorted(rows, key=lambda row: row[:3]):
            self._rows.setdefault(row.option, []).append(row)
        self._entries: dict[str, list[Entry]] = {}
        for entry in entries:
            if entry.option is not None:
                self._entries.setdefault(entry.option, []).append(entry)

    def causes(self, code: ErrorCode, mention: Mention | None = None) -> list[Cause]:
        """Return the places that an error may come from, the likeliest first.

        What the message names counts. Where it names nothing, it is what is wrong with the options that the code is about,
        and where nothing is wrong with them, the places that set them.
        """
        named = mention.named if mention is not None else ()
        found = [
            cause
            for name in self._names(named or code.options)
            for cause in self._places(name, mention.text if mention is not None else "")
        ]
        if not named:
            found = [cause for cause in found if cause.entry is not None] or found
        return sorted(found, key=lambda cause: (not cause.quoted, cause.entry is None, cause[:3]))

    def _names(self, options: Sequence[tuple[Surface, str]]) -> list[str]:
        """Return all names that the options have on any surface."""
        names: dict[str, None] = {}
        for surface, name in options:
            option = self._catalog.option(surface, name)
            spelled = self._catalog.topic(option.topic).values() if option is not None else (name,)
            names.update(dict.fromkeys(spelled))
        return list(names)

    def _places(self, name: str, message: str) -> Iterator[Cause]:
        rows = self._rows.get(name, [])
        starts = [row[:3] for row in rows]
        told: dict[int, Entry] = {}
        for entry in self._entries.get(name, ()):
            # A finding stands at the key, or behind it at the value.
            place = (entry.path, entry.place.line, entry.place.column)
            at = bisect_right(starts, place) - 1
            if at >= 0 and rows[at].path == entry.path and at not in told and entry.place.line <= rows[at].end_line + 1:
                told[at] = entry
            else:
                yield Cause(*place, None, entry)
        for at, row in enumerate(rows):
            value = str(row.value) if row.known else ""
            yield Cause(*row[:3], row, told.get(at), len(value) >= _SHORTEST and value in message)
