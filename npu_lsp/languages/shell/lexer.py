r"""Splits one simple command into words, without a tree: it works on damaged scripts, strings and half-typed lines.

It follows the POSIX shell's rules for quotes, escapes, comments, continuation lines, redirections and operators, and
bash's for arrays, `$'...'`, `<<<` and `&>`. A line ends at `\n`, `\r\n` or `\r`.
"""

from __future__ import annotations

import re

from npu_lsp.languages.shell.expansions import HOLE, close, dollar
from npu_lsp.languages.shell.simple import Array, Heredoc, Redirect, Simple
from npu_lsp.languages.shell.unclosed import seeming_end
from npu_lsp.languages.shell.words import Piece, PieceKind, Word
from npu_lsp.text.spans import Span

_PLAIN = re.compile(rf"[^ \t\r\n\\'\"$`|&;<>(){HOLE}]+")
_IN_QUOTES = re.compile(rf'[^"\\$`{HOLE}]+')
_BLANK = re.compile(r"(?:[ \t]|\\(?:\r\n|\n|\r))+")
_JOIN = re.compile(r"\\(?:\r\n|\n|\r)")
_LINE_REST = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_OPERATOR = re.compile(r"&&|\|\||;;&?|;&|\|&|[;&|()]")
_REDIRECT = re.compile(r"&>>?|<<<|<<-?|<>|[<>]&|>>|>\||[<>]")
_HEREDOC_TAG = re.compile(r"""[ \t]*(?P<quote>\\|'|"|)(?P<tag>[^\s'"|&;<>()]+)""")
_BRACES = re.compile(r"\{(?=[^{}]*\})[^{}]*(?:,|\.\.)[^{}]*\}")
_BLANK_AFTER_BACKSLASH = re.compile(r"\\[ \t]+(?=\r|\n)")
_ASSIGNED_ARRAY = re.compile(r"[A-Za-z_]\w*\+?=$")
_PLACEHOLDER_WORDS = re.compile(r"<(?=[^\s<>&(=/.$\"'-])[^<>|&;()=/$\"'\r\n ]* [^<>|&;()=/$\"'\r\n]*(?<! )>(?=\s|$)")
_PLACEHOLDER = re.compile(r"<[^<>|&;()=\r\n]*>")


def split(text: str, start: int, limit: int) -> Simple:
    """Split the simple command that starts at `start`; `limit` is the end of the text that may be looked at."""
    return _Lexer(text, start, limit).run()


