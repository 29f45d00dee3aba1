"""The rank table of HCCL: the servers of a job, their devices, and the rank of each."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.entries import block, members
from npu_lsp.languages.json.tree import Node
from npu_lsp.languages.model import ParseResult, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_LISTS = {"server_list": ("device", "server_id"), "group_list": ("instance_list", "device_count")}
"""What an element of the list has that tells a rank table, of which there are two forms."""
_FILLED_IN = re.compile(r"\{[A-Za-z_]\w*\}|<[A-Za-z_]\w*>|\$")
"""What a script puts into a template."""


def read(document: Document) -> ParseResult:
    """Return one block with all servers and devices."""
    node, mistakes = json_files.tree(document)
    if node is None or not (_is_ours(node) or _is_empty(node, document)):
        return ParseResult()
    if mistakes and _FILLED_IN.search(document.text):
        return ParseResult(damaged=True)
    head = Span(node.span.start, node.span.start + 1)
    found = block(0, Surface.RANK_TABLE, head, list(members(Surface.RANK_TABLE, node)))
    return ParseResult((found._replace(open=bool(mistakes)),), mistakes, damaged=bool(mistakes))


def _is_ours(node: Node) -> bool:
    for each in node.members:
        wanted = _LISTS.get(each.key, ())
        first = each.node.items[0] if each.node.items else None
        if first is not None and first.kind is ValueKind.DICT and any(inner.key in wanted for inner in first.members):
            return True
    return False


def _is_empty(node: Node, document: Document) -> bool:
    """Return whether it is a table that nobody has filled in yet: it is called one, and only values stand in it."""
    plain = all(each.node.kind not in (ValueKind.DICT, ValueKind.LIST) for each in node.members)
    name = Path(document.path).name
    return bool(node.members) and plain and name.endswith(".json") and ("rank_table" in name or "ranktable" in name)


cursor = partial(json_files.nested, surface=Surface.RANK_TABLE)
