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


@lru_cache(maxsize=1)
def keywords() -> frozenset[bytes]:
    """Return the words that mean something to the grammar, wherever they do."""
    language = _language()
    kinds = (language.node_kind_for_id(kind) for kind in range(language.node_kind_count))
    return frozenset(kind.encode() for kind in kinds if kind and kind.isalpha())
