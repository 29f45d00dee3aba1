"""The files that a run would check."""

from __future__ import annotations

import os
from collections.abc import Sequence

from npu_lsp.checking.checker import HEAD, kind_of
from npu_lsp.checking.shards import Shard
from npu_lsp.checking.walking import Candidate, Walk
from npu_lsp.text.kinds import Kind


def files_of(walk: Walk, paths: Sequence[str], shard: Shard | None) -> list[str]:
    """Return the files that `paths` mean and a reader exists for, sorted; those that only settings name aren't known yet."""
    return sorted(each.path for each in walk.files(paths) if (shard is None or shard.has(each.path)) and _is_read(each))


def _is_read(candidate: Candidate) -> bool:
    if candidate.kind is not None:
        return True
    if not os.path.isfile(candidate.absolute):
        return False
    try:
        with open(candidate.absolute, "rb") as file:
            return kind_of(candidate.path, file.read(HEAD)) is not Kind.OTHER
    except OSError:
        return False
