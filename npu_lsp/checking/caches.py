"""The caches of one run: each configuration names its own, and an editor has a spare one for those that can't be written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from npu_lsp.checking.checked import Request
from npu_lsp.checking.walking import Walk
from npu_lsp.linter.configuration import Config

if TYPE_CHECKING:
    from npu_lsp.checking.cache import Cache


class Caches:
    """The caches that files below the folders of a walk have, by the number of their configuration."""

    def __init__(self, walk: Walk, request: Request, here: str, *, allowed: bool, spare: str | None) -> None:
        """Open none yet: those of configurations where that is `allowed`, else one in `spare`, which is made with the first file."""
        self._walk = walk
        self._request = request
        self._here = here
        self._allowed = allowed
        self._spare = spare
        self._opened: dict[int, Cache | None] = {}
        self._refused: set[str] = set()
        """What was said of folders that are no place for a cache."""

    def of(self, number: int) -> Cache | None:
        """Return the cache of a configuration; `None` where it has none, or none can be had."""
        if number not in self._opened:
            config, spare = self._walk.configs[number], self._spare
            found = self._open(config) if self._allowed and config.cache else None
            if spare is not None and (found is None or not found.writable):
                with suppress(OSError):
                    os.mkdir(spare, 0o700)
                found = self._open(config._replace(cache_dir=Path(spare)))
            self._opened[number] = found
        return self._opened[number]

    @property
    def folders(self) -> int:
        """How many folders those that are open know something of."""
        return sum(cache.folders for cache in self._all())

    @property
    def hits(self) -> int:
        """The number of results that were taken from the caches."""
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
