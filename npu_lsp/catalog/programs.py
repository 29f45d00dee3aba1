"""Words by which a text is known to hold what a surface takes, from the rows of the surfaces."""

from __future__ import annotations

import re
from collections.abc import Mapping

from npu_lsp.catalog.surfaces import ROWS

PROGRAMS: tuple[str, ...] = tuple(
    dict.fromkeys(
        name
        for row in ROWS.values()
        if not row.subcommands
        for name in (
            *(each.removeprefix("py").removesuffix(".bin") for each in row.commands),
            *(each for each in row.modules if each.rpartition(".")[2] not in row.commands),
        )
    )
)
"""The programs of command lines, and modules: `py` may stand before each, `.bin` behind it."""
SERVERS: Mapping[str, tuple[str, ...]] = {
    name: (
        *(rf"{name}(?=[\s\"',\\-]{{1,40}}{word}(?![A-Za-z0-9_.:=-]))" for word in row.subcommands),
        *(re.escape(module) + r"(?![A-Za-z0-9_./:=-])" for module in row.modules),
    )
    for row in ROWS.values()
    if row.subcommands
    for name in row.commands
}
"""Programs that are packages, too, so that many texts have their names: patterns of what starts them."""
# A pattern that starts with plain letters is found ten times faster than one that starts with what must not stand before.
STARTS: tuple[tuple[str, str], ...] = (
    *((name, rf"{re.escape(name)}(?:\.bin)?(?![\w./:=-])") for name in sorted(PROGRAMS) if name not in SERVERS),
    *((name, pattern) for name, patterns in SERVERS.items() for pattern in patterns),
)
"""Each program with a pattern of what starts it, up to what stands before its name."""
OPTIMIZER = "NpuOptimizer"
"""The name by which TF Adapter finds its optimizer among those of TensorFlow, letter by letter."""
SHAPES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = tuple(
    (row.words, (*(f"{call.name}(" for call in row.arguments), *(f".{name}." for name in row.objects)))
    for row in ROWS.values()
    if row.word
)
"""Words, and what stands in each text with all of them that has such a call or such an attribute: one of these."""
