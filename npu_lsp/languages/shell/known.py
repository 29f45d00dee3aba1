"""What a command may ask about the script around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from npu_lsp.languages.branches import Branch
from npu_lsp.languages.model import ParseResult
from npu_lsp.languages.shell.words import ShellWord
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span


class KnownValue(NamedTuple):
    """What a variable holds."""

    text: str
    origin: Span | None
    """Where the literal stands; `None`: not in the text that is read."""


Lookup = Callable[[str], KnownValue | None]
"""Returns what a variable holds where that is certain."""


class Argument(NamedTuple):
    """A word that reaches a command, and the statement that it stands in."""

    word: ShellWord
    statement: Span
    branch: Branch = ()
    own: Span | None = None
    """What goes with the word when it is removed, if that is more than the word: a list's comma."""
    whole: bool = True
    """False: any number of words may come of it."""


class Carried(NamedTuple):
    """The words that a variable carries into a command."""

    arguments: tuple[Argument, ...]
    complete: bool
    """False: the variable may hold more than these."""


class Scope(NamedTuple):
    """What is known around one command."""

    lookup: Lookup
    program: Callable[[str], str | None]
    """Which program a variable names."""
    carried: Callable[[str], Carried | None]
    """What words an unquoted variable, or an array, turns into; `None`: leave it as it stands."""
    branch: Branch
    runs: Callable[[str], bool]
    """Which functions run their arguments as a command."""
    evaluate: Callable[[Document, Scope], ParseResult]
    """Reads what `eval` runs, with all that the script around it knows."""

    def text_of(self, name: str) -> str | None:
        """Return the text that a variable holds where that is certain."""
        known = self.lookup(name)
        return known.text if known is not None else None
