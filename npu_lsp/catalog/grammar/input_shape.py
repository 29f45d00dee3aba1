"""The shapes of a model's inputs."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, is_digits, number, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.surfaces import where
from npu_lsp.text import lazy_re as re

ADAPTER = where(lambda row: row.adapter == 1)
_LARGEST = (1 << 63) - 1
_TWO = re.compile(r":-?\d+(?:,-?\d+)*([, ]\s*)[A-Za-z_]", re.ASCII)
_SIZE = re.compile(r"-?\d+\Z", re.ASCII)


def input_shape(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`name:1,3,224,224;name:...`: the shapes of a model's inputs.

    The TensorFlow adapter tests each input with a pattern that knows whole numbers only (tf: `tf_adapter/util/npu_attrs.cc`,
    `CheckInputShape`). ATC takes ranges too, blanks around sizes, scalars as `name:`, and shapes without names where one has
    a range or a -1 (ge: `compiler/api/aclgrph/option_utils.cc`).
    """
    if surface in ADAPTER:
        yield from _adapter(text)
    else:
        yield from _engine(text)


def _adapter(text: str) -> Iterator[ValueProblem]:
    for part in whole(text).lines(";"):
        at = part.text.rfind(":")
        if at <= 0:
            yield _nameless(part)
            continue
        for size in part.cut(at)[1].split(","):
            if not _SIZE.match(size.text):
                yield _not_a_size(size)
            elif number(size.text) < -1:
                yield _negative(size, certain=False)


def _engine(text: str) -> Iterator[ValueProblem]:
    dynamic = "~" in text or "-1" in text
    parts = whole(text).split(";")
    by_index = dynamic and ":" not in text
    for position, part in enumerate(parts):
        at = part.text.rfind(":")
        if position and position == len(parts) - 1 and not part.text.strip():
            yield ValuePart(";", part.start - 1).problem(
                'the ";" at the end opens another input', "末尾的“;”会被当作另一个输入", instead=""
            )
        elif by_index:
            yield from sizes(part, dynamic=True)
        elif at < 0 or not part.text[:at].strip():
            yield _nameless(part)
        else:
            yield from _joined(part, at)
            if part.cut(at)[1].text:
                yield from sizes(part.cut(at)[1], dynamic=dynamic)
    yield from _named_twice([part for part in parts if ":" in part.text])


def _named_twice(parts: list[ValuePart]) -> Iterator[ValueProblem]:
    names = [part.text[: part.text.rfind(":")].strip() for part in parts]
    for position, part in enumerate(parts):
        if names[position] in names[:position]:
            yield part.problem(
                f'the input "{names[position]}" stands here a second time',
                f"输入“{names[position]}”重复出现",
                certain=False,
            )


def sizes(part: ValuePart, *, dynamic: bool) -> Iterator[ValueProblem]:
    """Yield what is wrong with the sizes of one input; ranges and -1 are for shapes that are `dynamic`."""
    bare = part.strip()
    if len(bare.text) > 1 and bare.text[0] in "[(" and bare.text[-1] in ")]":
        yield bare.problem("sizes stand without brackets", "维度不加括号", instead=bare.text[1:-1])
        return
    for blanks in part.split(","):
        size = blanks.strip()
        low, tilde, high = size.text.partition("~")
        if tilde:
            if not is_digits(low.strip()) or not is_digits(high.strip()):
                yield size.problem(
                    f'"{size.text}" is no range such as 1~10', f"“{size.text}”不是有效的范围，应形如 1~10"
                )
            elif number(low) > number(high):
                yield size.problem(
                    f'the range "{size.text}" starts above its end', f"范围“{size.text}”的下限大于上限", certain=False
                )
        elif not _SIZE.match(size.text):
            yield _not_a_size(size)
        elif number(size.text) > _LARGEST:
            yield size.problem(f'the size "{size.text}" is too large', f"维度“{size.text}”过大")
        elif number(size.text) == 0 and not dynamic:
            yield size.problem("a size of 0 is not allowed", "维度不能为 0")
        elif number(size.text) < -1:
            yield _negative(size, certain=not dynamic)


def _joined(part: ValuePart, at: int) -> Iterator[ValueProblem]:
    """Yield a "," or a blank between two inputs: the tool splits at the last colon, and takes all before it for one name."""
    found = _TWO.search(part.text[:at])
    if found is not None:
        sign = ValuePart(part.text[found.start(1) : found.end(1)], part.start + found.start(1))
        yield sign.problem(
            'inputs are separated by ";", and all before the last ":" is taken for one name',
            "多个输入之间用“;”分隔，最后一个“:”之前会整体被当作输入名",
            instead=";",
        )


