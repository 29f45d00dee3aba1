"""Shapes of inputs by their indices."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part, Problem, is_digits, number, whole
from npu_lsp.catalog.model import Surface


def input_hint_shape(text: str, surface: Surface) -> Iterator[Problem]:
    """`0:[1,3,224,224];1:[1,10]`: an input's index and its shape (ge: `compiler/api/aclgrph/option_utils.cc`).

    Yield what is wrong with the hints; an empty one between two `;` is skipped by the tool.
    """
    seen: set[int] = set()
    for part in whole(text).split(";"):
        if part.text.strip():
            yield from _hint(part.strip(), seen)


def _hint(part: Part, seen: set[int]) -> Iterator[Problem]:
    fields = part.split(":")
    if len(fields) != 2:
        yield part.problem(
            f'"{part.text}" is not of the form index:[sizes]', f"“{part.text}”格式错误，应为“序号:[维度]”"
        )
        return
    index, shape = fields[0], fields[1].strip()
    if not is_digits(index.text):
        yield index.problem(f'the index "{index.text}" is no number from 0', f"序号“{index.text}”不是非负整数")
    elif number(index.text) in seen:
        yield index.problem(f"index {index.text} stands twice", f"序号 {index.text} 重复")
    else:
        seen.add(number(index.text))
    if not (len(shape.text) >= 2 and shape.text[0] == "[" and shape.text[-1] == "]"):
        yield shape.problem(
            f'the shape must stand in brackets, not as "{shape.text}"', f"shape 须写在方括号中，而不是“{shape.text}”"
        )
        return
    for each in Part(shape.text[1:-1], shape.start + 1).split(","):
        size = each.strip()
        if size.text and not is_digits(size.text):
            yield size.problem(f'the size "{size.text}" is no number from 0', f"维度“{size.text}”不是非负整数")
