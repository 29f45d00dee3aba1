"""Commands that a script starts. What puts them together is loaded with the first one: few scripts start any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from npu_lsp.languages.python.dataflow.contexts import CallContexts
from npu_lsp.languages.python.matchers.starts import WORDS, Starts
from npu_lsp.languages.python.source import Line
from npu_lsp.languages.python.tree.nodes import inner_nodes, last
from npu_lsp.languages.python.view import SourceView
from npu_lsp.languages.variable_names import is_variable

WORD = "export "
_QUOTE = r"[fFrRbB]{0,2}(?:\"{3}|'{3}|\"|')"
_FIRST = rf"(?:source|\.|cd)[ ]+[^\s\"'&;]+[ ]*(?:&&|;)[ ]*(?:[\"']\s*{_QUOTE}[ ]*)?"
_EXPORT = re.compile(rf"{_QUOTE}\s*(?:{_FIRST}){{0,4}}export[ ]+[A-Z]\w*=")
_SCRIPT = re.compile(rf"{_QUOTE}(?:\\\r?\n)?#![ ]*/\S*?(?:/env[ ]+)?(?:ba|da|k|z)?sh\b")
_NAME = re.compile(r"export[ ]+(?P<name>[A-Z]\w*)=")
_GOES_ON = re.compile(r"&&|;")
_SHOWS = re.compile(
    r"print|echo|(?:add_|with_)?(?:help|usage|epilog)|log|debug|info|warn|warning|error|exception|critical|fail|skip\w*|\w*Error"
)
_KEYWORDS = frozenset({"help", "description", "epilog", "usage", "msg", "message", "reason"})


def commands(line: Line) -> Iterator[tuple[cst.BaseExpression, bool]]:
    """Yield the commands and scripts of a line that export a known variable, and whether each stands behind a `:`."""
    for stmt, inline in line.statement.statements:
        if isinstance(stmt, (cst.Raise, cst.Assert)) or _is_text(stmt):
            continue
        for node in _texts(stmt):
            written = line.source(node)
            is_command = _EXPORT.match(written) and _GOES_ON.search(written)
            if (is_command or _SCRIPT.match(written)) and _names_variable(written):
                yield node, inline


def _is_text(stmt: cst.CSTNode) -> bool:
    """Tell whether a statement is nothing but a text: what a function does, told to people."""
    return isinstance(stmt, cst.Expr) and not isinstance(stmt.value, (cst.Call, cst.Await))


def _names_variable(written: str) -> bool:
    return any(is_variable(match["name"]) for match in _NAME.finditer(written))


def _texts(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """Yield the texts in a statement that nobody is shown."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)):
            yield part
        elif not isinstance(part, cst.BaseSuite) and not _shows(part):
            todo += reversed(inner_nodes(part))


def _shows(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Arg):
        return node.keyword is not None and node.keyword.value in _KEYWORDS
    return isinstance(node, cst.Call) and _SHOWS.fullmatch(last(node.func) or "") is not None


if TYPE_CHECKING:
    from npu_lsp.languages.python.matchers.command_blocks import Commands


def find(view: SourceView, contexts: CallContexts) -> None:
    """Add a block for each command of a tool that the script starts."""
    found: Commands | None = None
    starts = Starts(view)
    for line in view.lines_with(*WORDS, *sorted(starts.imported)):
        for call in line.statement.calls:
            started = starts.of(call.node)
            if started is None:
                continue
            if found is None:
                from npu_lsp.languages.python.matchers.command_blocks import Commands

                found = Commands(view, contexts)
            found.add(line, call, started)
    for line in view.lines_with(WORD):
        for node, inline in commands(line):
            if found is None:
                from npu_lsp.languages.python.matchers.command_blocks import Commands

                found = Commands(view, contexts)
            found.add_text(line, node, inline=inline)
