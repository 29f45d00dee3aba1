"""Compares catalog files with the pages that they cite: copied text, and pages that aren't there.

Works on checkouts of the sources, where somebody has them: `FOLDER/owner+name`, `FOLDER/owner/name` or `FOLDER/name`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from npu_lsp.text.toml_shape import ShapeProblem
from tests.authoring.consistency import strings_in

WORDS = 8
"""An English text shares this many words in a row with a page: it was copied."""
CHARS = 18
"""The same for Chinese characters."""

_WORD = re.compile(r"[a-z0-9_.\-]+")
_WIDE = re.compile(r"[\u4e00-\u9fff]+|[A-Za-z0-9_]+")
_HEADING = re.compile(r"^#+[ \t]+(.*)$", re.MULTILINE)
_ANCHOR = re.compile(r"<a\s+(?:name|id)=[\"']([^\"']+)[\"']")
_TAG = re.compile(r"<[^<>]+>|\\")
_TEXT_SUFFIXES = frozenset({".md", ".rst", ".txt"})


def problems(data: Mapping[str, Any], sources: Mapping[str, Any], folder: Path) -> Iterator[ShapeProblem]:
    """Yield what a file has in common with the pages that it cites below `folder`, and pages that aren't there."""
    pages: dict[str, Path] = {}
    for at, cited in _cited(data, ""):
        path, _, anchor = cited.partition("#")
        for language in ("en", "zh") if "{lang}" in path else ("",):
            found = _find(path.replace("{lang}", language), sources, folder)
            if found is None:
                continue
            if not found.exists():
                yield ShapeProblem(at, f"there is no {path.replace('{lang}', language)}")
            elif found.suffix in _TEXT_SUFFIXES:
                pages[str(found)] = found
                if anchor and found.suffix == ".md" and anchor.lower() not in _anchors(found):
                    yield ShapeProblem(at, f"{path.replace('{lang}', language)} has no #{anchor}")
    for at, language, text in _texts(data, "", ""):
        for page in pages.values():
            shared = _longest(text, page, language)
            if shared:
                yield ShapeProblem(at, f"stands in {page.relative_to(folder)} too: {shared!r}")
                break


def _cited(value: object, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _cited(item, f"{at}[{number}]")
    if isinstance(value, dict):
        for key, inner in value.items():
            place = f"{at}.{key}" if at else key
            if key in ("source", "sources", "page"):
                yield from ((place, text) for text in strings_in(inner))
            else:
                yield from _cited(inner, place)


def _texts(value: object, at: str, key: str) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, f"{at}[{number}]", "")
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, f"{at}.{name}" if at else name, name)
    elif isinstance(value, str) and key in ("en", "zh"):
        yield at, key, value


def _find(cited: str, sources: Mapping[str, Any], folder: Path) -> Path | None:
    prefix, _, path = cited.partition(":")
    home = sources.get(prefix)
    if home is None or not path:
        return None
    owner, name = home["repository"].rstrip("/").split("/")[-2:]
    places = [folder / f"{owner}+{name}", folder / owner / name, folder / name]
    root = next((place for place in places if place.is_dir()), None)
    return root / path if root is not None else None


def _longest(text: str, page: Path, language: str) -> str | None:
    """Return the longest run of words or characters that `text` shares with `page`, if it is long enough to tell."""
    marked = [
        (part, bool(number % 2)) for number, piece in enumerate(text.split("`")) for part in _parts(piece, language)
    ]
    parts = [part for part, _ in marked]
    size = WORDS if language == "en" else CHARS
    known = _grams(page, language)
    best: tuple[int, int] = (0, 0)
    start = None
    for number in range(len(parts) - size + 1):
        if tuple(parts[number : number + size]) in known:
            start = number if start is None else start
            best = max(best, (number + size - start, start))
        else:
            start = None
    length, first = best
    run = marked[first : first + length]
    if sum(_says_something(part) for part, is_code in run if not is_code) * 2 < size:
        return None
    return (" " if language == "en" else "").join(part for part, _ in run)


def _says_something(part: str) -> bool:
    """Tell words from names, numbers and values, which every text about an option has to share."""
    return not re.search(r"[0-9_.]", part) and (len(part) > 2 or "\u4e00" <= part[0] <= "\u9fff")


def _parts(text: str, language: str) -> list[str]:
    plain = _TAG.sub("", text)
    if language == "en":
        return _WORD.findall(plain.lower())
    return [part for run in _WIDE.findall(plain) for part in (run if "\u4e00" <= run[0] <= "\u9fff" else [run])]


@lru_cache(maxsize=256)
def _grams(page: Path, language: str) -> frozenset[tuple[str, ...]]:
    parts = _parts(_read(page), language)
    size = WORDS if language == "en" else CHARS
    return frozenset(tuple(parts[start : start + size]) for start in range(len(parts) - size + 1))


@lru_cache(maxsize=256)
def _anchors(page: Path) -> frozenset[str]:
    text = _read(page)
    slugs = {_slug(heading.rstrip().rstrip("#").rstrip()) for heading in _HEADING.findall(text)}
    return frozenset(slugs | {anchor.lower() for anchor in _ANCHOR.findall(text)})


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", _TAG.sub("", heading).lower()).strip().replace(" ", "-")


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8", errors="replace")
