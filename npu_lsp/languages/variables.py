"""Variables where they get values and where they are used: `X=v` and `$X` in scripts, `os.getenv("X")` in Python.

Settings are what readers find; this is about the names beside them, and is asked only when somebody wants to know.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from importlib import import_module
from typing import NamedTuple, cast

from npu_lsp.languages import read
from npu_lsp.languages.injections import regions
from npu_lsp.languages.variable_names import named
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span
from npu_lsp.text.word_search import NAME, words

_NAME_CHARACTER = re.compile(r"[A-Za-z0-9_]")
_Tell = Callable[[Document, Span], bool | None]
_NAMES = {Kind.SHELL: "npu_lsp.languages.shell.names", Kind.PYTHON: "npu_lsp.languages.python.environ_names"}
"""The modules that tell whether a variable's name stands at a place, and whether it gets a value there."""
_LONGEST = 200
"""Characters of a name that is looked for."""


class VariableMention(NamedTuple):
    """One place of a variable's name. Offsets are code points from 0."""

    name: str
    span: Span
    sets: bool
    """True: the variable gets a value there."""


def variable_at(document: Document, offset: int) -> VariableMention | None:
    """Return the variable whose name stands at `offset`; `None` where no name of one does."""
    start = offset
    lowest = max(0, offset - _LONGEST)
    while start > lowest and _NAME_CHARACTER.match(document.text, start - 1):
        start -= 1
    word = NAME.match(document.text, start, start + _LONGEST)
    if word is None or word.end() < offset:
        return None
    return next(iter(_mentions(document, {word.group()}, Span(*word.span()))), None)


def mentions(document: Document, name: str) -> list[VariableMention]:
    """Return the places of the variable `name`, in the order of the text."""
    return _mentions(document, {name})


def reads(document: Document, names: Container[str] | None = None) -> list[VariableMention]:
    """Return the places at which one of `names` is used, in the order of the text; left out: any variable worth reading."""
    if names is None:
        names = {found.group() for found in named(NAME, document.text) if len(found.group()) < _LONGEST}
    return [each for each in _mentions(document, names) if not each.sets]


def _mentions(document: Document, names: Container[str], only: Span | None = None) -> list[VariableMention]:
    """Return where variables with one of `names` stand; with `only`, whether one stands there."""
    tell = cast(_Tell, import_module(_NAMES[document.kind]).use_of) if document.kind in _NAMES else None
    found: dict[Span, VariableMention] = {}
    placed = words(document.text, names) if only is None else [(document.text[slice(*only)], only)]
    for name, span in placed:
        sets = tell(document, span) if tell is not None else None
        if sets is not None:
            found[span] = VariableMention(name, span, sets)
    read(document)
    for region in regions(document):
        for inner in _mentions(region.document, names):
            outer = region.content(inner.span)
            if outer is not None and (only is None or outer == only):
                found.setdefault(outer, inner._replace(span=outer))
    return sorted(found.values(), key=lambda mention: mention.span)
