"""Reads which numbers a program refuses, and tells what the catalog doesn't: `python -m tests.authoring.bounds FOLDER`.

FOLDER holds packages as `NAME-VERSION/NAME`, for the rows of `PROGRAMS`. Two forms are read: `x: int = Field(ge=1)` of pydantic, and a
comparison with constants that stops, `if args.x < 1: raise …` or `assert 0 < self.x <= 1`. What depends on another setting is no bound: a
condition around it may only ask for the same name. What was read is kept in `tests/catalog/bounds.toml`, and a test holds the catalog against it.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import libcst as cst
import libcst.matchers as m

from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import Option, Surface

KEPT = Path(__file__).parents[1] / "catalog" / "bounds.toml"


class Bounds(NamedTuple):
    """The least and the greatest number that is taken; `open` ends are not."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False

    def within(self, other: Bounds) -> Bounds:
        """Return what both leave."""
        low = max((self.low, self.open_low), (other.low, other.open_low))
        high = min((self.high, not self.open_high), (other.high, not other.open_high))
        return Bounds(low[0], high[0], low[1], not high[1])

    def __str__(self) -> str:
        return f"{'(' if self.open_low else '['}{self.low:g}, {self.high:g}{')' if self.open_high else ']'}"


class Program(NamedTuple):
    """Where a program says what it refuses, and where its options are."""

    files: tuple[str, ...]
    surface: Surface


PROGRAMS = {
    "vllm": Program(("vllm/config/*.py",), Surface.VLLM_ARGS),
    "sglang": Program(("sglang/srt/server_args.py", "sglang/srt/arg_groups/*.py"), Surface.SGLANG_ARGS),
    "vllm_ascend": Program(("vllm_ascend/ascend_config.py",), Surface.ADDITIONAL_CONFIG),
    "mindspeed": Program(("mindspeed/features_manager/**/*.py",), Surface.MINDSPEED),
    "mindspeed_llm": Program(("mindspeed_llm/features_manager/**/*.py",), Surface.MINDSPEED),
}
_FIELD = {"ge": ("low", False), "gt": ("low", True), "le": ("high", False), "lt": ("high", True)}
_TURNED: Mapping[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.GreaterThan,
    cst.GreaterThan: cst.LessThan,
    cst.LessThanEqual: cst.GreaterThanEqual,
    cst.GreaterThanEqual: cst.LessThanEqual,
}
_DENIED: Mapping[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.GreaterThanEqual,
    cst.GreaterThanEqual: cst.LessThan,
    cst.GreaterThan: cst.LessThanEqual,
    cst.LessThanEqual: cst.GreaterThan,
}
_NAME = re.compile(r"(?:self|cfg|args|server_args)\.(\w+)\Z|resolution_result\(\w+, \"(\w+)\"\)\Z")


class _Reader(cst.CSTVisitor):
    """Finds the bounds of one module, each with the class that it stands in."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], Bounds] = {}
        self._fields: set[str] = set()
        """Those that a field tells of: what is compared behind it may be what became of the value."""
        self._classes: list[str] = []
        self._around: list[cst.BaseExpression] = []
        self._left: list[list[cst.BaseExpression]] = [[]]
        """Of each function: on which conditions it was left before."""

    def visit_ClassDef(self, node: cst.ClassDef) -> None:  # noqa: N802
        self._classes.append(node.name.value)

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:  # noqa: N802
        self._classes.pop()

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        self._left.append([])

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:  # noqa: N802
        self._left.pop()

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:  # noqa: N802
        if not (self._classes and isinstance(node.target, cst.Name)):
            return
        for call in m.findall(node, m.Call(func=m.Name("Field"))):
            for argument in cst.ensure_type(call, cst.Call).args:
                number = _number(argument.value)
                if argument.keyword is not None and argument.keyword.value in _FIELD and number is not None:
                    self._add(node.target.value, _half(*_FIELD[argument.keyword.value], number))
                    self._fields.add(node.target.value)

    def visit_If(self, node: cst.If) -> None:  # noqa: N802
        if any(m.matches(each, m.SimpleStatementLine(body=[m.Raise()])) for each in node.body.body):
            for test in _parts(node.test, cst.Or):
                *present, last = _parts(test, cst.And)
                self._compare(last, holds=False, present=present)
        self._around.append(node.test)

    def leave_If(self, original_node: cst.If) -> None:  # noqa: N802
        self._around.pop()
        if m.findall(original_node, m.Return()):
            self._left[-1].append(original_node.test)

    def visit_Assert(self, node: cst.Assert) -> None:  # noqa: N802
        for each in _parts(node.test, cst.And):
            self._compare(each, holds=True)

    def _compare(self, test: cst.BaseExpression, *, holds: bool, present: Sequence[cst.BaseExpression] = ()) -> None:
        """Take a comparison of a name with constants that must hold, or must not, where the value is `present`."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            self._compare(test.expression, holds=not holds, present=present)
            return
        if not isinstance(test, cst.Comparison) or (len(test.comparisons) > 1 and not holds):
            return
        left = test.left
        for target in test.comparisons:
            operator, right = type(target.operator), target.comparator
            name, number = _named(left), _number(right)
            if name is None:
                name, number, operator = _named(right), _number(left), _TURNED.get(operator, operator)
            operator, left = operator if holds else _DENIED.get(operator, operator), right
            if name in self._fields:
                continue
            if name is not None and number is not None and operator in _TURNED and self._is_alone(name, present):
                end = "low" if operator in (cst.GreaterThan, cst.GreaterThanEqual) else "high"
                half = _half(end, operator in (cst.GreaterThan, cst.LessThan), number)
                if any(_named(each) for each in (*present, *self._around)) and 0 <= half.low <= 1:
                    half = Bounds(low=0)  # What is false isn't compared: 0 is taken.
                self._add(name, half)

    def _is_alone(self, name: str, present: Sequence[cst.BaseExpression]) -> bool:
        """Whether nothing but the value itself decides whether it is compared."""
        conditions = (part for test in (*self._around, *self._left[-1], *present) for part in _parts(test, cst.And))
        return all(_is_presence(each) and name in _code(each) for each in conditions)

    def _add(self, name: str, bounds: Bounds) -> None:
        place = self._classes[-1] if self._classes else "", name
        self.found[place] = bounds.within(self.found.get(place, Bounds()))


