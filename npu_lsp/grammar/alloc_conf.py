"""`expandable_segments:True,max_split_size_mb:64` (torch: `torch_npu/csrc/core/npu/NPUAllocatorConfig.cpp`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.grammar import colon_pairs
from npu_lsp.grammar.parts import whole
from npu_lsp.grammar.problem import Problem


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is no key with a value, and a switch that is neither `True` nor `False`."""
    # `roundup_power2_divisions:[256:1,512:2]` has a list of its own.
    if "[" in text:
        return
    yield from colon_pairs.check(text, surface)
    for part in whole(text).split(","):
        fields = part.split(":")
        if len(fields) == 2 and fields[0].text.strip() == "expandable_segments":
            value = fields[1].strip()
            if value.text and value.text not in ("True", "False"):
                meant = {"true": "True", "false": "False"}.get(value.text.lower())
                yield value.problem(
                    f'"{value.text}" is neither "True" nor "False"',
                    f"“{value.text}”既不是 True 也不是 False",
                    instead=meant,
                )
