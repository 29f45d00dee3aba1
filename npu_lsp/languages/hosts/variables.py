"""Variables of the environment that a host sets in a syntax of its own, as the `export` lines of a script.

The shell reader, its cursor and its writer then know what to do. What the script has and the host has not (the word
`export`, a quote around a plain value) takes no room in the host.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from npu_lsp.languages.injections import Injection, Write, as_it_is
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE, LocatedText, SourceMap
from npu_lsp.text.spans import Span

_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'")
_PLAIN = re.compile(r"[\w./:,@%+=^-]*")


class VariableLines(LocatedText):
    """Export lines as they grow, with the place of each character."""

    __slots__ = ("walls",)

    def __init__(self) -> None:
        super().__init__()
        self.walls: set[int] = set()

    def put(self, text: str, start: int, end: int | None = None) -> None:
        """Add what the host says otherwise, at `start`, or in the place of the host's `[start, end)`."""
        self.pieces.append(text)
        last = start if end is None else end
        self.starts.extend(([start] + [last] * len(text))[: len(text)])
        self.ends.extend([last] * len(text))

    def export(self, host: str, lead: Span, name: Span, value: Span, end: int, *, known: bool = True) -> None:
        """Add a variable as a line of its own; a value that isn't `known` is a hole.

        What the host has in `lead` goes in front as it is; what stands between that and the name, and behind the value up to
        `end`, is no part of the script.
        """
        self.wall()
        self.take(host, lead)
        self.put("export ", lead.end, name.start)
        self.take(host, name)
        self.put("=", name.end, value.start)
        if known:
            self.value(host, value)
        else:
            self.put(HOLE, *value)
        self.put("\n", value.end, end)

    def wall(self) -> None:
        """Say that what follows has nothing to do with what was added so far."""
        self.walls.add(len(self.starts))

    def value(self, host: str, span: Span) -> None:
        """Add a value: quoted as it is, plain in quotes of its own, unknown where something is filled in."""
        said = host[span.start : span.end]
        if "$" in said or "{{" in said:
            self.put(HOLE, span.start, span.end)
        elif _QUOTED.fullmatch(said) or _PLAIN.fullmatch(said):
            self.take(host, span)
        elif "'" in said or "\\" in said:
            self.put(HOLE, span.start, span.end)
        else:
            self.put("'", span.start)
            self.take(host, span)
            self.put("'", span.end)

    def script(self, write: Write = as_it_is) -> Iterator[Injection]:
        """Yield the script, if there is any; `write` as in `Injection`."""
        if self.pieces:
            yield Injection(Kind.SHELL, *self.done(), write, own=True)

    def done(self) -> tuple[str, SourceMap]:
        """Return the text and its places."""
        scattered = any(one > other for one, other in itertools.pairwise(self.starts))
        return self.said, SourceMap(0, self.starts, self.ends, frozenset(self.walls), scattered)
