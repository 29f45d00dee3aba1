"""What is known of one version of a text: each thing is declared, with its type, by whoever makes it.

A document never changes. Its snapshot fills while readers, rules and features look at it, and is built from the one
before by those who can use what an edit left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from npu_lsp.text.spans import Change

if TYPE_CHECKING:
    from npu_lsp.text.document import Document

T = TypeVar("T")


class Before(NamedTuple):
    """The version that a document was made from."""

    document: Document
    change: Change
    """What differs from it."""


class Snapshot:
    """All that is known of one version; only `Kept` and `Derived` reach into it."""

    __slots__ = ("before", "entries")

    def __init__(self, before: Before | None = None) -> None:
        self.entries: dict[Kept[Any], Any] = {}
        self.before = before
        """The last version that something is known of, until this one is read: older ones are let go of then."""


class Kept(Generic[T]):
    """One thing that can be known of a version."""

    __slots__ = ()

    def known(self, document: Document) -> T | None:
        """Return it, or `None` as long as nobody has found it out."""
        return document.snapshot.entries.get(self)

    def keep(self, document: Document, value: T) -> T:
        """Let it be known; return it."""
        document.snapshot.entries[self] = value
        return value

    def drop(self, document: Document) -> None:
        """Have it found out anew: it rests on more than the text, and that has changed."""
        document.snapshot.entries.pop(self, None)


class Derived(Kept[T]):
    """One thing that follows from a document alone: made when it is first asked for, and once."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[Document], T]) -> None:
        self._make = make

    def __call__(self, document: Document) -> T:
        """Return it for `document`."""
        entries = document.snapshot.entries
        if self not in entries:
            entries[self] = self._make(document)
        return entries[self]  # type: ignore[no-any-return]