class _Lexer:
    __slots__ = ("at", "found", "in_array", "limit", "pieces", "text", "word_start")

    def __init__(self, text: str, start: int, limit: int, *, in_array: bool = False) -> None:
        self.text = text
        self.at = start
        self.limit = limit
        self.in_array = in_array
        self.found = Simple(end=start)
        self.pieces: list[Piece] = []
        self.word_start = -1

    def run(self) -> Simple:
        text, limit, found = self.text, self.limit, self.found
        while self.at < limit:
            at = self.at
            char = text[at]
            if char in " \t":
                self._end_word()
                match = _BLANK.match(text, at, limit)
                self.at = match.end() if match else at + 1
            elif char in "\n\r":
                self._end_word()
                match = _LINE_END.match(text, at, limit)
                found.operator = match.group() if match else ""
                break
            elif char == "#" and self.word_start < 0:
                match = _LINE_REST.match(text, at, limit)
                found.comment = at
                self.at = match.end() if match else limit
            elif char in "<>":
                self._redirect()
            elif char in "|&;()":
                if char == "(" and self._array():
                    continue
                if char == "&" and text.startswith("&>", at):
                    self._redirect()
                    continue
                self._end_word()
                match = _OPERATOR.match(text, at, limit)
                found.operator = match.group() if match else char
                break
            else:
                self._piece(char)
        self._end_word()
        found.stop = min(self.at, limit)
        return found

    # -- words ------------------------------------------------------------------------------------------

    def _piece(self, char: str) -> None:
        """Take the next piece of a word."""
        text, at, limit = self.text, self.at, self.limit
        if self.word_start < 0:
            self.word_start = at
        match = _PLAIN.match(text, at, limit)
        if match:
            self.at = match.end()
            plain = match.group()
            braces = _BRACES.search(plain) if "{" in plain else None
            if braces:
                # `{a,b}` makes several words.
                if braces.start():
                    self._add(PieceKind.TEXT, plain[: braces.start()], at, at + braces.start())
                self.at = at + braces.end()
                self._add(PieceKind.HOLE, "", at + braces.start(), self.at)
                return
            self._add(PieceKind.TEXT, plain, at, self.at)
        elif char == "'":
            self._single(at)
        elif char == '"':
            self._double(at)
        elif char == "\\":
            self._escape(at)
        elif char == HOLE:
            self.at = at + 1
            while self.at < limit and text[self.at] == HOLE:
                self.at += 1
            self._add(PieceKind.HOLE, "", at, self.at)
        else:
            self._dollar(quoted=False)

    def _add(self, part: PieceKind, piece: str, start: int, end: int, quoted: bool = False) -> None:
        if part is PieceKind.TEXT and self.pieces:
            last = self.pieces[-1]
            if last.kind is PieceKind.TEXT and last.end == start and last.quoted == quoted:
                self.pieces[-1] = Piece(PieceKind.TEXT, last.text + piece, last.start, end, quoted)
                return
        self.pieces.append(Piece(part, piece, start, end, quoted))

    def _end_word(self) -> None:
        if self.word_start >= 0:
            self.found.words.append(Word(self.word_start, self.at, tuple(self.pieces)))
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
        self._add(PieceKind.TEXT, text[at + 1], at + 1, at + 2, quoted=True)

    def _dollar(self, quoted: bool) -> None:
        text, at, limit = self.text, self.at, self.limit
        if not quoted and text[at] == "$" and at + 1 < limit and text[at + 1] in "'\"":
            if text[at + 1] == '"':
                self._double(at + 1)
                return
            end = at + 2
            while end < limit and text[end] != "'":
                end += 2 if text[end] == "\\" else 1
            end = min(end, limit)
            part = PieceKind.HOLE if "\\" in text[at + 2 : end] or HOLE in text[at + 2 : end] else PieceKind.TEXT
            self._add(part, text[at + 2 : end], at + 2, end, quoted=True)
            self.at = min(end + 1, limit)
            return
        part, name, end, inner = dollar(text, at, limit)
        if inner is not None:
            self.found.inner.append(inner)
        self._add(part, name, at, end, quoted)
        self.at = end

    # -- quotes -----------------------------------------------------------------------------------------

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
                self._add(PieceKind.TEXT, text[at:hole], at, hole, quoted=True)
            at = hole + 1
            self._add(PieceKind.HOLE, "", hole, at, quoted=True)
        if at < end or start == end:
            self._add(PieceKind.TEXT, text[at:end], at, end, quoted=True)

    def _double(self, at: int) -> None:
        text = self.text
        end = close(text, at, self.limit)
        if self._broken(at, end - 1 if end >= 0 else -1):
            return
        stop = end - 1
        self.at = at + 1
        if self.at >= stop:
            self._add(PieceKind.TEXT, "", self.at, self.at, quoted=True)
        while self.at < stop:
            here = self.at
            match = _IN_QUOTES.match(text, here, stop)
            if match:
                self.at = match.end()
                self._add(PieceKind.TEXT, match.group(), here, self.at, quoted=True)
            elif text[here] == "\\":
                joined = _JOIN.match(text, here, stop)
                if joined:
                    self.at = joined.end()
                elif here + 1 < stop and text[here + 1] in '$`"\\':
                    self._add(PieceKind.TEXT, text[here + 1], here + 1, here + 2, quoted=True)
                    self.at = here + 2
                else:
                    self._add(PieceKind.TEXT, "\\", here, here + 1, quoted=True)
                    self.at = here + 1
            elif text[here] == HOLE:
                self._add(PieceKind.HOLE, "", here, here + 1, quoted=True)
                self.at = here + 1
            else:
                self._dollar(quoted=True)
        self.at = end

    def _broken(self, at: int, end: int) -> bool:
        """Tell whether a quote is never closed or swallows the flags below its own; then it ends where it seems to."""
        text = self.text
        stop = seeming_end(text, at, end, self.limit, of_flag=text.startswith("-", self.word_start))
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
                part, name, end, inner = dollar(text, here, stop)
                if inner is not None:
                    self.found.inner.append(inner)
                self._add(part, name, here, end, quoted=True)
                self.at = end
                continue
            end = here + 1
            while end < stop and text[end] not in "$`":
                end += 1
            self._literal(here, end)
            self.at = end

    # -- what is no word --------------------------------------------------------------------------------

    def _redirect(self) -> None:
        text, limit, found = self.text, self.limit, self.found
        at = self.at
        if text.startswith(("<(", ">("), at):
            if self.word_start < 0:
                self.word_start = at
            end = close(text, at + 1, limit)
            stop = end if end >= 0 else limit
            found.inner.append(Span(at + 2, stop - 1 if end >= 0 else stop))
            self._add(PieceKind.HOLE, "", at, stop)
            self.at = stop
            return
        start = at
        if self.word_start >= 0:
            placeholder = _PLACEHOLDER.match(text, at, limit) if text[at - 1] in "=/,:_-" else None
            if placeholder:
                # `--model=<path>` in a manual: a word to fill in.
                self.at = placeholder.end()
                self._add(PieceKind.HOLE, "", at, self.at)
                return
            if text[self.word_start : at].isdigit():
                start, self.word_start = self.word_start, -1
                self.pieces = []
            else:
                self._end_word()
        words = _PLACEHOLDER_WORDS.match(text, at, limit) if self.word_start < 0 else None
        if words:
            # `atc <options as before>` in a manual.
            self.word_start = at
            self.at = words.end()
            self._add(PieceKind.HOLE, "", at, self.at)
            return
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
            self._piece(char)
        if self.word_start >= 0:
            self._end_word()
        self.found.redirects += (Redirect(operator, word, start) for word in self.found.words[count:])
        del self.found.words[count:]
        self.found.end = self.at

    def _array(self) -> bool:
        """Take the words of `name=(...)`; False where the bracket isn't one of these. The shell has no array in another."""
        if (
            self.in_array
            or self.word_start < 0
            or len(self.pieces) != 1
            or not _ASSIGNED_ARRAY.match(self.pieces[0].text)
        ):
            if self.pieces and (self.found.words or "=" in self.pieces[0].text):
                # `X=0/(1/2)` in a manual: the shell has no such word.
                self._add(PieceKind.HOLE, "", self.at, self.at)
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


def array(text: str, start: int, limit: int) -> tuple[tuple[Word, ...], int]:
    """Return the words between the bracket at `start` and its partner, and where that ends."""
    words: list[Word] = []
    at = start + 1
    while at < limit:
        part = _Lexer(text, at, limit, in_array=True).run()
        words += part.words
        at = part.stop + max(1, len(part.operator))
        if part.operator == ")":
            break
    return tuple(words), min(at, limit)
