r"""Splits one simple command into words, arrays and redirections, without a tree: damaged scripts and half-typed lines, too.

It follows the POSIX shell's rules for quotes, escapes, comments, continuation lines, redirections and operators, and
bash's for arrays, `$'...'`, `<<<` and `&>`. A line ends at `\n`, `\r\n` or `\r`.
"""

from __future__ import annotations

from npu_lsp.languages.shell.expansions import substitution
from npu_lsp.languages.shell.word_lexer import JOIN, WordLexer
from npu_lsp.languages.shell.words import Array, Heredoc, Redirect, ShellWord, Simple
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

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
        # `atc <options as before>`
        words = _PLACEHOLDER_WORDS.match(text, at, limit)
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
            if char in " \t\r\n|&;<>()" or (char == "\\" and JOIN.match(self.text, self.at, self.limit)):
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
