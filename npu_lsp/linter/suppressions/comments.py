"""`npu-lsp: ignore` comments: which findings they silence, and which of them silence nothing.

Forms, in any host language's comments:

    # npu-lsp: ignore[NPU301]            this line, or the whole next statement when the comment has its own line
    # npu-lsp: ignore                    every code
    # npu-lsp: ignore-file[NPU301]       the file
    # npu-lsp: off[NPU301] … # npu-lsp: on[NPU301]   a range

A name (`deprecated-option`) does as well as a code, and `NPU101: precison_mode` speaks of that option alone. What follows
the brackets is the reason, for people.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import accumulate, islice
from typing import NamedTuple

from npu_lsp.languages.model import Comment, ParseResult
from npu_lsp.linter.findings import Finding
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_FORM = re.compile(
    r"npu-lsp:[ \t]*(?P<word>ignore-file|ignore|off|on)(?![\w-])(?:[ \t]*\[(?P<codes>[^\[\]\r\n]*)\]|(?![ \t]*\[))",
    re.IGNORECASE,
)
"""Brackets that nobody closes are being typed: what they will name isn't known, and it isn't everything."""
_ALL = ""
"""In the place of a code: all codes."""
_MOST = 100
"""Ends that speak of one code of a range, of which one may speak of the others, too: behind them nobody looks for it."""

_ENTRY = re.compile(r"(?P<code>[^\s,:]+)(?:[ \t]*:[ \t]*(?P<option>[^\s,]+))?|[^\s,]+")


class Silenced(NamedTuple):
    """One of the things that a comment silences."""

    text: str
    """As it is written."""
    span: Span
    code: str
    """The code or the name of a rule."""
    option: str
    """The option that it is about, as `_plain` has it; empty means all."""

    @property
    def code_span(self) -> Span:
        """Where the code stands."""
        return Span(self.span.start, self.span.start + len(self.code))

    @property
    def key(self) -> str:
        """A key that is equal for two entries which silence the same rule and option."""
        return f"{self.code.upper()}:{self.option}"


class Suppression:
    """One comment that silences findings."""

    __slots__ = ("codes", "comment", "end", "reach", "span", "used", "word")

    def __init__(self, comment: Comment, word: str, span: Span, codes: tuple[Silenced, ...], reach: Span) -> None:
        self.comment = comment
        self.word = word
        """`ignore`, `ignore-file` or `off`."""
        self.span = span
        """From `npu-lsp:` to the closing bracket."""
        self.codes = codes
        """Empty means all."""
        self.reach = reach
        """Findings that start in it are silenced."""
        self.used: set[str] = set()
        """The texts of codes that silenced something; an empty one stands for all."""
        self.end: Suppression | None = None
        """The `on` that ends an `off`, where it ends no other one."""


_COMMENT_SIGNS = ("#", ";", "//", "<!--")
_RULE = re.compile(r"[^\s#:=][^#:=]*::?(?!=)")
"""The line of a makefile that a recipe follows."""
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)


class Reaches:
    """Tells for the comments of one file where the findings start that they silence. Offsets are code points from 0."""

    def __init__(self, document: Document, parsed: ParseResult) -> None:
        self._document = document
        statements = sorted(set(parsed.statements()))
        self._starts = [statement.start for statement in statements]
        self._ends = [statement.end for statement in statements]
        self._furthest = list(accumulate(self._ends, max))
        """Where the statements up to here end that goes on longest."""
        self._code_below: dict[int, int] = {}
        self._joined: dict[int, int] = {}
        self._behind_recipe: dict[int, int] = {}
        self._ends_of: dict[tuple[int, int], int] = {}

    def of(self, comment: Comment, word: str) -> Span:
        """Return what `comment` reaches, which says `word`: `ignore`, `ignore-file`, `off` or `on`."""
        document = self._document
        end_of_text = len(document.text)
        if word == "ignore-file":
            return Span(0, end_of_text)
        if word in ("off", "on"):
            return Span(comment.span.end, end_of_text)
        line = document.line_of(comment.span.start)
        if comment.own_line:
            line = self._next_code_line(line)
        start, end = document.line_span(line)
        if comment.own_line:
            opening = _FENCE.match(document.text, start, end)
            if opening is not None:
                return Span(start, _end_of_block(document.text, opening))
        # The lines that a backslash joins count as one: in a shell no comment can follow one.
        last = self._last_joined(line)
        if document.kind is Kind.MAKEFILE and comment.own_line and _RULE.match(document.text, start, end):
            last = self._last_of_recipe(last)
        elif document.kind is Kind.YAML and comment.own_line:
            from npu_lsp.languages.hosts.yaml_lines import end_of_folded

            last = max(last, end_of_folded(document, line))
        end = document.line_span(last)[1]
        if not comment.own_line:
            start, end = self._around(start, end)
        return Span(start, self._end_of_what_starts_in(start, end))

    def _around(self, start: int, end: int) -> tuple[int, int]:
        """Return the place with the statements that the line at `start` is in the middle of."""
        behind = bisect_right(self._starts, start)
        first = bisect_left(self._furthest, start, 0, behind)
        if first == behind:
            return start, end
        return min(start, self._starts[first]), max(end, self._furthest[behind - 1])

    def _end_of_what_starts_in(self, start: int, end: int) -> int:
        place = start, end
        known = self._ends_of.get(place)
        if known is not None:
            return known
        at = bisect_left(self._starts, start)
        while at < len(self._starts) and self._starts[at] <= end:
            end = max(end, self._ends[at])
            at += 1
        self._ends_of[place] = end
        return end

    def _next_code_line(self, line: int) -> int:
        """Return the first line below `line` that holds code; `line` itself where none does."""
        document = self._document

        def is_code(each: int) -> bool:
            text = document.line_text(each).strip()
            return bool(text) and not text.startswith(_COMMENT_SIGNS)

        found = _first(range(line + 1, document.line_count), is_code, self._code_below)
        return found if found < document.line_count else line

    def _last_joined(self, line: int) -> int:
        """Return the last one of the lines that backslashes join to `line`."""
        document = self._document
        lines = range(line, document.line_count - 1)
        return _first(lines, lambda each: not document.line_text(each).endswith("\\"), self._joined)

    def _last_of_recipe(self, line: int) -> int:
        """Return the last line that belongs to the recipe of the rule that ends at `line`."""
        document = self._document

        def is_behind(each: int) -> bool:
            text = document.line_text(each)
            joined = document.line_text(each - 1).endswith("\\")
            return not joined and text.strip() != "" and text[0] not in "\t#"

        return _first(range(line + 1, document.line_count), is_behind, self._behind_recipe) - 1


def _first(lines: range, wanted: Callable[[int], bool], known: dict[int, int]) -> int:
    """Return the first of `lines` that is `wanted`, or their end; `known` keeps the answer for those passed over."""
    passed: list[int] = []
    found = lines.stop
    for line in lines:
        if line in known or wanted(line):
            found = known.get(line, line)
            break
        passed.append(line)
    known.update(dict.fromkeys(passed, found))
    return found


def _end_of_block(text: str, opening: re.Match[str]) -> int:
    """Return where the code block ends that starts with the fence `opening`."""
    for fence in _FENCE.finditer(text, opening.end()):
        if fence[1].startswith(opening[1]):
            return fence.end()
    return len(text)


def suppressions(document: Document, parsed: ParseResult) -> list[Suppression]:
    """Return the file's suppressions with what each reaches, in the order of the text."""
    reaches = Reaches(document, parsed)
    found: list[Suppression] = []
    for comment in parsed.comments:
        match = _FORM.search(document.text, comment.span.start, comment.span.end)
        if match:
            word = match["word"].lower()
            span, codes = Span(*match.span()), tuple(_codes(match))
            found.append(Suppression(comment, word, span, codes, reaches.of(comment, word)))
    _close_ranges(found)
    return [s for s in found if s.word != "on"]


