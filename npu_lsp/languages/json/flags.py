"""Flags of command lines whose value is JSON, by the words that every reader looks for."""

from __future__ import annotations

import re

NAMES = ("--additional-config", "--additional_config")
WORDS = ("additional-config", "additional_config")
"""What a text holds that gives such JSON, on a command line or as an argument of a call."""
FLAG = re.compile(r"--additional[-_]config(?![\w.-])")


def is_flag(text: str | None) -> bool:
    """Tell whether a word is such a flag, and nothing behind it."""
    return text in NAMES


def named_in(text: str) -> bool:
    """Tell whether a text names such a flag."""
    return "--additional" in text and FLAG.search(text) is not None
