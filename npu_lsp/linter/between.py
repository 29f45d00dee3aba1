"""What stands between two settings of one option: whether anything there may look at what the first one gives."""

from __future__ import annotations

import re

from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Form, Setting
from npu_lsp.linter.context import Context
from npu_lsp.text.kinds import Kind

_OF_OBJECTS = frozenset({Form.PARAMETER_MAP, Form.ATTRIBUTE})
_READS = re.compile(
    r"(?:session|open|compile|backend|run|train|evaluat|predict|fit|server|estimator|assert|raises)\w{0,40}[ \t]{0,9}\(",
    re.IGNORECASE,
)
"""What may read the options of a config that is changed afterwards."""
_RUNS = re.compile(r"\(|\b(?:yield|await)\b")
"""What may run operators, which look at the switches of a module."""
_OF_MODULES = where(lambda row: row.roots)
_ROOT = re.compile(r"\w{1,80}")
_VALUES_ONLY = re.compile(
    r"(?:[ \t\r]*(?:(?:export[ \t]{1,9})?[A-Za-z_]\w*=(?:[^\s$`;&|<>()\"'\\#]{1,400}|\"[^\"$`\\\n]*\"|'[^'\n]*')?"
    r"[ \t]*(?:#[^\n]*)?)?(?:\n|\Z))*"
)
"""Lines of a script in which nothing is run, so that nobody reads a variable; a comment of its own may begin another choice."""
_NO_SETTING = r"""(?!["'\\\])]{0,6}(?:\.\w{1,9})?[ \t]{0,9}=(?!=))"""
"""Behind a name that is looked at, not given another value."""


def is_read_between(first: Setting, last: Setting, context: Context) -> bool:
    """Tell whether something between two settings of an object may look at the first one's value."""
    if context.document.kind is Kind.NOTEBOOK and first.form in _OF_OBJECTS:
        return True  # Cells are run in any order, and often one instead of another; an editor joins their texts.
    if first.form is Form.ASSIGNMENT:
        return first.value.data == last.value.data or not _follows(first, last, context)
    if first.form not in _OF_OBJECTS:
        return False
    text, start, end = context.document.text, first.statement.end, last.statement.start
    reads = _RUNS if first.surface in _OF_MODULES else _READS
    if reads.search(text, start, end) is not None:
        return True
    # Looked at by its own name: `if config.mode == ...:`, or a line of a session that shows it.
    target = re.escape(text[first.statement.start : first.key.end])
    if re.search(rf"(?<![\w.]){target}(?!\w){_NO_SETTING}", text[start:end]) is not None:
        return True
    # Brackets may stand in front: `(config).mode = ...`.
    root = _ROOT.search(text, first.statement.start, first.statement.end)
    # Handed to a function: `check(config)`, `check(config=config)`.
    return root is not None and re.compile(rf"[(,=][ \t]*{root[0]}[ \t]*[,)]").search(text, start, end) is not None


def _follows(first: Setting, last: Setting, context: Context) -> bool:
    """Tell whether only lines that give values stand between two commands of a script, or nothing: one gives both."""
    between = context.document.text[first.statement.end : last.statement.start]
    return _VALUES_ONLY.fullmatch(between) is not None
