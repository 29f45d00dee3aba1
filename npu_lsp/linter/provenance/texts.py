"""The files that settings name, each read once: within the tree, never behind a link in it, no large one, and only so many."""

from __future__ import annotations

import os
from collections.abc import Callable

from npu_lsp.languages.detection import detect
from npu_lsp.text import dependencies
from npu_lsp.text import lazy_re as re
from npu_lsp.text.decoding import UndecodableError, decode
from npu_lsp.text.document import Document
from npu_lsp.text.links import behind_link

_LARGEST = 1 << 18
"""Bytes of a file that is read."""
_MOST = 40
"""Files that one question reads."""
_LONGEST = 1024
_HERE = re.compile(
    r"(?:\$\(\s*(?:cd\s+[\"']?\$\(\s*)?dirname\s+(?:--\s+)?[\"']?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})[\"']?\s*\)"
    r"(?:[\"']?\s*(?:&&|;)\s*pwd(?:\s+-P)?\s*\))?|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\})"
)
_VARIABLE = re.compile(r"\$(?:\{(?P<braced>\w+)\}|(?P<plain>\w+))")
_UNKNOWN = re.compile(r"[$*?~`{\0]")
_HEAD = 4096


class FileTexts:
    """Reads files for one question. `opened` returns what an editor has of a file."""

    def __init__(self, root: str, opened: Callable[[str], Document | None] = lambda _: None) -> None:
        """Nothing outside of the folder `root` is read."""
        self.root = os.path.abspath(root)
        self._opened = opened
        self._documents: dict[str, Document | None] = {}

    @property
    def read(self) -> int:
        """How many files were read from the disk."""
        return sum(each is not None for each in self._documents.values())

    def named(self, written: str, document: Document) -> Document | None:
        """Return the file that `document` names as `written`, seen from its folder; `None` where it can't be told, or read."""
        path = self.located(written, document)
        return self.at(path) if path is not None else None

    def located(self, written: str, document: Document) -> str | None:
        """Return where a file lies that `document` names as `written`; `None` where variables of others name it."""
        path = _HERE.sub(".", written)
        path = _VARIABLE.sub(lambda use: _folder(use["braced"] or use["plain"], document.text) or use.group(), path)
        path = path.replace('"', "").replace("'", "")
        if not path or len(path) > _LONGEST or _UNKNOWN.search(path) or not document.path:
            return None
        return os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(document.path)), path))

    def at(self, path: str) -> Document | None:
        """Return the file at `path`, where it may be read."""
        if not (path.startswith(self.root.rstrip(os.sep) + os.sep) and not behind_link(path, self.root)):
            return None
        opened = self._opened(path)
        if opened is not None:
            return opened
        if path not in self._documents:
            self._documents[path] = self._loaded(path) if self.read < _MOST else None
        return self._documents[path]

    def _loaded(self, path: str) -> Document | None:
        # The names that tools look for are asked for often, and hardly ever there: to open what isn't there is no look.
        data = dependencies.content(path, _LARGEST, links=False) if dependencies.is_file(path) else None
        if data is None:
            return None
        try:
            text = decode(data).text
        except UndecodableError:
            return None
        return Document(text, path=path, kind=detect(path, text[:_HEAD]))


def _folder(name: str, text: str) -> str | None:
    """Return `.` where a script's variable holds the folder that the script lies in."""
    at = re.search(rf"^[ \t]*(?:readonly[ \t]+|export[ \t]+)?{name}=\"?(?P<value>.{{0,200}})$", text, re.MULTILINE)
    return "." if at is not None and _HERE.match(at["value"]) else None
