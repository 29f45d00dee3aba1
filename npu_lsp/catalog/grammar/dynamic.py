"""Profiles of a model: sizes of a batch, of images, of any dimensions."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Problem, is_digits, whole
from npu_lsp.catalog.grammar.profiles import not_a_size, parse, together
from npu_lsp.catalog.model import Surface


def dynamic_batch_size(text: str, surface: Surface) -> Iterator[Problem]:
    """`1,2,4,8`: the batch sizes of a model (ge: `compiler/api/aclgrph/option_utils.cc`).

    Yield what is wrong with the batch sizes; the tool skips empty ones.
    """
    wrong = [part for part in whole(text).split(",") if part.text and not is_digits(part.text)]
    if wrong:
        yield from map(not_a_size, wrong)
    else:
        yield from together(parse(text.strip(","), batches=True) or ())


def dynamic_dims(text: str, surface: Surface) -> Iterator[Problem]:
    """`1,20;4,40`: sizes for the open dimensions of the inputs.

    Sources: tf: `tf_adapter/util/npu_attrs.cc`, `CheckDynamicDims`; ge: `compiler/api/aclgrph/option_utils.cc`.
    """
    sizes = [size for part in whole(text).lines(";") for size in part.split(",")]
    wrong = [not_a_size(size) for size in sizes if not is_digits(size.text)]
    yield from wrong or together(parse(text) or ())


def dynamic_image_size(text: str, surface: Surface) -> Iterator[Problem]:
    """`416,416;832,832`: heights and widths of a model's images (ge: `compiler/api/aclgrph/option_utils.cc`)."""
    wrong: list[Problem] = []
    for part in whole(text).lines(";"):
        sizes = part.split(",")
        if len(sizes) != 2:
            wrong.append(part.problem(f'"{part.text}" is not a height and a width', f"“{part.text}”不是“高,宽”两个值"))
        wrong += [not_a_size(size) for size in sizes if len(sizes) == 2 and not is_digits(size.text)]
    yield from wrong or together(parse(text) or ())
