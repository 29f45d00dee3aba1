"""What is remembered of the files of one folder. Most hold nothing: of these only what they looked like, all in one word."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from npu_lsp.checking.loading import word_at

_SEPARATOR = "/"
"""Stands between names, none of which can have it, and between what the files looked like."""

Row = list[Any]
"""What is kept of a file that was analysed: what it looked like, the hash, the entries, the numbers of what else was looked at,
and which files its settings name."""


class FolderCache:
    """The files of one folder. Those that hold nothing are taken apart only where one of them is another than before."""

    __slots__ = ("_names", "_quiet", "_same", "_states", "rows")

    def __init__(self, names: str = "", states: str = "", rows: dict[str, Row] | None = None) -> None:
        """Take what `fields` returned; raise `TypeError` or `ValueError` where it can't have been that."""
        if not (isinstance(names, str) and isinstance(states, str) and isinstance(rows, dict | None)):
            raise TypeError
        if names.count(_SEPARATOR) != states.count(_SEPARATOR):
            raise ValueError
        self._names = names
        self._states = states
        self._quiet: dict[str, str] | None = None
        """What those looked like that hold nothing, as soon as it had to be taken apart."""
        self._same = False
        """This run found just these, and has not taken them apart."""
        self.rows = rows if rows is not None else {}

    def changed(self, above: str, names: Sequence[str]) -> list[str]:
        """Return those of the `names` that aren't files that held nothing and look as they did then.

        `above` is the folder and a separator, `names` are sorted.
        """
        now = [word_at(above + name) for name in names]
        if self._quiet is None:
            self._same = _SEPARATOR.join(now) == self._states and _SEPARATOR.join(names) == self._names
            if self._same:
                return []
        before = self._apart()
        return [name for name, state in zip(names, now, strict=True) if not state or before.get(name) != state]

    def has_just(self, quiet: int) -> bool:
        """Return whether no other files that hold nothing are known than those so many that `changed` was asked of and found so."""
        return self._same or (self._quiet is not None and len(self._quiet) == quiet)

    def put(self, name: str, state: str, row: Row | None) -> None:
        """Remember a file: with a `row`, or that it holds nothing."""
        if row is None:
            self.rows.pop(name, None)
            self._apart()[name] = state
        else:
            self._apart().pop(name, None)
            self.rows[name] = row

    def keep(self, names: Container[str]) -> bool:
        """Forget the files that aren't among `names`; tell whether there was one."""
        gone = [name for name in self.rows if name not in names]
        if self._quiet is not None or not self._same:
            gone += [name for name in self._apart() if name not in names]
        for name in gone:
            self.rows.pop(name, None)
            self._apart().pop(name, None)
        return bool(gone)

    def fields(self) -> list[Any]:
        """Return what makes the same shelf again, as JSON can have it; nothing for an empty one."""
        if self._quiet is not None:
            quiet = sorted(self._quiet.items())
            self._names = _SEPARATOR.join(name for name, _ in quiet)
            self._states = _SEPARATOR.join(state for _, state in quiet)
        fields = [self._names, self._states, self.rows]
        return fields if self.rows else fields[:2] if self._names else []

    def _apart(self) -> dict[str, str]:
        if self._quiet is None:
            states = self._states.split(_SEPARATOR)
            self._quiet = dict(zip(self._names.split(_SEPARATOR), states, strict=True)) if self._names else {}
        return self._quiet
