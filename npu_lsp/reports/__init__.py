"""Reports: one output format a file, but for tables. A report knows one format and nothing of how findings came about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from npu_lsp.checking.report import Result
from npu_lsp.linter.configuration import FORMATS as FORMATS
from npu_lsp.reports.style import Style

Renderer = Callable[[Result, Style], Iterator[str]]
FOR_PEOPLE = ("full", "concise")
"""The formats that a summary belongs to."""
_WITH_RULES = ("sarif",)
_TABLES = ("csv", "html")
"""What all commands write that list something; `markdown` links rules, and is a file of its own."""


def renderer(name: str) -> Renderer:
    """Return what writes the format called `name`, one of `FORMATS`."""
    if name in _TABLES:
        from npu_lsp.reports import table

        return lambda result, _: table.FORMS[name](table.findings_table(result), result.language)
    return cast(Renderer, import_module(f"npu_lsp.reports.{name.replace('-', '_')}").render)


def needs_rules(name: str) -> bool:
    """Return whether a format tells of the rules behind the findings, too."""
    return name in _WITH_RULES
