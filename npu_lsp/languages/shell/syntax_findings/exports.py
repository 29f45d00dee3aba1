"""Commands that only set variables, in a process that ends with them: whoever started it gets none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from npu_lsp.languages.model import Block
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_EXPORT = re.compile(
    r"\s*(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)=(?P<value>(?:'[^'\n]*'|\"[^\"\n]*\"|[^\s;&|<>()'\"`\\])*)[ \t]*(?:;|&&|\n|\Z)\s*"
)
_PLAIN = re.compile(r"(?P<quote>['\"]?)(?P<text>[\w./:,@%+=-]*)(?P=quote)")
_MOST = 100


class Export(NamedTuple):
    """One variable that is set."""

    name: str
    span: Span
    """Of the name."""
    value: str | None
    """`None` where it isn't known before it runs."""


def lost_export(command: str, blocks: Iterable[Block]) -> Export | None:
    """Return the first variable of `blocks` that `command` sets, when it does nothing but set variables.

    Where it sets several, no value is told: putting one elsewhere doesn't mend the command.
    """
    known = {setting.name for block in blocks for setting in block.settings if setting.surface.row.environment}
    exports = _only_exports(command) if known else []
    first = next((each for each in exports if each.name in known), None)
    return first._replace(value=None) if first is not None and len(exports) > 1 else first


def _only_exports(command: str) -> list[Export]:
    """Return the variables that `command` sets, when it does nothing else; none when it does."""
    found: list[Export] = []
    at = 0
    while at < len(command):
        match = _EXPORT.match(command, at)
        if match is None or len(found) == _MOST:
            return []
        plain = _PLAIN.fullmatch(match["value"])
        found.append(Export(match["name"], Span(*match.span("name")), plain["text"] if plain else None))
        at = match.end()
    return found
