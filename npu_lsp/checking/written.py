"""Where files write a name, whatever kind of setting it is: `--max-model-len 8192`, `"tp_size": 8`, `HCCL_IF_IP=eth0`.

The catalog doesn't know the settings of all programs that logs name. Here a name counts by its letters alone: `-`, `_` and upper case make no
difference in flags and keys, and a name counts where a value follows, or as a flag. A value that a message has is found by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text import lazy_re as re
from npu_lsp.text.decoding import UndecodableError, decode
from npu_lsp.text.kinds import Kind

_LARGEST = 1 << 20
"""Bytes of a file that is searched."""
_ALL = 1 << 26
"""Bytes of all files together."""
_WIDEST = 4000
"""Characters of a line."""
_MOST = 6
"""Places of one name."""
_NAME = re.compile(
    r"(?<![\w$.{/-])(?:(?P<name>--?[A-Za-z][\w.-]*\w|[A-Za-z_]\w*(?:[.-]\w+)*)[\"']?(?P<sign>[ \t]*[=:][ \t]*|[ \t]+(?=[^\s#;&|\\-]))"
    r"(?P<value>\"[^\"\n]{0,120}\"|'[^'\n]{0,120}'|[^\s,;#&|}\)]{1,120})|(?P<switch>--[A-Za-z][\w.-]*\w)(?![\w=-]))"
)
_TELLING = re.compile(r"(?=.*[./:_\d])[^\s\"'`]{6,200}\Z")
"""A value that is hardly anything else where a message has it: a path, an address, a version."""
_QUOTED = re.compile(r"[^\s\"'`\[\](){},;<>]{6,200}")
_UNBROKEN = re.compile(r"(?<![^\s\"'`])[^\s\"'`()\[\]]*[()\[\]][^\s\"'`]*")
"""A path may have brackets itself."""
_NAMED = re.compile(r"(?P<sign>[\"'`])(?P<value>[^\W\d][\w-]{4,60})(?P=sign)")
"""A name in quotes, as messages write a value that they refuse."""
_CALLED = re.compile(r"(?<![\w.])([a-z]{4,})(?=[:=])")
"""One word that a message says something of: `goodput: e2e`."""
_PARTS = re.compile(r"[-_. ]+")
_BESIDE = re.compile(r"[\"'`\\]")
"""What ends a value that doesn't begin with a quote: of a text around it."""
_COMMENT = re.compile(r"\s*(?:#(?![A-Z]{2,9}[ \t])|//)")
"""A line that is only a comment, but for those that schedulers read: `#SBATCH --nodes=2`."""


class Written(NamedTuple):
    """A name with a value in a file."""

    path: str
    line: int
    """1-based."""
    column: int
    """1-based, in code points."""
    name: str
    value: str
    """Empty for a flag that has none."""


def plain(name: str) -> str:
    """Return a name in small letters, without leading dashes, its parts joined by "_": spellings that are equal then mean one option."""
    return _PARTS.sub("_", name.strip("-")).lower()


def value_in(line: str, name: str) -> tuple[int, int] | None:
    """Return where in a line the value of a name stands, without its quotes; `None`: nowhere, or in several places."""
    places = [
        _inner(match) for match in _names(line[:_WIDEST]) if match["value"] and plain(match["name"]) == plain(name)
    ]
    return places[0] if len(places) == 1 and places[0][0] < places[0][1] else None


def _inner(match: re.Match[str]) -> tuple[int, int]:
    value, (start, end) = match["value"], match.span("value")
    if value[0] in "\"'" and value[1:].endswith(value[0]):
        return start + 1, end - 1
    beside = _BESIDE.search(value)
    return start, start + beside.start() if beside is not None else end


class WrittenTexts:
    """The texts of files, read once."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Take the files; those that can't be read are passed over."""
        self._places: dict[str, list[Written]] = {}
        self._values: dict[str, list[Written]] = {}
        left = _ALL
        for path in paths:
            try:
                with open(path, "rb") as file:
                    data = file.read(_LARGEST + 1)
                if len(data) > _LARGEST or len(data) > left:
                    continue
                left -= len(data)
                text = decode(data).text
            except (OSError, UndecodableError):
                continue
            for written in _written(path, text):
                self._take(written)

    def _take(self, written: Written) -> None:
        # `actor.megatron.use_mbridge=False` is what a message calls `use_mbridge`.
        tail = written.name.rpartition(".")[2]
        for name in {plain(written.name), plain(tail if "_" in tail else written.name)}:
            places = self._places.setdefault(name, [])
            if len(places) < _MOST:
                places.append(written)
        if _TELLING.match(written.value) or _NAMED.fullmatch(f'"{written.value}"'):
            values = self._values.setdefault(written.value, [])
            if len(values) < _MOST:
                values.append(written)

    def of(self, names: Iterable[str]) -> list[Written]:
        """Return where the names are written, in their order."""
        return [each for name in dict.fromkeys(map(plain, names)) for each in self._places.get(name, ())]

    def said(self, message: str) -> list[str]:
        """Return the names that a message calls by their words: `tensor parallel size`, and a flag of one word in front of a colon."""
        words = "_" + "_".join(re.findall(r"[a-z0-9]+", message.lower())) + "_"
        called = set(_CALLED.findall(message))
        return [
            name
            for name, places in self._places.items()
            if f"_{name}_" in words and ("_" in name or (name in called and places[0].name.startswith("--")))
        ]

    def valued(self, message: str) -> list[Written]:
        """Return where a path, an address or another telling value is set that stands in a message."""
        found = (*_QUOTED.findall(message), *_UNBROKEN.findall(message))
        telling = (word for word in (each.rstrip(".:,;") for each in found) if _TELLING.match(word))
        words = dict.fromkeys((*telling, *(match["value"] for match in _NAMED.finditer(message))))
        return [each for word in words for each in self._values.get(word, ())[:_MOST]]


def _written(path: str, text: str) -> Iterator[Written]:
    patch = path.endswith(BY_KIND[Kind.PATCH].suffixes)
    for number, line in enumerate(text.split("\n")):
        # What a patch doesn't add is there, or was.
        if not line.startswith("+") if patch else _COMMENT.match(line) is not None:
            continue
        for match in _names(line[:_WIDEST]):
            name, value = match["name"] or match["switch"], match["value"] or ""
            yield Written(path, number + 1, match.start() + 1, name, value.strip("\"'"))


def _names(line: str) -> Iterator[re.Match[str]]:
    match = _NAME.search(line)
    while match is not None:
        name, sign = match["name"] or match["switch"], match["sign"] or ""
        # A blank separates a flag from its value, and words of other kinds from anything.
        if sign.strip() or name.startswith("-"):
            yield match
        # The value may hold names itself, as JSON in quotes does.
        match = _NAME.search(line, match.end("sign") if sign else match.end())
