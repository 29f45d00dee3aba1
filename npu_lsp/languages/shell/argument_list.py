"""Commands that another language starts as a list of words: `subprocess.run(["atc", ...])`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from npu_lsp.languages.branches import Branch
from npu_lsp.languages.injections import Injection, careful
from npu_lsp.languages.model import Block
from npu_lsp.languages.shell.commands import tool_block
from npu_lsp.languages.shell.flags import STARTING, read_flags
from npu_lsp.languages.shell.known import Argument
from npu_lsp.languages.shell.resolve import resolve
from npu_lsp.languages.shell.training import training
from npu_lsp.languages.shell.vllm import beside
from npu_lsp.languages.shell.words import Piece, PieceKind, ShellWord
from npu_lsp.text.source_map import HOLE, SourceMap
from npu_lsp.text.spans import Span


class ListElement(NamedTuple):
    """One word of an argument list in another language."""

    span: Span
    """The whole expression."""
    text: str | None = None
    """What it says; parts that aren't known are `HOLE` characters, `None` means nothing is known."""
    content: Span | None = None
    """Where `text` stands one to one, as in `Value.content`."""
    own: Span | None = None
    """What goes when the element is removed: itself with its comma."""
    many: bool = False
    """True: any number of words (`*extra`)."""
    places: tuple[Sequence[int], Sequence[int]] | None = None
    """Without `content`: where each character of `text` starts, and where it ends."""


class Started(NamedTuple):
    """What a command sets, and the script that it runs."""

    blocks: tuple[Block, ...] = ()
    inner: tuple[Injection, ...] = ()


def read_arguments(
    elements: Sequence[ListElement],
    statement: Span,
    *,
    branch: Branch = (),
) -> Started:
    """Read a command that is given as a list of words; no shell looks at them, so nothing in them is expanded.

    A text with neither `content` nor `places` has no places of its own and says nothing.
    """
    arguments = [_argument(element, statement, branch) for element in elements]
    words = [argument.word for argument in arguments]
    if not words:
        return Started()
    started = resolve(words)
    if started.script and started.at < len(elements):
        element = elements[started.at]
        if element.text is None or element.content is None:
            return Started()
        inner = Injection(started.script, element.text, SourceMap(element.content.start), careful, branch=branch)
        return Started((), (inner,))
    found: list[Block | None] = []
    if started.surface is not None:
        flags = read_flags(arguments[started.at + 1 : started.stop], started.surface)
        found.append(tool_block(started, words[started.at], flags, statement))
    if started.surface is None or started.surface in STARTING:
        found += (training(arguments, statement, None), beside(arguments, statement, None))
    return Started(tuple(each._replace(branch=branch) for each in found if each is not None))


def _argument(element: ListElement, statement: Span, branch: Branch) -> Argument:
    span = element.span
    text = element.text
    if text is not None and element.content is not None:
        start, end = element.content
        pieces = tuple(_pieces(text, range(start, end), range(start + 1, end + 1)))
    elif text is not None and element.places is not None:
        pieces = tuple(_pieces(text, *element.places))
    else:
        pieces = (Piece(PieceKind.HOLE, "", span.start, span.end, quoted=True),)
    word = ShellWord(span.start, span.end, pieces)
    return Argument(word, statement, branch, element.own, whole=not element.many)


def _pieces(text: str, starts: Sequence[int], ends: Sequence[int]) -> Iterator[Piece]:
    """Yield the stretches of `text` that stand one to one, and its holes."""
    at = 0
    while at < len(text):
        hole = text[at] == HOLE
        end = at + 1
        while end < len(text) and (text[end] == HOLE) == hole and (hole or ends[end] == ends[end - 1] + 1):
            end += 1
        if hole:
            yield Piece(PieceKind.HOLE, "", starts[at], ends[end - 1], quoted=True)
        else:
            # Of an escape, its last character stands for it.
            yield Piece(PieceKind.TEXT, text[at:end], ends[at] - 1, ends[end - 1], quoted=True)
        at = end
