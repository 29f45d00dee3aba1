"""Changes settings in Python, in the style of what stands there."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages.entry_moves import moved
from npu_lsp.languages.hosts.writer import Hosted
from npu_lsp.languages.model import Block, Form, Setting, ValueKind
from npu_lsp.languages.python.writer import addition, lines, literals, removal
from npu_lsp.languages.python.writer.siblings import is_sole
from npu_lsp.languages.writers import Added, Edits, Writer
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit

__all__ = ["WRITER", "PythonWriter"]


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
        return addition.add(document, block, after, new)


def _is_shared(document: Document, setting: Setting) -> bool:
    """Return whether something else gets the value, too: a name in the same statement, or what a loop sets besides."""
    if literals.is_shared(setting):
        return True
    return setting.own == setting.statement and not is_sole(document, setting)


WRITER: Writer = Hosted(PythonWriter())
