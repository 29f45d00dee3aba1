"""Counts how deep a statement is nested before it is parsed: what would hurt must never reach the parser.

libcst ends the process at some 3,000 nested brackets, and takes time with the square of a chain that leans to one side:
`a.b.c`, `a[0][1]`, `a + b + c`, `not not a`, and of calls in calls: `f(g(h(a)))`.
Its trees are written out by functions that call each other, too.
"""

from __future__ import annotations

from npu_lsp.text import lazy_re as re

_MOST_BRACKETS = 60
"""Around one another."""
_DEEPEST = 200
"""Steps from the statement to its innermost part: each operator of a chain is one, each bracket as many as below."""
_BRACKET = 3
_HANGING = 2
"""What a bracket counts more that hangs on a name or another bracket, as those of calls do."""
_HARMLESS = _DEEPEST // _BRACKET
"""Characters of a statement that can't be too deep: each one is a bracket, or what one hangs on, at most."""
# What only compares is flat, but counts: leaving it out would cost more than it brings.
_CODE = re.compile(
    r"(?P<formatted>(?<!\w)(?:[fFtT][rR]?|[rR][fFtT])(?=[\"']))?(?P<quote>\"\"\"|'''|\"|')|(?P<comment>\#[^\n\r]*)"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>[,;])|(?P<colon>:)|(?P<lambda>\blambda\b)|(?P<dot>\.)"
    r"|(?P<operator>\b(?:not|and|or|if|else|for|await|in|is|yield)\b|\*\*|//|<<|>>|[-+*/%@&|^~<>!=`])"
)
_REST_OF_TEXT = {
    '"': re.compile(r'[^"\\\n\r]*(?:\\(?:\r\n|[\s\S])[^"\\\n\r]*)*"'),
    "'": re.compile(r"[^'\\\n\r]*(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*)*'"),
    '"""': re.compile(r'[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*"""'),
    "'''": re.compile(r"[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*'''"),
}
_HANGS = re.compile(r"(?<=[\w)\]])[(\[]")
_FORMATTED = re.compile(r"\{\{|\}\}|(?P<open>\{)|\\[^{}]|(?P<quote>\"\"\"|'''|\"|')")
_FORMAT = re.compile(r"[{}]")
_BETWEEN_TEXTS = " \t\f\r\n\\"


class _Level:
    """What is open: the statement, brackets, a format string, a field of one."""

    __slots__ = (
        "_inner",
        "_lambdas",
        "_operand",
        "_operators",
        "_postfixes",
        "_widest",
        "hangs",
        "is_field",
        "is_format",
        "quote",
    )

    def __init__(self, quote: str = "", *, is_field: bool = False, hangs: bool = False) -> None:
        self.quote = quote
        """The quotes of the format string that it is."""
        self.hangs = hangs
        """It is a bracket that hangs on what stands in front of it."""
        self.is_field = is_field
        self.is_format = False
        """It is a field, and its colon is passed."""
        self._operators = self._lambdas = 0
        self._postfixes = self._inner = 0
        """Of the operand under way: what hangs on it, and how deep the brackets in it are."""
        self._operand = self._widest = 0
        """The deepest operand and the deepest part before."""

    def depth(self) -> int:
        """Return how deep it is nested, as far as it was read."""
        operand = max(self._operand, self._postfixes + self._inner)
        return max(self._widest, self._operators + self._lambdas + operand)

    def operator(self) -> None:
        """Take an operator: each one may have all the others, and the deepest operand, inside it."""
        self._operators += 1
        self._operand = max(self._operand, self._postfixes + self._inner)
        self._postfixes = self._inner = 0

    def part(self) -> None:
        """Take a comma: what follows stands beside what was read. Where a lambda ends nothing tells."""
        self._widest = self.depth()
        self._operators = self._operand = self._postfixes = self._inner = 0

    def postfix(self) -> None:
        """Take an attribute's dot."""
        self._postfixes += 1

    def bracket(self, depth: int) -> None:
        """Take a bracket that is closed again, and as deep as that."""
        self._postfixes += 1
        self._inner = max(self._inner, depth + _BRACKET)

    def lambda_(self) -> None:
        """Take a lambda."""
        self._lambdas += 1


def is_too_deep(text: str) -> bool:
    """Return whether a statement is nested too deep to be read."""
    return len(text) > _HARMLESS and _Counter(text).depth() > _DEEPEST


class _Counter:
    def __init__(self, text: str) -> None:
        self._text = text
        self._levels = [_Level()]
        self._text_end = -1
        """Where the last text literal ends."""

    def depth(self) -> int:
        """Return how deep the statement is nested, or as much as is too deep."""
        position: int | None = 0
        while position is not None and len(self._levels) <= _MOST_BRACKETS:
            level = self._levels[-1]
            if level.quote:
                position = self._in_text(position, level.quote)
            elif level.is_format:
                position = self._in_format(position)
            else:
                position = self._in_code(position)
        if position is not None:
            return _DEEPEST + 1
        while len(self._levels) > 1:
            self._close()
        return self._levels[0].depth()

    def _in_code(self, position: int) -> int | None:
        """Take the next sign of code; return where the one behind it may start."""
        found = _CODE.search(self._text, position)
        if found is None:
            return None
        level = self._levels[-1]
        match found.lastgroup:
            case "quote":
                return self._literal(found)
            case "open":
                self._levels.append(_Level(hangs=_HANGS.match(self._text, found.start()) is not None))
            case "close":
                self._close()
            case "comma":
                level.part()
            case "lambda":
                level.lambda_()
            case "dot":
                level.postfix()
            case "operator":
                level.operator()
            case "colon":
                level.is_format = level.is_field
            case "comment":
                if not self._text[self._text_end : found.start()].strip(_BETWEEN_TEXTS):
                    self._text_end = found.end()
        return found.end()

    def _literal(self, found: re.Match[str]) -> int:
        """Take a text literal, or go into it."""
        if self._text_end >= 0 and not self._text[self._text_end : found.start()].strip(_BETWEEN_TEXTS):
            # Texts side by side are a chain.
            self._levels[-1].operator()
        if found["formatted"]:
            self._levels.append(_Level(found["quote"]))
            return found.end()
        rest = _REST_OF_TEXT[found["quote"]].match(self._text, found.end())
        # One that nobody closes is an error: what stands behind it counts.
        self._text_end = rest.end() if rest is not None else found.end()
        return self._text_end

    def _in_text(self, position: int, quote: str) -> int | None:
        """Take the next sign of a format string."""
        found = _FORMATTED.search(self._text, position)
        if found is None:
            return None
        if found["open"]:
            self._levels.append(_Level(is_field=True))
        elif found["quote"] and self._text.startswith(quote, found.start()):
            self._close()
            self._text_end = found.start() + len(quote)
            return self._text_end
        return found.start() + 1 if found["quote"] else found.end()

    def _in_format(self, position: int) -> int | None:
        """Take the next field in a field's format, or its end."""
        found = _FORMAT.search(self._text, position)
        if found is None:
            return None
        if found.group() == "{":
            self._levels.append(_Level(is_field=True))
        else:
            self._close()
        return found.end()

    def _close(self) -> None:
        if len(self._levels) > 1:
            level = self._levels.pop()
            around = self._levels[-1]
            around.bracket(level.depth() + (_HANGING if level.hangs else 0))
            if around.quote or around.is_format:
                # The fields of a text stand side by side.
                around.part()
