"""What in a folder an error may come from: the settings and the findings of the options that its message names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from npu_lsp.catalog.error_codes import ErrorCode, Wanted
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.checking.inventory import Row
from npu_lsp.checking.logs.named import PLACES
from npu_lsp.checking.logs.reader import LogMention
from npu_lsp.checking.report import ReportedFinding
from npu_lsp.checking.wishes import Wish, safeties
from npu_lsp.checking.written import Written, WrittenTexts, plain
from npu_lsp.linter.findings import Safety

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
    """The setting there; `None` where one is missing, which the finding tells, and where the catalog doesn't know it."""
    entry: ReportedFinding | None
    """What is found wrong there."""
    quoted: bool = False
    """The message has the value that is set there."""
    written: Written | None = None
    """A setting that the catalog doesn't know."""
    advised: bool = False
    """It is set already as the error's advice asks: something else is wrong."""
    wish: Wish | None = None
    """What the message asks for here."""

    @property
    def name(self) -> str:
        """The setting's name; empty where one is missing."""
        return self.row.option if self.row is not None else self.written.name if self.written is not None else ""

    @property
    def value(self) -> str:
        """The setting's value; empty where it isn't known."""
        if self.row is not None:
            return str(self.row.value) if self.row.known else ""
        return self.written.value if self.written is not None else ""


def with_wishes(causes: Sequence[Cause], wanted: Wanted | None, code: str) -> list[Cause]:
    """Return the causes of an error with what its message wants of them; what is as wanted comes last."""
    if wanted is None:
        return list(causes)
    about = [plain(cause.name) == plain(wanted.name) for cause in causes]
    asked = safeties([cause.value for cause in compress(causes, about)], wanted)
    made = [
        _asked(cause, wanted, next(asked), code) if is_about else cause
        for cause, is_about in zip(causes, about, strict=True)
    ]
    return sorted(made, key=lambda cause: (cause.advised, cause.wish is None))


def _asked(cause: Cause, wanted: Wanted, safety: Safety | None, code: str) -> Cause:
    if safety is None:
        return cause._replace(advised=cause.entry is None)
    # What the catalog doesn't know is a setting by its letters alone.
    safety = safety if cause.row is not None else Safety.UNSAFE
    wish = Wish(cause.path, cause.line, cause.name, wanted, safety, code)
    return cause._replace(wish=wish) if cause.value else cause


def _as_advised(cause: Cause, advice: Mapping[str, str]) -> bool:
    return cause.entry is None and bool(cause.value) and advice.get(cause.name) == cause.value


class Evidence:
    """The settings and the findings of a folder, by option."""

    def __init__(
        self,
        rows: Sequence[Row],
        entries: Sequence[ReportedFinding],
        catalog: Catalog,
        texts: WrittenTexts | None = None,
    ) -> None:
        self._catalog = catalog
        self._texts = texts
        self.entries = entries
        self._rows: dict[str, list[Row]] = {}
        for row in sorted(rows, key=lambda row: row[:3]):
            self._rows.setdefault(row.option, []).append(row)
        self._entries: dict[str, list[ReportedFinding]] = {}
        self._by_rule: dict[str, list[ReportedFinding]] = {}
        for entry in entries:
            self._by_rule.setdefault(entry.code, []).append(entry)
            if entry.option is not None:
                self._entries.setdefault(entry.option, []).append(entry)

    def causes(self, code: ErrorCode, mention: LogMention | None = None, words: Iterable[str] = ()) -> list[Cause]:
        """Return the places that an error may come from, the likeliest first.

        What the message names counts, `words` of no known option too. Where it names nothing, it is what is wrong with the options that
        the code is about, and where nothing is wrong with them, the places that set them.
        """
        named = mention.named if mention is not None else ()
        message = mention.text if mention is not None else ""
        found = [cause for name in self._names(named) for cause in self._places(name, message)]
        names = (*self._names(code.options), *(name for name in code.looks if name in self._rows))
        about = [cause for name in names for cause in self._places(name, message)]
        wrong = [cause for cause in about if cause.entry is not None]
        found += wrong or (about if code.looks or not named else [])
        places = mention.places if mention is not None else {}
        said = [name for name in map(places.get, PLACES) if name and plain(name).strip("\\_ ")]
        found += [
            Cause(entry.path, entry.place.line, entry.place.column, None, entry)
            for rule in code.rules
            for entry in self._by_rule.get(rule, ())
            # A message that names its setting isn't about a slip in another one.
            if not said or any(plain(name) in plain(entry.message) for name in said)
        ]
        found += self._others(
            (*words, *code.looks), message, known={plain(cause.row.option) for cause in found if cause.row}
        )
        unique = {cause[:3]: cause for cause in reversed(found)}
        advice = code.advises
        marked = [cause._replace(advised=_as_advised(cause, advice)) for cause in unique.values()]
        # What the command line says in another order than the catalog counts the same.
        return sorted(marked, key=lambda cause: (cause.advised, not cause.quoted, cause.entry is None, cause[:3]))

    def sets(self, name: str) -> bool:
        """Return whether anything in the folder sets it."""
        return name in self._rows or (self._texts is not None and bool(self._texts.of([name])))

    def _others(self, words: Sequence[str], message: str, known: set[str]) -> Iterator[Cause]:
        if self._texts is None:
            return
        names = [name for name in (*words, *self._texts.said(message)) if plain(name) not in known]
        for each in self._texts.of(names):
            quoted = len(each.value) >= _SHORTEST and each.value in message
            yield Cause(each.path, each.line, each.column, None, None, quoted, each)
        for each in self._texts.valued(message):
            yield Cause(each.path, each.line, each.column, None, None, True, each)

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
        told: dict[int, ReportedFinding] = {}
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
