"""Parts of configuration files in JSON that pages show: with comments, with dots for what is left out, without brackets."""

from __future__ import annotations

from npu_lsp.languages.injections import Injection, Write
from npu_lsp.languages.model import ParseResult, SyntaxFinding
from npu_lsp.languages.registry import BY_KIND, LANGUAGES
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import SourceMap

_WORDS = tuple((f'"{word}"', row.kind) for row in LANGUAGES for word in row.shown_by)
_STRING = r'"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"?'
_LEFT_OUT = re.compile(_STRING + r"|(?:#|//)[^\r\n]*|(?:\.{3,}|…+),?")
"""A comment, and dots."""
_LAST_COMMA = re.compile(_STRING + r"|,(?=\s*[}\]])")
"""What is left of a list whose end is left out."""


def shown(text: str, start: int = 0, end: int | None = None) -> Kind | None:
    """Return the kind of the file that a text may show a part of."""
    stop = len(text) if end is None else end
    return next((kind for word, kind in _WORDS if text.find(word, start, stop) >= 0), None)


def excerpt(kind: Kind, text: str, places: SourceMap, write: Write) -> Injection:
    """Return a part of a file: nothing is missing in it, and what is wrong with its syntax is the page's own matter."""
    plain = _LAST_COMMA.sub(_blank, _LEFT_OUT.sub(_blank, text))
    return Injection(kind, plain, places, write, part=True, read=None if BY_KIND[kind].host else _read)


def _blank(match: re.Match[str]) -> str:
    found = match.group()
    return found if found.startswith('"') else " " * len(found)


def _read(document: Document) -> ParseResult:
    from npu_lsp.languages import read

    found = read(Document(document.text, kind=document.kind))
    clear = all(each.arguments["reason"] == "comma" or _is_open(document, each) for each in found.syntax)
    return found._replace(syntax=(), damaged=False) if clear else ParseResult()


def _is_open(document: Document, mistake: SyntaxFinding) -> bool:
    """Return whether the last brackets are left out; behind a wrong one nobody knows what belongs where."""
    return mistake.arguments["reason"] == "closing" and document.text[mistake.span.start] in "{["
