"""Fixes that the catalog names in a `fix` key: the mechanical move from an option to its replacement."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from npu_lsp.catalog.model import Option
from npu_lsp.findings import Fix
from npu_lsp.fixes.map_values import map_values
from npu_lsp.fixes.op_precision_file import op_precision_file
from npu_lsp.fixes.remove import remove
from npu_lsp.fixes.rename import rename
from npu_lsp.fixes.strip_brackets import strip_brackets
from npu_lsp.readers.model import Block, Setting
from npu_lsp.rules.context import Context

Maker = Callable[[Setting, Option, Block, Context], Sequence[Fix]]

_MAKERS: dict[str, Maker] = {
    "op-precision-file": op_precision_file,
    "rename": rename,
    "remove": remove,
    "map-values": map_values,
    "strip-brackets": strip_brackets,
}


def fixes_for(name: str | None, setting: Setting, option: Option, block: Block, context: Context) -> tuple[Fix, ...]:
    """Return the fixes that `name` stands for, the preferred one first; none for a name that is unknown."""
    make = _MAKERS.get(name or "")
    return tuple(make(setting, option, block, context)) if make else ()
