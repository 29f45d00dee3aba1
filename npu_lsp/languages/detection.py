"""What kind of file a text is: by its name, by its first line, by what the client calls it."""

from __future__ import annotations

from functools import cache, lru_cache

from npu_lsp.languages.registry import LANGUAGES
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind

_SUFFIXES = {suffix: row.kind for row in LANGUAGES for suffix in row.suffixes}
_NAMES = {name: row.kind for row in LANGUAGES for name in row.names}
_PREFIXES = {f"{name}.": kind for name, kind in _NAMES.items()}
_STARTS = tuple(_PREFIXES)
_WITHIN = tuple((re.compile(rf"(?<![a-z0-9]){word}(?![a-z0-9])"), row.kind) for row in LANGUAGES for word in row.within)
_EDITOR_IDS = {name: row.kind for row in LANGUAGES for name in row.editor_ids}
_PLAIN = frozenset({".json", ".ini", ".cfg", ".conf", ".config", ".txt", ".prototxt"})
"""Suffixes that tell nothing: those of the files that options point to, and of many others."""
_Patterns = tuple[tuple[Kind, re.Pattern[str]], ...]


def detect(path: str, head: str, language_id: str = "") -> Kind:
    """Return the kind of the file at `path` that starts with `head`.

    Its first line is enough, except for files that options point to: what they are may show further down.

    What the client says wins over the name, the name over the first line. "Python" is what some clients say of all languages
    that they have one server for, Eglot 1.9 among them: there, a name that is another language's wins.
    """
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    suffix = name[name.rfind(".") :] if "." in name else ""
    by_name = _by_name(name) or _SUFFIXES.get(suffix)
    said = _EDITOR_IDS.get(language_id)
    if said is not None and (said is not Kind.PYTHON or by_name is None):
        return said
    if by_name is not None:
        return by_name
    if suffix in _PLAIN:
        found = _config_format(name, head)
        return found if found is not Kind.OTHER else _by_words(name)
    by_words = _by_words(name)
    if by_words is not Kind.OTHER:
        return by_words
    found = _by_first_line(head)
    return found if found is not Kind.OTHER or suffix else _by_beginning(head)


def is_read(name: str) -> bool:
    """Return whether a reader exists for files of this name, or may: by what their text tells."""
    return name[name.rfind(".") :] in _SUFFIXES or _is_read_without_suffix(name)


@lru_cache(maxsize=4096)  # a large tree has the same few names again and again
def _is_read_without_suffix(name: str) -> bool:
    return detect(name, "") is not Kind.OTHER or tells_only_inside(name)


def tells_only_inside(name: str) -> bool:
    """Return whether a file of this name may be one of ours, which only its text tells."""
    return "." not in name or _perhaps().fullmatch(name.lower()) is not None


@cache
def _perhaps() -> re.Pattern[str]:
    return re.compile("|".join(row.perhaps for row in LANGUAGES if row.perhaps))


def _by_name(name: str) -> Kind | None:
    found = _NAMES.get(name)
    if found is None and name.startswith(_STARTS):
        found = next(kind for prefix, kind in _PREFIXES.items() if name.startswith(prefix))
    return found


def _by_words(name: str) -> Kind:
    return next((kind for pattern, kind in _WITHIN if pattern.search(name)), Kind.OTHER)


def _by_first_line(head: str) -> Kind:
    if head.startswith(("#!", "\ufeff#!")):
        for kind, pattern in _interpreters():
            if pattern.match(head):
                return kind
    return Kind.OTHER


def _by_beginning(head: str) -> Kind:
    return next((kind for kind, pattern in _beginnings() if pattern.match(head)), Kind.OTHER)


def _config_format(name: str, head: str) -> Kind:
    """Return the kind of a file that an option may point to."""
    habits, contents = _config_formats()
    for kind, pattern in habits:
        if pattern.fullmatch(name):
            return kind
    head = head.removeprefix("\ufeff")
    if head:
        for kind, pattern in contents:
            if pattern.search(head):
                return kind
    return Kind.OTHER


# Compiled when the first such file comes by: most runs see none, and every one would wait for it.
@cache
def _config_formats() -> tuple[_Patterns, _Patterns]:
    return (
        tuple((row.kind, re.compile(row.habit)) for row in LANGUAGES if row.habit),
        tuple((row.kind, re.compile(content, re.MULTILINE)) for row in LANGUAGES for content in row.contents),
    )


@cache
def _beginnings() -> _Patterns:
    above = r"\ufeff?(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*"
    return tuple((row.kind, re.compile(f"{above}(?:{row.begins})", re.MULTILINE)) for row in LANGUAGES if row.begins)


@cache
def _interpreters() -> _Patterns:
    start = r"\ufeff?#![ \t]*(?:\S*/)?(?:(?:env|with-contenv)[ \t]+(?:-\S+[ \t]+)*(?:\S*/)?)?"
    return tuple(
        (row.kind, re.compile(f"{start}(?:{'|'.join(row.interpreters)})(?:[ \\t\\r\\n]|$)"))
        for row in LANGUAGES
        if row.interpreters
    )
