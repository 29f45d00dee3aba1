"""What the lines of a script set its variables to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized
from npu_lsp.text.word_search import in_lines_with, lines_with, matches

_FILLED = re.compile(
    r"\b(?:eval|declare)\b|(?:^|[;&])[ \t]{0,40}(?:source|\.)[ \t]{1,9}(?!\S{0,200}(?:set_?env|bashrc|profile|activate))",
    re.MULTILINE,
)
"""What may give a variable its value without a word of it: another script, which isn't one of a toolkit."""
_GIVEN = re.compile(r"^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)=(?P<value>[^\r\n#]*)", re.MULTILINE)
_WORD = re.compile(r"(?P<read>\$\{?)?(?<!\w)(?P<name>[A-Za-z_]\w*)")
_MADE = re.compile(r"\bmkdir\b[^\n;&|]*")
_FOLDER = re.compile(r"(?<![\w${])[A-Z]\w{1,60}")


@Memoized
def assigned(document: Document) -> Mapping[str, Sequence[str]]:
    """Return what the lines of a script set each variable to."""
    found: dict[str, list[str]] = {}
    for match in matches(_GIVEN, document.text, (start for start, _ in lines_with(document.text, "="))):
        found.setdefault(match["name"], []).append(match["value"])
    return found


@Memoized
def folders(document: Document) -> frozenset[str]:
    """Return the names of folders in capitals, as variables have them: of those that a script makes, and of what it sets a variable of that name to."""
    made = {name for match in in_lines_with(_MADE, document.text, "mkdir") for name in _FOLDER.findall(match[0])}
    own = (name for name, given in assigned(document).items() if any(name in _FOLDER.findall(each) for each in given))
    return frozenset((*made, *own))


@Memoized
def _unread(document: Document) -> Counter[str]:
    """Return how often each name stands in a script where it isn't read; none where another script may set what it likes."""
    text = document.text
    if _FILLED.search(text):
        return Counter()
    return Counter(match["name"] for match in _WORD.finditer(text) if not match["read"])


def only_value(document: Document, name: str) -> str | None:
    """Return what a script sets a variable to, without its quotes, where it sets it once and nothing else does; `None` otherwise."""
    given = assigned(document).get(name, ())
    return given[0].strip(" \t;\"'") if len(given) == 1 == _unread(document)[name] else None