def silenced(findings: Iterable[Finding], written: Sequence[Suppression]) -> Iterator[Finding]:
    """Yield `findings` in their order, those marked that a comment silences; the comments remember it."""
    found = list(findings)
    reaching = _Reaching(written)
    hits = {at: reaching.silence(found[at]) for at in sorted(range(len(found)), key=lambda at: found[at].span.start)}
    for at, finding in enumerate(found):
        yield finding._replace(suppressed=True) if hits[at] else finding


class _Reaching:
    """The comments that reach a place, while it moves through the text."""

    def __init__(self, written: Sequence[Suppression]) -> None:
        self._waiting = sorted(written, key=lambda each: each.reach.start, reverse=True)
        self._ends: list[tuple[int, int, Suppression]] = []
        """A heap."""
        self._count: Counter[str] = Counter()
        """How many of those that reach the place speak of a code or a name; an empty word stands for all."""
        self._unused: dict[str, list[tuple[Suppression, str]]] = {}
        """Those that were of no use yet, with the code as written. They may not reach so far any more."""

    def silence(self, finding: Finding) -> bool:
        """Return whether a comment speaks of `finding`; every one that does is of use. Findings come in order."""
        start = finding.span.start
        self._move(start)
        words = [_ALL, finding.code, finding.name]
        for option in _names(finding):
            words += [f"{finding.code}:{option}", f"{finding.name}:{option}"]
        for word in words:
            for each, code in self._unused.pop(word, ()):
                if each.reach.end >= start:
                    each.used.add(code)
        return any(self._count[word] for word in words)

    def _move(self, to: int) -> None:
        while self._waiting and self._waiting[-1].reach.start <= to:
            each = self._waiting.pop()
            heappush(self._ends, (each.reach.end, len(self._waiting), each))
            for word, code in _words(each):
                self._count[word] += 1
                self._unused.setdefault(word, []).append((each, code))
        while self._ends and self._ends[0][0] < to:
            for word, _ in _words(heappop(self._ends)[2]):
                self._count[word] -= 1


