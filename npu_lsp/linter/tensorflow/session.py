"""What rules on the setup of a session know for sure about it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Fact, FactKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.values import text_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized

# `NPURunConfig` and `use_npu`, but not `input`.
_OURS = re.compile(r"(?<![A-Za-z])(?:npu|Npu|NPU)|(?<=[a-z])N(?:pu|PU)|(?i:custom_op)(?!timizers)")
_MOST = 20
"""Names that are compared with those of TF Adapter."""


def facts(block: Block, context: Context) -> AbstractSet[str]:
    """Return what is said about the block's session, or about one of the file's that may be it."""
    return context.facts.keys() | {fact.kind for fact in block.facts}


def added_once(block: Block, context: Context) -> Fact | None:
    """Return where the block's optimizer is added; `None` if that happens twice, code elsewhere may set it, or it isn't TF Adapter's."""
    added = [fact for fact in block.facts if fact.kind == FactKind.OPTIMIZER_ADDED]
    if len(added) != 1 or block.open or context.parsed.damaged or is_of_others(block, context):
        return None
    return added[0]


def is_of_others(block: Block, context: Context) -> bool:
    """Return whether a `parameter_map` or an `additional_config` may be another's: an optimizer with a name of its own, or another library.

    One option in it that TF Adapter knows, or almost, makes it TF Adapter's; but the optimizer of TensorRT has a
    `precision_mode`, too: under a name of its own, one that TF Adapter doesn't know makes it another's.
    """
    if block.surface is Surface.ADDITIONAL_CONFIG:
        # Other platforms of vLLM have keys of their own there, and docs show the form with a key that nobody has.
        return not any(_is_named_like_ours(setting.name, context) for setting in block.settings[:_MOST])
    if block.surface is not Surface.SESSION or not _has_no_sign(block, context):
        return False
    known = bool(context.settings(block))
    if known and None in (_names(block) or [None]):
        return False
    # Looking for what a name was meant to be takes long: a block of so many strangers is nobody's slip.
    first = [setting.name for setting in block.settings[:_MOST]]
    strangers = [name for name in first if context.catalog.option(block.surface, name) is None]
    meant = [context.catalog.near(block.surface, name) is not None for name in strangers]
    return not all(meant) if known else not any(meant)


def _is_named_like_ours(name: str, context: Context) -> bool:
    """Return whether a key of `additional_config` is one of vLLM-Ascend's, in whichever group, or almost one."""
    surface, last = Surface.ADDITIONAL_CONFIG, name.rpartition(".")[2]
    if context.catalog.option(surface, name) is not None:
        return True
    if "_" not in last:
        return False  # `enabled`, `mode`: a word that anybody may use.
    ours = any(each.rpartition(".")[2] == last for each in context.catalog.names(surface))
    return ours or context.catalog.near(surface, name) is not None


def _has_no_sign(block: Block, context: Context) -> bool:
    """Return whether neither the optimizer's name nor the file speaks of the NPU."""
    names = _names(block)
    if names and None not in names:
        return not any(_OURS.search(name or "") for name in names)
    # Options for an optimizer that is made here are TF Adapter's more often than not.
    told = block.settings and any(fact.kind == FactKind.OPTIMIZER_ADDED for fact in block.facts)
    return not told and not _speaks_of_it(context.document)


def _names(block: Block) -> list[str | None]:
    """Return the names that the block's optimizer gets; `None` for one that can't be known."""
    return [
        text_of(fact.value) for fact in block.facts if fact.kind == FactKind.OPTIMIZER_NAME and fact.value is not None
    ]


@Memoized
def _speaks_of_it(document: Document) -> bool:
    """Return whether the file does; every block of every rule asks, and nothing in a long text may be the answer."""
    return _OURS.search(document.text) is not None
