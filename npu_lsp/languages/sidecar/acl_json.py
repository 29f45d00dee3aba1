"""The file that `aclInit` reads, often called acl.json: what it says of dumps."""

from __future__ import annotations

from functools import partial

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.json.tree import Member
from npu_lsp.languages.model import Reading, ValueKind
from npu_lsp.languages.sidecar import json_files
from npu_lsp.languages.sidecar.entries import block, member, members
from npu_lsp.text.document import Document

_PART = "dump"


def read(document: Document) -> Reading:
    """Return one block with what stands in `dump`; the other parts are not ours."""
    node, mistakes = json_files.tree(document)
    part = next((each for each in node.members if _is_ours(each)), None) if node is not None else None
    if part is None:
        return Reading()
    settings = [member(Surface.ACL_JSON, _PART, part), *members(Surface.ACL_JSON, part.node, (_PART,))]
    found = block(0, Surface.ACL_JSON, part.key_span, settings)
    return Reading((found._replace(open=bool(mistakes)),), mistakes, damaged=bool(mistakes))


def _is_ours(each: Member) -> bool:
    inner = each.node.members
    return each.key == _PART and each.node.kind is ValueKind.DICT and any(m.key.startswith("dump_") for m in inner)


cursor = partial(json_files.nested, surface=Surface.ACL_JSON)
