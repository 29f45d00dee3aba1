"""Which environment variables are worth reading: those of the catalog, those that begin like them, and those that are close to one.

Without the others a mistyped name would never be seen. What they begin with is learned from the catalog.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from npu_lsp.text import lazy_re as re
from npu_lsp.text.word_search import Words

if TYPE_CHECKING:
    from npu_lsp.catalog.sought import Sought
    from npu_lsp.catalog.spelling import Guess, Spelling

# `GLOG_v` and its kin end in small letters. What must not stand before is asked behind the first letter, so that only capital
# letters are looked at.
_ASSIGNED = re.compile(r"[A-Z](?<![A-Za-z0-9_$.-].)[A-Z0-9_]{2}[A-Za-z0-9_]*(?=[ \t]*:?=)")
_KEY = re.compile(r"[A-Z](?<![A-Za-z0-9_$.-].)[A-Z0-9_]{2}[A-Za-z0-9_]*(?=\\?\"[ \t]*:)")
_WORD = re.compile(r"[A-Z][A-Z0-9_]{2}[A-Za-z0-9_]*")
_READ = re.compile(r"[A-Z][A-Z0-9_]{2}[A-Za-z0-9_.-]*")
"""As what decides whether a file is read at all (`triggers`) looks for: no reader may take another for a variable."""
_LACKS_EQUALS = re.compile(
    r"export(?<![\w-]export)(?:[ \t]+(?=[A-Z]\w*[ \t]+[\"']?[/.~\d])|(?=[A-Z]\w*=))(?P<name>[A-Z]\w*)"
)
"""`export NAME /path`, `exportNAME=v`"""
_EXPORT = re.compile(r"^[ \t]*export[ \t]+(?P<name>[A-Z]\w*)=", re.MULTILINE)


_own: frozenset[str] = frozenset()
"""Names that users' catalogs add, of all configurations together: to read one too many does no harm."""
_ENVIRONMENT = re.compile(
    r"(?:\A|[_.]|(?<=[a-z]))(?:env(?:iron(?:ments?)?)?|Env(?:ironment)?)(?:_?vars?|Vars?|s)?(?:[_.]|[A-Z]|\d|\Z)"
)
_OTHERS = re.compile(r"(?:names?|keys?|map|types?|defaults?|prefix(?:es)?|to)\Z", re.IGNORECASE)
"""What the word behind makes of it: names of variables, not variables."""


def learn(names: Iterable[str]) -> None:
    """Have the variables of a user's catalog read, too, and those that a slip makes of their names."""
    global _own
    new = frozenset(filter(_WORD.fullmatch, names)) - _names()
    if new:
        _own |= new
        for known in (_names, _spelling, _sought, is_variable, meant, stems, _parts, _lines, assigned):
            known.cache_clear()


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    from npu_lsp.catalog.errors import CatalogError
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.model import Surface

    try:
        return load().names(Surface.ENV) | _own
    except CatalogError:
        # Whoever uses the catalog next tells the user.
        return frozenset()


@lru_cache(maxsize=1)
def _spelling() -> Spelling:
    from npu_lsp.catalog.errors import CatalogError
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.spelling import Spelling, spelling

    try:
        return spelling(_names(), load().plain("other_variables")) if _own else load().spelling
    except CatalogError:
        return Spelling(())


@lru_cache(maxsize=1)
def _sought() -> Sought:
    """Return what names worth reading begin with or hold: as the catalog has it worked out, unless users' names are among them."""
    from npu_lsp.catalog.errors import CatalogError
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.sought import Sought, sought
    from npu_lsp.catalog.store import SOUGHT

    with suppress(CatalogError):
        told = None if _own else load().store.part(SOUGHT)
        if told is not None:
            return Sought(*map(tuple, told))
    return sought(_names(), _spelling())


@lru_cache(maxsize=4096)
def is_variable(name: str) -> bool:
    """Return whether a variable is worth reading."""
    if _READ.fullmatch(name) is None:
        return False
    return name in _names() or name.startswith(_sought().prefixes) or meant(name) is not None


@lru_cache(maxsize=4096)
def meant(name: str) -> Guess | None:
    """Return what an unknown variable is close to; `None` where it may be right."""
    return _spelling().guess(name)


@lru_cache(maxsize=1)
def stems() -> Words[str]:
    """Return texts of which each name that `is_variable` knows holds one."""
    return Words(_sought().stems)


def named(pattern: re.Pattern[str], text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """Yield what `pattern`, which finds names and never a line's end, finds of variables worth reading, in the order of the text.

    It is only tried in lines with a part of such a name: that is known ten times sooner.
    """
    last = len(text) if end is None else end
    whole = last - start == len(text)
    for begin, behind in _lines(text) if whole else _lines_around(stems().places(text, start, last), text, start, last):
        for match in pattern.finditer(text, begin, behind):
            if is_variable(match.group()):
                yield match


def most_names(text: str) -> int:
    """Return how many names of variables worth reading `text` has at most."""
    return len(_parts(text))


# Several readers ask about one text, one after the other.
@lru_cache(maxsize=2)
def _parts(text: str) -> list[tuple[int, int]]:
    return stems().places(text)


@lru_cache(maxsize=2)
def _lines(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_lines_around(_parts(text), text, 0, len(text)))


def _lines_around(parts: Iterable[tuple[int, int]], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each line that holds one of `parts` begins and ends, as far as it stands between `start` and `end`."""
    done = start
    for _, place in parts:
        if place >= done:
            begin = max(done, text.rfind("\n", start, place) + 1)
            done = text.find("\n", place, end)
            done = done if done >= 0 else end
            yield begin, done


@lru_cache(maxsize=2)
def assigned(text: str) -> tuple[re.Match[str], ...]:
    """Return the places at which variables worth reading seem to get a value, in the order of the text."""
    return tuple(named(_ASSIGNED, text))


def begins_variable(typed: str) -> bool:
    """Return whether a name of the catalog goes on as it was `typed`, or is worth reading as it stands."""
    said = typed.upper()
    return any(name.upper().startswith(said) for name in _names()) or is_variable(typed)


def lacks_equals(text: str) -> bool:
    """Return whether a line seems to export a variable worth reading, and lacks the blank or the sign that makes it one."""
    return "export" in text and any(is_variable(match["name"]) for match in _LACKS_EQUALS.finditer(text))


def names_variable(text: str) -> bool:
    """Return whether a variable worth reading is named in `text`."""
    return next(named(_WORD, text), None) is not None


def exports_variable(script: str) -> bool:
    """Return whether a line of `script` exports a variable worth reading."""
    return any(is_variable(match["name"]) for match in _EXPORT.finditer(script))


def keys(text: str, start: int = 0, end: int | None = None) -> list[re.Match[str]]:
    """Return the places at which such variables are keys of an environment in JSON: `'{"env_vars": {"X": "v"}}'`."""
    stop = len(text) if end is None else end
    if text.find("env", start, stop) < 0 and text.find("Env", start, stop) < 0:
        return []
    return list(named(_KEY, text, start, stop))


def is_environment(label: str) -> bool:
    """Return whether a name says that environment variables are in it: `env_dict`, `SERVER_ENV`, `runtimeEnv`."""
    said = label if not label.isupper() else label.lower()
    return _ENVIRONMENT.search(said) is not None and _OTHERS.search(label) is None
