"""Lists and dicts under a name that is used in a way for which their number of elements, or one of them, counts."""

from __future__ import annotations

import re
from typing import NamedTuple

from npu_lsp.languages.model import Setting
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.python.tree.nodes import is_name
from npu_lsp.languages.python.writer.siblings import Siblings, line_of
from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived

_REACH = 200
# `enumerate(names`, `zip(keys, names`, `len(names`, and `first, second = names`.
_COUNTING = re.compile(r"(?:\b(?:enumerate|zip|len)[ \t]*\([^)\n]{0,200}|^[^=,\n]*,[^=\n]*=[ \t]*)\Z", re.MULTILINE)
_INDEX = re.compile(r"[ \t]*\[")
_KEY = re.compile(r"(?:[ \t]*\[|\.(?:get|pop)\()[ \t]*(?P<quote>['\"])(?P<key>[^'\"\n]*)(?P=quote)")


class _Uses(NamedTuple):
    """How a file uses a name."""

    counted: bool = False
    indexed: bool = False
    keys: frozenset[str] = frozenset()
    """Texts that are asked for as keys."""


def is_counted(document: Document, setting: Setting, around: Siblings) -> bool:
    """Tell whether something in the file counts on the element of the list or dict `around` that gives `setting`."""
    line = line_of(document, setting.own.start)
    for assignment in line.statement.assignments if line is not None else ():
        target, value = assignment.target, assignment.value
        if line is None or value is None or not is_name(target) or line.span(value).end - 1 != around.end:
            continue
        uses = _uses(document, target.value)
        if uses.counted or setting.name in uses.keys or (around.is_list and uses.indexed):
            return True
    return False


@Derived
def _uses(document: Document, name: str) -> _Uses:
    text, counted, indexed = document.text, False, False
    keys: set[str] = set()
    for at in source_of(document).occurrences.name(name):
        end = at + len(name)
        counted = counted or _COUNTING.search(text[max(0, at - _REACH) : at]) is not None
        indexed = indexed or _INDEX.match(text, end) is not None
        key = _KEY.match(text, end)
        if key is not None:
            keys.add(key["key"])
    return _Uses(counted, indexed, frozenset(keys))
