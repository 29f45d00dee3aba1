"""`0,1,2`: numbers of devices (tf: `tf_adapter/util/npu_attrs.cc`, `CheckDeviceList`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no number."""
    for part in whole(text).split(","):
        bare = part.text.strip()
        if not is_digits(part.text):
            yield part.problem(
                f'the device "{part.text}" is not made of digits alone',
                f"设备号“{part.text}”只能由数字组成",
                instead=bare if is_digits(bare) else None,
            )
