"""The numbers that programs refuse are those that the catalog refuses."""

from __future__ import annotations

import math
import re

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.text.toml import read as toml
from tests.authoring.bounds import KEPT, PROGRAMS, Bounds, agree, read

_KEPT = re.compile(r"([\[(])(\S+), (\S+)([\])])")


def _bounds(text: str) -> Bounds:
    found = _KEPT.fullmatch(text)
    assert found is not None
    return Bounds(float(found[2]), float(found[3]), found[1] == "(", found[4] == ")")


def test_the_catalog_refuses_what_programs_refuse() -> None:
    catalog, count = load(), 0
    for program, table in toml(KEPT).items():
        for name, text in table["bounds"].items():
            option = catalog.option(PROGRAMS[program].surface, name)
            assert option is not None, name
            assert agree(_bounds(text), option), (program, name, text)
            count += 1
            if math.isfinite(_bounds(text).low):
                assert not agree(_bounds(text), option._replace(minimum=None, above=None)), name
    assert count > 120


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("class A:\n    x: int = Field(default=1, ge=1, le=8)\n", "[1, 8]"),
        ("class A:\n    x: float | None = Field(gt=0, lt=1)\n    def f(self):\n        assert self.x > 2\n", "(0, 1)"),
        ("def f(args):\n    if args.x < 1:\n        raise ValueError('x')\n", "[1, inf]"),
        (
            "def f(args):\n    if args.x is not None and not 0 < args.x <= 1.5:\n        raise ValueError('x')\n",
            "(0, 1.5]",
        ),
        ("def f(cfg):\n    if cfg.x is not None:\n        assert cfg.x >= 2\n", "[2, inf]"),
        ("def f(cfg):\n    if cfg.x < 0 or cfg.x > 7:\n        raise ValueError('x')\n", "[0, 7]"),
        # What is false isn't compared.
        ("def f(args):\n    if args.x and args.x <= 0:\n        raise ValueError('x')\n", "[0, inf]"),
        # Another setting decides.
        ("def f(args):\n    if args.y:\n        assert args.x > 1\n", None),
        ("def f(args):\n    if args.y and args.x < 2:\n        raise ValueError('x')\n", None),
        ("def f(args):\n    if not args.y:\n        return\n    assert args.x > 1\n", None),
        ("def f(args):\n    if args.x < args.y:\n        raise ValueError('x')\n", None),
        ("def f(args):\n    if args.x < 1:\n        args.x = 1\n", None),
        # None of several bounds is refused alone.
        ("def f(args):\n    if 0 < args.x < 5:\n        raise ValueError('x')\n", None),
    ],
)
def test_what_stops_without_regard_to_others_is_a_bound(text: str, bounds: str | None) -> None:
    found = read([text])
    assert [str(each) for each in found.values()] == ([] if bounds is None else [bounds])
