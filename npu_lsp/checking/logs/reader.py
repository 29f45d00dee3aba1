"""The errors in logs: codes, signatures and exceptions, with the settings that their messages name, when they came and from which process.

Logs may be larger than the memory: they are read in pieces, and of each message only the first is kept. What differs from a line that was
read before in digits only tells the same signatures, so that most lines of a long log are looked up, not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import BinaryIO, NamedTuple

from npu_lsp.catalog.error_codes import BEFORE_NUMBER, SHAPE
from npu_lsp.catalog.load import Catalog
from npu_lsp.checking.logs.named import NamedSetting, named_in, spelled
from npu_lsp.checking.logs.sources import pieces
from npu_lsp.checking.logs.stamps import When, process_of, stamp
from npu_lsp.checking.logs.waits import WORDS, Waited, Waits
from npu_lsp.text import lazy_re as re
from npu_lsp.text.phrases import BY_DIGITS, PHRASE, Phrases, without_digits

_MOST = 500
"""Different messages that are kept."""
_LONGEST = 2000
"""Characters of a message."""
_FOLLOWING = 3
"""Lines behind a code that belong to its message while they are indented."""
_OTHER = (b"", b"TraceBack", b"Traceback")
"""What a line begins with that belongs to no message."""
_TEMPLATES = 200_000
"""Lines, digits aside, that are remembered."""
_WIDEST = 1 << 16
"""Bytes of a line that are read."""
_PROCESSES = 4096
_OF_KEY = b" [type="
"""What pydantic writes behind the reason why a value is refused; the key stands in the line above."""
_ANSI = re.compile(rb"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")
_SHAPE = re.compile(SHAPE.pattern.encode())
_LETTERS = re.compile(rb"[EMW](?<!\w\w)(?:(?<=E)(?:[A-Z]?|RR)\b|(?<=W)[A-Z]?\b|(?<=M)IEE[A-F]*\b)", re.ASCII)
_CODED, _WRONG, _WAITING = 4, 8, 16
_OF_CODE = (b"xA", *(words.encode() for words in BEFORE_NUMBER))
"""What is left without its digits of a line that may have a code other than letters: its beginning, or what stands before it."""
_OF_FAULT = (b"ERROR", b"rror", b"[E]", b"FATAL", b"ail", b"xception", b"nterrupt")
"""Parts of lines that tell of an error, with a code or without."""
_BESIDE = tuple(
    (word, mark) for words, mark in ((_OF_CODE, _CODED), (_OF_FAULT, _WRONG), (WORDS, _WAITING)) for word in words
)
_NUMBER = re.compile(r"(?<![A-Za-z_])\d+")
"""Digits that belong to no name."""
_EXCEPTION = re.compile(
    rb"(?:^|[\s\]:(])(?P<what>(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,80}(?:Error|Exception|Failure|Interrupt)|[\w.-]{1,60}: error): (?P<said>\S.{0,400})"
)
"""`ValueError: …` of Python, `vllm: error: …` of argparse."""
_FAULT = re.compile(rb"\[(?:ERROR|error|E)\]|\bERROR\b|\bFATAL\b|\b[Ff]ail(?:ed|ure)\b|\b[Ee]rror[: ]")
"""A line that tells of an error in other words."""
EXCEPTION, FAULT = "", "?"
"""What stands for the code of an exception, and of another line that tells of an error."""


class LogMention(NamedTuple):
    """A code, a signature or an exception in a log, with the options that its message names."""

    code: str
    line: int
    """Of the first one, 1-based."""
    text: str
    """The message, with what of the next lines belongs to it."""
    named: tuple[NamedSetting, ...]
    times: int = 1
    """How often the log has it with these options."""
    path: str = ""
    """The file; empty where there is but one."""
    places: Mapping[str, str] = {}
    """What stands in the places of a signature."""
    when: When | None = None
    """The earliest time."""
    process: str = ""
    """The process that was the first to say it."""


class Log(NamedTuple):
    """What is in logs."""

    mentions: tuple[LogMention, ...]
    """In the order of the log."""
    lines: int
    binary: bool = False
    """It isn't a text; nothing was read."""
    processes: Mapping[str, tuple[When, str]] = {}
    """When each process said its first error, and its code, for those that tell the time."""
    seen: frozenset[str] = frozenset()
    """All processes that said an error."""
    files: int = 1
    waited: Waited | None = None
    """The rank that the others wait for."""


