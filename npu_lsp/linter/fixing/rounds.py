"""Makes the fixes of a file, again and again until none is left, and takes back those that don't do what they are for.

A fix counts when the file parses as well as before, the finding is gone, and no other one came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from npu_lsp.languages import read
from npu_lsp.linter.findings import Finding, Fix, NewFile
from npu_lsp.linter.fixing.edits import compatible, edits_of
from npu_lsp.linter.fixing.gate import after_edits, are_gone
from npu_lsp.text.document import Document
from npu_lsp.text.moved import Moved
from npu_lsp.text.spans import Edit

Find = Callable[[Document], Iterable[Finding]]
MayCreate = Callable[[NewFile], bool]

_ROUNDS = 200
"""Each round makes the fixes of one rule; a fix may make room for another one, but not for ever."""

_TRIALS = 60
"""Analyses to find out which of the fixes of a file don't do what they are for; what isn't known by then isn't made."""
_USUAL = 100
"""Settings of a file for which a trial counts as one: of a file with many more, each analysis takes longer."""

_GROWTH = 100_000
"""Code points by which a text may grow: one that is fixed grows by lines, one whose fixes feed each other explodes."""


@dataclass(slots=True)
class Fixed:
    """A document after all rounds of fixing, and what was fixed or refused on the way."""

    document: Document
    counts: Counter[str] = field(default_factory=Counter)
    """How many findings of which code were fixed."""
    files: dict[str, str] = field(default_factory=dict)
    """The files that the fixes need, by path relative to the document's folder."""
    refused: Counter[str] = field(default_factory=Counter)
    """How many fixes of which code would have broken the file, or not have done what they are for."""


def fixed(document: Document, find: Find, *, unsafe: bool, may_create: MayCreate = lambda _: True) -> Fixed:
    """Return `document` with every fix made that is safe, or that is there at all when `unsafe`.

    `may_create` tells whether a file that a fix needs can come to be; where it can't, the fix isn't made.
    """
    return _Run(document, find, unsafe, may_create).fixed()


class _Chosen(NamedTuple):
    finding: Finding
    fix: Fix

    @property
    def key(self) -> tuple[object, ...]:
        """What is the same when the fix is offered again."""
        finding, fix = self
        return (finding.code, finding.message, fix.title, tuple(edit.text for edit in fix.edits))


class _Step(NamedTuple):
    """A text, and what made it of the one before."""

    document: Document
    made: tuple[_Chosen, ...] = ()


def holds(
    before: Document,
    after: Document,
    edits: Sequence[Edit],
    found: tuple[Collection[Finding], Collection[Finding]],
    mended: Iterable[Finding],
    *,
    unsafe: bool,
) -> bool:
    """Return whether `edits`, which made `after` of `before`, mend the findings `mended` and bring none.

    `found` are the findings before and after. One that the next round mends is none that was brought; nor, where fixes may
    be unsafe, is one in a text that says more now than it did, because a slip in its syntax hid a part of it, or one in what
    the edits wrote that is less bad than what they mend, as a name that works for one that doesn't. What a slip hides that
    has a safe fix is told before.
    """
    old, new = ([f for f in findings if not f.suppressed] for findings in found)
    moved = Moved(edits)
    mended = list(mended)
    if not are_gone(moved, new, mended):
        return False
    gone = Counter(each.about for each in mended)
    more = Counter(each.about for each in new)
    more.subtract(each.about for each in old)
    more.update(gone)
    brought = {about for about, count in more.items() if count > 0}
    if not brought or (unsafe and _says_more(before, after, moved)):
        return True
    codes = {code for code, _ in gone}
    least = max((finding.severity.rank for finding in mended), default=0)

    def may_stand(finding: Finding) -> bool:
        better = unsafe and finding.severity.rank > least and moved.wrote(finding.span)
        return finding.code not in codes and (better or finding.choice(unsafe=unsafe) is not None)

    return all(may_stand(f) for f in new if f.about in brought)


def _says_more(before: Document, after: Document, moved: Moved) -> bool:
    """Return whether `after` has fewer slips than `before`, or settings that were hidden, beside those that edits wrote."""
    if len(read(after).syntax) < len(read(before).syntax):
        return True
    known = {(s.name, moved.at(s.key.start)) for s in read(before).settings}
    return any((s.name, s.key.start) not in known and not moved.wrote(s.key) for s in read(after).settings)


