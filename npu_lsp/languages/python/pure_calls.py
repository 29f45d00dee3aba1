"""Calls that do nothing but return a value, by the last part of their names.

They stand apart from what follows values: fixes ask for them where no Python is read, and so where libcst isn't loaded.
"""

from __future__ import annotations

PURE = frozenset(
    {
        *("as_bytes", "as_text", "as_str", "as_str_any", "encode", "decode", "str", "int", "float", "bool", "len"),
        *("join", "format", "strip", "lower", "upper", "dirname", "abspath", "realpath", "basename", "expanduser"),
        *("getcwd", "getenv", "get", "dumps"),
    }
)
"""Each may run once more, or not at all: those that go through what is given to them (`list`, `min`) use up an iterator."""
