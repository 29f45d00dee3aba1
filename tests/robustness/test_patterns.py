"""No text makes a regular expression slow: each one of the package is tried with what makes bad ones explode."""

from __future__ import annotations

import pkgutil
import re
import time
from collections.abc import Iterator
from importlib import import_module

import pytest

import npu_lsp

_SIZE = 20_000
_SLOW = 0.5
"""Seconds of the processor. A pattern that goes through a text once takes less than 10 ms."""
_UNITS = (
    "a", "A", "0", "_", "-", " ", "\t", "\n", "\r\n", ".", ",", ":", ";", "=", "/", "\\", "'", '"', "`", "#", "(", "[", "{", "<", "$", "\u4e2d", "*",
    "a ", "a.", "a,", "a:", "a=", "a[", "a(", "a-", "(a", "[a", "${a", "$(", "\\ ", "\\\n", "\\\"", "1,", "1|", "1.", "0:1,", "--a", "--a=", " =", "\n ", "\n#", "# ",
    "''", '""', "'a'", "\"a\",", "a\n", "x = ", "import a, ", "from a ", "def a(", "if a:\n", "npu-lsp: ", "npu-lsp: ignore[", "ignore[a, ", "[a]\n", "a b", "{}", "{a}", "%(",
    "content-length: 1\r\n", "environ[", "environ .", "as_bytes(", "\"a\": 1, ", "a: on\n", "OpType::a\n", "aipp_op ", "-v ", "env -i ", "FROM a AS b\n", "&& ", "| ",
)  # fmt: skip


def _patterns() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    seen = set()
    for module in pkgutil.walk_packages(npu_lsp.__path__, "npu_lsp."):
        if module.name.endswith("__main__"):
            continue
        for name, value in vars(import_module(module.name)).items():
            values = [value]
            if isinstance(value, dict):
                values = list(value.values())
            elif isinstance(value, (tuple, list)):
                values = [v for each in value for v in (each if isinstance(each, tuple) else (each,))]
            for each in values:
                if isinstance(each, re.Pattern) and each not in seen:
                    seen.add(each)
                    yield f"{module.name}.{name}", each


@pytest.mark.parametrize(("name", "pattern"), [pytest.param(n, p, id=n) for n, p in _patterns()])
def test_no_text_makes_it_slow(name: str, pattern: re.Pattern[str] | re.Pattern[bytes]) -> None:
    for text in _hostile(pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")):
        subject = text if isinstance(pattern.pattern, str) else text.encode()
        # A text of a tenth first: what grows with the cube would not come back from a whole one.
        for part in (subject[: _SIZE // 10], subject):
            start = time.thread_time()
            pattern.match(part)  # type: ignore[arg-type]
            pattern.fullmatch(part)  # type: ignore[arg-type]
            took = time.thread_time() - start
            assert took < _SLOW, f"{name} takes {took:.1f} s to match {text[:20]!r}..."


def _hostile(pattern: str) -> Iterator[str]:
    """Yield long runs that end with something that a pattern for them won't take, behind what it may start with."""
    start = re.match(r"(?:\\A|\^)?([\w ='\"-]{1,20})", pattern)
    for unit in _UNITS:
        run = unit * (_SIZE // len(unit))
        yield run + "\x01"
        if start:
            yield start[1] + run + "\x01"
