"""The entries of a fusion switch file that name a rule."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.model import Block, Setting

_ALL = "ALL"


def named_rules(block: Block) -> Iterator[Setting]:
    """Yield the entries of `block` that switch one fusion rule."""
    for setting in block.settings:
        if setting.receiver and setting.name and setting.name != _ALL:
            yield setting
