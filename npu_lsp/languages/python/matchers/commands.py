"""Commands that a script starts. What puts them together is loaded with the first one: few scripts start any."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.matchers.starts import WORDS, Starts
from npu_lsp.languages.python.tree.nodes import Stmt, inner_nodes, last
from npu_lsp.languages.python.view import SourceView
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text import lazy_re as re

_EXPORTS = "export "
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


def _commands(stmt: Stmt, place: Place) -> Iterator[tuple[cst.BaseExpression, Place]]:
    """Yield the commands and scripts of a statement that export a known variable."""
    if isinstance(stmt, (cst.Raise, cst.Assert)) or _is_text(stmt):
        return
    for node in _texts(stmt):
        source = place.line.source(node)
        is_command = _EXPORT.match(source) and _GOES_ON.search(source)
        if (is_command or _SCRIPT.match(source)) and _names_variable(source):
            yield node, place


def _is_text(stmt: cst.CSTNode) -> bool:
    """Return whether a statement is nothing but a text: what a function does, told to people."""
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


def find(view: SourceView) -> None:
    """Add a block for each command of a tool that the script starts, and for each text that is one by its shape."""
    starts = Starts(view)
    lines = view.lines_with(*WORDS, *sorted(starts.imported))
    started = [(call, place, each) for call, place in view.calls(lines) if (each := starts.of(call)) is not None]
    written = [each for stmt, place in view.statements(view.lines_with(_EXPORTS)) for each in _commands(stmt, place)]
    if started or written:
        # What puts commands together is loaded with the first one: few scripts start any.
        from npu_lsp.languages.python.matchers.command_blocks import Commands

        found = Commands(view)
        for call, place, start in started:
            found.add(call, place, start)
        for node, place in written:
            found.add_text(node, place)
