"""Keeps what the interpreter thinks of other people's code to itself."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quietly() -> Iterator[None]:
    """Let the interpreter's parser warn nobody inside the block.

    It warns of stray backslashes and of numbers that run into words: on standard error, where it would look like ours.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
