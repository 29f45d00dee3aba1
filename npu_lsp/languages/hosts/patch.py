"""Patches: what a unified diff adds to configurations, scripts and Kubernetes files, read as those are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.detection import detect
from npu_lsp.languages.injections import Injection, host
from npu_lsp.languages.json.excerpts import excerpt, shown
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import LocatedText
from npu_lsp.text.spans import Span

_FILE = re.compile(r"\+\+\+ (?P<path>[^\t\r\n]+)(?:\t[^\r\n]*)?")
_SIDES = ("b/", "w/", "i/")
"""What Git writes in front of the paths of what is new."""
_HUNK = re.compile(r"@@ -\d{1,9}(?:,(?P<old>\d{1,9}))? \+\d{1,9}(?:,(?P<new>\d{1,9}))? @@.*")
_BRACKET = re.compile(r"\"[^\"\\\r\n]*(?:\\.[^\"\\\r\n]*)*\"?|[\[\]{}]")
_KEY = re.compile(r"^[ \t]*\"([^\"\\\r\n]*)\"[ \t]*:", re.MULTILINE)
_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_CLOSES = {"{": "}", "[": "]"}
_OPENS = {"}": "{", "]": "["}
_READ = frozenset({Kind.SHELL, Kind.YAML, Kind.DOTENV})
"""Besides JSON: a few lines of a program don't say what it sets."""


class _Hunk(NamedTuple):
    """What stands in a file behind a patch, as far as that shows it."""

    path: str
    text: LocatedText
    whole: bool


def _hunks(document: Document) -> Iterator[_Hunk]:
    path, line = "", 0
    while line < document.line_count:
        span = document.line_span(line)
        named = _FILE.fullmatch(document.text, *span)
        hunk = _HUNK.fullmatch(document.text, *span)
        line += 1
        if named is not None:
            path = named["path"].strip()
            path = path[2:] if path.startswith(_SIDES) else path
        elif hunk is not None and path:
            counts = [int(count) if count is not None else 1 for count in hunk.group("old", "new")]
            text, line = _behind(document, line, *counts)
            yield _Hunk(path, text, whole=counts[0] == 0)


def _behind(document: Document, line: int, old: int, new: int) -> tuple[LocatedText, int]:
    """Return what stands there with a patch from `line` on, which says how many lines there were and are, and the line behind."""
    text = LocatedText()
    while (old > 0 or new > 0) and line < document.line_count:
        start, end = document.line_starts[line], document.line_end(line)
        sign = document.text[start : start + 1]
        line += 1
        if sign == "+":
            text.take(document.text, Span(start + 1, end))
        elif sign in " \r\n":
            # It stands there already, whoever reads the patch: there is nothing to be said about it.
            text.put(document.text[start + (sign == " ") : end], start, end)
        new -= sign not in "-\\"
        old -= sign not in "+\\"
    return text, line


def _find(document: Document) -> Iterator[Injection]:
    for hunk in _hunks(document):
        text = hunk.text.said
        if not text:
            continue
        kind = detect(hunk.path, text)
        if hunk.path.endswith(".json") and kind in (Kind.OTHER, Kind.JSON):
            kind = shown(text) or Kind.JSON
        if kind is Kind.OTHER or (kind not in _READ and not BY_KIND[kind].json):
            continue
        if hunk.whole:
            yield Injection(kind, text, hunk.text.places(), _on_a_line)
        elif kind in _READ:
            yield Injection(kind, text, hunk.text.places(), _on_a_line, part=True, filled=True)
        else:
            whole = _closed(hunk.text)
            yield excerpt(kind, whole.said, whole.places(), _on_a_line)._replace(filled=True)


def _closed(text: LocatedText) -> LocatedText:
    """Return lines of JSON with the brackets around them, which stand further up and further down in the file."""
    above: list[str] = []
    below: list[str] = []
    for match in _BRACKET.finditer(text.said):
        sign = match.group()
        if sign in _CLOSES:
            below.append(_CLOSES[sign])
        elif sign in _OPENS and below:
            below.pop()
        elif sign in _OPENS:
            above.append(_OPENS[sign])
    # Names of variables alone are those of an environment, whose own name stands further up.
    bare = not above and all(_NAME.fullmatch(key[1]) for key in _KEY.finditer(text.said))
    head = '{"env": {' if bare else "{"
    for sign in reversed(above):
        head += ('"": ' if head[-1] == "{" else "") + sign
    whole = LocatedText.of(head, Span(text.starts[0], text.starts[0]))
    whole.add(text)
    whole.put("".join(reversed(below)) + ("}}" if bare else "}"), text.ends[-1], text.ends[-1])
    return whole


def _on_a_line(text: str) -> str | None:
    """Return what is put into a line; none may come or go, since the patch says how many there are."""
    return text if text and "\n" not in text else None


read, cursor = host(_find)
