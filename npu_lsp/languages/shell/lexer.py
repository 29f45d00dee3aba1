r"""Splits one simple command into words and their pieces, arrays and redirections, without a tree: damaged scripts and half-typed lines, too.

It follows the POSIX shell's rules for quotes, escapes, comments, continuation lines, redirections and operators, and
bash's for arrays, `$'...'`, `<<<` and `&>`. A line ends at `\n`, `\r\n` or `\r`.
"""

from __future__ import annotations

from npu_lsp.languages.shell.expansions import HOLE, behind_flag, close, dollar, substitution
from npu_lsp.languages.shell.words import Array, Heredoc, Piece, PieceKind, Redirect, ShellWord, Simple
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_PLAIN = re.compile(rf"[^ \t\r\n\\'\"$`|&;<>(){HOLE}]+")
_IN_QUOTES = re.compile(rf'[^"\\$`{HOLE}]+')
_JOIN = re.compile(r"\\(?:\r\n|\n|\r)")
"""A backslash that joins two lines."""
_BRACES = re.compile(r"\{(?=[^{}]*\})[^{}]*(?:,|\.\.)[^{}]*\}")
_NEXT_FLAG = re.compile(r"(?:\r\n|\n|\r)[ \t]*-{1,2}[A-Za-z]{2}[\w-]*(?:[= \t\\\r\n]|$)")
_FLAG_IN_LINE = re.compile(r"(?<![ \t])(?:[ \t]+(?=--?[A-Za-z]{2}[\w-]*[= \t])|[ \t]*(?:\\[ \t]*)?$)")
_REST_OF_LINE = re.compile(r"(?<![ \t])[ \t]*(?:\\[ \t]*)?$")
_COMMAND_IN_LINE = re.compile(r"[^\r\n]*?[^\s=][ \t]+--?[A-Za-z][\w-]*(?:[= \t]|$)")
_CLOSES = re.compile(r"(?<![=\s(:,])[\"'](?=[\s;|&)]|\Z)")
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
        joined = _JOIN.match(text, at, limit)
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
                joined = _JOIN.match(text, here, stop)
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
        """Return whether the quote at `at` lacks its end, or has it only below other flags; then read on from where it was meant to end."""
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


_BLANK = re.compile(r"(?:[ \t]|\\(?:\r\n|\n|\r))+")
_LINE_REST = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_OPERATOR = re.compile(r"&&|\|\||;;&?|;&|\|&|[;&|()]")
_REDIRECT = re.compile(r"&>>?|<<<|<<-?|<>|[<>]&|>>|>\||[<>]")
_HEREDOC_TAG = re.compile(r"""[ \t]*(?P<quote>\\|'|"|)(?P<tag>[^\s'"|&;<>()]+)""")
_ASSIGNED_ARRAY = re.compile(r"[A-Za-z_]\w*\+?=$")
_PLACEHOLDER_WORDS = re.compile(r"<(?=[^\s<>&(=/.$\"'-])[^<>|&;()=/$\"'\r\n ]* [^<>|&;()=/$\"'\r\n]*(?<! )>(?=\s|$)")
_PLACEHOLDER = re.compile(r"<[^<>|&;()=\r\n]*>")


def split(text: str, start: int, limit: int) -> Simple:
    """Split the simple command that starts at `start`; `limit` is the end of the text that may be looked at."""
    return _Lexer(text, start, limit).run()


