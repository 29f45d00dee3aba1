"""Paths of files and folders, and what tools make of the characters of one."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.text import lazy_re as re

_HOME = re.compile(r"~(?=/|\Z)")


def _home(part: ValuePart, *, certain: bool) -> Iterator[ValueProblem]:
    """Yield a `~` that no shell replaces: the tool looks for a folder of that name."""
    match = _HOME.match(part.text)
    if match is not None:
        yield ValuePart("~", part.start).problem(
            'nothing replaces "~" here, so the tool looks for a folder called "~"',
            "此处的“~”不会被展开为主目录，工具会查找名为“~”的目录",
            certain=certain,
        )


def _odd_characters(part: ValuePart) -> Iterator[ValueProblem]:
    """Yield the first stretch of characters that ATC takes in no path."""
    # Compiled with the first path that ATC takes: the Chinese characters make it a large one.
    # ge: base/common/util.cc, IsPathCharsValid
    match = re.search(r"[^A-Za-z0-9./_\-\u4e00-\u9fa5]+", part.text)
    if match is not None:
        yield ValuePart(match.group(), part.start + match.start()).problem(
            f'a path may hold letters, digits, Chinese characters and "._-/" only, not "{match.group()}"',
            f"路径只能包含字母、数字、中文和“._-/”，不能包含“{match.group()}”",
        )


def path(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """A path that the tool hands on as it is."""
    yield from _home(whole(text), certain=False)


dir_path = file_path = path


def path_list(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """Paths with `:` between them."""
    for part in whole(text).split(":"):
        yield from _home(part, certain=False)


def input_path(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """The path of a file that ATC looks at before it starts, or that it writes.

    Source: ge: `base/common/util.cc`, `CheckInputPathValid` and `CheckOutputPathValid`.
    """
    yield from list(_home(whole(text), certain=True)) or _odd_characters(whole(text))


output_path = input_path


def output_file(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """The name of the model that ATC writes, without its suffix (ge: `api/atc/main_impl.cc`, `CheckPathWithName`).

    Yield what is wrong with the path; for single operators it is a folder, and `output-path` the form.
    """
    problems = list(output_path(text, surface))
    yield from problems
    if not problems and text.endswith("/"):
        yield ValuePart("/", len(text) - 1).problem(
            "the path ends with a folder, so the model has no name",
            "路径以目录结尾，缺少模型文件名",
            certain=surface is Surface.ATC,
        )
