"""What lines of logs are alike, so that one of them is read and the others are counted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, count
from operator import add, itemgetter
from typing import Any, NamedTuple

from npu_lsp.catalog.error_codes import SHAPE
from npu_lsp.checking.logs.lines import CODED, LONGEST
from npu_lsp.checking.logs.named import NamedSetting
from npu_lsp.checking.logs.stamps import place_of_process, process_in
from npu_lsp.text import lazy_re as re
from npu_lsp.text.word_search import Words

CODE = re.compile(SHAPE.pattern.encode())
LogKey = tuple[str, tuple[NamedSetting, ...], tuple[str, ...]]
"""A code, the options that its message names, and what else tells messages from each other."""
_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_FORM = re.compile(rb"E(?:RR0{5}|[0A-Z]0{4})|W[0A-Z]0{4}|MIE00E[0A-F]{6}|0{6}(?!\w)|-0{4}(?!\w)")
"""A code with zeros for its digits."""
_MOST, _ROOM = 10_000, 100_000
"""Forms, and different digits that count in all of them together."""


class LogTold:
    """What was told by lines that are the same, codes included, but for other digits."""

    def __init__(self) -> None:
        self.keys: tuple[LogKey, ...] = ()
        self.stretch = 0
        """The stretch of a log in which one was read last; all there are of one process unless `processes` says which."""
        self.processes: set[str] | None = None
        self.repeated = 0  # Lines that were counted, not read.

    def saw(self, process: str, most: int) -> None:
        """Take it that a process said so in this stretch; of more than `most` none is told apart any more."""
        self.processes = self.processes or set()
        self.processes.add(process)
        if len(self.processes) > most:
            self.processes = None


class LogForm:
    """What lines tell that are the same but for their digits."""

    def __init__(self, marks: int) -> None:
        self.marks = marks
        self.told: dict[tuple[bytes, ...], LogTold] = {}
        """By their codes; nothing where other digits decide what a line says."""
        self.one = b""  # A code whose lines have no other.

    def known(self, line: bytes, stretch: int) -> LogTold | None:
        """Return what a line of a stretch tells, where one with its codes was read there, of a process that was seen."""
        if not self.told:
            return None
        codes: tuple[bytes, ...] = ()
        if self.marks & CODED:
            codes = (self.one,) if self.one and self.one in line else tuple(CODE.findall(line))
        told = self.told.get(codes)
        if told is None or told.stretch != stretch:
            return None
        return told if told.processes is None or process_in(line) in told.processes else None


class RestLines(NamedTuple):
    """Lines of a piece of a log that are read, without those that are known."""

    text: bytes
    left: Sequence[int]
    """Which lines of the piece they are."""
    begins: Sequence[int]
    """Where they begin in the text."""
    starts: Sequence[int]
    """Where all lines begin in the piece, without the ends of those in front."""

    @property
    def counted(self) -> int:
        """How many lines were known."""
        return len(self.starts) - len(self.begins)

    def place(self, start: int) -> tuple[int, int]:
        """Return the number of the line that begins at `start`, and by how much it stands farther behind in the piece."""
        index = bisect_right(self.begins, start) - 1
        number = self.left[index]
        return number, self.starts[number] + number - self.begins[index]


class Repeats:
    """Lines of one log that were read and are told once more with other digits, but for those of their codes and their process.

    Where these stand is the same in all lines that have the same signs but for their digits: they are taken out, nothing is looked for.
    """

    def __init__(self, codes: Mapping[bytes, int], by_digits: Iterable[bytes]) -> None:
        """Take the words that tell a code, with how far behind their beginning it begins, and others with digits that tell something."""
        begins: dict[bytes, int | None] = {word.translate(_ZEROS): None for word in by_digits}
        begins |= {word.translate(_ZEROS): begin for word, begin in codes.items()}
        self._words = Words(begins)
        self._begins = tuple(begins.values())
        self._known: dict[bytes, tuple[itemgetter[Any], dict[bytes | tuple[bytes, ...], LogTold]]] = {}
        self._room = _ROOM

    def clear(self) -> None:
        """Forget all: another log begins."""
        self._known.clear()
        self._room = _ROOM

    def rest(self, piece: bytes) -> RestLines:
        """Count those lines of a piece that are known; return the others."""
        lines = piece.split(b"\n")
        known = list(map(self._known.get, piece.translate(_ZEROS).split(b"\n")))
        left = []
        for number, found in enumerate(known):
            told = found[1].get(found[0](lines[number])) if found is not None else None
            if told is None:
                left.append(number)
            else:
                told.repeated += 1
        rest = [lines[number] for number in left]
        begins = list(map(add, _ends(rest), count()))
        return RestLines(b"\n".join(rest), left, begins, _ends(lines))

    def remember(self, line: bytes, told: LogTold) -> None:
        """Have what is the same as `line` but for digits counted with it from now on."""
        form = line.translate(_ZEROS)
        found = self._known.get(form)
        if found is None:
            # Addresses have letters among their digits.
            if len(line) >= LONGEST or b"0x" in line or len(self._known) >= _MOST:
                return
            found = self._known[form] = itemgetter(*(slice(*place) for place in self._counting(form))), {}
        if self._room:
            self._room -= 1
            found[1][found[0](line)] = told

    def _counting(self, form: bytes) -> list[tuple[int, int]]:
        """Return where digits of a line count: those of the process, and where codes and other words with digits may stand."""
        places = {place_of_process(form)}
        for number, at in self._words.places(form):
            begin = self._begins[number]
            if begin is None:
                places.add((at, at + len(self._words.words[number])))
            elif (code := _FORM.match(form, max(at + begin, 0))) is not None:
                places.add(code.span())
        return sorted(places)


def _ends(lines: Sequence[bytes]) -> list[int]:
    """Return how many bytes stand in front of each line, without the ends of lines."""
    return list(accumulate(map(len, lines), initial=0))