class _Lexer(WordLexer):
    __slots__ = ("in_array",)

    def __init__(self, text: str, start: int, limit: int, *, in_array: bool = False) -> None:
        super().__init__(text, start, limit)
        self.in_array = in_array

    def run(self) -> Simple:
        text, limit, found = self.text, self.limit, self.found
        while self.at < limit:
            at = self.at
            char = text[at]
            if char in " \t":
                self.end_word()
                match = _BLANK.match(text, at, limit)
                self.at = match.end() if match else at + 1
            elif char in "\n\r":
                self.end_word()
                match = _LINE_END.match(text, at, limit)
                found.operator = match.group() if match else ""
                break
            elif char == "#" and self.word_start < 0:
                match = _LINE_REST.match(text, at, limit)
                found.comment = at
                self.at = match.end() if match else limit
            elif char in "<>":
                self._angle()
            elif char in "|&;()":
                if char == "(" and self._array():
                    if text[self.at - 1] != ")":
                        # It ends where another array begins, and so does the command: it would take all that are below.
                        break
                    continue
                if char == "&" and text.startswith("&>", at):
                    self._angle()
                    continue
                self.end_word()
                match = _OPERATOR.match(text, at, limit)
                found.operator = match.group() if match else char
                break
            else:
                self.piece(char)
        self.end_word()
        found.stop = min(self.at, limit)
        return found

    def _angle(self) -> None:
        """Take what `<`, `>` or `&>` starts: a redirection, a process substitution, or what a manual leaves to fill in."""
        text, at, limit = self.text, self.at, self.limit
        if text.startswith(("<(", ">("), at):
            stop, inner = substitution(text, at + 1, limit)
            self.found.inner.append(inner)
            self.hole(stop)
            return
        start = at
        if self.word_start >= 0:
            # `--model=<path>`
            placeholder = _PLACEHOLDER.match(text, at, limit) if text[at - 1] in "=/,:_-" else None
            if placeholder:
                self.hole(placeholder.end())
                return
            if text[self.word_start : at].isdigit():
                start, self.word_start = self.word_start, -1
                self.pieces = []
            else:
                self.end_word()
        # `atc <options as before>`, `--host <host_ip> --port 1`
        words = _PLACEHOLDER_WORDS.match(text, at, limit) or behind_flag(text, at, limit, self.found.words)
        if words:
            self.hole(words.end())
            return
        self._redirect(start)

    def _redirect(self, start: int) -> None:
        """Take a redirection, which starts at `start` with the number in front of it."""
        text, at, limit, found = self.text, self.at, self.limit, self.found
        match = _REDIRECT.match(text, at, limit)
        operator = match.group() if match else text[at]
        self.at = at + len(operator)
        if operator in ("<<", "<<-"):
            tag = _HEREDOC_TAG.match(text, self.at, limit)
            if tag:
                self.at = tag.end() + (1 if tag["quote"] in ("'", '"') else 0)
                found.heredocs.append(Heredoc(tag["tag"], operator == "<<-", bool(tag["quote"]), start))
            found.end = self.at
            return
        blank = _BLANK.match(text, self.at, limit)
        if blank:
            self.at = blank.end()
        self._target(operator, start)

    def _target(self, operator: str, start: int) -> None:
        """Take the word that a redirection takes off the words of the command."""
        count = len(self.found.words)
        while self.at < self.limit:
            char = self.text[self.at]
            if char in " \t\r\n|&;<>()" or (char == "\\" and _JOIN.match(self.text, self.at, self.limit)):
                break
            self.piece(char)
        if self.word_start >= 0:
            self.end_word()
        self.found.redirects += (Redirect(operator, word, start) for word in self.found.words[count:])
        del self.found.words[count:]
        self.found.end = self.at

    def _array(self) -> bool:
        """Take the words of `name=(...)`; False where the bracket isn't one of these."""
        if self.word_start < 0 or len(self.pieces) != 1 or not _ASSIGNED_ARRAY.match(self.pieces[0].text):
            if self.pieces and (self.found.words or "=" in self.pieces[0].text):
                # `X=0/(1/2)` in a manual: the shell has no such word.
                self.hole(self.at)
            return False
        if self.in_array:
            return False
        name = self.pieces[0].text
        words, end = array(self.text, self.at, self.limit)
        stem = len(name) - (2 if name.endswith("+=") else 1)
        span = Span(self.word_start, self.word_start + stem)
        self.found.arrays.append(Array(span, name.endswith("+="), words, end))
        self.at = end
        self.found.end = end
        self.word_start = -1
        self.pieces = []
        return True


def array(text: str, start: int, limit: int) -> tuple[tuple[ShellWord, ...], int]:
    """Return the words between the bracket at `start` and its partner, and where that ends.

    One in which another begins has none, and ends there: the shell has no array in another.
    """
    words: list[ShellWord] = []
    at = start + 1
    while at < limit:
        part = _Lexer(text, at, limit, in_array=True).run()
        last = part.words[-1] if part.words else None
        if (
            part.operator == "("
            and last is not None
            and last.end == part.stop
            and _ASSIGNED_ARRAY.match(last.text or "")
        ):
            return (*words, *part.words[:-1]), last.start
        words += part.words
        at = part.stop + max(1, len(part.operator))
        if part.operator == ")":
            break
    return tuple(words), min(at, limit)
