"""What one word of a command is made of: plain text, quotes, escapes, and what `$` and a backtick start."""

from __future__ import annotations

from npu_lsp.languages.shell.expansions import HOLE, close, dollar
from npu_lsp.languages.shell.words import Piece, PieceKind, ShellWord, Simple
from npu_lsp.text import lazy_re as re

_PLAIN = re.compile(rf"[^ \t\r\n\\'\"$`|&;<>(){HOLE}]+")
_IN_QUOTES = re.compile(rf'[^"\\$`{HOLE}]+')
JOIN = re.compile(r"\\(?:\r\n|\n|\r)")
"""A backslash that joins two lines."""
_BRACES = re.compile(r"\{(?=[^{}]*\})[^{}]*(?:,|\.\.)[^{}]*\}")
_NEXT_FLAG = re.compile(r"(?:\r\n|\n|\r)[ \t]*-{1,2}[A-Za-z]{2}[\w-]*(?:[= \t\\\r\n]|$)")
_FLAG_IN_LINE = re.compile(r"(?<![ \t])(?:[ \t]+(?=--?[A-Za-z]{2}[\w-]*[= \t])|[ \t]*(?:\\[ \t]*)?$)")
_REST_OF_LINE = re.compile(r"(?<![ \t])[ \t]*(?:\\[ \t]*)?$")
_COMMAND_IN_LINE = re.compile(r"[^\r\n]*?[^\s=][ \t]+--?[A-Za-z][\w-]*(?:[= \t]|$)")
_CLOSES = re.compile(r"(?<![=\s(:,])[\"'](?=[\s;|&)]|\Z)")
_LINE_REST = re.compile(r"[^\r\n]*")
_BLANK_AFTER_BACKSLASH = re.compile(r"\\[ \t]+(?=\r|\n)")


