"""One simple command as the lexer splits it. All offsets are code points in the text that was split."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from npu_lsp.languages.shell.words import Word
from npu_lsp.text.spans import Span


class Heredoc(NamedTuple):
    """A `<<TAG` of a command; its body starts on the next line."""

    tag: str
    indented: bool
    quoted: bool
    start: int = -1
    """Where `<<` stands."""


class Redirect(NamedTuple):
    """`> file`, `<<< text`."""

    operator: str
    target: Word
    start: int
    """Where the operator stands, with the number in front of it."""


class Array(NamedTuple):
    """The words of `name=(...)`."""

    name: Span
    appended: bool
    words: tuple[Word, ...]
    end: int


@dataclass(slots=True)
class Simple:
    """One simple command as it was split."""

    words: list[Word] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    inner: list[Span] = field(default_factory=list)
    """Command substitutions and the like: what runs inside the words."""
    heredocs: list[Heredoc] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    unclosed: list[tuple[int, int]] = field(default_factory=list)
    """Quotes that are never closed, or too late: the quote, and where it seems to end."""
    blanks: int = -1
    """Where the backslash stands that blanks follow to the end of the line."""
    comment: int = -1
    """Where a comment starts that ends the command."""
    end: int = 0
    """Where the last word or redirection ends."""
    stop: int = 0
    """Where the operator or line end stands that ends the command."""
    operator: str = ""
    """What ends it: an operator, a line end as it stands, or nothing at the end of the text."""
