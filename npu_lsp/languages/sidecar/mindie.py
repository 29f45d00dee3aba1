"""MindIE's `config.json`, and deployment files that hold such a configuration for each role.

Known by its shape, never by its name: an object with `ServerConfig` or `BackendConfig`, and in these what only MindIE has.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.json.tree import Member, Node
from npu_lsp.languages.model import Block, Reading, ValueKind
from npu_lsp.languages.sidecar import json_files
from npu_lsp.languages.sidecar.entries import block, members
from npu_lsp.languages.wanted import Cursor
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_PARTS = frozenset({"ServerConfig", "BackendConfig", "LogConfig"})
_WITHIN = {"ModelDeployConfig": "BackendConfig", "ScheduleConfig": "BackendConfig"}
"""Where the parts belong that pages show alone."""
_OURS = {
    "ServerConfig": frozenset(
        {
            *("allowAllZeroIpListening", "distDPServerEnabled", "fullTextEnabled", "httpsEnabled", "inferMode"),
            *("interCommTLSEnabled", "layerwiseDisaggregated", "managementIpAddress", "maxLinkNum", "metricsPort"),
            "openAiSupport",
        }
    ),
    "BackendConfig": frozenset(
        {
            *("backendName", "ModelDeployConfig", "modelInstanceNumber", "multiNodesInferEnabled", "npuDeviceIds"),
            *("ScheduleConfig", "tokenizerProcessNumber"),
        }
    ),
    "ModelDeployConfig": frozenset({"maxInputTokenLen", "maxSeqLen", "ModelConfig", "speculationGamma"}),
    "ScheduleConfig": frozenset(
        {"maxIterTimes", "maxPrefillBatchSize", "maxPrefillTokens", "supportSelectBatch", "templateType"}
    ),
}
"""By their names, what a part of a configuration may hold that nobody else's does. One is enough, of a server two."""
_ENOUGH = {"ServerConfig": 2}
_DEEPEST = 4


def read(document: Document) -> Reading:
    """Return a block for each configuration; that of a whole file has all that the server needs."""
    node, mistakes = json_files.tree(document)
    blocks: list[Block] = []
    for path, found in _configurations(node, 0) if node is not None else ():
        settings = list(members(Surface.MINDIE, found, path))
        head = Span(found.span.start, found.span.start + 1)
        made = block(len(blocks), Surface.MINDIE, head, settings)
        # What is a part of another file is laid over a configuration that lies elsewhere.
        whole = found is node and {each.key for each in found.members} >= {"ServerConfig", "BackendConfig"}
        blocks.append(made._replace(open=not whole or bool(mistakes)))
    return Reading(tuple(blocks), mistakes if blocks else (), damaged=bool(mistakes))


def _configurations(node: Node, depth: int) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Yield the objects that are MindIE's, outer ones first, and what they stand in; none of them holds another."""
    owners = {each.key: path for each in node.members if (path := _place(each)) is not None}
    if owners:
        yield min(owners.values()), node
    elif depth < _DEEPEST:
        for each in node.members:
            yield from _configurations(each.node, depth + 1)


def _place(each: Member) -> tuple[str, ...] | None:
    """Return the names around a part of MindIE's configuration; `None` for what isn't one."""
    names = _OURS.get(each.key)
    if names is None or each.node.kind is not ValueKind.DICT:
        return None
    if sum(inner.key in names for inner in each.node.members) < _ENOUGH.get(each.key, 1):
        return None
    return (_WITHIN[each.key],) if each.key in _WITHIN else ()


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`: the names of a group, below the part that it belongs to."""
    found = json_files.nested(document, offset, Surface.MINDIE)
    if found is None:
        return None
    return found._replace(prefix=_below(found.prefix), option=_below(found.option) if found.option else found.option)


def _below(name: str) -> str:
    """Return a name without what stands around the configuration."""
    keys = name.split(".")
    start = next((at for at, key in enumerate(keys) if key in _PARTS), 0)
    return ".".join(keys[start:])
