"""Keyword arguments as entries of a dict."""

from __future__ import annotations

import libcst as cst

from npu_lsp.languages.model import Form
from npu_lsp.languages.python.following.mapping_entries import DictEntry
from npu_lsp.languages.python.place import Place
from npu_lsp.languages.python.tree.statement import Statement
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.kept import Derived
from npu_lsp.text.spans import Span


def keyword_entry(view: SourceView, argument: cst.Arg, place: Place, statement: Span, form: Form) -> DictEntry | None:
    """Return `name=value` as an entry, or `None` for `**other`."""
    if argument.keyword is None:
        return None
    name, line = argument.keyword.value, place.line
    value = view.evaluate.value(argument.value, place)
    key = keyword_name(line.statement, argument)
    return DictEntry(name, key, line.span(key), argument.value, place, value, form, statement, line.span(argument))


@Derived
def keyword_name(statement: Statement, argument: cst.Arg) -> cst.BaseExpression:
    """Return the name of an argument as a text literal in its place; the same one each time."""
    name = argument.keyword or cst.Name("_")
    made = cst.SimpleString(f'"{name.value}"')
    statement.stand(made, statement.span(name))
    return made
