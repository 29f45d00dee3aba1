"""The name of the model that ATC writes, without its suffix (ge: `api/atc/main_impl.cc`, `CheckPathWithName`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar import output_path
from npu_lsp.catalog.grammar.parts import Part
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

FREE = True


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the path; for single operators it is a folder, and `output-path` the form."""
    problems = list(output_path.check(text, surface))
    yield from problems
    if not problems and text.endswith("/"):
        yield Part("/", len(text) - 1).problem(
            "the path ends with a folder, so the model has no name",
            "路径以目录结尾，缺少模型文件名",
            certain=surface is Surface.ATC,
        )
