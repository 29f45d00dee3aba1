"""Sets another option beside those that are set already, written as they are."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Form, Setting, ValueKind
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.python.writer import literals
from npu_lsp.languages.python.writer.lines import indentation, line_end, starts_line
from npu_lsp.languages.python.writer.siblings import is_sole, siblings
from npu_lsp.languages.writers import Added, Edits
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_BREAKS = re.compile(r"(?<![ \t])[ \t]*(?:\\?(?:\r\n|\n|\r(?!\n))[ \t]*)+")


def add(document: Document, block: Block, after: Setting | None, new: Added) -> Edits:
    """Return the edit that sets `new` below `after`, or below the block's last setting that always runs."""
    if after is None:
        if not block.settings:
            return _first(document, block, new)
        shortest = min(len(s.branch) for s in block.settings)
        after = [s for s in block.settings if len(s.branch) == shortest][-1]
    if literals.is_shared(after):
        return ()
    if after.own == after.statement:
        return _statement(document, after, new)
    return _part(document, after, new)


def _statement(document: Document, after: Setting, new: Added) -> Edits:
    """Copy the statement of `after` with another key and another value."""
    text, slot = document.text, new.slot
    written = _written_name(document, after, new.name)
    if written is None or not is_sole(document, after):
        return ()
    as_bytes = slot == "s" and not literals.is_converted_elsewhere(document, after)
    literal = literals.scalar(new.value, document, after, as_bytes=as_bytes)
    if slot is not None and after.slot_span is not None:
        middle = text[after.key.end : after.slot_span.start] + slot
        equals = text[after.slot_span.end : after.value.span.start].rstrip("(")
        middle += equals if equals.strip() == "=" and "\n" not in equals else " = "
    elif slot is not None and slot != after.slot:
        return ()
    else:
        middle = text[after.key.end : after.value.span.start]
        if after.form is Form.ATTRIBUTE:
            middle = middle.rstrip("( \t") + " "
    code = text[after.statement.start : after.key.start] + written + middle + literal
    if after.form in (Form.SUBSCRIPT, Form.ITEM):
        code += text[after.value.span.end : after.statement.end]
    return (_below(document, after.statement, code),)


def _written_name(document: Document, after: Setting, name: str) -> str | None:
    """Return how `name` is written where `after` has its key; attributes may be nested."""
    written = document.text[after.key.start : after.key.end]
    if written == after.name:
        return name
    if after.form is Form.ATTRIBUTE and after.name.endswith("." + written):
        group = after.name[: -len(written)]
        return name[len(group) :] if name.startswith(group) else None
    return None


def _below(document: Document, statement: Span, code: str) -> Edit:
    """Return the edit that puts `code` on a line below `statement`, or behind it where it shares its line."""
    source = source_of(document)
    index = source.logical_lines.at(statement.start)
    alone = starts_line(document, statement.start) and index is not None
    end = line_end(document, statement.end)
    if not alone or index is None or end is None or statement.end != source.logical_lines.ends[index]:
        return Edit(Span(statement.end, statement.end), "; " + code)
    return Edit(Span(end, end), document.newline_at(statement.end) + indentation(document, statement.start) + code)


def _part(document: Document, after: Setting, new: Added) -> Edits:
    """Put another argument or pair behind that of `after`."""
    around = siblings(document, after)
    if around is None:
        return ()
    text = document.text
    group, _, last = after.name.rpartition(".")
    new_group, _, new_last = new.name.rpartition(".")
    written = text[after.key.start : after.key.end]
    if new_group != group or written not in (last, after.name):
        return ()
    as_bytes = new.slot == "s" or after.value.kind is ValueKind.BYTES
    as_bytes = as_bytes and not literals.is_converted_elsewhere(document, after)
    literal = literals.scalar(new.value, document, after, as_bytes=as_bytes)
    key = text[after.own.start : after.key.start] + (new_last if written == last else new.name)
    between, behind = (
        _BREAKS.sub(" ", part)
        for part in (text[after.key.end : after.value.span.start], text[after.value.span.end : after.own.end])
    )
    if after.value.kind is ValueKind.DICT:
        behind = ""  # What follows is in the braces.
    if "#" in between + behind or (not behind and "(" in between):
        return ()
    code = key + between + literal + behind
    if not starts_line(document, after.own.start):
        return (Edit(Span(after.own.end, after.own.end), ", " + code),)
    line = document.line_span(document.line_of(after.own.end))
    rest = text[after.own.end : line.end]
    ending = document.newline_at(after.own.end) + indentation(document, after.own.start)
    if rest.lstrip().startswith(",") and not rest.lstrip()[1:].split("#")[0].strip():
        return (Edit(Span(line.end, line.end), ending + code + ","),)
    return (Edit(Span(after.own.end, after.own.end), "," + ending + code),)


def _first(document: Document, block: Block, new: Added) -> Edits:
    """Set the first option of an optimizer that has none yet."""
    source = source_of(document)
    if block.surface is not Surface.SESSION or not block.facts or new.slot is None or not block.receiver:
        return ()
    index = source.logical_lines.at(max(f.span.start for f in block.facts))
    if index is None:
        return ()
    statement = source.logical_lines.span(index)
    if isinstance(new.value, str):
        literal = literals.quoted(new.value, '"')
        wrapper = literals.wrapper_of(document)
        literal = (f"{wrapper}({literal})" if wrapper else "b" + literal) if new.slot == "s" else literal
    else:
        literal = literals.plain(new.value)
    code = f'{block.receiver}.parameter_map["{new.name}"].{new.slot} = {literal}'
    return (_below(document, statement, code),)
