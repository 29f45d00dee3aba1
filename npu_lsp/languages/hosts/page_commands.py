"""Commands that a page shows in its text: what of them a shell would read, and what the reader fills in."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.injections import Injection, as_it_is, careful
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE, slices_of
from npu_lsp.text.spans import Span

_ALONE = re.compile(
    r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<ticks>`{0,2}|\*\*)(?P<code>export[ \t]+(?P<name>[A-Z](?:\w|\\_)*)"
    r"=(?:\"[^\"`\r\n]*\"|'[^'`\r\n]*'|[^\s`\"'<>]+))(?P=ticks)[ \t]*$",
    re.MULTILINE,
)
"""A line, or an item, that is nothing but an instruction, in bold or not; what a sentence says of one is none."""
ESCAPED = re.compile(r"\\(?=[_*])|(?<!\\)\*")
"""What bold text has for the page alone: backslashes in front of signs, and the signs around italics."""
_FILLED_IN = re.compile(  # What the reader of a manual fills in.
    r"(?<![$\w])\{[A-Za-z\u4e00-\u9fff][\w \u4e00-\u9fff-]*\}"
    # `vllm serve <model> \`, `--size <N>`: a shell would read from a file of that name, and what comes next would go into one.
    r"|(?<![<>&\d])<[^\W\d_][^<>|&;\"'`$\\\r\n]{0,60}(?<![ \t])>(?![>&\w])"
    r"|(?<==)(?P<quote>[\"']?)(?:[xX]+|\.{3,}|…+|(?:your|YOUR)[_-]\w+)(?P=quote)(?=\s|$)"
)


def exports(text: str, start: int, stop: int) -> Iterator[Injection]:
    """Yield the lines between two places of a page that are nothing but an instruction."""
    for alone in _ALONE.finditer(text, start, stop) if "export" in text[start:stop] else ():
        bold = alone["ticks"] == "**"
        name = ESCAPED.sub("", alone["name"]) if bold else alone["name"]
        if is_variable(name) and not (bold and "\\" in ESCAPED.sub("", alone["code"])):
            yield shown_in(text, Span(*alone.span("code")), escaped=bold)


def shown_in(text: str, span: Span, *, escaped: bool) -> Injection:
    """Return a command as a page shows it: where it is `escaped`, without the backslashes in front of its signs."""
    cuts = [match.start() for match in ESCAPED.finditer(text, *span)] if escaped else []
    edges = [span.start, *(edge for cut in cuts for edge in (cut, cut + 1)), span.end]
    inner, places = slices_of(text, [Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)])
    return Injection(Kind.SHELL, unknown(inner), places, _careful if cuts else as_it_is, part=True)


def _careful(inserted: str) -> str | None:
    """Return a text that Markdown shows as it is, behind an escape and before one."""
    return careful(inserted.replace("_", "")) and inserted.replace("_", "\\_")


def unknown(text: str) -> str:
    """Return a script without what is to be filled in."""
    return _FILLED_IN.sub(lambda match: HOLE * len(match.group()), text)
