"""YAML scalars as texts, with the place of each character."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from npu_lsp.languages.hosts.yaml_flow import Flow
from npu_lsp.languages.injections import Injection, Write, careful
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE, LocatedText, SourceMap
from npu_lsp.text.spans import Span

_FILLED_IN = re.compile(r"\$\{\{[^$}\r\n]*(?:\$(?!\{\{)[^$}\r\n]*)*\}\}")
_EXPANDED = re.compile(r"(?<!\$)\$\([A-Za-z_][\w.-]*\)")
_TRAILING_COMMENT = re.compile(r"(?<![ \t])[ \t]+#[^\r\n]*$")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", " ": " ", "0": "\0", "r": "\r"}
_STRETCH = {"'": re.compile(r"[^'\r\n]*"), '"': re.compile(r'[^"\\\r\n]*')}
_HEX = {"x": 2, "u": 4, "U": 8}


class Scalar(NamedTuple):
    """A scalar's text and where its characters stand."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    span: Span
    """The whole scalar, quotes included."""
    content: Span | None
    """Where its text stands one to one."""
    write: Write

    def found(self, kind: Kind = Kind.SHELL) -> Injection:
        """Return the scalar as a script."""
        return Injection(kind, self.filled_in(), self.places, self.write)

    def filled_in(self, *, word: bool = False) -> str:
        """Return the text with holes where CI fills in something; in the word of a command Kubernetes does, too: `$(NAME)`."""
        text = _FILLED_IN.sub(_hole, self.text)
        return _EXPANDED.sub(_hole, text) if word else text

    @property
    def places(self) -> SourceMap:
        """Where the text stands."""
        return SourceMap(self.content.start) if self.content is not None else SourceMap(0, self.starts, self.ends)


def _hole(match: re.Match[str]) -> str:
    return HOLE * len(match.group())


def flow_scalar(text: str, span: Span, *, several: bool = False) -> Scalar | None:
    """Return the plain or quoted scalar in `span`, or `None` for what isn't one, or isn't read.

    `several`: it goes on over several lines, which are then folded into one.
    """
    said = text[span.start : span.end]
    if said[:1] in ('"', "'"):
        return _quoted(text, span)
    if said[:1] in ("", "&", "*", "!", "|", ">", "{", "[", "@", "`", "#"):
        return None
    comment = _TRAILING_COMMENT.search(said) if not several else None
    said = said[: comment.start()] if comment else said.rstrip()
    if ": " in said or " #" in said:
        return None
    end = span.start + len(said)
    folded = said.replace("\r", " ").replace("\n", " ")
    starts, ends = range(span.start, end), range(span.start + 1, end + 1)
    return Scalar(folded, starts, ends, Span(span.start, end), Span(span.start, end), _plain)


def flow_scalars(text: str, node: Flow | None) -> Iterator[Scalar | None]:
    """Yield the scalars of a list in brackets; `None` for an item that isn't one, and for what is no list."""
    if node is None or any(node.keys):
        yield None
    else:
        yield from (flow_scalar(text, item.span) if not item.kind else None for item in node.items)


def _quoted(text: str, span: Span) -> Scalar | None:
    quote, said = text[span.start], LocatedText()
    at = span.start + 1
    while (plain := _STRETCH[quote].match(text, at, span.end)) is not None:
        said.take(text, Span(*plain.span()))
        if plain.end() >= span.end:
            break
        start, char = plain.end(), text[plain.end()]
        at = start + 1
        if char == quote:
            if quote == '"' or text[at : at + 1] != quote:
                content = Span(span.start + 1, start) if said.exact is not None else None
                write = _in_double if quote == '"' else _in_single
                return Scalar(said.said, said.starts, said.ends, Span(span.start, at), content, write)
            at += 1
        elif char == "\\" and quote == '"':
            escaped = _escaped(text, at)
            if escaped is None:
                return None
            char, at = escaped
        elif char in "\r\n":
            char = " "
        said.put(char, start, at)
    return None


def _escaped(text: str, at: int) -> tuple[str, int] | None:
    """Return what the escape says whose sign stands at `at`, and where it ends; `None`: it isn't read."""
    sign = text[at : at + 1]
    end = at + 1 + _HEX.get(sign, 0)
    if sign not in _HEX:
        return (_ESCAPES.get(sign, sign), end) if sign not in ("", "\n", "\r") else None
    try:
        return chr(int(text[at + 1 : end], 16)), min(end, len(text))
    except (ValueError, OverflowError):
        return None


def block_scalar(document: Document, first: int, end: int, column: int, style: str, how: str) -> Scalar | None:
    """Return the block scalar on the lines from `first` to `end`, whose key stands at `column`.

    Folded lines (`>`) are joined by a blank, as YAML does, unless they stand further in.
    """
    text = document.text
    lines = [document.line_span(number) for number in range(first, end)]
    while lines and not text[lines[-1].start : lines[-1].end].strip():
        lines.pop()
    if not lines:
        return None
    indents = [_indent(text, line) for line in lines if text[line.start : line.end].strip()]
    told = re.sub(r"\D", "", how)
    indent = column + int(told) if told else indents[0]
    if indent > min(indents) or "\t" in text[lines[0].start : lines[0].start + indent]:
        return None
    chars: list[str] = []
    starts: list[int] = []
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else None
        start = min(line.start + indent, line.end)
        stop = following.start if following is not None else line.end
        chars.append(text[start : line.end])
        newline = text[line.end : stop]
        if style == ">" and following is not None and _folds(text, line, following, indent):
            newline = " " * len(newline)
        chars.append(newline)
        starts.extend(range(start, stop))
    prefix = text[lines[0].start : lines[0].start + indent]
    span = Span(lines[0].start + indent, lines[-1].end)
    inner = "".join(chars)

    def write(inserted: str) -> str | None:
        return inserted.replace("\n", "\n" + prefix)

    return Scalar(inner, starts, [s + 1 for s in starts], span, None, write)


def _indent(text: str, line: Span) -> int:
    said = text[line.start : line.end]
    return len(said) - len(said.lstrip(" "))


def _folds(text: str, line: Span, following: Span, indent: int) -> bool:
    """Return whether YAML joins two lines of a folded scalar."""
    both = text[line.start : line.end], text[following.start : following.end]
    return all(said.strip() and said[indent : indent + 1] not in (" ", "\t") for said in both)


def _plain(text: str) -> str | None:
    return None if ": " in text or " #" in text or "\n" in text else text


def _in_single(text: str) -> str | None:
    return None if "\n" in text else text.replace("'", "''")


def _in_double(text: str) -> str | None:
    if "\n" in text:
        return careful(text)
    return text.replace("\\", "\\\\").replace('"', '\\"')
