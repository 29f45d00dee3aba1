"""How a text is written so that the shell, or the string that a command stands in, says it."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages.model import Setting
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_SAFE = re.compile(r"[A-Za-z0-9_./:,@%+=^-]*")
_SAFE_EXPRESSION = re.compile(r"(?:[A-Za-z0-9_./:,@%+=^-]|\$\{\w+\}|\$\w+(?!\w))*")
_SUBSTITUTION = re.compile(r"\$\([^()]*\)")
_QUOTING = re.compile(r"\\.|[\"']", re.DOTALL)
_SINGLE = re.compile("'")
_SPECIAL = re.compile(r'(["\\$`])')


class Quoting(NamedTuple):
    """What stands around a value and decides how it is written."""

    quote: str
    """The quote that is open where the value starts, or nothing."""
    strict: bool
    """True: the text is not split as a script's own, or something else than the shell reads it first. Only characters
    that mean nothing anywhere may be written."""


def scalar(value: Scalar) -> str:
    """Return a value as a command line says it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def quoting_of(document: Document, setting: Setting) -> Quoting:
    """Return what stands around the value of `setting`."""
    text = document.text
    if document.kind is not Kind.SHELL:
        return Quoting("", strict=True)
    quote = open_quote(text, setting.statement, setting.value.span.start)
    # `opts="--x=y"`: what is inside is split at blanks, and quotes in it mean nothing.
    carried = bool(quote) and setting.own.start == setting.key.start
    return Quoting(quote, strict=carried)


def open_quote(text: str, statement: Span, offset: int) -> str:
    """Return the quote that is open at `offset` in a statement."""
    places, open_behind = _quotes(text, statement)
    before = bisect_left(places, offset)
    return open_behind[before - 1] if before else ""


def is_half_quoted(text: str, span: Span) -> bool:
    """Return whether a quote in `span` has its partner elsewhere: `"atc --x="a" --y"`, where the quotes of x aren't its own."""
    return bool(open_quote(text, span, span.end))


@lru_cache(maxsize=4)
def _quotes(text: str, statement: Span) -> tuple[list[int], list[str]]:
    """Return where quotes stand in a statement, and which one is open behind each: every flag of a long one asks."""
    places: list[int] = []
    open_behind: list[str] = []
    quote = ""
    at = statement.start
    while (match := (_SINGLE if quote == "'" else _QUOTING).search(text, at, statement.end)) is not None:
        at = match.end()
        sign = match.group()
        if sign[0] == "\\" or (quote and sign != quote):
            continue
        quote = "" if quote else sign
        places.append(match.start())
        open_behind.append(quote)
    return places, open_behind


def written(value: str, quoting: Quoting) -> str | None:
    """Return `value` as a whole word, or as much of one as stands in open quotes; `None` where it can't be written."""
    if quoting.strict:
        return value if _SAFE.fullmatch(value) else None
    if quoting.quote:
        return inside(value, quoting.quote)
    return value if value and _SAFE.fullmatch(value) else f'"{_SPECIAL.sub(_escaped, value)}"'


def inside(value: str, quote: str) -> str | None:
    """Return `value` as it is written between two `quote`s."""
    if quote == "'":
        return None if "'" in value else value
    return _SPECIAL.sub(_escaped, value)


def expression(source: str, quoting: Quoting) -> str | None:
    """Return source text with `${NAME}` in it so that the shell expands it and splits nothing."""
    if quoting.strict:
        return source if quoting.quote != "'" and _SAFE_EXPRESSION.fullmatch(source) else None
    if quoting.quote:
        # In `$(...)` quotes count anew.
        return source if quoting.quote == '"' and '"' not in _SUBSTITUTION.sub("", source) else None
    return source if source and _SAFE.fullmatch(source) else f'"{source}"'


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match.group()
