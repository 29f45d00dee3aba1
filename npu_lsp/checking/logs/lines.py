"""Lines of large logs where they stand, and what stands in one that may have a code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from npu_lsp.catalog.error_codes import BEFORE_NUMBER, ErrorCodes
from npu_lsp.checking.logs.stamps import HEAD
from npu_lsp.checking.logs.waits import WORDS
from npu_lsp.text import lazy_re as re
from npu_lsp.text.phrases import PHRASE

LONGEST = 2000
"""Characters of a message."""
_FOLLOWING = 3
"""Lines behind a code that belong to its message while they are indented."""
_OTHER = (b"", b"TraceBack", b"Traceback")
"""What a line begins with that belongs to no message."""
OF_KEY = b" [type="
"""What pydantic writes behind the reason why a value is refused; the key stands in the line above."""
WIDEST = 1 << 16
"""Bytes of a line that are read at once: one that is longer is read as several."""
ADDRESS = re.compile(rb"\bx[a-f]{0,16}\b")
"""What is left of an address without its digits."""
_BEFORE_CODE = ("0x", *BEFORE_NUMBER)
OF_NUMBER = tuple(words.encode() for words in _BEFORE_CODE)
"""What stands in a line that has a number as its code."""
CODED, WRONG, WAITING, RAISED = 4, 8, 16, 32
"""Marks of lines: of a code, an error in other words, a rank that waits, an exception."""
TELLING = PHRASE | CODED | WRONG | WAITING | RAISED
"""Marks of lines that are read; whether digits count says nothing by itself."""
_FAULTS = (b"ERROR", b"rror", b"[E]", b"FATAL", b"ail")
"""Parts of lines that tell of an error, with a code or without."""
_EXCEPTIONS = (b"Error: ", b"Exception: ", b"Failure: ", b"Interrupt: ", b": error: ")
BESIDE = tuple(
    (word, mark) for words, mark in ((_FAULTS, WRONG), (WORDS, WAITING), (_EXCEPTIONS, RAISED)) for word in words
)
"""Words of lines that may tell something, besides those of codes, with their marks."""
SAYS_EXCEPTION = re.compile(
    rb"(?:^|[\s\]:(])(?P<what>(?:[A-Za-z_]\w{0,60}\.){0,6}(?:[A-Z]\w{0,80}(?:Error|Exception|Failure|Interrupt)|Exception)|[\w.-]{1,60}: error): (?P<said>\S.{0,400})"
)
"""`ValueError: …` of Python, `vllm: error: …` of argparse."""
SAYS_FAULT = re.compile(
    rb"\[(?:ERROR|error|E)\]|\bERROR\b|\bFATAL\b|(?<!\b0 )\b[Ff]ail(?:ed|ure)\b(?!(?:: ?|=)0(?![\w.]))|\b[Ee]rror[: ]"
)
"""A line that tells of an error in other words."""
SAYS_LEVEL = re.compile(rb"\[(?:ERROR|error|E)\]|\b(?:ERROR|FATAL)\b|(?<![^\s(\[])E\d{4} ")
"""What a line begins with that is logged as an error."""
_LEVEL = re.compile(
    rb"\b(?:ERROR|FATAL|CRITICAL|EXCEPTION)\b|\b\w*(?:Error|Exception): |(?P<warns>\b(?:WARNING(?!: Retrying \(Retry)|WARN)\b|\b\w*[Ww]arning ?: |\A\W*(?:\([^()]{0,60}\) )?\[?W\d{4} |(?<=\d: )W \w)"
    rb"|(?P<tells>\b(?:INFO|DEBUG)\b|\A\W*(?:\[(?:EVENT|TRACE)\]|(?:\([^()]{0,60}\) )?\[?I\d{4} )|(?<=\d: )I \w)"
)
WARNS, TELLS = "warns", "tells"
MILD = (WARNS, TELLS)
"""The levels of lines that tell of no error."""
HEADS_OF_INFO = (b"[INFO]", b"[DEBUG]", b"[EVENT]", b"[TRACE]", b"INFO ", b"DEBUG ")
"""What lines begin with in which words such as `failed` alone tell nothing."""
_ANSI = re.compile(rb"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")
_ESCAPED = re.compile(rb"(?<!\\)\\+(?=[\"'])")
"""What JSON and `repr()` write before the quotes of a message that they hold."""
_ANY = re.compile(r"[?*]+")
_NUMBER = re.compile(r"\d\d")
_MOST = 4
"""Letters of a code that are looked for."""


class LogLine(NamedTuple):
    """A line within a piece of a log."""

    piece: bytes
    start: int
    end: int

    @property
    def head(self) -> bytes:
        """Where its time and its process stand."""
        return self.piece[self.start : min(self.end, self.start + HEAD)]

    @property
    def text(self) -> bytes:
        """What is read of it."""
        return self.piece[self.start : min(self.end, self.start + WIDEST)]

    def with_key(self) -> bytes:
        """Return the line of a reason, which is indented, behind the key that the line above ends with."""
        end = self.start - 1
        above = self.piece[max(self.piece.rfind(b"\n", 0, end) + 1, end - WIDEST) : end].split() if end > 0 else []
        line = self.text
        indent = line.rfind(b"  ", 0, line.find(OF_KEY)) + 2
        return above[-1] + b" " + line[indent:] if above and indent > 1 else line

    def message(self, at: int) -> str:
        """Return what stands around the place `at`, and in the indented lines behind it."""
        start = max(0, at - LONGEST)
        parts = [self.piece[self.start + start : min(self.end, self.start + start + 4 * LONGEST)]]
        end = self.end
        for _ in range(_FOLLOWING if self.piece[end : end + 1] == b"\n" else 0):
            start, end = end + 1, self.piece.find(b"\n", end + 1)
            following = self.piece[start : min(end if end >= 0 else len(self.piece), start + 4 * LONGEST)]
            if not following[:1].isspace() or following.strip()[:9] in _OTHER:
                break
            parts.append(following)
            if end < 0:
                break
        return " ".join(decoded(b"\n".join(parts)).split())[:LONGEST]


def bare(piece: bytes) -> bytes:
    """Return a piece of a log without colours and without what escapes its quotes."""
    if b"\x1b" in piece:
        piece = _ANSI.sub(b"", piece)
    # One sign is looked for in no time, two of them take longer than all else.
    escapes = b"\\" in piece and (b"\\'" in piece or b'\\"' in piece)
    return _ESCAPED.sub(b"", piece) if escapes else piece


def level_of(head: bytes) -> str:
    """Return the level that a line has by its beginning: `WARNS`, `TELLS` or `error`; empty: it says none."""
    found = _LEVEL.search(head)
    return (found.lastgroup or "error") if found is not None else ""


def decoded(data: bytes) -> str:
    """Return the text of a line: UTF-8, or GB 18030 as tools in Chinese systems write it."""
    for encoding in ("utf-8", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            pass
    return data.decode("utf-8", "replace")


def words_of_codes(codes: ErrorCodes) -> Mapping[bytes, int]:
    """Return words of which one stands in each line that has a code, and by how much the code begins behind them.

    They are how those with letters begin, and numbers with what stands before them.
    """
    found: dict[str, int] = {}
    for form in codes.forms():
        if form.startswith("-"):
            found |= {before + form[1]: len(before) - 1 for before in BEFORE_NUMBER if before.endswith("-")}
        elif _NUMBER.match(form) is not None:
            found |= {before + form[:2]: len(before) for before in BEFORE_NUMBER if not before.endswith("-")}
        else:
            parts = _ANY.split(form)
            part = max(parts, key=len)[:_MOST]
            # A place of a form stands for one sign, but at its end.
            start = -form.index(part)
            # A digit comes next: `ERR01001` is a code, `ERROR` none.
            short = 1 < len(part) < _MOST and not start
            words = (f"{part}{digit}" for digit in range(10)) if short else (part,)
            # Hexadecimal digits of numbers are written either way.
            found |= {
                each: start for word in words for each in ((word, word.lower()) if form.startswith("0x") else (word,))
            }
    return {word.encode(): start for word, start in found.items()}
