"""One walk over a Python text that finds where each statement starts and ends, without parsing.

It needs no correct code: a bracket or a text that nobody closes ends where the next statement must have begun.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import TextChange

_MAX_TOKENS = 10_000
"""A statement with more brackets, texts and lines than this is cut at a line end; no option is set that way."""
_TEXT = r"""\"(?!\"\")[^"\\\n\r]*(?:\\.[^"\\\n\r]*){0,99}\"|'(?!'')[^'\\\n\r]*(?:\\.[^'\\\n\r]*){0,99}'"""
# Each alternative starts differently and takes all it can, so that a failing match has nothing to try again;
# the bounds keep the memory of a match small on giant lines.
_CHUNK = r"[^'\"#()\[\]{}\\\n\r]{1,2000}(?=['\"#()\[\]{}\\\n\r]|\Z)"
_END = r"(?:\r\n|\n|\r(?!\n))"
_COMMENT = r"#[^\n\r]*(?=[\n\r]|\Z)"


def _within(deeper: str) -> str:
    """Return the pattern for what stands between brackets, with brackets inside that hold `deeper`."""
    return rf"(?:{_CHUNK}|{_TEXT}|{_END}|{_COMMENT}|[(\[{{]{deeper}[)\]}}]){{0,400}}"


_FLAT = rf"(?:{_CHUNK}|{_TEXT}|{_END}|{_COMMENT}){{0,400}}"
_INSIDE = _within(_within(_FLAT))
# Which bracket closes which is not asked here: a pattern that does is thirty times as long and takes 10 ms to compile.
_CODE = rf"(?:{_CHUNK}|{_TEXT}|(?P<opened>[(\[{{]){_INSIDE}[)\]}}]){{0,400}}"
# A line that is whole: blank, a comment, or a statement whose brackets and texts are closed.
_LINE = re.compile(rf"[ \t\f]*(?P<code>(?=[^ \t\f#\n\r]){_CODE})?(?:#[^\n\r]*)?(?:{_END}|\Z)")
_DOCSTRING = re.compile(rf"[ \t\f]*(?:#[^\n\r]*)?(?:{_END}|\Z)")
_TOKEN = re.compile(
    r"""\"\"\"|\'\'\'|\"[^"\\\n\r]*(?:\\(?:\r\n|[\s\S])[^"\\\n\r]*){0,9999}\"?|'[^'\\\n\r]*(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*){0,9999}'?"""
    r"""|\#[^\n\r]*|[()\[\]{}]|(?:\\(?:\r\n|\n|\r)){1,500}|\r\n|\n|\r"""
)
_NOT_BLANK = re.compile(r"[^ \t\f]")
_JOINED = re.compile(r"\\(?:\r\n|\n|\r)[ \t\f]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_CLOSES = {")": "(", "]": "[", "}": "{"}


class Damage(NamedTuple):
    """A statement that had to be ended by a guess, and how far one must read to make the same guess."""

    start: int
    reach: int


# What can't stand inside brackets at the start of a line: a statement of its own.
_STATEMENT = re.compile(
    r"""
    @\w
    | (?:async[ \t]+)?def[ \t]+\w | class[ \t]+\w+[ \t]*[(:]
    | (?:import|with|while|assert|raise|del|global|nonlocal|except|return|from|print)[ \t]+[\w("'*{\[]
    | (?:return|pass|break|continue|raise)[ \t]*(?:[#;\r\n]|\Z)
    | (?:try|else|finally|except)[ \t]*:
    | (?:if|elif|for|while|with)\b[^\r\n]*:[ \t]*(?:\#[^\r\n]*)?(?:[\r\n]|\Z)
    | [^\W\d]\w*(?:\.\w+|\[[^\]\r\n]*\])+[ \t]*[-+*/%&|^]?=(?!=)
    """,
    re.VERBOSE,
)
# What can't stand inside brackets wherever it is: a keyword argument has a plain name.
_TARGET = re.compile(r"[^\W\d]\w*(?:\.\w+|\[[^\]\r\n]*\])+[ \t]*=(?!=)")
_LINE_START = re.compile(r"(?<=[\r\n])(?P<indent>[ \t\f]*)(?=[@\w])")
_NAME_ASSIGNMENT = re.compile(r"[^\W\d]\w*[ \t]*(?::[^=\r\n]*)?=(?!=)")
_WORD = re.compile(r"[^\W\d]\w*(?!\w|['\"])")
_INFIX = frozenset({"if", "else", "for", "in", "and", "or", "not", "is", "async", "await", "lambda", "as"})

_CODE_LINE = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[(:]|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b"
    r"|@\w|[^\W\d][\w.]*(?:\[[^\]\r\n]*\][\w.]*)?[ \t]*=[ \t]*\S)",
    re.MULTILINE,
)
_HEADER = re.compile(r"[ \t]*(?:(?:async[ \t]+)?def|class)\b")
_COMMENT_BEHIND = re.compile(r":[ \t]*#")


def _may_hold_statement(text: str, start: int, end: int, width: int) -> bool:
    """Return whether a line in the text may start a statement: True wherever one of the guesses below could say so.

    That is a line that is indented by no more than `width` columns, or one that assigns to an attribute or an item. A
    character takes one column at least, but for a form feed, which takes back those before it.
    """
    return any(
        len(found["indent"]) <= width or "\f" in found["indent"] or _TARGET.match(text, found.end())
        for found in _LINE_START.finditer(text, start, end)
    )


def is_assignment(text: str, start: int) -> bool:
    """Return whether the line whose code starts at `start` assigns to an attribute or an item."""
    return _TARGET.match(text, start) is not None


def _starts_statement(text: str, start: int, before: str) -> bool:
    """Return whether the line whose code starts at `start` can't be inside brackets.

    `before` is the last character of code in front of it.
    """
    if _STATEMENT.match(text, start):
        return True
    if before not in ",([{" and _NAME_ASSIGNMENT.match(text, start):
        return True
    # Two operands side by side: `foo(a` and then `bar`. Text literals may stand side by side.
    if before.isalnum() or before in "_)]}\"'":
        word = _WORD.match(text, start)
        return word is not None and word.group() not in _INFIX
    return False


def _may_start_statement(text: str, start: int) -> bool:
    """Return whether the line looks like an assignment, though it could be a keyword argument in a call."""
    return _NAME_ASSIGNMENT.match(text, start) is not None


def _is_stray_quote(text: str, start: int, end: int) -> bool:
    """Return whether the triple quotes at `start` close nothing and open nothing: those at `end` open the next text.

    A text in triple quotes that nobody closed runs up to the next docstring. Then code stands in it, and right
    after its end, where nothing but an operator could follow, comes the docstring's text; or the header of a
    function stands right before its end.
    """
    content = text[start + 3 : end]
    if "\n" not in content and "\r" not in content:
        return False
    follows = text[end + 3 : end + 4]
    if not (follows.isalnum() or follows == "_" or _ends_with_header(content)):
        return False
    return _CODE_LINE.search(content) is not None


def _ends_with_header(content: str) -> bool:
    """Return whether the last line with something on it is the header of a function or a class."""
    said = content.rstrip()
    line = said[max(said.rfind("\n"), said.rfind("\r")) + 1 :]
    return _HEADER.match(line) is not None and (line.endswith(":") or _COMMENT_BEHIND.search(line) is not None)


class Scanner:
    """Collects logical lines; up to where those of an older text hold again, which started at `old` before `change`."""

    def __init__(self, text: str, old: Sequence[int] = (), change: TextChange | None = None) -> None:
        self.text = text
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.indents: list[int] = []
        self.damage: list[Damage] = []
        self._old = old
        self._safe = change.new_end if change is not None else len(text) + 1
        self._delta = change.new_end - change.old_end if change is not None else 0

    # branches: one walk along the lines, of which a text may have a hundred thousand.
    def run(self, position: int) -> int | None:
        """Scan from the line start at `position`; return the index of the first old line that holds, if any does."""
        text, size, match = self.text, len(self.text), _LINE.match
        starts, ends, indents = self.starts, self.ends, self.indents
        while position < size:
            line = match(text, position)
            joined = False
            if line is None:
                blanks = _past_blanks(text, position)
                start = _past_joined(text, blanks)
                joined = start > blanks
                if joined and (start >= size or text[start] in "#\r\n"):
                    position = _behind_line(text, start)
                    continue
            else:
                start, end = line.span("code")
                if start < 0:
                    position = line.end()
                    continue
            # Not at the very end of the change: what stood before the old line, a backslash and a line end, is the same only
            # past it. Whether a line that is joined to others belongs to them depends on what stands before these.
            if position > self._safe + 2 and not (joined or is_joined(text, position)):
                same = self._old_line(start)
                if same is not None:
                    return same
            width = start - position
            if joined:
                width = _joined_width(text, position, start)
            elif width and not text.startswith(" " * width, position):
                width = _width(text[position:start])
            if line is None or (line.start("opened") >= 0 and self._is_suspicious(start, end, width)):
                end, position = self._statement(start, width)
            else:
                position = line.end()
                if text[end - 1] in " \t\f":
                    end = start + len(text[start:end].rstrip(" \t\f"))
            starts.append(start)
            ends.append(end)
            indents.append(width)
        return None

    def _old_line(self, start: int) -> int | None:
        wanted = start - self._delta
        index = bisect_left(self._old, wanted)
        return index if index < len(self._old) and self._old[index] == wanted else None

    def _is_suspicious(self, start: int, end: int, width: int) -> bool:
        """Return whether a statement with brackets may hold the start of another one: they fit by chance.

        Where it ends must not hang on text far behind: an edit there would have to look for it.
        """
        text = self.text
        # Written out: each statement with brackets comes by here.
        count = text.count
        if (
            count("(", start, end) != count(")", start, end)
            or count("[", start, end) != count("]", start, end)
            or count("{", start, end) != count("}", start, end)
        ):
            return True
        if text.find("\n", start, end) < 0 and text.find("\r", start, end) < 0:
            return False
        return _may_hold_statement(text, start, end, width)

    # branches: one walk along the tokens, each of which means something else: calls would cost more than all they do.
    def _statement(self, start: int, width: int) -> tuple[int, int]:
        """Return where the statement at `start` ends, and where the next line starts."""
        text, size, search = self.text, len(self.text), _TOKEN.search
        if text.startswith(('"""', "'''"), start):
            whole = self._docstring(start)
            if whole is not None:
                return whole
        stack: list[str] = []
        position = end = start
        soft: tuple[int, int] | None = None
        for _ in range(_MAX_TOKENS):
            token = search(text, position)
            at = token.start() if token else size
            code = text[position:at].rstrip(" \t\f")
            if code:
                end = position + len(code)
            if token is None:
                return self._cut(start, size, soft or (end, size)) if stack else (end, size)
            position = token.end()
            sign = text[at]
            if sign in "\n\r\\":
                if not stack and sign != "\\":
                    return end, position
                following = _past_blanks(text, position)
                before = text[end - 1] if end > start else "="
                if sign == "\\" and before == ".":
                    # `options.\\` and then `name = 1`
                    continue
                found = self._next_line(following, width, before)
                if found == "statement":
                    return self._cut(start, _end_of_line(text, following), soft or (end, position))
                if found == "perhaps" and soft is None:
                    soft = end, position
                continue
            if sign == "#":
                continue
            if sign in "([{":
                stack.append(sign)
            elif sign in ")]}":
                _close(stack, sign)
            elif position - at == 3 and text.startswith(sign * 3, at):
                position = self._after_text(start, at)
            end = position
        # Too long to be of interest: what is left is taken line by line.
        return _end_of_line(text, position), _behind_line(text, position)

    def _docstring(self, start: int) -> tuple[int, int] | None:
        """Return the end of a text in triple quotes that is all of its statement, and where the next line starts."""
        text = self.text
        end = text.find(text[start : start + 3], start + 3)
        if end < 0 or text[end - 1] == "\\" or _is_stray_quote(text, start, end):
            return None
        rest = _DOCSTRING.match(text, end + 3)
        return (end + 3, rest.end()) if rest is not None else None

    def _next_line(self, following: int, width: int, before: str) -> str:
        """Return whether the code at `following` starts a `statement`, does so `perhaps`, or goes on with this one."""
        text = self.text
        # Of a comment or a blank line the next line end asks again.
        if following >= len(text) or text[following] in "#\r\n)]}\"'":
            return ""
        line = following
        while line > 0 and text[line - 1] in " \t\f":
            line -= 1
        if _width(text[line:following]) > width:
            # Behind a backslash it may be one more target: `a = \\` and then `b.c = 1`.
            return "statement" if before != "=" and is_assignment(text, following) else ""
        if _starts_statement(text, following, before):
            return "statement"
        return "perhaps" if _may_start_statement(text, following) else ""

    def _after_text(self, start: int, at: int) -> int:
        """Return where the text that opens with the triple quotes at `at` ends."""
        text = self.text
        quotes = text[at : at + 3]
        end = text.find(quotes, at + 3)
        while end > 0 and text[end - 1] == "\\" and _is_escaped(text, end):
            end = text.find(quotes, end + 1)
        if end >= 0 and not _is_stray_quote(text, at, end):
            return end + 3
        self._note(start, len(text) if end < 0 else end + 4)
        return _end_of_line(text, at)

    def _cut(self, start: int, reach: int, end: tuple[int, int]) -> tuple[int, int]:
        self._note(start, reach)
        return end

    def _note(self, start: int, reach: int) -> None:
        if self.damage and self.damage[-1].start == start:
            reach = max(reach, self.damage.pop().reach)
        self.damage.append(Damage(start, reach))


def _close(stack: list[str], sign: str) -> None:
    """Take the bracket that `sign` closes off the stack, with those inside it that nobody closed."""
    opened = _CLOSES[sign]
    if opened in stack:
        while stack.pop() != opened:
            pass


def _past_blanks(text: str, position: int) -> int:
    found = _NOT_BLANK.search(text, position)
    return found.start() if found else len(text)


def _past_joined(text: str, position: int) -> int:
    """Return where the code starts behind backslashes at line ends, the first of which may stand at `position`."""
    while (found := _JOINED.match(text, position)) is not None:
        position = found.end()
    return position


def is_joined(text: str, position: int) -> bool:
    """Return whether a backslash joins the line that starts at `position` to the one before."""
    end = position - (2 if text.startswith("\r\n", max(0, position - 2)) else 1)
    return end > 0 and text[end - 1] == "\\"


def before_blanks(text: str, position: int) -> int:
    """Return where the blanks in front of `position` start."""
    while position > 0 and text[position - 1] in " \t\f":
        position -= 1
    return position


def _is_escaped(text: str, at: int) -> bool:
    """Return whether an odd number of backslashes stands before `at`."""
    start = at
    while start > 0 and text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def _end_of_line(text: str, position: int) -> int:
    found = _LINE_END.search(text, position)
    return found.start() if found else len(text)


def _behind_line(text: str, position: int) -> int:
    """Return where the line behind the one of `position` starts."""
    stop = _end_of_line(text, position)
    line_end = _LINE_END.match(text, stop)
    return line_end.end() if line_end else stop


def _joined_width(text: str, position: int, start: int) -> int:
    """Return the indentation of code at `start` behind lines that are only joined to it: as in Python, that of the first which has one."""
    parts = _LINE_END.split(text[position:start].replace("\\", ""))
    return next((width for width in map(_width, parts) if width), 0)


def _width(indent: str) -> int:
    """Return how many columns an indentation takes; a form feed starts anew, as in Python."""
    width = 0
    for char in indent:
        if char == "\t":
            width = width // 8 * 8 + 8
        elif char == "\f":
            width = 0
        else:
            width += 1
    return width
