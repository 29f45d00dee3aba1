r"""One version of one file: its text, its lines, and positions in every encoding that clients speak.

A `Document` never changes; an edit makes a new one that knows what differs from the last one that was
analysed, so that readers can reuse what they know. Offsets are code points from 0. A line ends at `\n`,
`\r\n` or `\r` and nowhere else, as in LSP (`str.splitlines` would split at form feeds and U+2028 too).
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Literal, NamedTuple

from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memos
from npu_lsp.text.spans import Span, TextChange

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]

_LINE_END = re.compile(r"\r\n|\n|\r")
_STRETCH = 256
"""Characters that are counted together: a line may have a hundred thousand, and each finding asks for two columns."""


class Before(NamedTuple):
    """The earlier version of a document, and the change that led to this one."""

    document: Document
    change: TextChange
    """What differs from it."""


class Document:
    """A file's text at one version, with its line index."""

    __slots__ = ("_line_spans", "_line_starts", "before", "effort", "kind", "memos", "path", "text", "uri", "version")

    def __init__(
        self,
        text: str,
        *,
        kind: Kind,
        path: str = "",
        uri: str = "",
        version: int | None = None,
    ) -> None:
        self.text = text
        self.path = path
        self.uri = uri
        """The client's URI, as it came."""
        self.version = version
        self.kind = kind
        self.memos = Memos()
        """What readers, rules and features have found out about this version."""
        self.before: Before | None = None
        """The last version that something is known of, until this one is read: older ones are let go of then."""
        self.effort = 0.0
        """Seconds that it took to find out what there is to say about the last version that was looked at."""
        self._line_starts: list[int] | None = None
        self._line_spans: dict[int, Span] = {}
        """Those that were asked for: readers of hosts ask for each line several times."""

    # -- lines ------------------------------------------------------------------------------------------

    @property
    def line_starts(self) -> list[int]:
        """Offsets at which lines start; the first is 0. Don't change the list."""
        if self._line_starts is None:
            if "\r" in self.text:
                self._line_starts = [0, *(m.end() for m in _LINE_END.finditer(self.text))]
            else:
                self._line_starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]
                self._line_starts.pop()
        return self._line_starts

    @property
    def line_count(self) -> int:
        """How many lines there are; a text that ends with a line end has an empty last one."""
        return len(self.line_starts)

    def line_of(self, offset: int) -> int:
        """Return the 0-based line that holds `offset`."""
        return bisect_right(self.line_starts, offset) - 1

    def line_span(self, line: int) -> Span:
        """Return where the 0-based `line` lies, without its line end."""
        known = self._line_spans.get(line)
        if known is not None:
            return known
        start, end, text = self.line_starts[line], self.line_end(line), self.text
        if end > start and text[end - 1] == "\n":
            end -= 1
        if end > start and text[end - 1] == "\r":
            end -= 1
        span = self._line_spans[line] = Span(start, end)
        return span

    def line_end(self, line: int) -> int:
        """Return where the 0-based `line` ends, its line end included."""
        starts = self.line_starts
        return starts[line + 1] if line + 1 < len(starts) else len(self.text)

    def line_text(self, line: int) -> str:
        """Return the text of the 0-based `line` without its line end."""
        start, end = self.line_span(line)
        return self.text[start:end]

    def newline_at(self, offset: int) -> str:
        """Return how the line that holds `offset` ends, or the file's first line where it is the last."""
        for line in (self.line_of(offset), 0):
            end = self.line_span(line).end
            following = self.text[end : end + 2]
            if following:
                return following if following == "\r\n" else following[0]
        return "\n"

    # -- positions --------------------------------------------------------------------------------------

    def position(self, offset: int, encoding: PositionEncoding) -> tuple[int, int]:
        """Return the 0-based line and column of `offset`, the column in units of `encoding`."""
        offset = max(0, min(offset, len(self.text)))
        line = self.line_of(offset)
        before = self.text[self.line_starts[line] : offset]
        return line, _units(before, encoding)

    def offset(self, line: int, column: int, encoding: PositionEncoding) -> int:
        """Return the offset of a 0-based line and column in units of `encoding`.

        What lies outside is moved inside, as LSP asks: a column past the end of its line means that end. A
        column inside a character means the character's start.
        """
        if line < 0:
            return 0
        if line >= self.line_count:
            return len(self.text)
        start, end = self.line_span(line)
        if column <= 0:
            return start
        text = self.text[start:end]
        if encoding == "utf-32" or text.isascii():
            return start + min(column, len(text))
        for first in range(0, len(text), _STRETCH):
            stretch = text[first : first + _STRETCH]
            units = _units(stretch, encoding)
            if column > units:
                column -= units
                continue
            for index, char in enumerate(stretch, start + first):
                column -= _units(char, encoding)
                if column <= 0:
                    return index + (column == 0)
        return end

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and the 1-based column of `offset` in code points, as reports show it."""
        line, column = self.position(offset, "utf-32")
        return line + 1, column + 1

    # -- editing ----------------------------------------------------------------------------------------

    def edited(self, span: Span, text: str, version: int | None = None) -> Document:
        """Return the document with `text` in the place of `span`."""
        new = Document(
            self.text[: span.start] + text + self.text[span.end :],
            path=self.path,
            uri=self.uri,
            kind=self.kind,
            version=version if version is not None else self.version,
        )
        change = TextChange(span.start, span.end, span.start + len(text))
        before = self.before
        if self.memos:
            new.before = Before(self, change)
        elif before is not None:
            new.before = before._replace(change=before.change.then(change))
        new.effort = self.effort
        new._line_starts = self._shifted_lines(new.text, change)
        return new

    def with_text(self, text: str) -> Document:
        """Return a document in the place of this one that holds another `text`."""
        return Document(text, path=self.path, uri=self.uri, kind=self.kind)

    def _shifted_lines(self, text: str, change: TextChange) -> list[int] | None:
        """Return the line starts after `change`, from what is known of the lines before it."""
        old = self._line_starts
        if old is None:
            return None
        # One line more on either side: an edit can split or join a CR LF pair.
        first = max(0, bisect_right(old, change.start) - 2)
        last = bisect_right(old, change.old_end) + 1
        delta = change.new_end - change.old_end
        start = old[first]
        end = old[last] + delta if last < len(old) else len(text)
        middle = [start, *(m.end() for m in _LINE_END.finditer(text, start, end) if m.end() < end)]
        if last >= len(old):
            if end > start and text[end - 1] in "\r\n":
                middle.append(end)
            return old[:first] + middle
        return old[:first] + middle + [s + delta for s in old[last:]]


def _units(text: str, encoding: PositionEncoding) -> int:
    """Return how many code units `text` has in `encoding`."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))
