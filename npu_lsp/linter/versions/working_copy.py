"""A component that is run from somebody's working copy: what it takes besides the names of its releases, nobody knows."""

from __future__ import annotations

from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized

_SET = re.compile(r"PYTHONPATH[\"', \])]{0,4}[ \t]{0,8}\+?[=:][ \t]{0,8}(?P<folders>[^ \t\r\n;&|]{1,1000})")
_MOST = 1100
"""Code points before the name in which a comment may begin."""
_PACKAGES = re.compile(r"(?:site|dist)-packages")
_ENDS = re.compile(r"[:\"',]")


@Memoized
def _folders(document: Document) -> frozenset[str]:
    """Return the names of the folders that a text puts on PYTHONPATH, in small letters with `-` for `_`."""
    found: set[str] = set()
    text = document.text
    for value in _SET.finditer(text):
        at = value.start()
        if "#" in text[max(text.rfind("\n", 0, at), at - _MOST, 0) : at]:
            continue
        for folder in _ENDS.split(value["folders"]):
            if not _PACKAGES.search(folder):
                found.add(_alike(folder.rstrip("/").rpartition("/")[2]))
    # In front of a colon at the end, or behind one, stands no folder.
    return frozenset(found - {""})


def _alike(name: str) -> str:
    return name.lower().replace("_", "-")


def runs_working_copy(component: str, document: Document) -> bool:
    """Return whether a text has Python find `component` in a folder of that name which no installation made."""
    return _alike(component) in _folders(document)
