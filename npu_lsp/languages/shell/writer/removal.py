"""Takes flags and assignments out of a script with all that belongs to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from npu_lsp.languages.model import Form, Setting
from npu_lsp.languages.shell.environment import DECLARING
from npu_lsp.languages.shell.writer.layout import blanks_before, blanks_behind, comment_end, lines_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_BETWEEN = re.compile(r"(?:[ \t]|\\(?:\r\n|\n|\r))*")
_OPENER = r"(?:(?:^|[\s;&|])(?:then|do|else|\{)|[({])"
_OPENS = re.compile(rf"{_OPENER}[\s;]*$|[^\s]\)\s*$")
_OPENS_BEFORE_COMMENT = re.compile(rf"{_OPENER}[ \t]*#")
_CLOSES = re.compile(r"[\s;]*(?:(?:fi|done|elif|else|esac)\b|[)}]|;;)")
_LOOK_BACK = 400


def removal(document: Document, settings: Sequence[Setting]) -> tuple[Edit, ...]:
    """Return what takes `settings` out; nothing where one of them can't go for sure."""
    text = document.text
    flags = sorted({s.own for s in settings if s.form is Form.FLAG})
    variables = [s for s in settings if s.form is Form.ASSIGNMENT]
    if document.kind is Kind.PYTHON:
        # A command that is a list of words: one in a text is shell, and a document of its own.
        from npu_lsp.languages.python.writer.removal import remove_words

        return remove_words(document, flags) if not variables else ()
    edits: list[Edit] = []
    for group in _groups(text, flags):
        if any(text[slice(*group)].count(quote) % 2 for quote in "\"'"):
            # `"atc --x="a" --y"`: the quotes in it are not its own.
            return ()
        edits.append(_words(text, group))
    for statement in sorted({s.statement for s in variables}):
        edits += _variables(text, statement, sorted({s.own for s in variables if s.statement == statement}))
    return tuple(edits)


def _groups(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield `spans` with neighbours taken together."""
    current: Span | None = None
    for span in spans:
        if current is not None and _BETWEEN.fullmatch(text, current.end, span.start):
            current = Span(current.start, span.end)
            continue
        if current is not None:
            yield current
        current = span
    if current is not None:
        yield current


def _words(text: str, span: Span, *, ends: bool = False) -> Edit:
    """Return what takes words out of a command, with their line where they have it to themselves.

    `ends` tells that nothing of the command stands behind them.
    """
    lines = lines_of(text, span)
    if lines.first and lines.last and (lines.continued or lines.above is None):
        return Edit(Span(lines.start, lines.end), "")
    if lines.above is not None and (ends or lines.last):
        # The last line of the command: the backslash above would join what follows.
        return Edit(Span(lines.above, span.end), "")
    return _within_line(text, span)


def _within_line(text: str, span: Span) -> Edit:
    before = blanks_before(text, span.start)
    if text[span.start] == ",":
        # Of a list within a word.
        return Edit(span, "")
    if before == span.start or text[before - 1 : before] in ("\n", "\r", ""):
        return Edit(Span(span.start, blanks_behind(text, span.end)), "")
    return Edit(Span(before, span.end), "")


# -- variables --------------------------------------------------------------------------------------------


def _variables(text: str, statement: Span, own: list[Span]) -> Iterator[Edit]:
    """Yield what takes assignments out of one statement, or the statement when nothing else is in it."""
    rest = text[statement.start : own[0].start]
    for one, other in zip(own, [*own[1:], Span(statement.end, statement.end)], strict=True):
        rest += text[one.end : other.start]
    words = rest.split()
    alone = not words or words[0] == ":" or words[0] in DECLARING
    if alone and all(word[0] == "-" for word in words[1:]):
        yield _statement(text, statement)
        return
    for span in _groups(text, own):
        yield (
            _words(text, span, ends=span.end == statement.end)
            if span.start != statement.start or lines_of(text, span).first
            else _leading(text, span)
        )


def _opens(before: str) -> bool:
    """Return whether a list of commands begins here: there must be at least one in it."""
    said = before.rstrip(" \t\r\n\f\v;")
    line = said[max(said.rfind("\n"), said.rfind("\r")) + 1 :]
    return _OPENS.search(before) is not None or _OPENS_BEFORE_COMMENT.search(line) is not None


def _leading(text: str, span: Span) -> Edit:
    behind = _BETWEEN.match(text, span.end)
    return Edit(Span(span.start, behind.end() if behind is not None else span.end), "")


def _statement(text: str, statement: Span) -> Edit:
    """Return what takes a whole statement out; `:` takes its place where the shell must have one."""
    lines = lines_of(text, statement)
    end = comment_end(text, statement.end)
    before = text[max(0, statement.start - _LOOK_BACK) : statement.start]
    needed = bool(_opens(before) and _CLOSES.match(text, statement.end))
    if lines.first and end is not None and not needed and lines.above is None:
        return Edit(Span(lines.start, end), "")
    behind = blanks_behind(text, statement.end)
    if text[behind : behind + 1] == ";" and text[behind : behind + 2] != ";;" and not needed:
        return Edit(Span(statement.start, blanks_behind(text, behind + 1)), "")
    ahead = blanks_before(text, statement.start)
    ends_here = end is not None and not needed
    if ends_here and text[ahead - 1 : ahead] == ";" and text[ahead - 2 : ahead] != ";;":
        return Edit(Span(blanks_before(text, ahead - 1), statement.end), "")
    return Edit(statement, ":")
