"""The file of `--singleop`: operators with their inputs, outputs and attributes; each operator is a block."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.entries import blocks, malformed, member
from npu_lsp.languages.json.tree import Node
from npu_lsp.languages.model import ParseResult, SyntaxFinding, ValueKind
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_OF_OTHER_TOOLS = ('"param_type"', '"case_name"', '"tensor_name"')
"""What msopgen makes a project from, what msopst tests and what AKG compiles looks alike, but isn't for ATC."""
_INPUTS, _OUTPUTS = "input_desc.", "output_desc."


def read(document: Document) -> ParseResult:
    """Return a block for each operator."""
    if any(key in document.text for key in _OF_OTHER_TOOLS):
        return ParseResult()
    node, problems = json_files.tree(document)
    mistakes = problems or tuple(_outside_a_list(node))
    operators = [] if node is None else node.items if node.kind is ValueKind.LIST else [node]
    # Inputs and outputs are lists of objects, so that names come more than once.
    found = [
        [
            member(Surface.SINGLE_OP, ".".join((*path, m.key)), m, receiver=path[-1] if path else "")
            for path, m in operator.walk()
        ]
        for operator in operators
    ]
    return ParseResult(
        blocks(Surface.SINGLE_OP, ((settings, "") for settings in found)), mistakes, damaged=bool(problems)
    )


def _outside_a_list(node: Node | None) -> Iterator[SyntaxFinding]:
    """Yield an operator that no list is around: the tool then takes each of its members for one."""
    if node is None or node.kind is not ValueKind.DICT:
        return
    keys = {member.key for member in node.members}
    tensors = [item for member in node.members if member.key == "input_desc" for item in member.node.items]
    if "op" in keys and any({"format", "type", "shape"} <= {member.key for member in item.members} for item in tensors):
        start, end = node.span
        edits = (Edit(Span(start, start), "["), Edit(Span(end, end), "]"))
        yield malformed(Span(start, start + 1), "no_list", *edits)


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`."""
    found = json_files.nested(document, offset, Surface.SINGLE_OP)
    if found is not None and found.prefix == _OUTPUTS:
        # An output is described as an input is.
        return found._replace(prefix=_INPUTS)
    return found
