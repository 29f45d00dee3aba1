"""The grammar of the tree, by tree-sitter-bash."""

from __future__ import annotations

from functools import lru_cache

import tree_sitter_bash
from tree_sitter import Language, Parser


@lru_cache(maxsize=1)
def _language() -> Language:
    return Language(tree_sitter_bash.language())


@lru_cache(maxsize=1)
def parser() -> Parser:
    """Return the one parser that there is."""
    return Parser(_language())
