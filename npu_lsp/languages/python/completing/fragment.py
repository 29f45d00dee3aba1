"""The part of a statement in front of the cursor: which brackets and which quotes are open there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_MAX = 50_000
"""A statement that starts further in front of the cursor is not looked at."""

_NESTED = 30
_LOOK_BACK = 1_000
"""Patterns see no more than this: code that was made to be slow must not be."""

_TOKEN = re.compile(r"""(?P<quote>\"\"\"|'''|"|')|\#[^\n\r]*|[()\[\]{},]|\\(?:\r\n|\n|\r)|\r\n|\n|\r""")
_END_OF_TEXT = {
    quote: re.compile(r"(?:[^\\" + quote[0] + r"]|\\[\s\S]|" + quote[0] + r"(?!" + quote[0] * 2 + r"))*" + quote)
    if len(quote) == 3
    else re.compile(rf"[^\\{quote}\n\r]*(?:\\(?:\r\n|[\s\S])[^\\{quote}\n\r]*)*{quote}")
    for quote in ('"', "'", '"""', "'''")
}
_PREFIX = re.compile(r"(?<![\w])[A-Za-z]{0,2}\Z")
# A comment goes up to its line's end: one that could end anywhere could be cut into pieces in countless ways.
_KEYWORD = re.compile(r"(?:\s|#[^\r\n]*[\r\n])*(?P<name>[^\W\d]\w*)\s*=(?!=)")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(slots=True)
class Bracket:
    """A bracket that is open at the cursor."""

    sign: str
    at: int
    arguments: list[int] = field(default_factory=list)
    """Where the parts between commas start; the last one holds the cursor."""


@dataclass(slots=True)
class Fragment:
    """What stands in front of the cursor, in one statement. Offsets are those of the whole text."""

    text: str
    start: int
    cursor: int
    brackets: list[Bracket] = field(default_factory=list)
    quote: str = ""
    """The quotes that are open at the cursor."""
    literal: int = -1
    """Where the open text literal starts, its prefix included."""
    content: int = -1
    """Where its characters start."""

    @property
    def code(self) -> str:
        """The code in front of the open literal, or of the cursor, as far as patterns look at it."""
        end = self.literal if self.quote else self.cursor
        return self.text[max(self.start, end - _LOOK_BACK) : end]

    @property
    def innermost(self) -> list[Bracket]:
        """The open brackets from the innermost one outwards; nobody nests more calls than these."""
        return self.brackets[: -_NESTED - 1 : -1]

    @property
    def line_start(self) -> int:
        """Where the cursor's physical line starts."""
        text, cursor = self.text, self.cursor
        return max(text.rfind("\n", self.start, cursor), text.rfind("\r", self.start, cursor), self.start - 1) + 1

    @property
    def line_end(self) -> int:
        """Where the cursor's physical line ends."""
        found = _LINE_END.search(self.text, self.cursor)
        return found.start() if found else len(self.text)

    @property
    def rest(self) -> str:
        """What stands behind the cursor on its line."""
        return self.text[self.cursor : self.line_end]

    def before(self, bracket: Bracket) -> str:
        """Return the code in front of a bracket, as far as patterns look at it."""
        return self.text[max(self.start, bracket.at - _LOOK_BACK) : bracket.at]

    def argument(self, bracket: Bracket, end: int | None = None) -> str:
        """Return the part between commas that holds the cursor, up to the open literal or the cursor."""
        stop = end if end is not None else (self.literal if self.quote else self.cursor)
        return self.text[bracket.arguments[-1] : stop]

    def typed_text(self) -> tuple[Span, bool]:
        """Return what a completion inside the open literal replaces, and whether the literal is closed behind it."""
        start = max(self.content, self.line_start)
        rest = self.rest
        bare = rest.replace("\\\\", "").replace("\\" + self.quote[0], "")
        if bare.count(self.quote) % 2 == 1:
            end = rest.find(self.quote)
            while end > 0 and rest[end - 1] == "\\":
                end = rest.find(self.quote, end + 1)
            return Span(start, self.cursor + end), True
        word = _WORD.match(rest)
        return Span(start, self.cursor + (word.end() if word else 0)), False

    def keywords(self, bracket: Bracket) -> frozenset[str]:
        """Return the keywords that a call has beside the one under the cursor, in front of it and behind it."""
        starts = bracket.arguments[:-1] + self._following(bracket)
        found = (_KEYWORD.match(self.text, start) for start in starts)
        return frozenset(match["name"] for match in found if match)

    def _following(self, bracket: Bracket) -> list[int]:
        """Return where the parts between commas start behind the cursor."""
        position, depth = self.cursor, len(self.brackets) - self.brackets.index(bracket)
        if self.quote:
            end = _END_OF_TEXT[self.quote].match(self.text, self.cursor, self.cursor + _MAX)
            position = end.end() if end else self.line_end
        found: list[int] = []
        limit = min(self.cursor + _MAX, len(self.text))
        while position < limit and len(found) < 500:
            token = _TOKEN.search(self.text, position, limit)
            if token is None:
                break
            at, position = token.span()
            sign = self.text[at]
            if token["quote"]:
                end = _END_OF_TEXT[token["quote"]].match(self.text, position, limit)
                position = end.end() if end else position
            elif sign in "([{":
                depth += 1
            elif sign in ")]}":
                depth -= 1
                if depth <= 0:
                    break
            elif sign == "," and depth == 1:
                found.append(position)
        return found

    def closers(self) -> str:
        """Return the brackets that must follow the open literal for the statement to be whole."""
        rest = self.rest.strip()
        if rest.strip("\"')]}"):
            return ""
        return "".join(_CLOSING[b.sign] for b in reversed(self.brackets) if b.at >= self.line_start)


_LINE_END = re.compile(r"\r\n|\n|\r")
_WORD = re.compile(r"[\w.\-/]*")


# branches: one walk along the signs, each of which means something else: apart they would hand its state around.
def fragment(text: str, start: int, cursor: int) -> Fragment | None:
    """Return what is open at `cursor` in the statement at `start`; `None` in a comment or behind the statement."""
    if cursor - start > _MAX:
        return None
    found = Fragment(text, start, cursor)
    position = start
    while position < cursor:
        token = _TOKEN.search(text, position, cursor)
        if token is None:
            break
        at, position = token.span()
        sign = text[at]
        if token["quote"]:
            quote = token["quote"]
            end = _END_OF_TEXT[quote].match(text, position, cursor)
            if end is not None:
                position = end.end()
                continue
            line = _LINE_END.search(text, position, cursor) if len(quote) == 1 else None
            if line is not None and text[line.start() - 1] != "\\":
                position = line.start()
                continue
            prefix = _PREFIX.search(text, max(start, at - 3), at)
            found.quote, found.content = quote, position
            found.literal = prefix.start() if prefix else at
            return found
        if sign == "#":
            if position >= cursor:
                return None
        elif sign in "([{":
            found.brackets.append(Bracket(sign, at, [at + 1]))
        elif sign in ")]}":
            if found.brackets:
                found.brackets.pop()
        elif sign == ",":
            if found.brackets:
                found.brackets[-1].arguments.append(at + 1)
        elif sign in "\n\r" and not found.brackets:
            return None
    return found


def comments_in(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the comments between the lines of the statement at `start`, as far as it goes up to `end`."""
    position = start
    while position < end:
        token = _TOKEN.search(text, position)
        if token is None:
            return
        at, position = token.span()
        if text[at] == "#":
            yield Span(at, position)
        elif token["quote"]:
            close = _END_OF_TEXT[token["quote"]].match(text, position)
            line = _LINE_END.search(text, position)
            if close is not None:
                position = close.end()
            elif len(token["quote"]) == 1 and line is not None:
                position = line.start()
            else:
                return


def texts_in(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield what stands between quotes in `[start, end)`; a text that nobody closed ends with its line."""
    position = start
    while position < end:
        token = _TOKEN.search(text, position, end)
        if token is None:
            return
        position = token.end()
        if not token["quote"]:
            continue
        close = _END_OF_TEXT[token["quote"]].match(text, position, end)
        if close is not None:
            yield Span(position, close.end() - len(token["quote"]))
            position = close.end()
            continue
        line = _LINE_END.search(text, position, end) if len(token["quote"]) == 1 else None
        stop = line.start() if line is not None else end
        yield Span(position, stop)
        position = stop