class LogReader:
    """Finds what logs tell of errors."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._codes = catalog.error_codes
        self._phrases = Phrases(self._codes.phrases, _BESIDE)
        self._named: dict[str, tuple[NamedSetting, ...]] = {}
        self._found: dict[tuple[str, tuple[NamedSetting, ...], tuple[str, ...]], LogMention] = {}
        self._processes: dict[str, tuple[When, str]] = {}
        self._seen: set[str] = set()
        self._templates: dict[bytes, bool] = {}
        self._lines = 0
        self._files = 0
        self._known: dict[str, bool] = {}
        self._waits = Waits()

    def read(self, stream: BinaryIO, path: str = "") -> bool:
        """Take a log, to its end; return whether it is a text. Raises `OSError`."""
        home = process_of(path)
        lines, ended = 0, True
        for number, piece in enumerate(pieces(stream)):
            if number == 0 and b"\0" in piece[:8192]:
                return False
            self._piece(_ANSI.sub(b"", piece) if b"\x1b" in piece else piece, lines, path, home)
            lines += piece.count(b"\n")
            ended = piece.endswith(b"\n")
        self._lines += lines if ended else lines + 1
        self._files += 1
        return True

    def log(self) -> Log:
        """Return what the logs hold that were read."""
        mentions, seen = tuple(self._found.values()), frozenset(self._seen)
        return Log(mentions, self._lines, False, self._processes, seen, self._files, self._waits.waited())

    def _piece(self, piece: bytes, before: int, path: str, home: str) -> None:
        # What a line says without its digits is what others say.
        templates = without_digits(piece).split(b"\n")
        seen = self._templates
        fresh = [number for number, template in enumerate(templates) if seen.get(template, True)]
        if not fresh:
            return
        # The line ends count, which the lines between them lack.
        starts = list(accumulate(map(len, piece.split(b"\n")), initial=0))
        for number in fresh:
            template = templates[number]
            if seen.get(template, True):
                again = self._line(template[:_WIDEST], piece, starts[number] + number, before + number + 1, path, home)
                if len(seen) < _TEMPLATES and len(template) < _LONGEST:
                    seen[template] = again

    def _line(self, template: bytes, piece: bytes, start: int, number: int, path: str, home: str) -> bool:
        """Take the line of a piece that starts at `start`; return whether others of its form are to be read, too."""
        marks = self._phrases.marks(template)
        waiting = bool(marks & _WAITING) and self._waits.says(template)
        coded = bool(marks & _CODED) or _LETTERS.search(template) is not None
        if not (waiting or coded or marks & (PHRASE | _WRONG)):
            return False
        line = piece[start : start + min(_WIDEST, _line_end(piece, start) - start)]
        if waiting:
            self._waits.note(line, path)
        if _OF_KEY in line:
            line = _with_key(line, piece, start)
        hits = sorted(self._hits(line, coded=coded), key=lambda hit: hit[0])
        for at, code, places in hits:
            self._note(code, number, piece, start + max(at, 0), path, home, places)
        # Where digits are a part of a phrase or a code, the next line may have it though this one hasn't.
        return waiting or coded or bool(hits) or bool(marks & BY_DIGITS)

    def _hits(self, line: bytes, *, coded: bool) -> Iterator[tuple[int, str, Mapping[str, bytes]]]:
        """Yield what a line tells of errors: the place, the code or signature, and what stands in its places."""
        known = signed = False
        for match in _SHAPE.finditer(line) if coded else ():
            code = match[0].decode()
            if self._is_known(code):
                known = True
                yield match.start(), code, {}
        for name, places in self._phrases.within(line):
            known = signed = True
            yield -1, name, places
        raised = _EXCEPTION.search(line) if not signed else None
        if raised is not None:
            yield raised.start("what"), EXCEPTION, {}
        elif not known and _FAULT.search(line) is not None:
            yield 0, FAULT, {}

    def _is_known(self, code: str) -> bool:
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = self._codes.find(code) is not None
        return known

    def _note(
        self, code: str, line: int, piece: bytes, start: int, path: str, home: str, places: Mapping[str, bytes]
    ) -> None:
        text = _message(piece, start)
        when, process = stamp(text)
        process = process or home
        self._count(process, when, code)
        named = tuple(dict.fromkeys((*spelled(self._catalog, places), *self._named_in(text))))
        said = {name: decoded(value) for name, value in places.items()}
        # Of exceptions and of lines without a known form each is one of its own, digits aside.
        key = (
            code,
            named,
            (re.sub(r"\d+|0x[0-9a-f]+", "", text[-300:]),) if code in (EXCEPTION, FAULT) else tuple(said.values()),
        )
        known = self._found.get(key)
        if known is None:
            if len(self._found) < _MOST:
                self._found[key] = LogMention(code, line, text, named, 1, path, said, when, process)
        elif when is not None and known.when is not None and when < known.when:
            self._found[key] = known._replace(
                times=known.times + 1, when=when, process=process, line=line, path=path, text=text
            )
        else:
            self._found[key] = known._replace(times=known.times + 1)

    def _named_in(self, text: str) -> tuple[NamedSetting, ...]:
        # A run that repeats says the same thousands of times, numbers aside.
        bare = _NUMBER.sub("", text)
        named = self._named.get(bare)
        if named is None:
            named = tuple(named_in(self._catalog, text))
            if len(self._named) < _MOST:
                self._named[bare] = named
        return named

    def _count(self, process: str, when: When | None, code: str) -> None:
        if not process or len(self._seen) >= _PROCESSES or code == FAULT:
            return
        self._seen.add(process)
        if when is not None and (process not in self._processes or when < self._processes[process][0]):
            self._processes[process] = when, code


def _with_key(line: bytes, piece: bytes, start: int) -> bytes:
    """Return the line of a reason, which is indented, behind the key that the line above ends with."""
    above = piece[piece.rfind(b"\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)].split()
    indent = line.rfind(b"  ", 0, line.find(_OF_KEY)) + 2
    return above[-1] + b" " + line[indent:] if above and indent > 1 else line


def decoded(data: bytes) -> str:
    """Return the text of a line: UTF-8, or GB 18030 as tools in Chinese systems write it."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("gb18030")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def _message(piece: bytes, at: int) -> str:
    """Return the line of the piece with the place `at`, and the indented ones behind it."""
    start = max(piece.rfind(b"\n", 0, at) + 1, at - _LONGEST)
    end = _line_end(piece, at)
    for _ in range(_FOLLOWING):
        following = piece[end + 1 : _line_end(piece, end + 1)]
        if not following[:1].isspace() or following.strip()[:9] in _OTHER:
            break
        end += 1 + len(following)
    return " ".join(decoded(piece[start : min(end, start + 4 * _LONGEST)]).split())[:_LONGEST]


def _line_end(piece: bytes, at: int) -> int:
    end = piece.find(b"\n", at)
    return len(piece) if end < 0 else end
