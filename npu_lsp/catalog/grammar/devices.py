"""Devices, and the processors that serve them."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, is_digits, number, whole
from npu_lsp.catalog.model import Surface
from npu_lsp.text import lazy_re as re

_ARGUMENT = re.compile(
    r"\s*(?:force:[01]|(?:npu_affine|lazy_bind|bind_irq):\d|npu\d+:\d+(?:-\d+)?|mode:[0-2])\s*\Z", re.ASCII
)

_NONE = "-1"
"""How people ask for no device at all: nothing is left of it, which is what they mean."""


def visible_devices(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`0,1,2`: devices in ascending order (runtime: `src/runtime/core/src/runtime.cc`, `GetVisibleDevices`).

    Yield where the reading stops, and devices that aren't greater than the one before them.
    """
    last: ValuePart | None = None
    for part in whole(text).split(",") if text != _NONE else ():
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


def cpu_affinity(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`2` or `1,force:1,npu0:0-9` (torch: `torch_npu/csrc/core/npu/NPUAffinityController.cpp`).

    Yield a mode that isn't 0 to 2, and arguments of no known form.
    """
    first, *others = whole(text).lines(",") or [whole(text)]
    if first.text.strip() not in ("0", "1", "2") and not _ARGUMENT.match(first.text):
        yield first.problem(f'the mode is 0, 1 or 2, not "{first.text}"', f"模式只能为 0、1、2，不能为“{first.text}”")
    for part in others:
        if not _ARGUMENT.match(part.text):
            yield part.problem(
                f'"{part.text}" is not of the form npu0:0-9 or force:1',
                f"“{part.text}”格式错误，应形如 npu0:0-9 或 force:1",
            )
