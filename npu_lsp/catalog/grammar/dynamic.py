"""Profiles of a model: sizes of a batch, of images, of any dimensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, is_digits, number, whole
from npu_lsp.catalog.model import Surface


class SizeProfile(NamedTuple):
    """One profile with its sizes."""

    part: ValuePart
    sizes: tuple[int, ...]


@lru_cache(maxsize=256)
def parse(text: str, *, batches: bool = False) -> tuple[SizeProfile, ...] | None:
    """Return the profiles of `1,2;3,4` (or of `1,2,4`, with one size each, for `batches`), or `None` if it isn't that."""
    found = []
    for part in whole(text).lines("," if batches else ";"):
        sizes = [part] if batches else part.split(",")
        if not all(is_digits(size.text) for size in sizes):
            return None
        found.append(SizeProfile(part, tuple(number(size.text) for size in sizes)))
    return tuple(found)


def not_a_size(size: ValuePart) -> ValueProblem:
    """Return what is wrong with a size that isn't made of digits."""
    bare = size.text.strip()
    if is_digits(bare):
        return size.problem(f'there are blanks around "{bare}"', f"“{bare}”前后有空格", instead=bare)
    if not bare:
        return size.problem("a size is missing", "缺少档位值")
    return size.problem(f'the size "{bare}" is no whole number', f"档位值“{bare}”不是正整数")


def together(profiles: Sequence[SizeProfile]) -> Iterator[ValueProblem]:
    """Yield what is wrong with profiles whose sizes are numbers."""
    if len(profiles) == 1:
        yield profiles[0].part.problem("one profile is too few, two are the least", "至少需要 2 个档位，当前只有 1 个")
    seen: set[tuple[int, ...]] = set()
    for profile in profiles:
        part = profile.part
        if len(profile.sizes) != len(profiles[0].sizes):
            yield part.problem(
                f'the profile "{part.text}" has {len(profile.sizes)} sizes, the first one {len(profiles[0].sizes)}',
                f"档位“{part.text}”有 {len(profile.sizes)} 个值，而第一档有 {len(profiles[0].sizes)} 个",
            )
        elif profile.sizes in seen:
            yield part.problem(f'the profile "{part.text}" stands twice', f"档位“{part.text}”重复")
        seen.add(profile.sizes)


def dynamic_batch_size(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`1,2,4,8`: the batch sizes of a model (ge: `compiler/api/aclgrph/option_utils.cc`).

    Yield what is wrong with the batch sizes; the tool skips empty ones.
    """
    wrong = [part for part in whole(text).split(",") if part.text and not is_digits(part.text)]
    if wrong:
        yield from map(not_a_size, wrong)
    else:
        yield from together(parse(text.strip(","), batches=True) or ())


def dynamic_dims(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`1,20;4,40`: sizes for the open dimensions of the inputs.

    Sources: tf: `tf_adapter/util/npu_attrs.cc`, `CheckDynamicDims`; ge: `compiler/api/aclgrph/option_utils.cc`.
    """
    sizes = [size for part in whole(text).lines(";") for size in part.split(",")]
    wrong = [not_a_size(size) for size in sizes if not is_digits(size.text)]
    yield from wrong or together(parse(text) or ())


def dynamic_image_size(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`416,416;832,832`: heights and widths of a model's images (ge: `compiler/api/aclgrph/option_utils.cc`)."""
    wrong: list[ValueProblem] = []
    for part in whole(text).lines(";"):
        sizes = part.split(",")
        if len(sizes) != 2:
            wrong.append(part.problem(f'"{part.text}" is not a height and a width', f"“{part.text}”不是“高,宽”两个值"))
        wrong += [not_a_size(size) for size in sizes if len(sizes) == 2 and not is_digits(size.text)]
    yield from wrong or together(parse(text) or ())
