"""Shapes of TOML values: each one checks a value, without any schema library.

The published schemas, which editors use, are made of them when npu-lsp is developed: the two can't drift apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from npu_lsp.text.bilingual import Said, Text, did_you_mean, placed, remark, say

Json = dict[str, Any]

_STRING = Text("a string", "字符串")
UNKNOWN_KEY = Text("unknown key", "未知的键")
_TYPES_ZH = {"string": "字符串", "integer": "整数", "number": "数字", "boolean": "布尔值"}


class ShapeProblem(NamedTuple):
    """What is wrong at one dotted place of a file. `at` is empty for the file as a whole."""

    at: str
    message: Said
    suggestion: Said | None = None

    def __str__(self) -> str:
        return remark(self.at, self.message, self.suggestion, "en")

    @property
    def placed(self) -> Text:
        """The message with the place in front."""
        return placed(self.at, self.message)


class Shape(Protocol):
    """What a value must look like."""

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        """Yield what is wrong with `value`, which stands at the dotted place `at`."""
        ...


def near(word: str, known: tuple[str, ...]) -> Text | None:
    """Return "did you mean ...?" for a slip in one of a few known words."""
    # A run without problems doesn't wait for it.
    from difflib import get_close_matches

    close = get_close_matches(word, known, 1)
    return did_you_mean(close[0]) if close else None


def meant(suggestion: Said | None) -> str | None:
    """Return the word in the question that `did_you_mean` makes; `None` for another suggestion."""
    found = re.fullmatch(r"did you mean '(.*)'\?", str(suggestion or ""))
    return found[1] if found else None


class WordShape(NamedTuple):
    """A string, perhaps of a form."""

    form: str | None = None
    says: Said = _STRING

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, str) or not value.strip():
            zh = f"应为{say(self.says, 'zh')}，而不是 {value!r}"
            yield ShapeProblem(at, Text(f"must be {self.says}, not {value!r}", zh))
        elif self.form and not re.fullmatch(self.form, value):
            yield ShapeProblem(at, Text(f"{value!r} is not {self.says}", f"{value!r} 不是{say(self.says, 'zh')}"))


class Choice(NamedTuple):
    """One of a few words."""

    words: tuple[str, ...]

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, str) or value not in self.words:
            listed = ", ".join(self.words)
            hint = near(str(value), self.words) or Text(f"one of {listed}", f"可选 {listed}")
            yield ShapeProblem(at, Text(f"{value!r} is not known here", f"此处不支持 {value!r}"), hint)


class Plain(NamedTuple):
    """A value of some of TOML's plain types, by their JSON Schema names."""

    types: tuple[str, ...]

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        if _type_of(value) not in self.types and not (_type_of(value) == "integer" and "number" in self.types):
            zh = "或".join(_TYPES_ZH[each] for each in self.types)
            yield ShapeProblem(
                at, Text(f"must be {' or '.join(self.types)}, not {value!r}", f"应为{zh}，而不是 {value!r}")
            )


class Only(NamedTuple):
    """A shape that takes `true` alone, or `false` alone."""

    value: bool

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        if value is not self.value:
            yield ShapeProblem(
                at, Text(f"must be {self.value!r}, not {value!r}", f"应为 {self.value!r}，而不是 {value!r}")
            )


class Items(NamedTuple):
    """A list of one kind of thing."""

    of: Shape
    least: int = 0

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, list):
            yield ShapeProblem(at, Text(f"must be a list, not {value!r}", f"应为列表，而不是 {value!r}"))
            return
        if len(value) < self.least:
            yield ShapeProblem(at, Text("must not be empty", "不能为空"))
        for number, item in enumerate(value):
            yield from self.of.problems(item, f"{at}[{number}]")


class TableShape(NamedTuple):
    """A table with known keys, or (with `rest`) with keys of any name."""

    keys: Mapping[str, Shape] = MappingProxyType({})
    needs: tuple[str, ...] = ()
    rest: Shape | None = None
    some_of: tuple[str, ...] = ()
    """At least one of these must be there."""

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, dict):
            yield ShapeProblem(at, Text(f"must be a table, not {value!r}", f"应为表，而不是 {value!r}"))
            return
        for key, inner in value.items():
            place = f"{at}.{key}" if at else key
            shape = self.keys.get(key, self.rest)
            if shape is None:
                yield ShapeProblem(place, UNKNOWN_KEY, near(key, tuple(self.keys)))
            else:
                yield from shape.problems(inner, place)
        for key in self.needs:
            if key not in value:
                yield ShapeProblem(at, Text(f"{key!r} is missing", f"缺少 {key!r}"))
        if self.some_of and not any(key in value for key in self.some_of):
            listed = ", ".join(self.some_of)
            yield ShapeProblem(at, Text(f"none of {listed} is there", f"{listed} 均未给出"))


class Either(NamedTuple):
    """One shape or another. The last one that has the value's type tells what is wrong."""

    shapes: tuple[Shape, ...]

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        told: list[ShapeProblem] = []
        for shape in self.shapes:
            told = list(shape.problems(value, at))
            if not told:
                return
            if isinstance(value, dict) and isinstance(shape, TableShape):
                break
        yield from told


class NamedTable(NamedTuple):
    """A shape that the schema writes once, under a name."""

    name: str
    shape: Shape

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        yield from self.shape.problems(value, at)


def _type_of(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return type(value).__name__
