"""Patterns of paths, as `.gitignore` writes them: for Git's own files, for `exclude`, `include`, `per-file-ignores`.

`name` and `*.py` match at any depth, `a/b` and `/a` from the root on, `a/` folders only, `**` any number of folders;
`!a` takes back what an earlier pattern matched. Source: https://git-scm.com/docs/gitignore.

No library: those that exist hand each pattern to `re` as it comes, where five `*` in one name are enough to never come
to an end, and a list is a stranger's.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import NamedTuple

_SPECIAL = re.compile(r"[*?\[\\]")
_CLASS = re.compile(r"\[(?P<not>[!^]?)(?P<body>\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]")
_MOST = 2_000
"""Patterns of one list that count; a list of a stranger may have a million."""
_LONGEST = 1_000
_MOST_CHARACTERS = 20_000
"""Characters of all patterns of one list that become regular expressions, which take their time to compile."""
_TOGETHER = 32
"""Patterns that become one regular expression."""

# What a pattern is made of; everything else is the regex of one character.
_STAR = "*"
_FOLDERS = "**/"
_FEW = re.compile(r"\[([\w.~]{1,8})\]", re.ASCII)
"""A class of a few characters: so many patterns without one need no regex, as `*.py[cod]` in nearly every Python repository."""
_numbers = count()
_POSIX = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "digit": "0-9", "lower": "a-z", "upper": "A-Z", "space": r"\s",
    "xdigit": "0-9a-fA-F", "punct": r"!-/:-@\[-`{-~", "blank": r" \t",
}  # fmt: skip


class Globs:
    """A list of patterns; the last one that matches decides."""

    __slots__ = ("_groups",)

    def __init__(self, patterns: Iterable[str]) -> None:
        """Take `patterns`, each as a line of a `.gitignore`: comments, blank lines and broken ones match nothing."""
        self._groups: list[_Group] = []
        number = characters = 0
        for pattern in patterns:
            wanted = not pattern.startswith("!")
            body = _body(pattern)
            if not body or len(body) > _LONGEST:
                continue
            number += 1
            characters += len(body) if _SPECIAL.search(body) else 0
            if number > _MOST or characters > _MOST_CHARACTERS:
                break
            if not self._groups or self._groups[-1].wanted is not wanted:
                self._groups.append(_Group(wanted))
            self._groups[-1].add(body)

    def __bool__(self) -> bool:
        return bool(self._groups)

    def told(self, above: str, names: Sequence[str], folder: bool) -> dict[str, bool]:
        """Return True for those of the `names` that match, False for those that a `!` pattern takes back, of others nothing.

        They are those of folders, or of files, below `above`, which is relative to the patterns' root and ends with `/`, or empty.
        """
        told: dict[str, bool] = {}
        if names:
            for group in self._groups:
                told.update(dict.fromkeys(group.matching(above, names, folder), group.wanted))
        return told

    def verdict(self, path: str, name: str, folder: bool) -> bool | None:
        """Return what is `told` of what is at `path`, whose last part is `name`; `None` when nothing speaks of it."""
        return self.told(path.removesuffix(name), (name,), folder).get(name)

    def matches(self, path: str) -> bool:
        """Return whether the file at the relative `path`, or a folder that holds it, matches."""
        at = path.find("/")
        while at >= 0:
            above = path[:at]
            if self.verdict(above, above.rpartition("/")[2], folder=True):
                return True
            at = path.find("/", at + 1)
        return bool(self.verdict(path, path.rpartition("/")[2], folder=False))


class _Group:
    """Patterns of one sense that follow each other."""

    __slots__ = ("_any", "_folders", "wanted")

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self._any = _Alternatives()
        self._folders = _Alternatives()

    def add(self, body: str) -> None:
        if stem := body.rstrip("/"):
            (self._folders if body.endswith("/") else self._any).add(stem)

    def matching(self, above: str, names: Sequence[str], folder: bool) -> list[str]:
        matching = self._any.matching(above, names)
        return matching + self._folders.matching(above, names) if folder else matching


class _Alternatives:
    """Patterns of which one is enough. Plain names and paths, their beginnings and ends, the usual ones, need no regex."""

    __slots__ = ("_beginnings", "_compiled", "_endings", "_names", "_paths", "_regexes")

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._paths: set[str] = set()
        self._beginnings: list[str] = []
        self._endings: list[str] = []
        self._regexes: dict[str, str] = {}
        self._compiled: _Compiled | None = None

    def add(self, body: str) -> None:
        """Take a pattern without a `/` at its end."""
        few = _FEW.search(body)
        if few is not None and not _SPECIAL.search(body[: few.start()].removeprefix("*") + body[few.end() :]):
            for character in few[1]:
                self.add(body[: few.start()] + character + body[few.end() :])
        elif not _SPECIAL.search(body):
            (self._paths if "/" in body else self._names).add(body.removeprefix("/"))
        elif "/" not in body and body.startswith("*") and len(body) > 1 and not _SPECIAL.search(body, 1):
            self._endings.append(body[1:])
        elif "/" not in body and body.endswith("*") and not _SPECIAL.search(body[:-1]):
            self._beginnings.append(body[:-1])
        elif body not in self._regexes and (regex := _regex(body)) is not None:
            self._regexes[body] = regex

    def matching(self, above: str, names: Sequence[str]) -> list[str]:
        """Return those of the `names` that match, some of them perhaps twice."""
        if self._compiled is None:
            regexes = _joined(self._regexes.values())
            self._compiled = _Compiled(tuple(self._beginnings), tuple(self._endings), regexes)
        beginnings, endings, regexes = self._compiled
        found = [name for name in names if name in self._names]
        if beginnings:
            found += [name for name in names if name.startswith(beginnings)]
        if endings:
            found += [name for name in names if name.endswith(endings)]
        if self._paths:
            found += [name for name in names if above + name in self._paths]
        for regex in regexes:
            found += [name for name in names if regex.fullmatch(above + name)]
        return found


class _Compiled(NamedTuple):
    beginnings: tuple[str, ...]
    endings: tuple[str, ...]
    regexes: tuple[re.Pattern[str], ...]


@lru_cache(maxsize=256)
def globs(patterns: tuple[str, ...]) -> Globs:
    """Return the `Globs` of a configuration's `patterns`, kept from one call to the next; `./a` is `/a` there."""
    return Globs(re.sub(r"^(!?)\./", r"\1/", pattern) for pattern in patterns)


