"""The object that one of vLLM's own arguments takes; its language is called as the argument is.

Its keys are called as in a call: `compilation_config.cudagraph_mode`.
"""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext
from npu_lsp.languages.config_formats.additional_config import of_object, typed_in_object
from npu_lsp.languages.model import ParseResult
from npu_lsp.text.document import Document


def read(document: Document) -> ParseResult:
    """Return one block with all keys."""
    return of_object(document, Surface.VLLM_ARGS, document.kind.value)


def cursor(document: Document, offset: int) -> CompletionContext | None:
    """Return what can be completed at `offset`."""
    return typed_in_object(document, offset, Surface.VLLM_ARGS, document.kind.value)
