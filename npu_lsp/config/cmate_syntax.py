"""Reads rule files of msprechecker (`.cmate`): their assertions, each with the conditions that it stands under.

Source of the language: https://github.com/Ascend/msit, msprechecker/msprechecker/cmate (lexer.py, parser.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text

_DEEPEST = 60
_MOST_PARTS = 200
"""Operators of one expression at the most."""
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\f\v]+|\#[^\n]*)|(?P<newline>\n)|(?P<end>---)|(?P<number>-?\d+(?:\.\d+)?)"
    r"|(?P<path>\$\{[^{}\n]*\})|(?P<string>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<word>[A-Za-z_][\w-]*)|(?P<sign>==|!=|>=|<=|=~|\*\*|//|[<>+*/%\-\[\]=():,{}@])",
    re.DOTALL,
)
_CONSTANTS: Mapping[str, Any] = {"true": True, "True": True, "false": False, "False": False, "None": None}
_BINARY = {
    "or": 1,
    "and": 2,
    "in": 4,
    "not in": 4,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "=~"), 5),
    **dict.fromkeys(("+", "-"), 6),
    **dict.fromkeys(("*", "/", "//", "%"), 7),
    "**": 8,
}
"""Operators, and how tightly they bind."""
_NOT = 3


class CmateError(ValueError):
    """A text that is no rule file. `told` says so in both languages."""

    def __init__(self, told: Text) -> None:
        super().__init__(told.en)
        self.told = told


class CmateNode(NamedTuple):
    """A part of an expression: what it is, and its parts or its value."""

    kind: str
    """`constant`, `path`, `list`, `call`, `not`, `NA`, `other`, or an operator."""
    parts: tuple[Any, ...] = ()


class Assertion(NamedTuple):
    """One `assert`, under the conditions of the `if`s and `for`s around it."""

    section: str
    """The file that it is about, as `[par NAME]` calls it."""
    test: CmateNode
    message: str
    severity: str
    line: int
    conditions: tuple[tuple[CmateNode, bool], ...] = ()
    """Each with whether it must hold, or must not (`else`)."""
    looped: bool = False


class Assigned(NamedTuple):
    """A name that `[global]` gives a value, under conditions."""

    name: str
    value: CmateNode
    conditions: tuple[tuple[CmateNode, bool], ...]
    looped: bool


class Cmate(NamedTuple):
    """A parsed rule file of msprechecker's cmate: its assertions, and the names that it assigns."""

    assertions: tuple[Assertion, ...]
    assigned: tuple[Assigned, ...]


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def parse(text: str) -> Cmate:
    """Return what a rule file says; raise `CmateError` for a text that is none."""
    return _Parser(_tokens(text)).document()


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    line, at = 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise CmateError(
                Text(f"line {line}: {text[at]!r} is not understood", f"第 {line} 行：无法识别 {text[at]!r}")
            )
        kind = match.lastgroup or ""
        if kind not in ("blank", "newline"):
            found.append(_Token(kind, match[0], line))
        line += match[0].count("\n")
        at = match.end()
    return found


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._assertions: list[Assertion] = []
        self._assigned: list[Assigned] = []

    def document(self) -> Cmate:
        while self._peek().kind:
            if self._takes("---"):
                continue
            self._needs("[")
            section, name = self._next().text, ""
            if section == "par":
                name = self._next().text
            self._needs("]")
            if section in ("par", "global"):
                self._statements(name if section == "par" else "", (), looped=False)
            elif section in ("metadata", "dependency"):
                while self._peek().kind not in ("", "end"):
                    self._next()
            else:
                raise self._unexpected(section)
        return Cmate(tuple(self._assertions), tuple(self._assigned))

    def _statements(self, section: str, conditions: tuple[tuple[CmateNode, bool], ...], *, looped: bool) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._unexpected(self._peek().text)
        while (token := self._peek()).kind and token.text not in ("[", "---", "elif", "else", "fi", "done"):
            self._next()
            if token.text == "assert":
                test = self._expression()
                self._needs(",")
                message = _string(self._next().text)
                severity = self._next().text if self._takes(",") else "error"
                said = Assertion(section, test, message, severity, token.line, conditions, looped)
                self._assertions.append(said)
            elif token.text == "if":
                self._branches(section, conditions, looped=looped)
            elif token.text == "for":
                self._next()
                self._needs("in")
                self._expression()
                self._needs(":")
                self._statements(section, conditions, looped=True)
                self._needs("done")
            elif token.text not in ("continue", "break"):
                self._needs("=")
                self._assigned.append(Assigned(token.text, self._expression(), conditions, looped))
        self._depth -= 1

    def _branches(self, section: str, conditions: tuple[tuple[CmateNode, bool], ...], *, looped: bool) -> None:
        before: tuple[tuple[CmateNode, bool], ...] = ()
        word = "if"
        while word != "fi":
            if word == "else":
                inner = before
            else:
                test = self._expression()
                inner = (*before, (test, True))
                before = (*before, (test, False))
            self._needs(":")
            self._statements(section, (*conditions, *inner), looped=looped)
            word = self._next().text
            if word not in ("elif", "else", "fi"):
                raise self._unexpected(word)

    def _expression(self, least: int = 1) -> CmateNode:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._unexpected(self._peek().text)
        left, parts = self._operand(), 0
        while True:
            sign = self._peek().text if self._peek().kind in ("sign", "word", "number") else ""
            if self._peek().kind == "number" and sign.startswith("-"):
                # `a -1`: the lexer of the original takes the sign for a part of the number, too.
                break
            sign = "not in" if sign == "not" and self._peek(1).text == "in" else sign
            if _BINARY.get(sign, 0) < least:
                break
            self._at += 2 if sign == "not in" else 1
            parts += 1
            if parts > _MOST_PARTS:
                raise self._unexpected(sign)
            left = CmateNode(sign, (left, self._expression(_BINARY[sign] + 1)))
        self._depth -= 1
        return left

    def _operand(self) -> CmateNode:
        token = self._next()
        text = token.text
        if token.kind == "number":
            return CmateNode("constant", (float(text) if "." in text else int(text[:40]),))
        if token.kind == "string":
            return CmateNode("constant", (_string(text),))
        if token.kind == "path":
            return CmateNode("path", (text[2:-1].strip(),))
        if text == "not":
            return CmateNode("not", (self._expression(_NOT),))
        if text == "(":
            inner = self._expression()
            self._needs(")")
            return inner
        if text in "[{" and token.kind == "sign":
            return CmateNode("list" if text == "[" else "other", self._items("]" if text == "[" else "}"))
        if token.kind != "word":
            raise self._unexpected(text)
        if text == "NA":
            return CmateNode("NA")
        if text in _CONSTANTS:
            return CmateNode("constant", (_CONSTANTS[text],))
        if self._takes("("):
            return CmateNode("call", (text, *self._items(")")))
        return CmateNode("other", (text,))

    def _items(self, end: str) -> tuple[CmateNode, ...]:
        found: list[CmateNode] = []
        while not self._takes(end):
            found.append(self._expression())
            if not (self._takes(",") or self._takes(":")) and self._peek().text != end:
                raise self._unexpected(self._peek().text)
        return tuple(found)

    def _peek(self, ahead: int = 0) -> _Token:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else _Token("", "", self._tokens[-1].line if at else 1)

    def _next(self) -> _Token:
        token = self._peek()
        if not token.kind:
            raise CmateError(Text("the text ends too early", "文本不完整"))
        self._at += 1
        return token

    def _takes(self, text: str) -> bool:
        token = self._peek()
        taken = token.text == text and token.kind not in ("string", "path")
        self._at += taken
        return taken

    def _needs(self, text: str) -> None:
        if not self._takes(text):
            raise self._unexpected(self._peek().text)

    def _unexpected(self, text: str) -> CmateError:
        line = self._peek().line
        return CmateError(Text(f"line {line}: {text!r} is not expected here", f"第 {line} 行：此处不应为 {text!r}"))


def _string(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text[1:-1], flags=re.DOTALL)
