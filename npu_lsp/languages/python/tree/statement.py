"""One statement, parsed on its own by libcst: its tree and the places of its nodes.

libcst takes the newest grammar whatever interpreter it runs under, so one text means the same on each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from npu_lsp.languages.python.concrete import CodegenState, cst
from npu_lsp.languages.python.tree.nesting import is_too_deep
from npu_lsp.languages.python.tree.nodes import Stmt, has_stars, parts, positional, walk
from npu_lsp.text import lazy_re as re
from npu_lsp.text.memo import Memos
from npu_lsp.text.spans import Span

# A text that nobody closes goes on to the end, so that each character is looked at once.
_TOKEN = re.compile(
    r"""(?P<text>(?P<prefix>[A-Za-z]{0,2})(?:\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)"""
    r"""|\"[^"\\\n\r]*(?:\\[\s\S][^"\\\n\r]*)*\"?|'[^'\\\n\r]*(?:\\[\s\S][^'\\\n\r]*)*'?))"""
    r"""|(?P<comment>\#[^\n\r]*)"""
    r"""|(?P<number>(?<![\w.])\d\w*)"""
    r"""|(?P<verb>(?<![\w.])(?:print|exec)[ \t](?=[ \t]{0,9}[\w"'\[{(]))"""
    r"""|(?P<word>[^\W\d]\w*)"""
    r"""|(?P<unequal><>)|(?P<quoted>`[^`\n\r]*`?)"""
)
_SIGNS = {
    ord(odd): plain
    for plain, all_odd in {
        " ": "\v\x00\x1a\x1c\x1d\x1e\x1f\xa0\u1680\u180e\u200b\u200c\u200d\u2060\u202f\u205f\u3000\ufeff"
        + "".join(chr(c) for c in range(0x2000, 0x200B)),
        # The lines of some editors end there, those of Python do not.
        ";": "\x85\u2028\u2029\uff1b",
        ",": "\uff0c",
        "(": "\uff08",
        ")": "\uff09",
        ":": "\uff1a",
        "=": "\uff1d",
    }.items()
    for odd in all_odd
}
_OCTAL = re.compile(r"0[0-7]+[lL]?\Z")
_LONG = re.compile(r"(?:0[xX][0-9a-fA-F]+|\d+)[lL]\Z")


def mended(code: str) -> str | None:
    """Return a statement that says the same as far as it can be said, or `None` where nothing is to be done."""
    pieces: list[str] = []
    done = 0
    for token in _TOKEN.finditer(code):
        pieces.append(code[done : token.start()].translate(_SIGNS))
        pieces.append(_taken(token))
        done = token.end()
    pieces.append(code[done:].translate(_SIGNS))
    found = "".join(pieces)
    if found.endswith("\\"):
        # The next line isn't there yet.
        found = found[:-1] + " "
    return found if found != code else None


def _taken(token: re.Match[str]) -> str:
    """Return what Python 3 takes in the place of a token."""
    said = token.group()
    if token["text"] is not None:
        return " " + said[1:] if token["prefix"].lower() == "ur" else said
    if token["number"] is not None:
        if _OCTAL.match(said) and said.strip("0lL"):
            # It isn't worth what its digits say: better a name, which is worth nothing.
            return "_" + said[1:]
        return said[:-1] + " " if _LONG.match(said) else said
    if token["verb"] is not None:
        return said[:-1] + ","
    if token["unequal"] is not None:
        return "!="
    closed = token["quoted"] is not None and len(said) > 1 and said.endswith("`")
    return f"({said[1:-1]})" if closed else said


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

    def __init__(self, code: str, start: int, end: int) -> None:
        first = _LINE_END.search(code)
        super().__init__(default_indent="    ", default_newline=first.group() if first else "\n")
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
        """Return whether it is `code` that was written, and so each node the text at its span."""
        return "".join(self.tokens) == code + self.default_newline

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


_MAX_LENGTH = 100_000
_MAX_PARTS = 3_000
"""Commas and brackets of a statement that is read; what has more is data, whose tree takes much more than its text."""
_SHORT = 500
"""Characters of a statement that scripts may share."""
_SHARED = 1_000
"""Statements that are kept for other scripts: scripts of one repository begin, configure and end in the same lines. Two of three
statements of a model zoo were read a short while before."""

_WORD = re.compile(r"\w+")
_JOINED = r"\\(?:\r\n|\n|\r)"
_BLANKS = re.compile(rf"(?:[ \t\f]|{_JOINED})*")
_SUITE = re.compile(
    rf"(?:else|try|finally)(?:[ \t\f]|{_JOINED})*:|(?:except|case)\b(?:{_JOINED}|[^:\"'#\r\n\[\](){{}}]"
    r"|\"[^\"\r\n]*\"|'[^'\r\n]*'|\([^()\r\n]*\)|\[[^\[\]\r\n]*\]|\{[^{}\r\n]*\})*:"
)
_SUITES_ALONE = frozenset({"else", "try", "finally", "except", "case"})
_LINE_END = re.compile(r"\r\n|\n|\r")
_PLAIN = re.compile(r"[^\\\f\r]*")


class Assignment(NamedTuple):
    """`target = value`; one for each target of a chain and each pair of a tuple."""

    target: cst.BaseExpression
    value: cst.BaseExpression | None
    """`None` where what is assigned can't be told: `+=`, a tuple of another length."""
    statement: Stmt
    inline: bool
    """It stands in the suite of a header on the same line."""
    alone: bool
    """It is all that its statement does."""


class Call(NamedTuple):
    """A call somewhere in a statement."""

    node: cst.Call
    statement: Stmt
    inline: bool


class Statement:
    """The tree of one logical line. Spans are relative to the line's start."""

    def __init__(self, text: str, code: str, tree: cst.CSTNode, cut: int, *, in_suite: bool) -> None:
        self.text = text
        self._code = code
        """What the tree was made of, which stands from `cut` on."""
        self._tree = tree
        self._in_suite = in_suite
        self.cut = cut
        """How much of the header in front of the statements is not in the tree."""
        self.memos = Memos()
        """What was made of the line, wherever it stands: spans in it are relative, too."""
        self._made: dict[cst.CSTNode, Span] = {}

    def span(self, node: cst.CSTNode) -> Span:
        """Return where `node` stands."""
        return self._made.get(node) or self._written[0][node]

    def stand(self, node: cst.CSTNode, span: Span) -> None:
        """Say where a node stands that was made of others."""
        self._made[node] = span

    def source(self, node: cst.CSTNode) -> str:
        """Return the text of `node`."""
        start, end = self.span(node)
        return self.text[start:end]

    @property
    def is_proven(self) -> bool:
        """Whether the tree writes the statement as it stands, so that it is known where its nodes stand."""
        return self._written[1]

    @cached_property
    def _written(self) -> tuple[dict[cst.CSTNode, Span], bool]:
        spans = NodeSpans(self._code, self.cut, len(self.text))
        self._tree._codegen(spans)  # noqa: SLF001
        return spans.spans, spans.wrote(self._code)

    @cached_property
    def statements(self) -> tuple[tuple[Stmt, bool], ...]:
        """Every statement in the line, and whether it stands in the suite of a header on the same line."""
        return tuple(_statements(self._tree, self._in_suite))

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        """Every assignment in the line."""
        return tuple(a for stmt, inline in self.statements for a in _assignments(stmt, inline))

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call in the line, outer ones first."""
        if "(" not in self.text:
            return ()
        return tuple(
            Call(node, stmt, inline)
            for stmt, inline in self.statements
            for node in walk(stmt, suites=False)
            if isinstance(node, cst.Call)
        )

    @property
    def header(self) -> Stmt:
        """The first statement."""
        return self.statements[0][0]


def parse(text: str) -> Statement | None:
    """Return the tree of one logical line, or `None` where there is none to be had.

    A header without its suite is read as one; of `else:` and the like on one line with a statement, the statement is.
    """
    return _shared(text) if len(text) <= _SHORT else _read(text)


def _read(text: str) -> Statement | None:
    if is_beyond(text):
        return None
    found = _statement(text, text)
    if found is None:
        read = mended(text)
        found = _statement(text, read) if read is not None else None
    return found


_shared = lru_cache(_SHARED)(_read)


def is_readable(text: str) -> bool:
    """Return whether a logical line is one of Python 3, as it stands."""
    return not is_beyond(text) and _statement(text, text) is not None


def is_beyond(text: str) -> bool:
    """Return whether a statement is too large or nested too deep to be read."""
    if len(text) > _MAX_PARTS and (len(text) > _MAX_LENGTH or sum(map(text.count, ",([{")) > _MAX_PARTS):
        return True
    return is_too_deep(text)


def _statement(text: str, read: str) -> Statement | None:
    """Return the tree of `read`, which stands for `text` and is as long; `None` where it isn't known what stands where."""
    cut = _past_blanks(read, 0)
    in_suite = False
    word = _WORD.match(read, cut)
    if word is None:
        cut += read.startswith("@", cut)
    elif word.group() in _SUITES_ALONE:
        suite = _SUITE.match(read, cut)
        in_suite = suite is not None
        cut = suite.end() if suite else cut
    elif word.group() == "elif":
        cut += 2
    # libcst has no node for blanks in front of a statement.
    cut = _past_blanks(read, cut)
    code = read[cut:].rstrip(" ")
    if code.endswith(":"):
        code += " pass"
    tree = parsed(code) if code else None
    if tree is None:
        return None
    statement = Statement(text, code, tree, cut, in_suite=in_suite)
    # libcst has no node for some blanks, none of which is plain; of most statements nobody asks where anything stands.
    return statement if _PLAIN.fullmatch(code) or statement.is_proven else None


def _past_blanks(text: str, position: int) -> int:
    """Return where the code behind blanks and joined line ends starts."""
    blanks = _BLANKS.match(text, position)
    return blanks.end() if blanks is not None else position


def parsed(code: str) -> cst.CSTNode | None:
    """Return the tree of one statement, `None` where it is none, or a text that libcst can't take (half of a pair of UTF-16)."""
    try:
        return cst.parse_statement(code)
    except (cst.ParserSyntaxError, cst.CSTLogicError, SyntaxError, ValueError, RecursionError):
        # The second and the third: what it parsed, and then found wrong in its own tree.
        return None


def _statements(node: cst.CSTNode, inline: bool) -> Iterator[tuple[Stmt, bool]]:
    if isinstance(node, (cst.SimpleStatementLine, cst.BaseSuite)):
        for stmt in node.body:
            yield from _statements(stmt, inline)
    elif isinstance(node, cst.BaseSmallStatement):
        yield node, inline
    elif isinstance(node, cst.BaseCompoundStatement):
        yield node, inline
        yield from _statements(node.body, True)


def _assignments(stmt: Stmt, inline: bool) -> Iterator[Assignment]:
    if isinstance(stmt, cst.Assign):
        alone = len(stmt.targets) == 1
        for each in stmt.targets:
            yield from _pairs(each.target, stmt.value, stmt, inline, alone)
    elif isinstance(stmt, cst.AnnAssign):
        if stmt.value is not None:
            yield Assignment(stmt.target, stmt.value, stmt, inline, True)
    elif isinstance(stmt, cst.AugAssign):
        yield Assignment(stmt.target, None, stmt, inline, True)
    else:
        for named in named_for_sure(stmt):
            yield Assignment(named.target, named.value, stmt, inline, False)


def named_for_sure(stmt: Stmt) -> Iterator[cst.NamedExpr]:
    """Yield what a statement names on the way whenever it runs: `if (name := value) is not None:`."""
    first: cst.BaseExpression | None = None
    if isinstance(stmt, (cst.If, cst.While)):
        first = stmt.test
    elif isinstance(stmt, (cst.Expr, cst.Return)):
        first = stmt.value
    while isinstance(first, (cst.UnaryOperation, cst.Comparison)):
        first = first.expression if isinstance(first, cst.UnaryOperation) else first.left
    for node in [a.value for a in positional(first)] if isinstance(first, cst.Call) else [first]:
        if isinstance(node, cst.NamedExpr):
            yield node


def _pairs(
    target: cst.BaseExpression, value: cst.BaseExpression | None, stmt: Stmt, inline: bool, alone: bool
) -> Iterator[Assignment]:
    if not isinstance(target, (cst.Tuple, cst.List)):
        yield Assignment(target, value, stmt, inline, alone)
        return
    targets = parts(target)
    values: list[cst.BaseExpression | None] = [None] * len(targets)
    if isinstance(value, (cst.Tuple, cst.List)) and not (has_stars(target) or has_stars(value)):
        values = list(parts(value)) if len(value.elements) == len(values) else values
    for element, part in zip(targets, values, strict=True):
        yield from _pairs(
            element.value if isinstance(element, cst.StarredElement) else element, part, stmt, inline, False
        )
