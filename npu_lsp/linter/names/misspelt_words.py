"""Names of flags and keys with a word in them that is a common one with a slip."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.innermost import texts
from npu_lsp.languages.registry import PAGES
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_FLAG = re.compile(r"--(?<![\w$./-]--)(?P<name>[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+)(?![\w./-])")
_KEY = re.compile(r"\"(?P<name>[a-z][a-z0-9]*(?:_[a-z0-9]+)*)\"[ \t]*:")
_DECLARES, _BEFORE = "add_argument(", 30
"""What a program takes itself is no slip of whoever writes it, and how far in front of its name that stands."""
_ABOUT = re.compile(
    r"(?i)(?<![a-z])npus?(?![a-z])|ascend|昇腾|mindspore|mindspeed|mindformers|mindie|msit|msmodelslim|torch_npu|hccl"
)
_WORD = re.compile(r"[a-z]+")
_FLAGS = frozenset({*PAGES, Kind.SHELL})
_SHORT, _MIDDLE, _LONG = 5, 6, 8
"""Letters of a word in which two may be swapped, of one that lacks one or has one more, and of one with another one."""


class _Words(NamedTuple):
    common: frozenset[str]
    others: frozenset[str]
    """Words that are a letter from a common one, and right."""
    lacking: dict[str, set[str]]
    """The common ones, by what is left without one of their inner letters."""


class Misspelt(NamedTuple):
    """A name, the one of its words that has a slip, and what that was meant to be."""

    span: Span
    word: str
    near: str


@Memoized
def misspelt_words(document: Document) -> tuple[Misspelt, ...]:
    """Return the names with such a word in a text about NPUs, where each stands first.

    What a script says again and again is likely right; a page repeats what it says.
    """
    first: dict[str, Misspelt] = {}
    for each in sorted(set(_names(document))):
        first.setdefault(document.text[each.span.start : each.span.end], each)
    often = document.kind not in PAGES
    found = [each for name, each in first.items() if not often or document.text.count(name) == 1]
    return tuple(found) if found and _ABOUT.search(document.text) else ()


def _names(document: Document) -> Iterator[Misspelt]:
    """Yield flags of scripts and of pages around them, and keys of JSON; what a script says again and again is its own name."""
    places = tuple(texts(document))
    inner = {
        span.start
        for place in places
        if document.kind in PAGES and place.document.kind is Kind.SHELL
        for match in _FLAG.finditer(place.document.text)
        if (span := place.content(Span(*match.span("name")))) is not None
    }
    for place in places:
        kind, text = place.document.kind, place.document.text
        pattern = _FLAG if kind in _FLAGS else _KEY if kind is Kind.JSON else None
        for match in pattern.finditer(text) if pattern is not None else ():
            declared = _DECLARES in text[max(0, match.start() - _BEFORE) : match.start()]
            found = _slip(match["name"]) if not declared else None
            span = place.content(Span(*match.span("name"))) if found is not None else None
            own = span is not None and (span.start not in inner if kind in PAGES else text.count(match["name"]) == 1)
            if found is not None and span is not None and own:
                yield Misspelt(span, *found)


@lru_cache(maxsize=20_000)
def _slip(name: str) -> tuple[str, str] | None:
    """Return the one word of a name that has a slip, and what it was meant to be."""
    found = [(word, near) for word in _WORD.findall(name) if (near := _meant(word)) is not None]
    # What is close to an option is told, where it is one, by whoever knows the program.
    right = name.replace(*found[0]).replace("-", "_") if len(found) == 1 else None
    return found[0] if right is not None and right not in _options() else None


@cache
def _options() -> frozenset[str]:
    from npu_lsp.catalog.load import load

    catalog = load()
    return frozenset(name.replace("-", "_") for surface in Surface for name in catalog.names(surface))


@cache
def _words() -> _Words:
    from npu_lsp.catalog.load import load

    facts = load().plain("well_known")
    common, others = (frozenset(facts[name].split()) for name in ("common", "others"))
    lacking: dict[str, set[str]] = {}
    for word in common:
        for at in range(1, len(word) - 1):
            lacking.setdefault(word[:at] + word[at + 1 :], set()).add(word)
    return _Words(common, others, lacking)


def _meant(word: str) -> str | None:
    """Return the common word that a wrong one was meant to be; `None` where that isn't clear. The first letter and the last one are right."""
    words = _words()
    if len(word) < _SHORT or word in words.common or word in words.others:
        return None
    inner = range(1, len(word) - 1)
    less = {at: word[:at] + word[at + 1 :] for at in inner}
    found = {
        swapped for at in inner if (swapped := word[:at] + word[at + 1] + word[at] + word[at + 2 :]) in words.common
    }
    if len(word) >= _MIDDLE:
        found |= words.lacking.get(word, set()) | (words.common & {*less.values()})
    if len(word) >= _LONG:
        found |= {
            each
            for at in inner
            for each in words.lacking.get(less[at], ())
            if len(each) == len(word) and each[:at] == word[:at] and each[at + 1 :] == word[at + 1 :]
        }
    found = {each for each in found if each[0] == word[0] and not each.startswith(word) and not word.startswith(each)}
    return found.pop() if len(found) == 1 else None
