"""What can be folded in a script: functions, branches and loops, here-documents, arrays, and commands of several lines."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.shell.tree import tree_of
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_FOLDED = frozenset(
    {
        *(
            "function_definition",
            "if_statement",
            "elif_clause",
            "else_clause",
            "for_statement",
            "c_style_for_statement",
        ),
        *("while_statement", "case_statement", "case_item", "subshell", "array", "heredoc_body"),
        *("command", "declaration_command", "variable_assignment", "redirected_statement"),
    }
)


def folds(document: Document) -> Iterator[Span]:
    """Yield the stretches of several lines that belong together, outer ones first; lines of comments are one, too."""
    waiting = [tree_of(document).tree.root_node]
    comments: list[int] = []
    while waiting:
        node = waiting.pop()
        if node.type == "comment":
            comments.append(node.start_byte)
        if node.end_point.row == node.start_point.row:
            continue
        if node.type in _FOLDED:
            yield Span(node.start_byte, node.end_byte)
        waiting.extend(reversed(node.children))
    yield from _runs(document, comments)


def _runs(document: Document, starts: list[int]) -> Iterator[Span]:
    """Yield where several lines in a row are comments."""
    own = [at for at in starts if not document.line_text(document.line_of(at)).split("#")[0].strip()]
    first = 0
    for number, at in enumerate(own):
        following = own[number + 1] if number + 1 < len(own) else None
        if following is None or document.line_of(following) != document.line_of(at) + 1:
            if number > first:
                yield Span(own[first], document.line_span(document.line_of(at)).end)
            first = number + 1
