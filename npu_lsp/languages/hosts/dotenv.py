"""Files of environment variables, as `docker run --env-file`, Compose and python-dotenv read them: `X=v`, one a line."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.completion_context import Lack
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.injections import Injection, careful, hash_comments, host
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

# Some take `export` in front, some a blank around the sign, all a comment behind a blank.
_PAIR = re.compile(
    r"(?P<lead>[ \t]*(?:export[ \t]+)?)(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*"
    r"(?P<value>\"[^\"]*\"|'[^']*'|(?![\"'])(?:[^\s#]|(?<=\S)#|[ \t]+(?=[^\s#]))*)(?:[ \t]+#.*|[ \t]*)"
)
_EXPORT = re.compile(r"\bexport[ \t]+(?=\w+=)")


def _find(document: Document) -> Iterator[Injection]:
    text = document.text
    lines = VariableLines()
    for number in range(document.line_count):
        span = document.line_span(number)
        pair = _PAIR.fullmatch(text, *span)
        if pair is None:
            continue
        lead = Span(span.start, span.start)
        lines.export(text, lead, Span(*pair.span("name")), Span(*pair.span("value")), document.line_end(number))
    yield from lines.script(_written)


def _written(text: str) -> str | None:
    """Return a line or a value as such a file has it."""
    return _EXPORT.sub("", text) if "\n" in text or "export" in text else careful(text) if text else text


LACKS = (Lack("=1", "="),)

read, cursor = host(_find, hash_comments)
