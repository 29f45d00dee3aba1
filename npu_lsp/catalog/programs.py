"""Words by which a text is known to hold what a surface takes, from the rows of the surfaces."""

from __future__ import annotations

from npu_lsp.catalog.surfaces import ROWS

PROGRAMS: tuple[str, ...] = tuple(
    dict.fromkeys(name.removeprefix("py").removesuffix(".bin") for row in ROWS.values() for name in row.commands)
)
"""The programs of command lines: `py` may stand before each, `.bin` behind it."""
OPTIMIZER = "NpuOptimizer"
"""The name by which TF Adapter finds its optimizer among those of TensorFlow, letter by letter."""
SHAPES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = tuple(
    (row.words, (*(f"{call.name}(" for call in row.arguments), *(f".{name}." for name in row.objects)))
    for row in ROWS.values()
    if row.word
)
"""Words, and what stands in each text with all of them that has such a call or such an attribute: one of these."""