def _words(suppression: Suppression) -> Iterator[tuple[str, str]]:
    """Yield the codes and names that a comment speaks of, each with how it is written."""
    if not suppression.codes:
        yield _ALL, ""
    for each in suppression.codes:
        about = f":{each.option}" if each.option else ""
        yield each.code.upper() + about, each.text
        yield each.code.lower() + about, each.text


def _names(finding: Finding) -> Iterator[str]:
    """Yield how the option of a finding can be named: as a whole, or without what it is nested in."""
    if finding.option:
        whole = _plain(finding.option)
        yield from dict.fromkeys((whole, whole.rpartition(".")[2]))


def _plain(option: str) -> str:
    """Return the name of an option without a flag's dashes; ATC takes `-` for `_`."""
    return option.lstrip("-").replace("-", "_")


def _codes(match: re.Match[str]) -> Iterator[Silenced]:
    if match["codes"] is None:
        return
    for entry in _ENTRY.finditer(match["codes"]):
        start = match.start("codes") + entry.start()
        text, option = entry.group(), entry["option"] or ""
        yield Silenced(text, Span(start, start + len(text)), entry["code"] or text, _plain(option))


def _close_ranges(found: Sequence[Suppression]) -> None:
    """End each `off` at the next `on` that speaks of the same codes, or of all."""
    ended: dict[int, list[Suppression]] = {}
    below: dict[str, list[tuple[int, frozenset[str]]]] = {}
    """Each `on` below with its codes, the next one last: by a code that it speaks of."""
    for at in range(len(found) - 1, -1, -1):
        codes = frozenset(each.key for each in found[at].codes)
        if found[at].word == "on":
            for key in codes or {_ALL}:
                below.setdefault(key, []).append((at, codes))
        elif found[at].word == "off":
            keys = (min(codes), _of_all(min(codes)), _ALL) if codes else (_ALL,)
            near = (islice(reversed(below.get(key, ())), _MOST) for key in keys)
            nearest = (next((on for on, its in some if not its or _holds(its, codes)), None) for some in near)
            end = min((on for on in nearest if on is not None), default=None)
            if end is not None:
                found[at].reach = Span(found[at].reach.start, found[end].comment.span.start)
                ended.setdefault(end, []).append(found[at])
    for end, starts in ended.items():
        if len(starts) == 1:
            starts[0].end = found[end]


def _holds(its: frozenset[str], codes: frozenset[str]) -> bool:
    return all(key in its or _of_all(key) in its for key in codes)


def _of_all(key: str) -> str:
    """Return the key of the same code for all options."""
    return key.partition(":")[0] + ":"
