"""The path of a file that ATC writes (ge: `base/common/util.cc`, `CheckOutputPathValid`; `api/atc/main_impl.cc`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.grammar.file_names import home, odd_characters
from npu_lsp.grammar.parts import Part, whole
from npu_lsp.grammar.problem import Problem

FREE = True


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the path."""
    yield from list(home(whole(text), certain=True)) or odd_characters(whole(text))


def needs_name(text: str) -> Iterator[Problem]:
    """Yield the end of a path that names a folder only."""
    if text.endswith(("/", "\\")):
        yield Part(text[-1], len(text) - 1).problem(
            "the path ends with a folder, the name of the file is missing", "路径以目录结尾，缺少文件名"
        )
