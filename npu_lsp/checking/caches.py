"""The caches of one run: one for each configuration that allows it, opened when a file asks for it first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from npu_lsp.checking.checked import Request
from npu_lsp.checking.walking import Walk
from npu_lsp.linter.configuration import Config

if TYPE_CHECKING:
    from npu_lsp.checking.cache import Cache


class Caches:
    """The caches that files below the folders of a walk have, by the number of their configuration."""

    def __init__(self, walk: Walk, request: Request, here: str, *, wanted: bool) -> None:
        """Open none yet; `here` is the folder that shown paths are relative to, and none is `wanted` where all is to be new."""
        self._walk = walk
        self._request = request
        self._here = here
        self._wanted = wanted
        self._opened: dict[int, Cache | None] = {}
        self._refused: set[str] = set()
        """What was said of folders that are no place for a cache."""

    def of(self, number: int) -> Cache | None:
        """Return the cache of a configuration; `None` where it has none, or none can be had."""
        if number not in self._opened:
            config = self._walk.configs[number]
            self._opened[number] = self._open(config) if self._wanted and config.cache else None
        return self._opened[number]

    @property
    def folders(self) -> int:
        """How many folders those that are open know something of."""
        return sum(cache.folders for cache in self._all())

    @property
    def hits(self) -> int:
        """How many results came from them."""
        return sum(cache.hits for cache in self._all())

    def looked_at(self) -> Iterator[str]:
        """Yield the absolute paths of what results from them rest on besides their own files."""
        return chain.from_iterable(cache.looked_at() for cache in self._all())

    def save(self, *, whole: bool) -> None:
        """Write what is new; where the walk was `whole`, not cut by a shard, what is gone is forgotten."""
        for cache in self._all():
            if whole:
                cache.keep(self._walk.folders, self._walk.names)
            cache.save()

    def _all(self) -> Iterator[Cache]:
        return (cache for cache in self._opened.values() if cache is not None)

    def _open(self, config: Config) -> Cache | None:
        from npu_lsp.checking import stderr
        from npu_lsp.checking.cache import Cache
        from npu_lsp.checking.cache_folder import RefusedError

        try:
            return Cache(config, self._request, self._here, self._walk.listed)
        except RefusedError as error:
            told = error.told.to(self._request.language)
            # Many folders of a tree may have a configuration and one cache.
            if told not in self._refused:
                self._refused.add(told)
                stderr.warn(error.told)
            return None
