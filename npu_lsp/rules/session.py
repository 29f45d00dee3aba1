"""What rules on the setup of a session know for sure about it."""

from __future__ import annotations

from npu_lsp.readers.model import Block, Setup
from npu_lsp.rules.context import Context


def facts(block: Block, context: Context) -> frozenset[str]:
    """Return what is said about the block's session, or about one of the file's that may be it."""
    return frozenset(fact.what for fact in (*block.setup, *context.reading.setup))


def added_once(block: Block, context: Context) -> Setup | None:
    """Return where the block's optimizer is made; `None` where something about it may stand where nobody looked."""
    added = [fact for fact in block.setup if fact.what == "optimizer_added"]
    if len(added) != 1 or block.open or context.reading.damaged:
        return None
    return added[0]
