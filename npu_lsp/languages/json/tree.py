"""JSON with places: what stands where, also in a file that doesn't parse. Bounded in depth and in size.

As strict as the parser that GE uses (nlohmann/json): no comments, no comma before a closing bracket. It
says what is wrong and reads on behind it; tree-sitter-json 0.24 doesn't.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.languages.json.strings import decoded
from npu_lsp.languages.model import Value, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_DEEPEST = 64
_MOST = 100_000
_BLANK = re.compile(r"[ \t\r\n]*")
_LINE_END = re.compile(r"[\r\n]")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
STRING = r'"(?P<text>[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*)(?P<end>"?)'
_STRING = re.compile(STRING)
_WORD = re.compile(r"[^\s,:{}\[\]\"]+")
_LITERALS = {"true": True, "false": False, "null": None}


class Member(NamedTuple):
    """One `"key": value` of an object."""

    key: str
    key_span: Span
    """Between the quotes."""
    span: Span
    """From the key's opening quote to the end of the value."""
    node: Node


class Node:
    """One value with all that is in it."""

    __slots__ = ("content", "items", "kind", "members", "span", "written")

    def __init__(
        self,
        kind: ValueKind,
        span: Span,
        written: str | float | bool | None = None,
        content: Span | None = None,
    ) -> None:
        self.kind = kind
        self.span = span
        self.written = written
        """What a string has between its quotes, or what another plain value is."""
        self.content = content
        """Between the quotes of a string."""
        self.members: list[Member] = []
        self.items: list[Node] = []

    @property
    def data(self) -> str | int | float | bool | None:
        """What a plain value is; most strings of a notebook are outputs, which nobody asks."""
        written = self.written
        if isinstance(written, str) and "\\" in written:
            return decoded(written, Span(0, len(written))).said
        return written

    @property
    def exact(self) -> Span | None:
        """Where the characters of a string stand one to one; `None` where escapes stand for some of them."""
        return self.content if isinstance(self.written, str) and "\\" not in self.written else None

    def value(self) -> Value:
        """Return the node as the value of a setting.

        Of what holds members only the opening bracket counts as the value's place: the rest belongs to them.
        """
        items = tuple(item.value() for item in self.items)
        if self.kind is ValueKind.DICT or any(item.kind in (ValueKind.DICT, ValueKind.LIST) for item in self.items):
            return Value(self.kind, Span(self.span.start, self.span.start + 1), items=items)
        known = self.kind not in (ValueKind.LIST, ValueKind.DICT, ValueKind.UNKNOWN)
        data: object = self.data if known else None
        if self.kind is ValueKind.LIST and all(item.known for item in items):
            known, data = True, [item.data for item in items]
        return Value(self.kind, self.span, known, data, self.exact, items=items)

    def walk(self, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Member]]:
        """Yield each member below, outer ones first, with the keys that lead to its object; lists add nothing."""
        for member in self.members:
            yield path, member
            yield from member.node.walk((*path, member.key))
        for item in self.items:
            yield from item.walk(path)


class JsonProblem(NamedTuple):
    """The first place where the text isn't JSON."""

    span: Span
    reason: str
    """`string`, `comma`, `extra-comma`, `colon`, `value`, `key`, `closing`, `after`, `single-quote`, `comment`, `deep`."""
    expected: str = ""
    found: str = ""


def parse(text: str) -> tuple[Node | None, JsonProblem | None]:
    """Return what could be read, and the first problem if there is one."""
    parser = _Parser(text)
    start = 1 if text.startswith("\ufeff") else 0
    at = parser.skip(start)
    if at >= len(text):
        return None, JsonProblem(Span(len(text), len(text)), "value")
    node, at = parser.value(at, 0)
    at = parser.skip(at)
    if at < len(text):
        parser.tell(Span(at, min(at + 1, len(text))), "after")
    return node, parser.problem


