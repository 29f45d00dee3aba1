"""The file that `aclInit` reads, often called acl.json: dumps, profiling, stacks, the default device."""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.entries import block, member, members
from npu_lsp.languages.json.tree import Member
from npu_lsp.languages.model import ParseResult, ValueKind
from npu_lsp.text.document import Document

_PARTS = {
    "dump": ("dump_",),
    "profiler": ("switch", "output", "aic", "task_", "sys_", "storage_limit"),
    "defaultDevice": ("default_device",),
    "StackSize": ("aicore_", "simt_"),
    "acl_graph": ("event_mode",),
}
"""The objects, and how one of the keys in each starts at least: other programs have keys of these names, too."""
_VALUES = frozenset({"err_msg_mode", "max_opqueue_num", "simt_printf_fifo_size", "simd_printf_fifo_size_per_core"})


def read(document: Document) -> ParseResult:
    """Return one block with the parts that `aclInit` reads; others are not ours."""
    node, mistakes = json_files.tree(document)
    parts = [each for each in node.members if _is_ours(each)] if node is not None else []
    if not parts:
        return ParseResult()
    settings = []
    for part in parts:
        settings += [member(Surface.ACL_JSON, part.key, part), *members(Surface.ACL_JSON, part.node, (part.key,))]
    found = block(0, Surface.ACL_JSON, parts[0].key_span, settings)
    return ParseResult((found._replace(open=bool(mistakes)),), mistakes, damaged=bool(mistakes))


def _is_ours(each: Member) -> bool:
    if each.key in _VALUES:
        return each.node.kind is not ValueKind.DICT
    inner = each.node.members
    return each.node.kind is ValueKind.DICT and any(m.key.startswith(_PARTS.get(each.key, ("\0",))) for m in inner)


cursor = partial(json_files.nested, surface=Surface.ACL_JSON)
