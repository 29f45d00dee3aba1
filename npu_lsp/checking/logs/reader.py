"""The errors in logs: codes, signatures and exceptions, with the settings that their messages name, when they came and from which process.

Logs may be larger than the memory: they are read in pieces, and of each message only the first is kept. One search over a piece finds the
lines that may tell something; the others cost nothing more. What differs from a line that was read before in digits only tells the same
signatures, so that most of those lines are looked up, not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from typing import BinaryIO, NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.checking.logs.forms import CODE, LogForm, LogKey, LogTold, Repeats
from npu_lsp.checking.logs.lines import (
    ADDRESS,
    BESIDE,
    CODED,
    HEADS_OF_INFO,
    LONGEST,
    MILD,
    OF_KEY,
    OF_NUMBER,
    RAISED,
    SAYS_EXCEPTION,
    SAYS_FAULT,
    SAYS_LEVEL,
    TELLING,
    WAITING,
    WIDEST,
    WRONG,
    LogLine,
    bare,
    decoded,
    level_of,
    words_of_codes,
)
from npu_lsp.checking.logs.named import NamedSetting, named_in, spelled
from npu_lsp.checking.logs.runs import Run, RunSpans
from npu_lsp.checking.logs.sources import pieces
from npu_lsp.checking.logs.stamps import HEAD, When, first_time, last_time, process_in, process_of
from npu_lsp.checking.logs.stretches import SOME, Stretches
from npu_lsp.checking.logs.waits import Waits
from npu_lsp.text import lazy_re as re
from npu_lsp.text.phrases import BY_DIGITS, PHRASE, Phrases, without_digits

_MOST = 250
"""Different exceptions that are kept, and as many lines that tell of an error in other words."""
_EACH = 100
"""Different messages of one code or signature that are kept."""
_ENOUGH, _OF_LONG = 200, 10
"""Lines with a code or signature that are read whole, and parts of one line."""
_ROOM = 48_000_000
"""Bytes for the lines, digits aside, that are remembered."""
_BESIDES = 200
"""Bytes that it takes to remember a line, besides its own."""
_PROCESSES = 4096
"""Processes that are told apart."""
_DENSE = 500
"""Lines of a piece that tell something, from which on it is asked first which lines are known."""
_NUMBER = re.compile(r"(?<![\w-])\d+")  # Digits that belong to no name.
_Words = Sequence[tuple[int, int]]
"""The words of a line that may tell something, each with a place."""
_NOTHING_SAID = "Inner Error!"
"""The first of two lines, of which the second says what happened."""
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
    """What the logs that were read have to say together."""

    mentions: tuple[LogMention, ...]
    """In the order of the log."""
    lines: int
    files: int = 1
    runs: Sequence[Run] = ()
    """The newest first."""


class LogReader:
    """Finds what logs tell of errors."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._codes = catalog.error_codes
        of_codes = words_of_codes(self._codes)
        self._phrases = Phrases(self._codes.phrases, (*((word, CODED) for word in of_codes), *BESIDE))
        self._begin = self._phrases.numbers(of_codes)
        """Where within the words that tell a code it begins."""
        self._found: dict[LogKey, LogMention] = {}
        self._kept: Counter[str] = Counter()
        """How many different messages of a code are in `_found`."""
        self._often: dict[str, tuple[LogKey, int]] = {}
        self._much: set[str] = set()
        """Codes and signatures that were told often enough: one more is counted."""
        self._besides: Counter[str] = Counter()
        """How many of them were counted only."""
        self._runs = RunSpans()
        self._seen: set[tuple[str, str]] = set()
        """Files with their processes."""
        self._here: set[str] = set()
        """Those of the stretch of a file that is read."""
        self._stretch = 0
        self._repeats = Repeats(of_codes, self._phrases.by_digits())
        self._dense = False
        """Many lines of the piece before told something."""
        self._forms: dict[tuple[bytes, int], LogForm] = {}
        self._room = _ROOM
        self._lines = 0
        self._files = 0
        # A run that repeats says the same thousands of times, numbers aside.
        self._named_in = lru_cache(_MOST)(lambda text: tuple(named_in(catalog, text)))
        self._is_known = lru_cache(100_000)(lambda code: self._codes.find(code.decode()) is not None)

    def read(self, stream: BinaryIO, path: str = "", step: Callable[[], object] | None = None) -> bool:
        """Read one log to its end and remember what it mentions; return False for a binary file. `step` is called for each megabyte. Raises `OSError`."""
        home = process_of(path)
        self._begin_stretch()
        self._dense = False
        lines, ended, end = 0, True, b""
        begin: When | None = None
        stretches = Stretches()
        for number, piece in enumerate(pieces(stream)):
            if number == 0 and b"\0" in piece[:SOME]:
                return False
            if number == 1:
                self._phrases.prepare()
            if number == 0:
                begin = first_time(piece[:SOME])
            for stretch, begins in stretches.of(bare(piece)):
                if begins:
                    self._begin_stretch()
                self._piece(stretch, lines, path, home)
                lines += stretch.count(b"\n")
            ended, end = piece.endswith(b"\n"), piece[-SOME:]
            if step is not None:
                step()
        self._runs.spans(path, begin, last_time(end) if begin is not None else None)
        self._lines += lines if ended else lines + 1
        self._files += 1
        return True

    def _begin_stretch(self) -> None:
        self._here.clear()
        self._repeats.clear()
        self._stretch += 1

    def log(self) -> Log:
        """Return what the logs hold that were read."""
        for form in self._forms.values():
            for told in form.told.values():
                self._count_again(told)
        for code, times in self._besides.items():
            first, _ = self._often[code]
            self._found[first] = self._found[first]._replace(times=self._found[first].times + times)
        self._besides.clear()
        return Log(tuple(self._found.values()), self._lines, self._files, self._runs.runs())

    def _piece(self, piece: bytes, number: int, path: str, home: str) -> None:
        rest = self._repeats.rest(piece) if self._dense else None
        read, counted = rest.counted if rest is not None else 0, 0
        for start, end, marks, words in self._found_in(piece if rest is None else rest.text):
            read += 1
            if rest is not None:
                line, shift = rest.place(start)
                words = [(word, at + shift) for word, at in words]
                self._line(LogLine(piece, start + shift, end + shift), marks, words, number + line + 1, path, home)
            else:
                number += piece.count(b"\n", counted, start)
                counted = start
                self._line(LogLine(piece, start, end), marks, words, number + 1, path, home)
        self._dense = read >= _DENSE

    def _found_in(self, text: bytes) -> Iterator[tuple[int, int, int, _Words]]:
        """Yield where lines begin and end that may tell something, with their marks and words; long ones in parts."""
        # What isn't kept any more isn't looked for.
        but = WRONG if self._kept[FAULT] >= _MOST else 0
        start, end, marks = 0, -1, 0
        words: list[tuple[int, int]] = []
        told, places = self._phrases.marked(text, but)
        for place, at in places:
            if at >= end:
                if marks & TELLING and not (marks == WRONG and text.startswith(HEADS_OF_INFO, start)):
                    yield start, end, marks, words
                start, end, marks = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at), 0
                words = []
                if end < 0:
                    end = len(text)
                if end - start > WIDEST:
                    start += (at - start) // WIDEST * WIDEST
                    end = min(end, start + WIDEST)
            mark, word = told[place]
            marks |= mark
            words.append((word, at))
        if marks & TELLING and not (marks == WRONG and text.startswith(HEADS_OF_INFO, start)):
            yield start, end, marks, words

    def _line(self, place: LogLine, marks: int, words: _Words, number: int, path: str, home: str) -> None:
        line = place.text
        # What a line says without its digits is what others say: numbers, also those of addresses, make no difference.
        template = without_digits(line)
        if b"0x" in line:
            template = ADDRESS.sub(b"", template)
        form = self._forms.get((template, marks))
        if form is None:
            if (self._much or self._kept[FAULT] >= _MOST) and self._is_more(place, line, marks, words, home):
                return
            form = LogForm(marks)
            if marks & WAITING and not Waits.says(template):
                form.marks &= ~WAITING
            if self._room > 0 and len(template) < LONGEST:
                self._room -= len(template) + 2 * _BESIDES
                self._forms[template, marks] = form
        if form.marks & TELLING:
            self._read(form, place, words, line, number, path, home)

    def _is_more(self, place: LogLine, line: bytes, marks: int, words: _Words, home: str) -> bool:
        """Return whether a line says only what was told often enough, by a process that was seen in this file; it is counted then."""
        if marks & WAITING or (marks & RAISED and self._kept[EXCEPTION] < _MOST) or OF_KEY in line:
            return False
        told = list(self._coded(place, words)) if marks & CODED else []
        if marks & PHRASE:
            told += (name for name, _ in self._phrases.within(line, [word for word, _ in words]))
        if (not told and self._kept[FAULT] < _MOST) or not self._much.issuperset(told):
            return False
        process = process_in(line) or home
        seen = not process or process in self._here
        self._besides.update(told if seen else ())
        return seen

    def _coded(self, place: LogLine, words: _Words) -> Iterator[str]:
        """Yield the codes of a line, found from its words: two of these may stand in one."""
        if place.end - place.start > LONGEST:
            for code, times in Counter(CODE.findall(place.text)).items():
                yield from repeat(code.decode(), times) if self._is_known(code) else ()
            return
        begins = dict.fromkeys(at + self._begin[word] for word, at in words if word in self._begin)
        for match in (CODE.match(place.piece, begin) for begin in begins if begin >= 0):
            if match is not None and self._is_known(match[0]):
                yield match[0].decode()

    def _read(
        self, form: LogForm, place: LogLine, words: _Words, line: bytes, number: int, path: str, home: str
    ) -> None:
        marks = form.marks
        told = form.known(line, self._stretch)
        if told is not None:
            told.repeated += 1
            if self._dense:
                self._repeats.remember(line, told)
            return
        codes = CODE.findall(line) if marks & CODED else []
        if not codes:
            marks &= ~CODED
        if marks & WAITING:
            self._runs.waits(path).note(line, path)
        if self._kept[FAULT] >= _MOST and not marks & (PHRASE | CODED | RAISED):
            return
        if marks & PHRASE and OF_KEY in line:
            line = place.with_key()
        # A line may have one code very often.
        times = Counter(codes)
        keys: list[LogKey] = []
        of_digits = bool(marks & (BY_DIGITS | WAITING))
        for at, code, places in sorted(self._hits(line, marks, words), key=lambda hit: hit[0]):
            often = times[code.encode()] or 1
            keys += [self._note(code, place, max(at, 0), number, path, home, places, often)] * often
            of_digits |= bool(places) and self._often.get(code, ((), 0))[1] < _ENOUGH
        if not of_digits:
            self._settle(form, keys, codes, line)

    def _settle(self, form: LogForm, keys: Sequence[LogKey], codes: list[bytes], line: bytes) -> None:
        """Have other lines of the form counted only, as far as they have these codes and are of processes that said so in this stretch."""
        if tuple(codes) not in form.told:
            if len(form.told) >= _PROCESSES or (form.told and self._room <= 0):
                return
            self._room -= _BESIDES
        told = form.told.setdefault(tuple(codes), LogTold())
        # Those that were counted until now belong to the messages that the one before had, whose next lines may have been others.
        self._count_again(told)
        if told.stretch != self._stretch:
            told.stretch, told.processes = self._stretch, None
        form.one = codes[0] if len(codes) == 1 and not any(words in line for words in OF_NUMBER) else b""
        if process := process_in(line):
            told.saw(process, _PROCESSES)
        told.keys = tuple(keys)
        if not keys and not form.marks & CODED:
            form.marks = 0

    def _count_again(self, told: LogTold) -> None:
        """Add the lines that were counted only to the messages that they are."""
        for key in told.keys if told.repeated else ():
            if (known := self._found.get(key)) is not None:
                self._found[key] = known._replace(times=known.times + told.repeated)
        told.repeated = 0

    def _hits(self, line: bytes, marks: int, words: _Words) -> Iterator[tuple[int, str, Mapping[str, bytes]]]:
        """Yield what a line tells of errors: the place, the code or signature, and what stands in its places."""
        told = list(self._signed(line, marks, words))
        if not self._codes.harmless.isdisjoint(name for name, _ in told):
            return  # Nothing else of its line counts.
        known = False
        first: dict[bytes, int] = {}
        for match in CODE.finditer(line) if marks & CODED else ():
            first.setdefault(match[0], match.start())
        for code, at in first.items():
            if self._is_known(code):
                known = True
                yield at, code.decode(), {}
        known |= bool(told)
        yield from ((-1, name, places) for name, places in told)
        raised = SAYS_EXCEPTION.search(line) if marks & RAISED and not told else None
        if raised is not None:
            yield raised.start("what"), EXCEPTION, {}
        elif not known and self._kept[FAULT] < _MOST and SAYS_FAULT.search(line) is not None:
            yield 0, FAULT, {}

    def _signed(self, line: bytes, marks: int, words: _Words) -> Iterator[tuple[str, Mapping[str, bytes]]]:
        """Yield the signatures of a line; forms of exceptions are those of what is logged as an error, too."""
        if marks & PHRASE:
            found = list(self._phrases.within(line, [word for word, _ in words]))
            level = None if found or b"Error: " in line else SAYS_LEVEL.search(line[:HEAD])
            if level is not None:
                found = list(self._phrases.within(b"Error: " + line[level.end() :], [word for word, _ in words]))
            yield from found

    def _note(
        self,
        code: str,
        place: LogLine,
        at: int,
        number: int,
        path: str,
        home: str,
        places: Mapping[str, bytes],
        often: int,
    ) -> LogKey:
        own = code in (EXCEPTION, FAULT)
        when, process = first_time(place.head), process_in(place.head) or home
        self._count(process, when, code, place, path)
        if own and self._kept[code] >= _MOST:
            return code, (), ()
        # What is said in ever other words is counted with those that were read.
        first, times = self._often.get(code, (None, 0))
        much = times >= (_ENOUGH if place.end - place.start < WIDEST else _OF_LONG) or self._kept[code] >= _EACH
        if not own and first is not None and much and (known := self._found.get(first)) is not None:
            self._much.add(code)
            self._found[first] = known._replace(times=known.times + often)
            return first
        text = place.message(at)
        named = tuple(dict.fromkeys((*spelled(self._catalog, places), *self._named_in(_NUMBER.sub("", text)))))
        said = {name: decoded(value) for name, value in places.items()}
        # Of exceptions and of lines without a known form each is one of its own, digits aside.
        key = code, named, (re.sub(r"\d+|0x[0-9a-f]+", "", text[-300:]),) if own else tuple(said.values())
        self._often[code] = (key if first is None else first), times + often
        known = self._found.get(key)
        if known is None:
            self._kept[code] += 1
            self._found[key] = LogMention(code, number, text, named, often, path, said, when, process)
        else:
            if when is not None and known.when is not None and when < known.when:
                known = known._replace(when=when, process=process, line=number, path=path, text=text)
            elif known.text.endswith(_NOTHING_SAID):
                known = known._replace(line=number, path=path, text=text)
            self._found[key] = known._replace(times=known.times + often)
        return key

    def _count(self, process: str, when: When | None, code: str, place: LogLine, path: str) -> None:
        if len(self._seen) >= _PROCESSES or code == FAULT:
            return
        self._seen.add((path, process))
        if process:
            self._here.add(process)
        # Who warns hasn't failed yet.
        self._runs.failed(path, process, when if level_of(place.head) not in MILD else None, code)
