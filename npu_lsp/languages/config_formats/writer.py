"""Writes entries of the files that options point to: lines, JSON members, text protobuf."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

from npu_lsp.catalog.model import Scalar, as_text
from npu_lsp.catalog.surface_row import Typing
from npu_lsp.languages.entry_moves import member, moved
from npu_lsp.languages.hosts.writer import Hosted
from npu_lsp.languages.model import Block, Setting, ValueKind
from npu_lsp.languages.writers import Added, Edits, Writer
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span

_COMMA_BEHIND = re.compile(r"[ \t\r\n]*,[ \t]*")
_COMMA_BEFORE = re.compile(r",[ \t\r\n]*\Z")
_QUOTED = frozenset({ValueKind.STRING, ValueKind.BOOL, ValueKind.INT, ValueKind.FLOAT, ValueKind.NONE})


class EntryWriter(Writer):
    """See `npu_lsp.languages.writers.Writer`."""

    def rename(self, document: Document, setting: Setting, name: str) -> tuple[Edit, ...]:
        """Give the entry another key; of a nested name, its last part is what stands there."""
        written = document.text[setting.key.start : setting.key.end]
        if setting.surface.row.grouped and setting.name.rpartition(".")[0] != name.rpartition(".")[0]:
            return ()  # It belongs in another group.
        new = name.rpartition(".")[2] if setting.name.endswith(f".{written}") else name
        return (Edit(setting.key, new),)

    def set_value(self, document: Document, setting: Setting, value: Scalar, *, slot: str | None = None) -> Edits:
        """Write another value: in quotes where there are some, else as the format has it."""
        old = setting.value
        if old.kind not in (*_QUOTED, ValueKind.WORD) or value is None:
            return ()
        text = as_text(value)
        if setting.surface.row.typing is Typing.JSON:
            return (Edit(old.span, json.dumps(value, ensure_ascii=False)),)
        if old.content is not None:
            return (Edit(old.content, text),) if not set(text) & set("\"'\\\r\n") else ()
        if old.kind is ValueKind.WORD:
            return (Edit(old.span, text),)
        return (Edit(old.span, json.dumps(value, ensure_ascii=False)),)

    def set_path(
        self, document: Document, setting: Setting, path: str, *, base: str = "", slot: str | None = None
    ) -> tuple[Edit, ...]:
        """Point the entry to a file, where its place needs no variable."""
        return () if base else self.set_value(document, setting, path)

    def move(self, document: Document, block: Block, setting: Setting, name: str) -> tuple[Edit, ...]:
        """Put the entry into the object that it belongs in."""
        return moved(document, block, setting, name, self.remove)

    def remove(self, document: Document, settings: Sequence[Setting]) -> tuple[Edit, ...]:
        """Take entries out with their lines and their commas."""
        edits = [self._removal(document, setting) for setting in settings]
        spans = sorted(edit.span for edit in edits if edit is not None)
        if len(spans) != len(settings) or any(a.end > b.start for a, b in pairwise(spans)):
            return ()
        return tuple(Edit(span, "") for span in spans)

    def add(self, document: Document, block: Block, after: Setting | None, new: Added) -> Edits:
        """Set another key: beside the others of a JSON object, or on a line of its own in files of `key=value` lines."""
        sign, is_json = block.surface.row.sign, block.surface.row.typing is Typing.JSON
        if sign is None and is_json:
            return member(document, block, new.name, json.dumps(new.value, ensure_ascii=False))
        group, _, own = new.name.rpartition(".")
        beside = [each for each in block.settings if each.name.rpartition(".")[0] == group]
        last = after if after in beside else beside[-1] if beside else None
        if sign is None or last is None or new.value is None:
            return ()
        start = document.line_span(document.line_of(last.own.start)).start
        indent = document.text[start : last.own.start]
        if indent.strip():
            return ()  # In braces.
        end = document.line_span(document.line_of(last.own.end)).end
        written = json.dumps(new.value, ensure_ascii=False) if is_json else new.value
        return (Edit(Span(end, end), f"{document.newline_at(end)}{indent}{own}{sign}{written}"),)

    def _removal(self, document: Document, setting: Setting) -> Edit | None:
        text, own = document.text, setting.own
        if setting.surface.row.values == "several" and own != setting.statement:
            return None
        if setting.surface.row.sign is not None and setting.surface.row.typing is Typing.JSON:
            line = _line(document, own)
            return Edit(line, "") if line != own else None  # In braces.
        behind = _COMMA_BEHIND.match(text, own.end)
        if behind is not None:
            return Edit(_line(document, Span(own.start, behind.end())), "")
        before = _COMMA_BEFORE.search(text, max(0, own.start - 200), own.start)
        if before is not None:
            return Edit(Span(before.start(), own.end), "")
        return Edit(_line(document, own), "")


def _line(document: Document, span: Span) -> Span:
    """Return `span` with its lines, where nothing else stands on them."""
    text = document.text
    first, last = document.line_of(span.start), document.line_of(span.end)
    start, end = document.line_span(first).start, document.line_span(last).end
    if text[start : span.start].strip() or text[span.end : end].strip():
        return span
    if last + 1 < document.line_count:
        return Span(start, document.line_starts[last + 1])
    return Span(start, end)


WRITER: Writer = Hosted(EntryWriter())
