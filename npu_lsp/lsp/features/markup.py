"""Text for people in the form that the client shows."""

from __future__ import annotations

from typing import Any

from npu_lsp.text import lazy_re as re

_CODE = re.compile(r"(?<!`)(`+)(?!`) ?(.+?) ?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"(?<!\\)\[((?:\\.|[^\[\]\\])*)\]\((https?://[^\s<>()]+)\)")
_STRONG = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]<>()#+\-.!|~&])")
_QUOTE = re.compile(r"^> ?", re.MULTILINE)
_BREAK = re.compile(r"(?<! ) {2,}$", re.MULTILINE)


def markup(markdown: str, as_markdown: bool) -> dict[str, Any]:
    """Return `MarkupContent` as JSON."""
    if as_markdown:
        return {"kind": "markdown", "value": markdown}
    return {"kind": "plaintext", "value": plaintext(markdown)}


def plaintext(markdown: str) -> str:
    """Return the text of our own Markdown without its signs."""
    made: list[str] = []
    start = 0
    # What is code stays as it is; signs are signs only outside of it.
    for span in _CODE.finditer(markdown):
        made += (_bare(markdown[start : span.start()]), span[2])
        start = span.end()
    made.append(_bare(markdown[start:]))
    return _BREAK.sub("", _QUOTE.sub("", _STRONG.sub(r"\1", "".join(made))))


def _bare(text: str) -> str:
    return _ESCAPED.sub(r"\1", _LINK.sub(r"\1 (\2)", text))
