"""No text makes a regular expression slow: each one of the package is tried with what makes bad ones explode."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterator

import pytest

from tests.robustness.patterns import Used, patterns

_SIZE = 20_000
_SLOW = 1.0
"""Seconds of the processor. A pattern that goes through a text once takes less than 10 ms; a machine may be a slow one."""
_UNITS = (
    "a", "A", "0", "_", "-", " ", "\t", "\n", "\r\n", ".", ",", ":", ";", "=", "/", "\\", "'", '"', "`", "#", "(", "[", "{", "<", "$", "\u4e2d", "*",
    "a ", "a.", "a,", "a:", "a=", "a[", "a(", "a-", "(a", "[a", "${a", "$(", "\\ ", "\\\n", "\\\"", "1,", "1|", "1.", "0:1,", "--a", "--a=", " =", "\n ", "\n#", "# ",
    "''", '""', "'a'", "\"a\",", "a\n", "x = ", "import a, ", "from a ", "def a(", "if a:\n", "npu-lsp: ", "npu-lsp: ignore[", "ignore[a, ", "[a]\n", "a b", "{}", "{a}", "%(",
    "content-length: 1\r\n", "environ[", "environ .", "as_bytes(", "\"a\": 1, ", "a: on\n", "OpType::a\n", "aipp_op ", "-v ", "env -i ", "FROM a AS b\n", "&& ", "| ",
    "\\[", "[a](", "**", "a=\"", "a='", "# npu-lsp:", "  \n", "<a", "a@", "if ", "\\\\", "\"'", "as_bytes", "atc ", "export a=",
)  # fmt: skip


@pytest.mark.parametrize("used", [pytest.param(used, id=used.name) for used in patterns()])
def test_no_text_makes_it_slow(used: Used) -> None:
    pattern = used.pattern.pattern
    for text in _hostile(pattern if isinstance(pattern, str) else pattern.decode("latin-1")):
        subject = text if isinstance(pattern, str) else text.encode()
        # A text of a tenth first: what grows with the cube would not come back from a whole one, and what is done with
        # the tenth at once has no time to make of the whole what is slow, even if it grows with the cube.
        for part in (subject[: _SIZE // 10], subject):
            start = time.thread_time()
            if used.anchors:
                used.pattern.match(part)  # type: ignore[arg-type]
                used.pattern.fullmatch(part)  # type: ignore[arg-type]
            if used.scans:
                # All that it finds: `search`, `findall`, `sub` and `split` do no more.
                deque(used.pattern.finditer(part), maxlen=0)  # type: ignore[arg-type]
            took = time.thread_time() - start
            assert took < _SLOW, f"{used.name} takes {took:.1f} s for {text[:20]!r}..."
            if took < _SLOW / 1000:
                break


def test_what_is_tried_is_what_the_code_does() -> None:
    by_name = {used.name: used for used in patterns()}
    assert len(by_name) > 250
    hashes = by_name["npu_lsp.readers.embedded.region._HASH"]
    assert (hashes.scans, hashes.anchors) == (True, False)
    assert sum(used.scans for used in by_name.values()) > 100


def _hostile(pattern: str) -> Iterator[str]:
    """Yield long runs that end with something that a pattern for them won't take, behind what it may start with."""
    start = re.match(r"(?:\\A|\^)?([\w ='\"-]{1,20})", pattern)
    for unit in _UNITS:
        run = unit * (_SIZE // len(unit))
        yield run + "\x01"
        if start:
            yield start[1] + run + "\x01"
