"""Runs the matchers over one version of a text, and reads what else the text says: comments that speak to npu-lsp, signs of Python 2."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.injections import nest_of, set_regions
from npu_lsp.languages.model import Comment, Fact, FactKind, ParseResult
from npu_lsp.languages.python.control_flow import apart, behind_early_exit
from npu_lsp.languages.python.matchers import (
    additional_config,
    attributes,
    calls,
    commands,
    environ,
    environment_dicts,
    mindspore_init,
    module_attributes,
    parameter_map,
    ray_environments,
    run_config,
    session_setup,
)
from npu_lsp.languages.python.matchers.shared_text import shared_text
from npu_lsp.languages.python.source import Source, source_of
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span, line_start

_MATCHERS = (
    parameter_map,
    session_setup,
    run_config,
    attributes,
    environ,
    environment_dicts,
    ray_environments,
    commands,
    calls,
    module_attributes,
    additional_config,
    mindspore_init,
)
"""In this order: a later one leaves out what an earlier one has taken."""

MARK = "npu-lsp:"

_LINE_END = re.compile(r"\r\n|\n|\r")


def comments(source: Source) -> tuple[Comment, ...]:
    """Return the comments that hold the mark; a text that holds it is none."""
    return tuple(_find(source))


def _find(source: Source) -> Iterator[Comment]:
    text, logical_lines = source.text, source.logical_lines
    done = statement = -1
    inside: Iterator[Span] = iter(())
    comment = Span(-1, -1)
    for offset in source.occurrences.substring(MARK):
        if offset < done:
            continue
        line = line_start(text, offset)
        index = logical_lines.before(offset)
        if index >= 0 and offset < logical_lines.ends[index]:
            # Between the lines of a statement: only its own signs tell a comment from a text.
            if index != statement:
                from npu_lsp.languages.python.completing.fragment import comments_in

                statement, comment = index, Span(-1, -1)
                inside = comments_in(text, logical_lines.starts[index], logical_lines.ends[index])
            while comment.end <= offset and (following := next(inside, None)) is not None:
                comment = following
            sign = comment.start if comment.start <= offset < comment.end else -1
        else:
            sign = text.find("#", max(line, logical_lines.ends[index] if index >= 0 else 0), offset)
        if sign < 0:
            continue
        found = _LINE_END.search(text, offset)
        done = found.start() if found else len(text)
        end = sign + len(text[sign:done].rstrip())
        yield Comment(Span(sign, end), not text[line:sign].strip(" \t\f\ufeff"))


# Each sign starts a statement; what follows it would not parse in Python 3.
_SIGNS = (
    ("print ", re.compile(r"print[ \t]+(?!(?:if|in|is|and|or|else)\b)(?:[\w\"'`]|>>)")),
    (
        "except",
        re.compile(
            r"except[ \t]+[\w.]+(?:\([^()]*\))?[ \t]*,[ \t]*\w+[ \t]*:|except[ \t]*\([^()]*\)[ \t]*,[ \t]*\w+[ \t]*:"
        ),
    ),
    ("exec ", re.compile(r"exec[ \t]+[\w\"']")),
    ("raise ", re.compile(r"raise[ \t]+[\w.]+[ \t]*,[ \t]*[\w\"']")),
)


def python2(source: Source) -> Fact | None:
    """Return the first sign that the file is Python 2."""
    text, logical_lines = source.text, source.logical_lines
    first: Span | None = None
    for word, pattern in _SIGNS:
        for offset in source.occurrences.substring(word):
            index = logical_lines.before(offset)
            if index < 0 or logical_lines.starts[index] != offset:
                continue
            found = pattern.match(text, offset)
            if found and (first is None or offset < first.start):
                first = Span(offset, found.end())
                break
    return Fact(FactKind.PYTHON2, first) if first is not None else None


def read_source(document: Document) -> ParseResult:
    """Return what the document sets. Of the version before, the logical lines and their trees are taken over."""
    source = source_of(document)
    view = SourceView(source, document.path, nest_of(document))
    parsed = _read(view, source)
    set_regions(document, view.regions)
    return parsed


def _read(view: SourceView, source: Source) -> ParseResult:
    for matcher in _MATCHERS:
        matcher.find(view)
    old = python2(source)
    if old is not None:
        view.facts.append(old)
    spoken = comments(source)
    blocks = behind_early_exit(apart(view.blocks.finish(), source), source)
    view.facts.extend(shared_text(view, blocks))
    source.settle()
    source.roles = view.roles
    return ParseResult(
        blocks=blocks,
        comments=tuple(sorted((*spoken, *view.spoken), key=lambda comment: comment.span)),
        syntax=tuple(view.syntax),
        facts=tuple(view.facts),
        damaged=view.damaged or bool(source.logical_lines.damage),
    )
