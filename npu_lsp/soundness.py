"""Tells whether a text still parses as well as it did: what a fix makes of a file is written only then."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable

from npu_lsp.document import Document
from npu_lsp.kinds import Kind
from npu_lsp.readers import read

_JSON = frozenset({Kind.NOTEBOOK, Kind.MIXLIST, Kind.FUSION_SWITCH, Kind.SINGLE_OP, Kind.GE_OPTIONS, Kind.COMPRESSION})


def as_sound(before: Document, after: Document) -> bool:
    """Tell whether `after` parses at least as well as `before`, which it was made from."""
    probe = _PROBES.get(before.kind) or (_json if before.kind in _JSON else None)
    if probe is not None:
        old, new = probe(before), probe(after)
        if new is not None and new != old:
            return False
    return not read(after).damaged or read(before).damaged


def _python(document: Document) -> Hashable | None:
    """Return `None` for a text that parses, else the error with its line: the same one is no new one."""
    import ast

    from npu_lsp.readers.python.quiet import quietly

    try:
        with quietly():
            ast.parse(document.text.removeprefix("\ufeff"))
    except SyntaxError as error:
        return (error.msg, (error.text or "").strip())
    except (ValueError, RecursionError, MemoryError) as error:
        return type(error).__name__
    return None


def _shell(document: Document) -> Hashable | None:
    """Return `None` for a script without errors, else what stands at each of them."""
    from npu_lsp.readers.shell.tree import tree_of

    errors: list[str] = []
    waiting = [tree_of(document).root_node]
    while waiting:
        node = waiting.pop()
        if node.is_missing:
            errors.append(f"missing {node.type}")
        elif node.is_error:
            errors.append(document.text[node.start_byte : node.end_byte])
        elif node.has_error:
            waiting.extend(node.children)
    return tuple(sorted(errors)) or None


def _json(document: Document) -> Hashable | None:
    try:
        json.loads(document.text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return "broken"
    return None


_PROBES: dict[Kind, Callable[[Document], Hashable | None]] = {Kind.PYTHON: _python, Kind.SHELL: _shell}
