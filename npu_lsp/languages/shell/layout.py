"""Other ways to write a command with many flags: one a line, or in an array of their own. What runs is the same."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.languages.model import Block, Form
from npu_lsp.languages.shell.names import use_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span
from npu_lsp.text.word_search import words

_BLANKS = re.compile(r"(?:[ \t]|\\(?:\r\n|\n|\r))*")
_INDENT = "  "
_FEWEST = 2
"""So many flags are worth lines of their own."""
_GOES_ON = ("\\", "&&", "||", "|")
"""What a line ends with that the next one belongs to."""
_OTHER_SHELL = re.compile(r"#!.*\b(?:sh|dash|ash)\b")


def one_a_line(document: Document, block: Block) -> tuple[Edit, ...]:
    """Return the edits that put each flag of a command on a line of its own; empty where that is so, or can't be done."""
    flags = _flags(document, block)
    if flags is None:
        return ()
    text, newline = document.text, document.newline_at(block.head.start)
    lead = _indent(document, block) + _INDENT
    edits: list[Edit] = []
    for before, flag in zip((block.head, *flags), flags, strict=False):
        gap = Span(before.end, flag.start)
        if "\n" not in text[slice(*gap)] and "\r" not in text[slice(*gap)]:
            edits.append(Edit(gap, f" \\{newline}{lead}"))
    return tuple(edits)


def in_array(document: Document, block: Block) -> tuple[Edit, ...]:
    """Return the edits that give the flags of a command an array above it; empty where a shell or the text has none."""
    flags = _flags(document, block)
    line = document.line_span(document.line_of(block.head.start))
    text = document.text
    begun = text[line.start : block.head.start].strip() or text[: line.start].rstrip().endswith(_GOES_ON)
    if flags is None or begun or _OTHER_SHELL.match(text):
        return ()
    name = _name(document, text[slice(*block.head)].rpartition("/")[2])
    newline, indent = document.newline_at(block.head.start), _indent(document, block)
    rows = "".join(f"{indent}{_INDENT}{text[slice(*flag)]}{newline}" for flag in flags)
    array = f"{name}=({newline}{rows}{indent}){newline}{indent}"
    return (
        Edit(Span(block.head.start, block.head.start), array),
        Edit(Span(block.head.end, flags[-1].end), f' "${{{name}[@]}}"'),
    )


def _flags(document: Document, block: Block) -> Sequence[Span] | None:
    """Return where the flags of a command stand, if nothing but blanks stands between them; `None` for other commands."""
    command = block.command
    if command is None or any(setting.form is not Form.FLAG for setting in block.settings):
        return None
    spans = sorted(setting.own for setting in block.settings)
    if len(spans) < _FEWEST or not all(span.within(command) for span in spans):
        return None
    trimmed: list[Span] = []
    end = block.head.end
    for setting in sorted(block.settings, key=lambda each: each.key):
        blanks = _BLANKS.match(document.text, end)
        stop = max(setting.key.end, setting.value.span.end)
        if blanks is None or blanks.end() != setting.key.start or setting.key.start == end:
            return None
        trimmed.append(Span(setting.key.start, stop))
        end = stop
    rest = _BLANKS.match(document.text, end, max(end, command.end))
    return trimmed if rest is not None and rest.end() >= command.end else None


def _indent(document: Document, block: Block) -> str:
    line = document.line_text(document.line_of(block.head.start))
    return line[: len(line) - len(line.lstrip(" \t"))]


def _name(document: Document, command: str) -> str:
    """Return a name that no variable has."""
    plain = re.sub(r"\W", "_", command)
    name, number = f"{plain}_args", 1
    while any(use_of(document, span) is not None for _, span in words(document.text, {name})):
        number += 1
        name = f"{plain}_args{number}"
    return name