def _nameless(part: ValuePart) -> ValueProblem:
    return part.problem(f'"{part.text}" has no input name with ":" before the sizes', f"“{part.text}”缺少“输入名:”")


def _not_a_size(size: ValuePart) -> ValueProblem:
    bare = size.text.strip()
    if not bare:
        return size.problem("a size is missing", "缺少维度值")
    if _SIZE.match(bare):
        return size.problem(f'there are blanks around "{bare}"', f"“{bare}”前后有空格", instead=bare)
    return size.problem(f'the size "{bare}" is no whole number', f"维度“{bare}”不是整数")


def _negative(size: ValuePart, *, certain: bool) -> ValueProblem:
    return size.problem(
        f'only -1 marks a dimension as dynamic, not "{size.text}"',
        f"动态维度只能用 -1 表示，不能为“{size.text}”",
        certain=certain,
    )


_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_BY_INDEX = re.compile(r"\s*\[[^\[\]]*\]\s*(?:,\s*\[[^\[\]]*\]\s*)*\Z")
_KINDS = ("data", "getnext")


def input_shape_range(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`name:[8~20,3,-1];name:[...]`, or by index `[8~20,3],[...]` (ge: `compiler/api/aclgrph/option_utils.cc`)."""
    if ":" in text:
        for part in whole(text).split(";"):
            yield from _range_of(part)
    else:
        yield from by_index(whole(text))


def by_index(part: ValuePart) -> Iterator[ValueProblem]:
    """Yield what is wrong with `[...],[...]`."""
    if not _BY_INDEX.match(part.text):
        yield part.problem(
            f'"{part.text}" is not of the form [1~20,3,-1],[...]', f"“{part.text}”格式错误，应形如 [1~20,3,-1],[...]"
        )
        return
    for match in _BRACKETED.finditer(part.text):
        inner = ValuePart(match.group()[1:-1], part.start + match.start() + 1)
        if inner.text.strip():
            yield from sizes(inner, dynamic=True)


def _range_of(part: ValuePart) -> Iterator[ValueProblem]:
    at = part.text.rfind(":")
    if at < 0:
        if not part.text.strip() and part.start:
            yield ValuePart(";", part.start - 1).problem(
                'the ";" at the end opens another input', "末尾的“;”会被当作另一个输入", instead=""
            )
        else:
            yield part.problem(f'"{part.text}" has no input name with ":"', f"“{part.text}”缺少“输入名:”")
        return
    ranges = part.cut(at)[1]
    if not _BRACKETED.fullmatch(ranges.text):
        yield ranges.problem(
            f'the ranges must stand in one pair of brackets, not as "{ranges.text}"',
            f"范围须写在一对方括号中，而不是“{ranges.text}”",
        )
    else:
        yield from sizes(ValuePart(ranges.text[1:-1], ranges.start + 1), dynamic=True)


def dynamic_inputs_shape_range(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`data:[1~10,3];getnext:[2,-1]`: shapes by kind of input (tf: `tf_adapter/optimizers/om_partition_subgraphs_pass.cc`)."""
    parts = whole(text).lines(";")
    for part in parts[2:]:
        yield part.problem("there are more than two kinds of input", "最多只能有两类输入")
    for part in parts[:2]:
        fields = part.split(":")
        if len(fields) != 2:
            yield part.problem(
                f'"{part.text}" is not of the form data:[...] or getnext:[...]',
                f"“{part.text}”格式错误，应形如 data:[...] 或 getnext:[...]",
            )
        elif fields[0].text not in _KINDS:
            yield fields[0].problem(
                f'the kind of input is "data" or "getnext", not "{fields[0].text}"',
                f"输入类型只能为 data 或 getnext，不能为“{fields[0].text}”",
            )
        else:
            yield from by_index(fields[1])


def input_hint_shape(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`0:[1,3,224,224];1:[1,10]`: an input's index and its shape (ge: `compiler/api/aclgrph/option_utils.cc`).

    Yield what is wrong with the hints; an empty one between two `;` is skipped by the tool.
    """
    seen: set[int] = set()
    for part in whole(text).split(";"):
        if part.text.strip():
            yield from _hint(part.strip(), seen)


def _hint(part: ValuePart, seen: set[int]) -> Iterator[ValueProblem]:
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
    for each in ValuePart(shape.text[1:-1], shape.start + 1).split(","):
        size = each.strip()
        if size.text and not is_digits(size.text):
            yield size.problem(f'the size "{size.text}" is no number from 0', f"维度“{size.text}”不是非负整数")
