"""Lists: parts with a sign between them."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, is_digits, number, whole
from npu_lsp.catalog.model import Surface

_MEANT = {"true": "true", "1": "true", "false": "false", "0": "false"}


def blank_list(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`conv1 conv2`: names of operators with blanks between them.

    Yield separators that belong to other lists: here they become part of a name.
    """
    for at, char in enumerate(text):
        if char in ",;|":
            yield ValuePart(char, at).problem(
                f'names are separated by blanks, not "{char}"', f"名称以空格分隔，而不是“{char}”", certain=False
            )


def bool_list(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`true,false,true`, in small letters, blanks around them allowed (ge: `api/atc/omg.cc`, `CheckInputTrueOrFalse`)."""
    for part in whole(text).split(","):
        bare = part.strip()
        if bare.text not in ("true", "false"):
            yield bare.problem(
                f'"{bare.text}" is neither "true" nor "false"',
                f"“{bare.text}”既不是 true 也不是 false",
                instead=_MEANT.get(bare.text.lower()),
            )


def group_boundaries(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`44,64,68`: where groups of inputs end, rising; `0` and `1` are values of their own.

    Yield what is wrong with the boundaries; a comma may stand at either end.
    """
    last = -1
    for part in whole(text).split(","):
        bare = part.text.strip()
        if not bare and part.start in (0, len(text)):
            continue
        if not is_digits(bare):
            yield part.problem(
                f'the boundary "{part.text}" is no number', f"分组边界“{part.text}”不是整数", certain=False
            )
            continue
        if number(bare) <= last:
            yield part.problem(
                f"the boundary {bare} is not above the one before", f"分组边界 {bare} 未按升序排列", certain=False
            )
        last = number(bare)


def name_list(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`Pooling,SoftmaxV2`: names with commas between them; what reads them is closed source, so nothing is certain.

    Yield what can't be meant in the list.
    """
    for at, char in enumerate(text):
        if char in ";|":
            yield ValuePart(char, at).problem(
                f'names are separated by ",", not "{char}"',
                f"名称以“,”分隔，而不是“{char}”",
                certain=False,
                instead=",",
            )
    for part in whole(text).split(",")[:-1]:
        if not part.text.strip():
            yield part.problem("a name is missing", "缺少名称", certain=False)