def _body(pattern: str) -> str:
    """Return a pattern without its `!`, its line end and what Git ignores of it; empty for none."""
    text = pattern.rstrip("\r\n")
    if text.startswith("#"):
        return ""
    stripped = text.rstrip(" ")
    if stripped.endswith("\\") and len(stripped) < len(text):
        stripped += " "
    return stripped.removeprefix("!")


def _joined(regexes: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """Return patterns that together match what any of `regexes` does.

    One for all would take the square of them in Python 3.10, which keeps all groups in mind at each alternative.
    """
    each = list(regexes)
    return tuple(re.compile("|".join(each[at : at + _TOGETHER])) for at in range(0, len(each), _TOGETHER))


def _regex(body: str) -> str | None:
    """Return the regex for a whole path, or `None` for a pattern that matches nothing."""
    tokens = _tokens(body.removeprefix("/"))
    if not tokens:
        return None
    if "/" not in body:
        tokens.insert(0, _FOLDERS)
    first, *middle, last = _split(tokens, _FOLDERS) if _FOLDERS in tokens else (tokens, [])
    # What stands between two `**` may as well match where it can first: there is then the most left for what follows.
    # Without that, each `**` and each `*` would multiply the ways to try.
    found = [_path(first), *(_once(f"(?:[^/]*/)*?{_path(piece)}") for piece in middle)]
    if last:
        found.append(f"(?:.*/)?{_path(last)}")
    regex = "".join(found)
    if "[" in body:
        try:
            re.compile(regex)
        except re.error:
            return None
    return f"(?s:{regex})"


# branches: one arm for each sign of a pattern.
def _tokens(body: str) -> list[str] | None:
    """Return what a pattern is made of, or `None` for one that is broken."""
    tokens: list[str] = []
    at = 0
    while at < len(body):
        if body.startswith("**/", at) and (at == 0 or body[at - 1] == "/"):
            tokens.append(_FOLDERS)
            at += 3
        elif body[at:] == "**" and at and body[at - 1] == "/":
            tokens.append(".+")
            at = len(body)
        elif body[at] == "*":
            while at < len(body) and body[at] == "*":
                at += 1
            tokens.append(_STAR)
        elif body[at] == "?":
            tokens.append("[^/]")
            at += 1
        elif body[at] == "[":
            found = _CLASS.match(body, at)
            if found is None:
                return None
            tokens.append(_set(found))
            at = found.end()
        elif body[at] == "\\":
            if at + 1 == len(body):
                return None
            tokens.append(re.escape(body[at + 1]))
            at += 2
        else:
            tokens.append(re.escape(body[at]))
            at += 1
    return tokens


def _path(tokens: list[str]) -> str:
    """Return the regex for a path with a fixed number of folders."""
    return "/".join(_name(part) for part in _split(tokens, "/"))


def _name(tokens: list[str]) -> str:
    """Return the regex for one name in a path."""
    first, *others = ("".join(part) for part in _split(tokens, _STAR))
    if not others:
        return first
    return first + "".join(_once(f"[^/]*?{part}") for part in others[:-1]) + f"[^/]*{others[-1]}"


def _once(regex: str) -> str:
    """Return a regex that matches as `regex` does at first, and tries no other way."""
    if sys.version_info >= (3, 11):
        return f"(?>{regex})"
    name = f"g{next(_numbers)}"
    return f"(?=(?P<{name}>{regex}))(?P={name})"


def _split(tokens: list[str], sign: str) -> Iterator[list[str]]:
    part: list[str] = []
    for token in tokens:
        if token == sign:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _set(found: re.Match[str]) -> str:
    body = re.sub(r"\[:([a-z]+):\]", lambda m: _POSIX.get(m[1], ""), found["body"])
    body = re.sub(r"\\(.)", lambda m: re.escape(m[1]), body) if "\\s" not in body else body
    body = body.replace("[", r"\[")
    if body.startswith("]"):
        body = r"\]" + body[1:]
    return f"(?!/)[{'^' if found['not'] else ''}{body}]"
