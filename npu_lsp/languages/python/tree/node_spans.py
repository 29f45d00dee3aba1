"""Where the nodes of a statement stand: libcst writes the statement out, and each node's stretch is noted.

libcst's own `ByteSpanPositionProvider` goes the same way, and takes nearly four times as long: more than parsing does. Whether
what is written is what stands in the text is asked of each statement, since libcst leaves out blanks that it has no node for.
"""

from __future__ import annotations

import libcst as cst

# The only way to learn what a node writes itself between its children.
from libcst._nodes.internal import CodegenState

from npu_lsp.text.spans import Span

_UNASKED = frozenset(
    {
        *(cst.SimpleWhitespace, cst.ParenthesizedWhitespace, cst.TrailingWhitespace, cst.EmptyLine, cst.Newline),
        *(cst.Comma, cst.Dot, cst.AssignEqual, cst.Semicolon, cst.Comment, cst.LeftSquareBracket),
        *(cst.RightSquareBracket, cst.LeftCurlyBrace, cst.RightCurlyBrace),
    }
)
"""Signs and blanks: a half of all nodes, whose places nobody wants to know."""
_BARE = (cst.Tuple, cst.GeneratorExp)
"""Their brackets are what makes them, as those of a list do."""


class NodeSpans(CodegenState):
    """Notes where each node stands, in code points, without the brackets around it and the comma behind it."""

    def __init__(self, newline: str, start: int, end: int) -> None:
        super().__init__(default_indent="    ", default_newline=newline)
        self.at = start
        self._end = end
        """Where the text ends: what was added to make a statement of it stands nowhere."""
        self._open: list[int] = []
        self.spans: dict[cst.CSTNode, Span] = {}

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        self.at += len(value)

    def add_indent_tokens(self) -> None:
        for each in self.indent_tokens:
            self.add_token(each)

    def wrote(self, code: str) -> bool:
        """Tell whether it is `code` that was written, and so each node the text at its span."""
        return "".join(self.tokens) == code

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._open.append(self.at)

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self._open.pop()
        if isinstance(node, _BARE) and node.lpar:
            self.spans[node] = Span(self.spans[node.lpar[-1]].start, self.spans[node.rpar[0]].end)
        elif node.__class__ not in _UNASKED and node not in self.spans:
            self.note(node, start)

    def note(self, node: cst.CSTNode, start: int) -> None:
        """Note that a node stands from `start` up to here."""
        self.spans[node] = Span(start, min(self.at, self._end))

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> _Stretch:
        return _Stretch(self, node, end_node)


class _Stretch:
    """The part of what a node writes that is the node itself."""

    __slots__ = ("_end_node", "_node", "_spans", "_start")

    def __init__(self, spans: NodeSpans, node: cst.CSTNode, end_node: cst.CSTNode | None) -> None:
        self._spans = spans
        self._node = node
        self._end_node = end_node

    def __enter__(self) -> None:
        self._start = self._spans.at

    def __exit__(self, *_error: object) -> None:
        end = self._spans.spans.get(self._end_node) if self._end_node is not None else None
        self._spans.note(self._node, self._start)
        if end is not None:
            self._spans.spans[self._node] = Span(self._start, end.end)
