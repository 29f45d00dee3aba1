"""The answers that a cursor gets: what is replaced, and what has to come with it."""

from __future__ import annotations

from typing import Any

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.python.completing.fragment import Fragment
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

# A pattern that starts with a plain word is found in no time; the one in front of it tries every word of the text.
_WRAPPER = re.compile(r"as_bytes(?<=\.as_bytes)(?=\()")
_OWNER = re.compile(r"(?<![\w.])[^\W\d][\w.]*\.\Z")
_REST_OF_WORD = re.compile(r"\w*")
_OPEN_VALUE = re.compile(r"[^\s()\[\]{},;:]*\Z")
_CALL = re.compile(r"(?:as_bytes|as_text|as_str|str|bytes|six\.b|ensure_\w{1,40})\(\s*\Z")
_NEAR = 100


def key_in_literal(at: Fragment, surface: Surface, after: str, prefix: str = "") -> CompletionContext:
    """Answer for a key between open quotes; `after` follows it where nothing follows yet."""
    span, closed = at.typed_text()
    behind = "" if closed else at.quote + (after if not at.rest[span.end - at.cursor :].strip() else "")
    return CompletionContext(
        CompletionKind.KEY, surface, span, at.text[span.start : at.cursor], after=behind, prefix=prefix
    )


def key(at: Fragment, surface: Surface, typed: str, **more: Any) -> CompletionContext:
    """Return the context for a name that is typed without quotes; `typed` is the part in front of the cursor, `more` are fields of the context."""
    return CompletionContext(CompletionKind.KEY, surface, word_span(at, typed), typed, **more)


def value(
    at: Fragment, written: str, surface: Surface, option: str, slot: str | None = None
) -> CompletionContext | None:
    """Answer for a value, whose code so far is `written`; inside a wrapping call, too."""
    if at.quote:
        if written.strip() and not _CALL.search(written[-_NEAR:]):
            return None
        span, closed = at.typed_text()
        behind = "" if closed else at.quote + at.closers()
        return CompletionContext(
            CompletionKind.VALUE, surface, span, at.text[span.start : at.cursor], option, slot, "", behind
        )
    typed = _OPEN_VALUE.search(written)
    if typed is None:
        return None
    around = written[: typed.start()]
    if around.strip() and not _CALL.search(around[-_NEAR:]):
        return None
    before = after = ""
    if around.strip():
        # A call that makes bytes of a text is open: what it gets is a text.
        before = '"'
        after = '"' if at.rest.strip() else '"' + at.closers()
    elif slot == "s":
        wrapper = _wrapper(at.text)
        before, after = (f'{wrapper}("', '")') if wrapper is not None else ('b"', '"')
    elif slot is None:
        before = after = '"'
    return CompletionContext(
        CompletionKind.VALUE, surface, word_span(at, typed.group()), typed.group(), option, slot, before, after
    )


def _wrapper(text: str) -> str | None:
    """Return how the script makes bytes of a text, by the first call that does: `tf.compat.as_bytes`."""
    for found in _WRAPPER.finditer(text):
        owner = _OWNER.search(text[max(0, found.start() - _NEAR) : found.start()])
        if owner is not None:
            return owner.group() + found.group()
    return None


def optimizer_name(at: Fragment) -> CompletionContext:
    """Answer for the name of an optimizer between open quotes."""
    span, closed = at.typed_text()
    behind = "" if closed else at.quote + at.closers()
    return CompletionContext(CompletionKind.NAME, Surface.SESSION, span, at.text[span.start : at.cursor], after=behind)


def word_span(at: Fragment, typed: str) -> Span:
    """Return the place of the word under the cursor, of which `typed` stands in front of it."""
    rest = _REST_OF_WORD.match(at.text, at.cursor, at.line_end)
    return Span(at.cursor - len(typed), rest.end() if rest else at.cursor)
