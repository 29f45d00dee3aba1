"""Changes settings in Python, in the style of what stands there."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.model import Scalar, Surface
from npu_lsp.languages.entry_moves import moved
from npu_lsp.languages.hosts.writer import Hosted
from npu_lsp.languages.model import Block, Form, Setting, ValueKind
from npu_lsp.languages.python.source import source_of
from npu_lsp.languages.python.writer import lines, literals, removal
from npu_lsp.languages.python.writer.lines import indentation, line_end, starts_line
from npu_lsp.languages.python.writer.siblings import is_sole, siblings
from npu_lsp.languages.writers import Added, Edits, Writer
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

__all__ = ["WRITER", "PythonWriter"]


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


class PythonWriter(Writer):
    """What can be done with a setting in Python."""

    def rename(self, document: Document, setting: Setting, name: str) -> tuple[Edit, ...]:
        """Give the setting another key; nothing where the key isn't written at the setting."""
        group, _, last = setting.name.rpartition(".")
        written = document.text[setting.key.start : setting.key.end]
        if written == setting.name:
            return (Edit(setting.key, name),)
        if written != last:
            return ()
        new_group, _, new_last = name.rpartition(".")
        return (Edit(setting.key, new_last),) if new_group == group else ()

    def set_slot(self, document: Document, setting: Setting, slot: str) -> tuple[Edit, ...]:
        """Assign another field of the entry."""
        return (Edit(setting.slot_span, slot),) if setting.slot_span is not None else ()

    def set_value(self, document: Document, setting: Setting, value: Scalar, *, slot: str | None = None) -> Edits:
        """Put a literal in the place of the value: between its quotes where that is enough."""
        old = setting.value
        if _is_shared(document, setting):
            return ()
        if not isinstance(value, str):
            return (Edit(old.span, literals.plain(value)),)
        if old.kind is ValueKind.MEMBER:
            return (Edit(old.content, value),) if old.content is not None else ()
        wants_bytes = literals.wants_bytes(setting, slot)
        kind = ValueKind.BYTES if wants_bytes else ValueKind.STRING
        # Where a loop or a function turns the text into bytes, the text is what is written at the setting.
        if old.content is not None and old.kind is kind and literals.fits(value, document, old.content):
            return (Edit(old.content, value),)
        wants_bytes = wants_bytes and not literals.is_converted_elsewhere(document, setting)
        return (Edit(old.span, literals.text(value, document, setting, as_bytes=wants_bytes)),)

    def set_expression(self, document: Document, setting: Setting, expression: str) -> tuple[Edit, ...]:
        """Put source text in the place of the value, as bytes where the entry needs them, with the import it needs."""
        if _is_shared(document, setting):
            return ()
        if literals.wants_bytes(setting, None) and not literals.is_converted_elsewhere(document, setting):
            expression = literals.as_bytes(expression, document)
        return (*lines.imports(expression, document), Edit(setting.value.span, expression))

    def set_path(
        self, document: Document, setting: Setting, path: str, *, base: str = "", slot: str | None = None
    ) -> tuple[Edit, ...]:
        """Point the setting to a file."""
        # A notebook has no file of its own to be beside of.
        if not base or (base == "script" and document.kind is not Kind.PYTHON):
            return self.set_value(document, setting, path, slot=slot)
        return self.set_expression(document, setting, literals.joined(base, path))

    def move(self, document: Document, block: Block, setting: Setting, name: str) -> tuple[Edit, ...]:
        """Put an entry of a dict into the dict that it belongs in."""
        return moved(document, block, setting, name, self.remove) if setting.form is Form.ITEM else ()

    def wrap_bytes(self, document: Document, setting: Setting) -> tuple[Edit, ...]:
        """Turn a `str` value into bytes."""
        if setting.value.kind is not ValueKind.STRING or _is_shared(document, setting):
            return ()
        span = setting.value.span
        return (Edit(span, literals.as_bytes(document.text[span.start : span.end], document)),)

    def remove(self, document: Document, settings: Sequence[Setting]) -> tuple[Edit, ...]:
        """Take settings out, with their lines or commas; a suite never gets empty."""
        return removal.remove(document, settings)

    def add(self, document: Document, block: Block, after: Setting | None, new: Added) -> Edits:
        """Set another option below `after`, written as that one is."""
        return add(document, block, after, new)


def _is_shared(document: Document, setting: Setting) -> bool:
    """Return whether something else gets the value, too: a name in the same statement, or what a loop sets besides."""
    if literals.is_shared(setting):
        return True
    return setting.own == setting.statement and not is_sole(document, setting)


WRITER: Writer = Hosted(PythonWriter())
