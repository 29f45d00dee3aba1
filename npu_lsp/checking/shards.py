"""Splits a tree so that several machines check a part each."""

from __future__ import annotations

import os
import re
from typing import NamedTuple
from zlib import crc32


class Shard(NamedTuple):
    """The `number`th of `total` parts, counted from 1."""

    number: int
    total: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return what `I/N` means; raise `ValueError` when it means nothing."""
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise ValueError(f"{text!r} is not I/N with I from 1 to N, such as 2/4")
        return cls(int(found[1]), int(found[2]))

    def has(self, path: str) -> bool:
        """Return whether the file at `path` is in this part; that depends on nothing but its path and their number."""
        name = os.path.normpath(path).replace(os.sep, "/")
        return crc32(name.encode("utf-8", "surrogateescape")) % self.total == self.number - 1
