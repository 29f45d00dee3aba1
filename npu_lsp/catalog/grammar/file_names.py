"""What tools make of the characters of a path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part
from npu_lsp.catalog.grammar.problem import Problem

_HOME = re.compile(r"~(?=/|\Z)")


def home(part: Part, *, certain: bool) -> Iterator[Problem]:
    """Yield a `~` that no shell replaces: the tool looks for a folder of that name."""
    match = _HOME.match(part.text)
    if match is not None:
        yield Part("~", part.start).problem(
            'nothing replaces "~" here, so the tool looks for a folder called "~"',
            "此处的“~”不会被展开为主目录，工具会查找名为“~”的目录",
            certain=certain,
        )


def odd_characters(part: Part) -> Iterator[Problem]:
    """Yield the first stretch of characters that ATC takes in no path."""
    # Compiled with the first path that ATC takes: the Chinese characters make it a large one.
    # ge: base/common/util.cc, IsPathCharsValid
    match = re.search(r"[^A-Za-z0-9./_\-\u4e00-\u9fa5]+", part.text)
    if match is not None:
        yield Part(match.group(), part.start + match.start()).problem(
            f'a path may hold letters, digits, Chinese characters and "._-/" only, not "{match.group()}"',
            f"路径只能包含字母、数字、中文和“._-/”，不能包含“{match.group()}”",
        )
