"""What was found out about a thing and is kept with it: each is declared, with its type, by whoever finds it out.

Documents, statements, readings in the making and projects each have a `Memos`; it goes when they do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar


class Memos:
    """All that is kept with one thing; only `Memo`, `MemoTable` and `Memoized` reach into it."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: dict[object, Any] = {}

    def __bool__(self) -> bool:
        return bool(self.entries)

    def clear(self) -> None:
        """Let go of everything."""
        self.entries.clear()


class HasMemos(Protocol):
    """An object, such as a document, that results can be stored with: they live as long as it."""

    @property
    def memos(self) -> Memos: ...


H = TypeVar("H", bound=HasMemos)
P = ParamSpec("P")
K = TypeVar("K")
T = TypeVar("T")


class Memo(Generic[H, T]):
    """A slot for one result that is stored with an object, its keeper."""

    __slots__ = ()

    def known(self, keeper: H) -> T | None:
        """Return the stored result; `None` where there is none yet."""
        return keeper.memos.entries.get(self)

    def keep(self, keeper: H, value: T) -> T:
        """Store `value` for `keeper`, and return it."""
        keeper.memos.entries[self] = value
        return value

    def drop(self, keeper: H) -> None:
        """Have it found out anew: it rests on more than the keeper, and that has changed."""
        keeper.memos.entries.pop(self, None)


class MemoTable(Generic[H, K, T]):
    """Things that can be known of a keeper, each under a key."""

    __slots__ = ()

    def of(self, keeper: H) -> dict[K, T]:
        """Return what is known so far; whoever finds out more adds it."""
        entries = keeper.memos.entries
        if self not in entries:
            entries[self] = {}
        return entries[self]  # type: ignore[no-any-return]


class Memoized(Generic[H, P, T]):
    """What follows from a keeper, and from what is given besides: made when it is first asked for, and once."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[Concatenate[H, P], T]) -> None:
        self._make = make

    def __call__(self, keeper: H, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the value for `keeper` and the arguments, making it where it isn't stored yet."""
        entries = keeper.memos.entries
        key = (self, args, *kwargs.items()) if args or kwargs else self
        if key not in entries:
            entries[key] = self._make(keeper, *args, **kwargs)
        return entries[key]  # type: ignore[no-any-return]

    def known(self, keeper: H) -> T | None:
        """Return what follows from the keeper alone, or `None` as long as nobody has asked for it."""
        return keeper.memos.entries.get(self)
