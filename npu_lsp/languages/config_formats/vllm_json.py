"""The JSON of one of vLLM's own arguments, as a command line gives it; its language is called as the argument is."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.config_formats.additional_config import of_object
from npu_lsp.languages.model import ParseResult
from npu_lsp.text.document import Document


def read(document: Document) -> ParseResult:
    """Return one block with all keys, which are called as in a call: `compilation_config.cudagraph_mode`."""
    return of_object(document, Surface.VLLM_ARGS, document.kind.value)


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`."""
    return json_files.nested(document, offset, Surface.VLLM_ARGS, above=document.kind.value)
