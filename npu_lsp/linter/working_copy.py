"""A component that is run from somebody's working copy: what it takes besides the names of its releases, nobody knows."""

from __future__ import annotations

import re

from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived
from npu_lsp.text.word_search import Words

_PATH = "PYTHONPATH"
_WORDS = Words((_PATH,))
_FOLDERS = re.compile(r"\A[\"', \])]{0,4}[ \t]{0,8}\+?[=:][ \t]{0,8}(?P<folders>[^ \t\r\n;&|]{1,1000})")
_MOST = 1100
"""Code points around the name that are looked at."""
_PACKAGES = re.compile(r"(?:site|dist)-packages")
_ENDS = re.compile(r"[:\"',]")


@Derived
def _folders(document: Document) -> frozenset[str]:
    """Return the names of the folders that a text puts on PYTHONPATH, in small letters with `-` for `_`."""
    found: set[str] = set()
    text = document.text
    for _, at in _WORDS.places(text):
        value = _FOLDERS.match(text[at + len(_PATH) : at + len(_PATH) + _MOST])
        if value is None or "#" in text[max(text.rfind("\n", 0, at), at - _MOST, 0) : at]:
            continue
        for folder in _ENDS.split(value["folders"]):
            if not _PACKAGES.search(folder):
                found.add(_alike(folder.rstrip("/").rpartition("/")[2]))
    return frozenset(found)


def _alike(name: str) -> str:
    return name.lower().replace("_", "-")


def runs_working_copy(component: str, document: Document) -> bool:
    """Tell whether a text has Python find `component` in a folder of that name which no installation made."""
    return _alike(component) in _folders(document)
