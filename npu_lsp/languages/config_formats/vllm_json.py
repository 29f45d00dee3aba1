"""The objects that arguments of vLLM take, and groups of keys within them: JSON as a command line has it, or an entry of YAML.

Keys of vLLM's own are called as in a call, `compilation_config.cudagraph_mode`: their language is called as the argument is.
"""

from __future__ import annotations

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.entries import block, members
from npu_lsp.languages.config_formats.yaml_mapping import Mapping, parsed, typed_at
from npu_lsp.languages.json.flags import KEY
from npu_lsp.languages.model import ParseResult, Setting, Value, ValueKind
from npu_lsp.languages.placeholders import is_placeholder
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span


def read(document: Document) -> ParseResult:
    """Return one block with the keys of an object, and of those within it.

    A text with placeholders has no syntax errors: what is put in for them isn't known. The block is open then, since more keys may come.
    """
    surface, above = _held(document)
    if KEY.match(document.text.lstrip(" ")):
        result = parsed(document, Mapping(surface, above))
        if not _is_meant(result, surface, above):
            return ParseResult()
        return result._replace(blocks=tuple(each._replace(open=True) for each in result.blocks))
    if not document.text.lstrip().startswith("{"):
        return ParseResult()
    node, syntax = json_files.tree(document)
    if node is None or node.kind is not ValueKind.DICT:
        return ParseResult()
    filled_in = HOLE in document.text or is_placeholder(document.text)
    settings = list(members(surface, node, (above,) if above else ()))
    if syntax and not syntax[0].edits and not filled_in:
        # Behind a quote, a colon or a bracket that is missing, nobody knows which group a key is in.
        end = syntax[0].span.start
        settings = [_known_before(each, end) for each in settings if each.key.start < end]
    head = Span(node.span.start, node.span.start + 1)
    found = block(0, surface, head, settings)._replace(open=filled_in or bool(syntax))
    return ParseResult((found,) if settings else (), () if filled_in else syntax)


def _known_before(setting: Setting, end: int) -> Setting:
    """Return a setting without a value that begins where the text goes wrong, such as one without its closing quote."""
    value = setting.value
    return setting if value.span.start < end else setting._replace(value=Value(ValueKind.UNKNOWN, value.span))


def _is_meant(found: ParseResult, surface: Surface, above: str) -> bool:
    """Return whether half of the keys in a mapping are known, or have a slip: a description of the argument has others."""
    lead = f"{above}." if above else ""
    catalog = load()
    outer = [each.name for each in found.settings if "." not in each.name[len(lead) :]]
    meant = sum(name in catalog.names(surface) or catalog.guess(surface, name) is not None for name in outer)
    return bool(meant) and meant >= len(outer) - meant


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset` of such an object."""
    surface, above = _held(document)
    if KEY.match(document.text.lstrip(" ")):
        return typed_at(document, offset, Mapping(surface, above))
    return json_files.nested(document, offset, surface, above=above)


def _held(document: Document) -> tuple[Surface, str]:
    """Return the surface whose options the keys of the object are, and what their names start with there."""
    own = document.kind is Kind.ADDITIONAL_CONFIG
    return (Surface.ADDITIONAL_CONFIG, "") if own else (Surface.VLLM_ARGS, document.kind.value)
