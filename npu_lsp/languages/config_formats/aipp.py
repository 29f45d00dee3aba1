"""The file of `insert_op_conf`: an `aipp_op { ... }` for each input that is pre-processed; each is a block."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.config_formats import proto_text
from npu_lsp.languages.config_formats.entries import block, comments, malformed
from npu_lsp.languages.model import ParseResult, Setting, SyntaxFinding
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_OURS = re.compile(r"\baipp_(?:op|mode)\b", re.ASCII)
"""Other configuration of image models lies about in files with such names, too."""


_TOKEN = re.compile(r"#[^\r\n]*|\"[^\"\r\n]*\"?|'[^'\r\n]*'?|[{}<>\[\]:,;]|[^\s\"'{}<>\[\]:,;#]+")
_FIELD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_WRONG_SIGN = re.compile(r"([A-Za-z_]\w*)([=：＝])(?=.|$)", re.ASCII)
_OPENS = re.compile(r"[ \t\r\n:]*[{<]")
_FORM = "field: value"
_MOST = 5
"""Behind the first slips nothing is sure any more."""


def syntax_findings(document: Document, message: str) -> tuple[SyntaxFinding, ...]:
    """Return the first slips up to one whose mending isn't known: what follows may come from it, and ATC stops there.

    `message` is what every field must stand in.
    """
    found: list[SyntaxFinding] = []
    for finding in islice(_findings(document.text, message), _MOST):
        found.append(finding)
        if not finding.edits:
            break
    return tuple(found)


# branches: one arm for each sign in each state: apart, they would hand the state around.
def _findings(text: str, message: str) -> Iterator[SyntaxFinding]:
    opened: list[Span] = []
    field: Span | None = None
    colon = False
    for match in _TOKEN.finditer(text):
        piece, span = match.group(), Span(*match.span())
        if piece[0] == "#":
            continue
        if piece in "{<":
            opened.append(span)
            field, colon = None, False
        elif piece in "}>":
            if field is not None:
                yield malformed(field, "no_sign", form=_FORM)
            if not opened:
                yield malformed(span, "closing")
            del opened[-1:]
            field, colon = None, False
        elif field is None:
            wrong = _WRONG_SIGN.match(piece)
            if wrong is not None:
                sign = Span(span.start + wrong.start(2), span.start + wrong.end(2))
                yield malformed(span, "no_sign", Edit(sign, ": "), form=_FORM)
                if wrong.end() == len(piece):
                    field, colon = span, True  # The value follows behind a blank.
            elif _FIELD.fullmatch(piece):
                field = span
                if not opened and piece != message and not _OPENS.match(text, span.end):
                    yield malformed(span, "outside", name=message)
            elif piece not in ",;]":
                yield malformed(span, "no_sign", form=_FORM)
        elif piece == ":":
            colon = True
        elif not colon:
            together = not text[field.end : span.start].strip(" \t")
            end = span.end if together else field.end
            edits = (Edit(Span(field.end, field.end), ":"),) if together else ()
            yield malformed(Span(field.start, end), "no_sign", *edits, form=_FORM)
            field = None if together or not _FIELD.fullmatch(piece) else span
        elif piece not in ("[", "-"):
            field, colon = None, False
    for brace in opened:
        yield malformed(brace, "opening")


def read(document: Document) -> ParseResult:
    """Return a block for each `aipp_op`."""
    groups: dict[int, list[Setting]] = {}
    for field in proto_text.fields(document):
        groups.setdefault(field.message, []).append(proto_text.setting(Surface.AIPP, field.name, field))
    blocks = tuple(block(i, Surface.AIPP, group[0].key, group) for i, group in enumerate(groups.values()))
    syntax = syntax_findings(document, "aipp_op") if _OURS.search(document.text) else ()
    return ParseResult(blocks, syntax, comments(document), damaged=bool(syntax))


cursor = partial(proto_text.cursor, surface=Surface.AIPP, nested=False)
