"""`0,1,2`: devices in ascending order (runtime: `src/runtime/core/src/runtime.cc`, `GetVisibleDevices`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part, is_digits, number, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield where the reading stops, and devices that aren't greater than the one before them."""
    last: Part | None = None
    for part in whole(text).split(","):
        if is_digits(part.text):
            if last is not None and number(part.text) <= number(last.text):
                yield part.problem(
                    f'the devices must ascend, and "{part.text}" stands behind "{last.text}"',
                    f"设备号须按升序排列且不能重复，“{part.text}”位于“{last.text}”之后",
                )
            last = part
            continue
        bare = part.text.strip()
        yield part.problem(
            f'the device "{part.text}" is not made of digits alone',
            f"设备号“{part.text}”只能由数字组成",
            # Devices from here on are ignored; without one before, none is left.
            certain=last is None,
            instead=bare if is_digits(bare) else None,
        )
