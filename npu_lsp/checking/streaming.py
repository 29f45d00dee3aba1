"""A run in a process of its own that tells what it finds as soon as it finds it: how a server has whole folders checked.

It is the run of `npu-lsp check`, with its cache and its processes, so that both say the same. The likely files come first, and
whoever types at the same machine comes before it. The question comes in by stdin; each line of stdout is JSON: a `Line` and what it says.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from npu_lsp.checking import stderr
from npu_lsp.checking.checked import Checked, Request
from npu_lsp.checking.loading import UnreadableError, load
from npu_lsp.checking.progress import Progress
from npu_lsp.checking.report import Range, ReportedFinding
from npu_lsp.checking.run import Plan, processors, run
from npu_lsp.checking.walking import Found
from npu_lsp.config.discover import Discovery
from npu_lsp.config.errors import ConfigError
from npu_lsp.linter.configuration import Config
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.decoding import UndecodableError, decode
from npu_lsp.text.document import Document, PositionEncoding
from npu_lsp.text.kinds import Kind

_STARTS = re.compile(r"\.(?:sh|bash|env)\Z|\A(?:dockerfile|compose|docker-compose|\.env|makefile)(?:[._-]|\Z)")
_SETS = re.compile(r"\.(?:ya?ml|py|toml|ini|cfg|conf)\Z")
_ABOUT = re.compile(
    r"npu|ascend|hccl|cann|atc|aoe|vllm|sglang|mindie|mindspore|torchair|deploy|launch|serv|infer|train|convert|bench"
    r"|(?<![a-z])(?:run|start|env|config)(?![a-z])"
)
"""Words in the names of files and folders where options are set as a rule."""
_NEAR = 40
"""Characters of a folder's path that count: the names of the innermost ones."""
_PAUSE = 0.1
"""Seconds between two words on how far it is."""
_NICE = 10
_BROKEN = Text("the folder is not checked any further: {error}", "该目录的检查已中止：{error}")


class Question(NamedTuple):
    """What the server asks of the process that checks a workspace folder."""

    folder: str
    paths: tuple[str, ...]
    """What of it, absolute."""
    base: Config
    """What the editor's settings say; a configuration in the folder has the stronger word."""
    language: Language
    encoding: PositionEncoding
    """What columns are counted in."""
    spare: str
    """A folder for what is remembered, where the configuration has no place for it."""


class Line(str, Enum):
    """The kinds of lines by which that process answers."""

    FOUND = "found"
    """The path of a file, and what there is to say about it: all of it, perhaps nothing."""
    FAR = "far"
    """How many files were looked at, and how many there are."""
    RESTS = "rests"
    """The last one: which other files all that rests on."""


def likely(path: str) -> tuple[int, int]:
    """Return what files are sorted by: the smaller, the more likely something is set there. Nothing is read for that."""
    folder, name = os.path.split(path.lower())
    sort = 0 if _STARTS.search(name) else 1 if _SETS.search(name) else 2
    about = _ABOUT.search(name) is not None or _ABOUT.search(folder[-_NEAR:]) is not None
    return (0 if about else 1, sort)


def _likely_first(found: Iterable[Found]) -> Iterator[Found]:
    """Yield the likely files first, the kinds in turns: where all scripts are right, they don't keep the rest waiting."""
    single = [each._replace(names=(name,)) for each in found for name in each.names]
    before = Counter[tuple[int, int]]()
    turns: list[tuple[int, int, int]] = []
    for each in single:
        about, kind = likely(each.above + each.names[0])
        turns.append((about, before[about, kind], kind))
        before[about, kind] += 1
    return (single[number] for number in sorted(range(len(single)), key=turns.__getitem__))


def answer(question: Question, stream: BinaryIO) -> None:
    """Check what is asked for, and write what is found to `stream`."""
    stderr.speak(question.language)
    teller = _Teller(stream, question.encoding)
    # As many processes as leave half of the machine to others; two even where it has no more.
    jobs = min(processors(), max(2, processors() // 2))
    plan = Plan(
        question.paths,
        question.folder,
        Request(question.language, remember=True),
        jobs=jobs,
        cache=not os.environ.get("NPU_LSP_NO_CACHE"),
        spare=question.spare,
        tell=teller.found,
        order=_likely_first,
    )
    folder = os.environ.get("NPU_LSP_CACHE_DIR")
    try:
        overrides = {"cache-dir": folder} if folder else {}
        discovery = Discovery(base=question.base, here=Path(question.folder), overrides=overrides)
        outcome = run(plan, discovery, teller)
    except ConfigError as error:
        stderr.wrong(_BROKEN, error=error)
        return
    teller.say(Line.RESTS, sorted(outcome.looked_at()))


class _Teller(Progress):
    """Writes results and progress as lines of JSON, for the server to read."""

    def __init__(self, stream: BinaryIO, encoding: PositionEncoding) -> None:
        super().__init__(None)
        self._out = stream
        self._encoding = encoding
        self._latest = 0.0

    @property
    def is_shown(self) -> bool:
        """Whether it is worth finding out how many files there are."""
        return True

    def step(self, files: int = 1) -> None:
        """Count so many files."""
        super().step(files)
        now = time.monotonic()
        if self.total and now - self._latest > _PAUSE:
            self._latest = now
            self.say(Line.FAR, self.done, max(self.done, self.total))

    def found(self, path: str, checked: Checked) -> None:
        """Tell what came of a file."""
        open_ones = [entry for entry in checked.entries if not entry.silenced]
        self.say(Line.FOUND, path, list(self._items(path, open_ones)) if open_ones else [])

    def say(self, line: Line, *what: Any) -> None:
        """Write a line; where nobody reads it any more, end, with what was found until then remembered."""
        try:
            self._out.write(json.dumps((line.value, *what), separators=(",", ":")).encode("ascii") + b"\n")
            self._out.flush()
        except OSError as error:
            raise SystemExit(1) from error

    def _items(self, path: str, entries: list[ReportedFinding]) -> Iterator[dict[str, Any]]:
        document = _document(path)
        for entry in entries:
            data = {"name": entry.name, "option": entry.option, "fixable": entry.fixable}
            yield {
                "range": self._place(document, entry.place),
                "severity": entry.severity.value,
                "message": entry.message,
                **({"code": entry.code} if entry.code else {}),
                "tags": entry.tags,
                "notes": [(self._place(document, note.place), note.message) for note in entry.notes],
                "data": {**data, "surface": entry.surface} if entry.surface else data,
            }

    def _place(self, document: Document, place: Range) -> dict[str, Any]:
        (start, end) = (
            document.position(document.offset(line - 1, column - 1, "utf-32"), self._encoding)
            for line, column in (place[:2], place[2:])
        )
        return {
            "start": {"line": start[0], "character": start[1]},
            "end": {"line": end[0], "character": end[1]},
        }


def _document(path: str) -> Document:
    """Return the text of the file, to count lines and columns in; an empty one where it can't be read."""
    try:
        text = decode(load(path, sys.maxsize, links=False)[0]).text
    except (UnreadableError, UndecodableError):
        text = ""
    return Document(text, kind=Kind.OTHER)


def main() -> None:
    """Answer the question on stdin; the server that asked ends this process when it wants no answer any more."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    answer(pickle.load(sys.stdin.buffer), sys.stdout.buffer)  # noqa: S301 - from the server that started us
