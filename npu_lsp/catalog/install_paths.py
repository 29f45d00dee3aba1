"""Which folder of an installation of Ascend's software a path means whose name has a slip."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from npu_lsp.catalog.near import distance
from npu_lsp.text import lazy_re as re
from npu_lsp.text.memo import Memoized

if TYPE_CHECKING:
    from npu_lsp.text.document import Document

_PATH = re.compile(
    # What stands in front is asked behind the first sign: a pattern that starts with a plain one is found ten times faster.
    r"/(?:(?<=/usr/local/)|(?<=/opt/)|(?<=/home/HwHiAiUser/)|(?<=\$HOME/)|(?<=\$\{HOME/)|(?<=\$HOME\}/)|(?<=\$\{HOME\}/)"
    r"|(?<=(?<![\w.])~/))(?P<path>[Aa][a-z]{4,7}(?:/[A-Za-z0-9_][\w.-]{0,60}){1,12})"
)
_FRONT = re.compile(r"(?:/usr/local|/opt|/home/HwHiAiUser|\$\{?HOME\}?|~)\Z")
_LONGEST_FRONT = len("/home/HwHiAiUser")
_HOME = "Ascend"
_SCRIPT = "set_env.sh"
_TOOLKIT = "ascend-toolkit"
_RELEASE = re.compile(r"(?:cann-)?v?\d.*", re.IGNORECASE)
_SEPARATORS = re.compile(r"[-_]")
_DIGITS = re.compile(r"\d+")
_LETTERS = 5
"""Letters of a name in which one that is wrong makes no other name."""
_LONG = 10
"""Letters from which on two may be wrong."""


class WrongPath(NamedTuple):
    """A part of a path that no installer makes."""

    start: int
    """Code points from the beginning of the text."""
    end: int
    path: str
    """The path up to there."""
    near: str
    """What belongs there."""


@Memoized
def misplaced(document: Document) -> tuple[WrongPath, ...]:
    """Return the paths in a document that no installer makes."""
    return tuple(wrong_paths(document.text))


def wrong_paths(text: str) -> Iterator[WrongPath]:
    """Yield the parts of paths of Ascend's software in a text that have a slip."""
    for match in _PATH.finditer(text) if "scend" in text or "Asc" in text else ():
        found = _wrong(match["path"])
        if found is not None:
            start, end, near = found
            begin = match.start("path")
            front = _FRONT.search(text, max(0, match.start() - _LONGEST_FRONT), match.start())
            first = front.start() if front is not None else match.start()
            yield WrongPath(begin + start, begin + end, text[first : begin + end], near)


@lru_cache(maxsize=1000)
def _wrong(path: str) -> tuple[int, int, str] | None:
    table = _table()
    home, *parts = path.split("/")
    words = frozenset(table["words"])
    if home != _HOME:
        slip = home.casefold() != _HOME.casefold() and distance(home, _HOME, 2) is not None
        return (0, len(home), _HOME) if slip and parts[0] in words else None
    at = len(home) + 1
    for number, part in enumerate(parts):
        stranger = part not in words and _RELEASE.fullmatch(part) is None
        near = _meant(part, words, first=number == 0) if stranger else None
        if near is not None:
            return at, at + len(part), near
        if part == _SCRIPT and "/".join(parts[:number]) in ("", "ascend-latest", "ascend-lastest"):
            # Each package has one of its own, in its own folder.
            return len(home) + 1, at + len(part), f"{_TOOLKIT}/{_SCRIPT}"
        if stranger and not part.startswith("ascend-"):
            return None  # What is below is somebody's own.
        at += len(part) + 1
    return None


def _meant(part: str, words: frozenset[str], *, first: bool) -> str | None:
    """Return the word that a part of a path has a slip of; its plural or its beginning is another one."""
    if len(part) < _LETTERS:
        return None
    plain, digits, signs = _SEPARATORS.sub("", part), _DIGITS.findall(part), len(_SEPARATORS.findall(part))
    found = [
        word
        for word in words
        if _DIGITS.findall(word) == digits
        and distance(part, word, 2 if len(part) >= _LONG else 1) is not None
        and part.rstrip("s") != word.rstrip("s")
        and (
            (first and word.startswith(part))
            or part == word + word[-1]
            or not (word.startswith(part) or part.startswith(word))
        )
        # One word or two is a name of its own: `opp_kernel`, `third_party`.
        # The toolkit has its folder right below; further down, that name is another's.
        and (first or word != _TOOLKIT)
        and (len(_SEPARATORS.findall(word)) == signs or word in (_TOOLKIT, _SCRIPT))
        and (plain != _SEPARATORS.sub("", word) or word in (_TOOLKIT, _SCRIPT))
    ]
    return found[0] if len(found) == 1 else None


def _table() -> Any:
    from npu_lsp.catalog.load import load

    return load().plain("install_paths")