def parse_members(text: str) -> tuple[Node, JsonProblem | None]:
    """Return the object whose members `text` lists without the brackets around them, as pages show parts of a file."""
    parser = _Parser(text)
    node, _ = parser.container(-1, 0, "}")
    node.span = Span(0, len(text))
    problem = parser.problem
    return node, None if problem is not None and problem.span.start < 0 else problem


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.problem: JsonProblem | None = None
        self.count = 0

    def tell(self, span: Span, reason: str, expected: str = "") -> None:
        """Note the first problem; what follows it is recovery."""
        if self.problem is None:
            found = self.text[span.start : span.end]
            if reason != "string" and found.startswith(("#", "//", "/*")):
                reason = "comment"
            elif reason in ("value", "key") and found.startswith("'"):
                reason = "single-quote"
            self.problem = JsonProblem(span, reason, expected, found)

    def skip(self, at: int) -> int:
        """Return where the next thing starts; comments are stepped over once they are told."""
        while True:
            match = _BLANK.match(self.text, at)
            at = match.end() if match else at
            if not self.text.startswith(("#", "//"), at):
                return at
            line_end = _LINE_END.search(self.text, at)
            end = line_end.start() if line_end else len(self.text)
            self.tell(Span(at, end), "comment")
            at = end

    def value(self, at: int, depth: int) -> tuple[Node, int]:
        text = self.text
        self.count += 1
        char = text[at : at + 1]
        if depth > _DEEPEST or self.count > _MOST:
            self.tell(Span(at, at + 1), "deep")
            return Node(ValueKind.UNKNOWN, Span(at, len(text))), len(text)
        if char == "{":
            return self.container(at, depth, "}")
        if char == "[":
            return self.container(at, depth, "]")
        if char == '"':
            return self.string(at)
        number = _NUMBER.match(text, at)
        word = _WORD.match(text, at)
        if number and word and number.end() == word.end():
            return self.number(number), number.end()
        if word and word.group() in _LITERALS:
            data = _LITERALS[word.group()]
            return Node(ValueKind.NONE if data is None else ValueKind.BOOL, Span(*word.span()), data), word.end()
        end = word.end() if word else at
        self.tell(Span(at, end if end > at else min(at + 1, len(text))), "value")
        return Node(ValueKind.UNKNOWN, Span(at, end)), end

    def number(self, match: re.Match[str]) -> Node:
        span = Span(*match.span())
        if len(match.group()) > 40:
            return Node(ValueKind.UNKNOWN, span)
        if match["fraction"]:
            return Node(ValueKind.FLOAT, span, float(match.group()))
        return Node(ValueKind.INT, span, int(match.group()))

    def string(self, at: int) -> tuple[Node, int]:
        match = _STRING.match(self.text, at)
        if match is None:
            return Node(ValueKind.UNKNOWN, Span(at, at + 1)), at + 1
        if not match["end"]:
            self.tell(Span(*match.span()), "string")
        # What lacks its closing quote takes in what stands behind it on its line: nobody knows what was meant.
        kind = ValueKind.STRING if match["end"] else ValueKind.UNKNOWN
        node = Node(kind, Span(*match.span()), match["text"], Span(*match.span("text")))
        return node, match.end()

    def container(self, start: int, depth: int, close: str) -> tuple[Node, int]:
        """Read an object or a list. A problem in it is told, and what follows is read on."""
        text = self.text
        node = Node(ValueKind.DICT if close == "}" else ValueKind.LIST, Span(start, start + 1))
        at = self.skip(start + 1)
        comma: int | None = None
        while at < len(text):
            char = text[at]
            if char == close:
                if comma is not None:
                    self.tell(Span(comma, comma + 1), "extra-comma")
                node.span = Span(start, at + 1)
                return node, at + 1
            if char in "}]":
                self.tell(Span(at, at + 1), "closing", close)
                node.span = Span(start, at)
                return node, at
            if char == ",":
                self.tell(Span(at, at + 1), "value" if close == "]" else "key")
                at = self.skip(at + 1)
                continue
            before = at
            at = self.member(node, at, depth) if close == "}" else self.item(node, at, depth)
            at = self.skip(max(at, before + 1))
            comma = None
            if text[at : at + 1] == ",":
                comma = at
                at = self.skip(at + 1)
            elif at < len(text) and text[at] not in "}]":
                self.tell(Span(at, at + 1), "comma")
        self.tell(Span(start, start + 1), "closing", close)
        node.span = Span(start, len(text))
        return node, len(text)

    def item(self, node: Node, at: int, depth: int) -> int:
        value, at = self.value(at, depth + 1)
        node.items.append(value)
        return at

    def member(self, node: Node, at: int, depth: int) -> int:
        text = self.text
        if text[at] != '"':
            word = _WORD.match(text, at)
            end = word.end() if word else at + 1
            self.tell(Span(at, end), "key")
            return end
        key, at = self.string(at)
        behind = self.skip(at)
        if text[behind : behind + 1] != ":":
            self.tell(Span(behind, min(behind + 1, len(text))) if behind < len(text) else key.span, "colon")
            return at
        at = self.skip(behind + 1)
        if at >= len(text) or text[at] in ",}]":
            self.tell(Span(behind, behind + 1), "value")
            return at
        value, at = self.value(at, depth + 1)
        if key.exact is not None:
            node.members.append(Member(str(key.data), key.exact, Span(key.span.start, value.span.end), value))
        return at