class _Run:
    def __init__(self, document: Document, find: Find, unsafe: bool, may_create: MayCreate) -> None:
        self._find = find
        self._unsafe = unsafe
        self._may_create = may_create
        self._steps = [_Step(document)]
        self._refused: dict[tuple[object, ...], str] = {}
        self._refused_in: dict[tuple[object, ...], str] = {}
        """The text in which a fix didn't do what it is for, of those that may do so in another one."""
        self._trials = _TRIALS
        self._limit = 2 * len(document.text) + _GROWTH

    def fixed(self) -> Fixed:
        """Make rounds until there is nothing left to do."""
        for _ in range(_ROUNDS):
            chosen = self._wanted()
            if chosen:
                self._round(chosen)
            elif not self._reconsidered():
                break
        counts = Counter(finding.code for step in self._steps for finding, _ in step.made)
        return Fixed(self._steps[-1].document, counts, self._files(), Counter(self._refused.values()))

    def _reconsidered(self) -> bool:
        """Allow again what was refused in an earlier text: another fix may have made room for it. Tell whether there is any."""
        text = self._steps[-1].document.text
        again = [key for key, refused_in in self._refused_in.items() if refused_in != text]
        if self._trials <= 0 or not again:
            return False
        for key in again:
            del self._refused_in[key], self._refused[key]
        return True

    def _files(self) -> dict[str, str]:
        """Return the texts of the files that the fixes made so far need, by path."""
        return {file.path: file.text for step in self._steps for _, fix in step.made for file in fix.files}

    def _wanted(self) -> list[_Chosen]:
        """Return the fixes of the next round: those of one rule, since others may look different afterwards."""
        found = [
            _Chosen(finding, fix)
            for finding in self._find(self._steps[-1].document)
            if not finding.suppressed and (fix := finding.choice(unsafe=self._unsafe)) is not None
        ]
        found = [c for c in found if c.key not in self._refused and all(map(self._may_create, c.fix.files))]
        made = self._files()
        found = [c for c in found if _agree(c.fix.files, made)]
        first = min((c.finding.code for c in found), default="")
        return list(_compatible(c for c in found if c.finding.code == first))

    def _round(self, chosen: list[_Chosen]) -> None:
        document = self._steps[-1].document
        after, made = self._proven(document, chosen)
        if not made:
            return
        before = next((i for i, step in enumerate(self._steps) if step.document.text == after.text), None)
        if before is None:
            self._steps.append(_Step(after, tuple(made)))
            return
        # They undo what others did: neither of them is made.
        undone = [*made, *(c for step in self._steps[before + 1 :] for c in step.made)]
        self._refuse(undone)
        for each in undone:
            self._refused_in.pop(each.key, None)
        del self._steps[before + 1 :]

    def _proven(self, document: Document, chosen: list[_Chosen]) -> tuple[Document, list[_Chosen]]:
        """Return the document with those fixes made that do what they are for, and these; the others are refused."""
        kept: list[_Chosen] = []
        result = document
        todo = [chosen]
        while todo:
            some = todo.pop()
            after = self._tried(document, [*kept, *some])
            if after is not None:
                kept += some
                result = after
            elif len(some) == 1 or self._trials <= 0:
                self._refuse(some)
                self._refused_in |= {c.key: document.text for c in some}
            else:
                half = len(some) // 2
                todo += [some[half:], some[:half]]
        return result, kept

    def _tried(self, document: Document, chosen: list[_Chosen]) -> Document | None:
        """Return the document with all of the fixes made, or `None` when they don't do what they are for."""
        edits = edits_of(document, (c.fix for c in chosen))
        if len(document.text) + sum(len(edit.text) for edit in edits) <= self._limit:
            after = after_edits(document, edits)
            if after is not None and self._holds(document, after, edits, [c.finding for c in chosen]):
                return after
        self._trials -= 1 + _size(document) // _USUAL
        return None

    def _holds(self, document: Document, after: Document, edits: Sequence[Edit], mended: list[Finding]) -> bool:
        found = tuple(self._find(document)), tuple(self._find(after))
        return holds(document, after, edits, found, mended, unsafe=self._unsafe)

    def _refuse(self, chosen: Iterable[_Chosen]) -> None:
        self._refused |= {c.key: c.finding.code for c in chosen}


def _size(document: Document) -> int:
    return sum(len(block.settings) for block in read(document).blocks)


def _agree(files: Iterable[NewFile], made: Mapping[str, str]) -> bool:
    """Return whether no file has another text already: two fixes that want different files of one name can't both have theirs."""
    return all(made.get(file.path, file.text) == file.text for file in files)


def _compatible(chosen: Iterable[_Chosen]) -> Iterator[_Chosen]:
    pairs = list(chosen)
    together = {id(fix) for fix in compatible(c.fix for c in pairs)}
    contents: dict[str, str] = {}
    for each in pairs:
        if id(each.fix) in together and _agree(each.fix.files, contents):
            contents |= {file.path: file.text for file in each.fix.files}
            yield each
