"""Where in a JSON file a cursor stands: in a key or in a value, and below which keys. Takes half-typed text."""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.languages.json.tree import STRING
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_TOKEN = re.compile(STRING + r'|[{}\[\],:]|[^\s"{}\[\],:]+')
_REST = re.compile(r'[^"\\\r\n,:{}\[\]]*')
_DEEPEST = 256


class Spot(NamedTuple):
    """What is typed at a place of a JSON text."""

    path: tuple[str, ...]
    """The keys that lead to the object in which it stands."""
    key: str | None
    """The key whose value is typed; `None`: a key is."""
    replace: Span
    """Between the quotes, where there are some."""
    quoted: bool
    closed: bool
    """A closing quote stands behind `replace`."""
    has_colon: bool
    """Keys: a colon stands behind it."""


class _Level:
    __slots__ = ("is_list", "key", "wants_value")

    def __init__(self, *, is_list: bool) -> None:
        self.is_list = is_list
        self.key: str | None = None
        self.wants_value = is_list


# branches: one walk along the tokens, with an arm for each of them.
def spot_at(text: str, offset: int) -> Spot | None:
    """Return what is typed at `offset`; `None` outside all brackets or between two tokens that need no third."""
    levels: list[_Level] = []
    for match in _TOKEN.finditer(text, 1 if text.startswith("\ufeff") else 0):
        start, end = match.span()
        if start >= offset:
            break
        piece = match.group()
        if piece[0] == '"':
            inside = offset <= end if not match["end"] else offset < end
            if inside:
                return _spot(text, levels, Span(*match.span("text")), quoted=True, closed=bool(match["end"]))
            if levels and not levels[-1].wants_value:
                levels[-1].key = match["text"]
        elif piece in "{[":
            levels.append(_Level(is_list=piece == "["))
            if len(levels) > _DEEPEST:
                return None
        elif piece in "}]":
            if levels:
                levels.pop()
        elif piece == ":" and levels and not levels[-1].is_list:
            levels[-1].wants_value = True
        elif piece == "," and levels:
            levels[-1].wants_value = levels[-1].is_list
        elif piece not in ":,":
            if offset <= end:
                return _spot(text, levels, Span(start, end), quoted=False, closed=False)
            if levels and not levels[-1].wants_value:
                # As YAML has it in braces.
                levels[-1].key = piece
    return _spot(text, levels, Span(offset, offset), quoted=False, closed=False)


def _spot(text: str, levels: list[_Level], replace: Span, *, quoted: bool, closed: bool) -> Spot | None:
    if not levels:
        return None
    level = levels[-1]
    outer = tuple(each.key for each in levels[:-1] if not each.is_list and each.key is not None)
    if quoted and not closed:
        # An open quote takes in the rest of the line; what is typed ends where a sign of the syntax stands.
        rest = _REST.match(text, replace.start)
        replace = Span(replace.start, rest.end() if rest else replace.end)
    behind = text[replace.end + (1 if closed else 0) :][:40].lstrip(" \t")
    wants_value = level.wants_value
    if level.is_list:
        owner = next((each.key for each in reversed(levels[:-1]) if each.key is not None), None)
        return Spot(outer[:-1], owner or "", replace, quoted, closed, has_colon=False)
    return Spot(
        outer,
        (level.key or "") if wants_value else None,
        replace,
        quoted,
        closed,
        has_colon=behind.startswith(":"),
    )