class WordLexer:
    """Takes words piece by piece, into `found`."""

    __slots__ = ("at", "found", "limit", "pieces", "text", "word_start")

    def __init__(self, text: str, start: int, limit: int) -> None:
        self.text = text
        self.at = start
        """Where it stands: in front of this all is taken."""
        self.limit = limit
        self.found = Simple([], start)
        self.pieces: list[Piece] = []
        """Those of the word around `at`."""
        self.word_start = -1
        """Where that word starts; -1: `at` is in none."""

    def piece(self, char: str) -> None:
        """Take the next piece of a word."""
        text, at, limit = self.text, self.at, self.limit
        if self.word_start < 0:
            self.word_start = at
        match = _PLAIN.match(text, at, limit)
        if match:
            self._plain(match.group(), at)
        elif char == "'":
            self._single(at)
        elif char == '"':
            self._double(at)
        elif char == "\\":
            self._escape(at)
        elif char == HOLE:
            end = at + 1
            while end < limit and text[end] == HOLE:
                end += 1
            self.hole(end)
        elif char == "$" and text.startswith(("'", '"'), at + 1, limit):
            self._translated(at)
        else:
            self._expansion(limit, quoted=False)

    def _plain(self, plain: str, at: int) -> None:
        done = 0
        # `{a,b}` makes several words.
        for braces in _BRACES.finditer(plain) if "{" in plain else ():
            if braces.start() > done:
                self.add(PieceKind.TEXT, plain[done : braces.start()], at + done, at + braces.start())
            self.at = at + braces.start()
            done = braces.end()
            self.hole(at + done)
        self.at = at + len(plain)
        if done < len(plain):
            self.add(PieceKind.TEXT, plain[done:], at + done, self.at)

    def hole(self, end: int) -> None:
        """Take what stands in front of `end` as a piece that only running the script can tell, of this word or a new one."""
        if self.word_start < 0:
            self.word_start = self.at
        self.add(PieceKind.HOLE, "", self.at, end)
        self.at = end

    def add(self, part: PieceKind, piece: str, start: int, end: int, quoted: bool = False) -> None:
        """Add a piece to the word; literal text goes on where that in front of it ends."""
        if part is PieceKind.TEXT and self.pieces:
            last = self.pieces[-1]
            if last.kind is PieceKind.TEXT and last.end == start and last.quoted == quoted:
                self.pieces[-1] = Piece(PieceKind.TEXT, last.text + piece, last.start, end, quoted)
                return
        self.pieces.append(Piece(part, piece, start, end, quoted))

    def end_word(self) -> None:
        """Let the word end here, if there is one."""
        if self.word_start >= 0:
            self.found.words.append(ShellWord(self.word_start, self.at, tuple(self.pieces)))
            self.found.end = self.at
            self.pieces = []
            self.word_start = -1

    def _escape(self, at: int) -> None:
        text, limit = self.text, self.limit
        joined = JOIN.match(text, at, limit)
        blank = None if joined else _BLANK_AFTER_BACKSLASH.match(text, at, limit)
        if blank:
            # The backslash makes the blank a word of its own and the line end ends the command.
            self.found.blanks = at
        if joined or blank or at + 1 >= limit:  # At the very end it stands for nothing.
            match = joined or blank
            self.at = match.end() if match else limit
            if self.word_start == at:
                self.word_start = -1
            return
        self.at = at + 2
        self.add(PieceKind.TEXT, text[at + 1], at + 1, at + 2, quoted=True)

    def _expansion(self, limit: int, *, quoted: bool) -> None:
        part, name, end, inner = dollar(self.text, self.at, limit)
        if inner is not None:
            self.found.inner.append(inner)
        self.add(part, name, self.at, end, quoted)
        self.at = end

    def _translated(self, at: int) -> None:
        """Take `$'...'`, where a backslash starts an escape of C, or `$"..."`."""
        text, limit = self.text, self.limit
        if text[at + 1] == '"':
            self._double(at + 1)
            return
        end = at + 2
        while end < limit and text[end] != "'":
            end += 2 if text[end] == "\\" else 1
        end = min(end, limit)
        content = text[at + 2 : end]
        part = PieceKind.HOLE if "\\" in content or HOLE in content else PieceKind.TEXT
        self.add(part, content, at + 2, end, quoted=True)
        self.at = min(end + 1, limit)

    def _single(self, at: int) -> None:
        end = self.text.find("'", at + 1, self.limit)
        if self._broken(at, end):
            return
        self._literal(at + 1, end)
        self.at = end + 1

    def _literal(self, start: int, end: int) -> None:
        """Add quoted text as it stands; what isn't known in it stays unknown."""
        text = self.text
        at = start
        while (hole := text.find(HOLE, at, end)) >= 0:
            if hole > at:
                self.add(PieceKind.TEXT, text[at:hole], at, hole, quoted=True)
            at = hole + 1
            self.add(PieceKind.HOLE, "", hole, at, quoted=True)
        if at < end or start == end:
            self.add(PieceKind.TEXT, text[at:end], at, end, quoted=True)

    def _double(self, at: int) -> None:
        text = self.text
        end = close(text, at, self.limit)
        if self._broken(at, end - 1 if end >= 0 else -1):
            return
        stop = end - 1
        self.at = at + 1
        if self.at >= stop:
            self.add(PieceKind.TEXT, "", self.at, self.at, quoted=True)
        while self.at < stop:
            here = self.at
            match = _IN_QUOTES.match(text, here, stop)
            if match:
                self.at = match.end()
                self.add(PieceKind.TEXT, match.group(), here, self.at, quoted=True)
            elif text[here] == "\\":
                joined = JOIN.match(text, here, stop)
                if joined:
                    self.at = joined.end()
                elif here + 1 < stop and text[here + 1] in '$`"\\':
                    self.add(PieceKind.TEXT, text[here + 1], here + 1, here + 2, quoted=True)
                    self.at = here + 2
                else:
                    self.add(PieceKind.TEXT, "\\", here, here + 1, quoted=True)
                    self.at = here + 1
            elif text[here] == HOLE:
                self.add(PieceKind.HOLE, "", here, here + 1, quoted=True)
                self.at = here + 1
            else:
                self._expansion(self.limit, quoted=True)
        self.at = end

    def _broken(self, at: int, end: int) -> bool:
        """Return whether a quote is never closed or swallows the flags below its own; then it ends where it seems to."""
        text = self.text
        stop = _seeming_end(text, at, end, self.limit, of_flag=text.startswith("-", self.word_start))
        if stop is None:
            return False
        self.found.unclosed.append((at, stop))
        self.at = at + 1
        self._typed(stop)
        return True

    def _typed(self, stop: int) -> None:
        """Take the pieces of an unclosed quote's content."""
        text = self.text
        while self.at < stop:
            here = self.at
            if text[here] in "$`":
                self._expansion(stop, quoted=True)
                continue
            end = here + 1
            while end < stop and text[end] not in "$`":
                end += 1
            self._literal(here, end)
            self.at = end


def _seeming_end(text: str, at: int, end: int, limit: int, *, of_flag: bool) -> int | None:
    """Return where the quote at `at` seems to end; `None` where that is `end`, at which its partner stands.

    While a value is typed its quote is not closed yet, and everything up to the next quote would belong to it.
    """
    if end >= 0 and text.find("\n", at + 1, end) < 0 and text.find("\r", at + 1, end) < 0:
        return None
    line = _LINE_REST.match(text, at + 1, limit)
    line_end = line.end() if line else limit
    if end >= 0 and not (of_flag and _NEXT_FLAG.search(text, line_end, end)):
        return None
    if end >= 0 and _COMMAND_IN_LINE.match(text, at + 1, line_end) and _CLOSES.match(text, end):
        # A whole command with flags of its own, on several lines: `msprof --application="python a.py --x \\`.
        return None
    match = (_FLAG_IN_LINE if of_flag else _REST_OF_LINE).search(text, at + 1, line_end)
    return match.start() if match else line_end