def _half(end: str, is_open: bool, number: float) -> Bounds:
    return Bounds(low=number, open_low=is_open) if end == "low" else Bounds(high=number, open_high=is_open)


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def _parts(test: cst.BaseExpression, joined: type[cst.BaseBooleanOp]) -> Iterator[cst.BaseExpression]:
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, joined):
        yield from _parts(test.left, joined)
        yield from _parts(test.right, joined)
    else:
        yield test


def _is_presence(test: cst.BaseExpression) -> bool:
    """Whether it only asks that the value is there: `x`, `x is not None`, `hasattr(args, "x")`."""
    none = m.Comparison(comparisons=[m.ComparisonTarget(m.IsNot() | m.Is(), m.Name("None"))])
    return _named(test) is not None or m.matches(test, none | m.Call(func=m.Name("hasattr")))


def _named(node: cst.BaseExpression) -> str | None:
    found = _NAME.match(_code(node))
    return found and (found[1] or found[2])


def _number(node: cst.BaseExpression) -> float | None:
    try:
        return float(_code(node).replace("_", ""))
    except ValueError:
        return None


def read(texts: Iterable[str]) -> dict[tuple[str, str], Bounds]:
    """Return what the modules refuse, by class (`""`: none) and name."""
    found: dict[tuple[str, str], Bounds] = {}
    for text in texts:
        reader = _Reader()
        cst.parse_module(text).visit(reader)
        found.update(reader.found)
    return found


def told(option: Option) -> Bounds:
    """Return the bounds that the catalog has."""
    low, is_open = (option.minimum, False) if option.above is None else (option.above, True)
    return Bounds(
        -math.inf if low is None else low, math.inf if option.maximum is None else option.maximum, is_open, False
    )


def agree(read_: Bounds, option: Option) -> bool:
    """Whether the catalog refuses what the program does; whole numbers above 0 begin at 1, and no number is "less than" there."""
    have = told(option)
    if option.type == "int":
        return _whole(read_) == _whole(have)
    return (read_.low, read_.open_low, read_.high) == (have.low, have.open_low, have.high)


def _whole(bounds: Bounds) -> tuple[float, float]:
    low, high = bounds.low, bounds.high
    low = math.floor(low) + 1 if bounds.open_low else math.ceil(low) if math.isfinite(low) else low
    high = math.ceil(high) - 1 if bounds.open_high else math.floor(high) if math.isfinite(high) else high
    return low, high


def options_of(catalog: Catalog, surface: Surface, place: tuple[str, str]) -> list[Option]:
    """Return the options that a class and a name mean: a key of a group is one of the class that is called after the group."""
    owner, name = place
    group = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", owner.removesuffix("Config")).lower()
    key = f"{group}_config.{name}"
    nested = [each for each in catalog.options(surface) if each.name == key or each.name.endswith(f".{key}")]
    plain = (catalog.option(surface, each) for each in (name, name.replace("_", "-")))
    found = nested or [option for option in plain if option is not None]
    return [option for option in found if option.removed is None][:1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print bounds that the catalog lacks, and keep what was read."""
    parser = argparse.ArgumentParser(prog="python -m tests.authoring.bounds", description=__doc__)
    parser.add_argument("folder", type=Path, help="packages, as NAME-VERSION/NAME")
    folder = parser.parse_args(arguments).folder
    catalog = load()
    kept = [
        "# Made by `python -m tests.authoring.bounds`: which numbers programs take, by option; `(` and `)`: the end itself is refused."
    ]
    for program, (files, surface) in PROGRAMS.items():
        newest = max(folder.glob(f"{program}-*"), key=lambda each: [int(n) for n in re.findall(r"\d+", each.name)])
        found = read(path.read_text("utf-8") for pattern in files for path in sorted(newest.glob(pattern)))
        kept += [
            "",
            f"[{program}]",
            f'version = "{newest.name.removeprefix(f"{program}-")}"',
            "",
            f"[{program}.bounds]",
        ]
        for place, bounds in sorted(found.items()):
            for option in options_of(catalog, surface, place):
                kept.append(f'"{option.name}" = "{bounds}"')
                if not agree(bounds, option):
                    sys.stdout.write(f"{surface.value} {option.name}: {bounds}, in the catalog {told(option)}\n")
    KEPT.write_text("\n".join(kept) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
