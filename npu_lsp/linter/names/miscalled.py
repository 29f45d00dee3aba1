"""Functions of `torch.npu`, operators and modules of `torch_npu` that Python names with a slip, or as those of `torch`; names of other tools."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.catalog.torch_calls import meant_call
from npu_lsp.catalog.well_known import WellKnown, misspelt
from npu_lsp.languages.innermost import texts
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_NAMED = re.compile(
    r"(?P<owner>torch(?<![\w.]torch)(?:\.npu|_npu(?:\.npu|\.utils|\.contrib)?))\.(?P<name>[A-Za-z]\w{5,60})(?!\w)(?![ \t]{0,9}=(?!=))"
)
"""What must not stand before is asked behind the first letters, so that these are looked for first."""

_OF_TORCH = re.compile(r"torch(?<![\w.]torch)\.(?P<name>npu_[a-z]\w{1,60})(?=[ \t]{0,9}\()")
"""An operator that is called as one of PyTorch itself, which has none whose name begins so."""
_PUT = re.compile(r"\btorch\.(npu_\w+)[ \t]*=(?!=)")
_PUTS_BY_NAME = "setattr(torch,"


class Miscall(NamedTuple):
    """One place of a text."""

    owner: str
    span: Span
    near: str
    """What was meant."""


@Memoized
def miscalled(document: Document) -> tuple[Miscall, ...]:
    """Return such names in a text, and in the texts in it."""
    if not any(meant_call(match["name"]) for match in _NAMED.finditer(document.text)):
        return ()
    found = (
        each._replace(span=span)
        for place in texts(document)
        if place.document.kind is Kind.PYTHON
        for each in _own(place.document)
        if (span := place.content(each.span)) is not None
    )
    return tuple(dict.fromkeys(found))


def _own(document: Document) -> Iterator[Miscall]:
    for match in _NAMED.finditer(document.text):
        near = meant_call(match["name"])
        line = document.line_span(document.line_of(match.start())) if near is not None else None
        if near is not None and line is not None and "#" not in document.text[line.start : match.start()]:
            yield Miscall(match["owner"], Span(*match.span("name")), near)


@Memoized
def called_of_torch(document: Document) -> tuple[Span, ...]:
    """Return the operators of torch_npu, up to their parenthesis, that a text calls as those of `torch`."""
    if _OF_TORCH.search(document.text) is None:
        return ()
    found = (
        place.content(span)
        for place in texts(document)
        if place.document.kind is Kind.PYTHON
        for span in _of_torch(place.document)
    )
    return tuple(dict.fromkeys(span for span in found if span is not None))


def _of_torch(document: Document) -> Iterator[Span]:
    text = document.text
    # What a text puts there itself is there.
    if _PUTS_BY_NAME in text:
        return
    own = frozenset(_PUT.findall(text))
    for match in _OF_TORCH.finditer(text):
        line = document.line_span(document.line_of(match.start()))
        # A quote in front may be that of a text.
        before = text[line.start : match.start()]
        if (
            match["name"] not in own
            and not before.lstrip().startswith((">>>", "..."))
            and not any(each in before for each in "#\"'`")
        ):
            yield Span(*match.span())


_MADE = r"(?:^|[;&|\s])(?:alias[ \t]+{name}=|function[ \t]+{name}\b|{name}[ \t]*\(\))"
_BLANK = re.compile(r"[\s\"']")
_ANYWHERE = frozenset({"host", "variable", "device", "backend"})
"""What may stand in the middle of a word of a shell."""


@Memoized
def well_known(document: Document) -> tuple[WellKnown, ...]:
    """Return the names of other tools that have a slip in a text, and in the texts in it."""
    found = (
        each._replace(start=span.start, end=span.end)
        for place in texts(document)
        for each in _own_well_known(place.document, document.text)
        if (span := place.content(Span(each.start, each.end))) is not None
    )
    return tuple(sorted(set(found), key=lambda each: each[1:]))


def _own_well_known(document: Document, around: str) -> Iterator[WellKnown]:
    text, shell = document.text, document.kind is Kind.SHELL
    found = list(misspelt(text, document.kind.value, document.path + around))
    made: dict[str, bool] = {}
    starts: list[int] = []
    if shell and found:
        from npu_lsp.languages.shell.script import commands_of

        starts = sorted(word.start for simple in commands_of(document) for word in simple.words)
    for each in found:
        line = document.line_span(document.line_of(each.start))
        word = starts[max(bisect_right(starts, each.start) - 1, 0)] if starts else each.start
        if "#" in text[line.start : each.start] or (
            shell and each.kind not in _ANYWHERE and _BLANK.search(text, min(word, each.start), each.start)
        ):
            continue
        name = text[each.start : each.end]
        if each.kind == "command" and name not in made:
            made[name] = re.search(_MADE.format(name=re.escape(name)), text) is not None
        if not made.get(name):
            yield each
