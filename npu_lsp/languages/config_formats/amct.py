"""The quantization file of AMCT that `create_quant_config` writes: an object for each layer, under the layer's name.

Known by its shape alone. In the names of options, `layer` stands for the name of the layer.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.entries import block, member, members
from npu_lsp.languages.json.cursor import spot_at
from npu_lsp.languages.json.tree import Member, Node
from npu_lsp.languages.model import ParseResult, Setting, ValueKind
from npu_lsp.text.document import Document

_LAYER, _TENSORS, _ACTIVATIONS = "layer", "tensor_quantize", "activation_quant_params"
_OURS = {
    _ACTIVATIONS: frozenset(
        {"act_algo", "max_percentile", "min_percentile", "num_of_bins", "search_range", "search_step"}
    ),
    "weight_quant_params": frozenset({"beta_range", "num_iteration", "reg_param", "warm_start", "wts_algo"}),
}
"""What the groups of a layer hold that nobody else's do: one is enough. `channel_wise` is in files of HQQ, too."""
_OF_OTHERS = ('"quantizer"', '"snq_quantize"', '"nuq_quantize"', '"update_bn"')
"""Tools of the same name for other chips, and releases before the source was published, have such files with more keys."""


def read(document: Document) -> ParseResult:
    """Return a block for what holds for all layers, and one for each layer."""
    if any(word in document.text for word in _OF_OTHERS):
        return ParseResult()
    node, mistakes = json_files.tree(document)
    if node is None or not any(_is_layer(each.node) for each in node.members):
        return ParseResult()
    groups = [group for group in (list(_shared(node)), *map(list, _owners(node))) if group]
    found = [block(at, Surface.AMCT, group[0].key, group) for at, group in enumerate(groups)]
    return ParseResult(tuple(each._replace(open=bool(mistakes)) for each in found), mistakes, damaged=bool(mistakes))


def _shared(node: Node) -> Iterator[Setting]:
    for each in node.members:
        if each.node.kind is not ValueKind.DICT:
            yield member(Surface.AMCT, each.key, each)


def _owners(node: Node) -> Iterator[Iterator[Setting]]:
    """Yield the settings of each layer, and of each tensor that is quantized besides."""
    for each in node.members:
        if each.node.kind is ValueKind.DICT:
            yield _of_layer(each)
        elif each.key == _TENSORS:
            yield from map(_of_tensor, each.node.items)


def _of_layer(each: Member) -> Iterator[Setting]:
    yield member(Surface.AMCT, _LAYER, each)
    yield from members(Surface.AMCT, each.node, (_LAYER,))


def _of_tensor(item: Node) -> Iterator[Setting]:
    for each in item.members:
        yield member(Surface.AMCT, f"{_TENSORS}.{each.key}", each)
        if each.key == _ACTIVATIONS:
            yield from members(Surface.AMCT, each.node, (_LAYER, _ACTIVATIONS))


def _is_layer(node: Node) -> bool:
    return any(
        each.node.kind is ValueKind.DICT and any(inner.key in _OURS.get(each.key, ()) for inner in each.node.members)
        for each in node.members
    )


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`; at the top that is no layer's name."""
    spot = spot_at(document.text, offset)
    if spot is None:
        return None
    prefix = "".join(f"{key}." for key in _named(spot.path))
    if spot.key is not None:
        return json_files.cursor_of(document, spot, offset, Surface.AMCT, option=prefix + spot.key)
    present = frozenset() if spot.path else frozenset({_LAYER})
    return json_files.cursor_of(document, spot, offset, Surface.AMCT, prefix=prefix, present=present)


def _named(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys by which options are called that stand below `path`."""
    if path[:1] == (_TENSORS,):
        return (_LAYER, *path[1:]) if path[1:2] == (_ACTIVATIONS,) else path
    return (_LAYER, *path[1:]) if path else ()
