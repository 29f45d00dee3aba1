"""Writers: how a setting is changed in a syntax. The mirror of the readers: a writer knows no options.

Each function returns edits against the document that the setting was read from and leaves the formatting
around them alone. An empty tuple means that the change can't be made for sure in that place.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, cast

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages.model import Block, Form, Setting
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit

Edits = tuple[Edit, ...]


class Added(NamedTuple):
    """An option that is set beside others."""

    name: str
    value: Scalar
    slot: str | None = None
    """The field of its entry; `parameter_map` only."""


class Writer:
    """What a syntax can do; what it has no form for changes nothing."""

    def rename(self, document: Document, setting: Setting, name: str) -> Edits:
        """Give the setting another key; quotes and dashes stay as they are."""
        return ()

    def set_slot(self, document: Document, setting: Setting, slot: str) -> Edits:
        """Assign another field of the entry; `parameter_map` only."""
        return ()

    def set_value(self, document: Document, setting: Setting, value: Scalar, *, slot: str | None = None) -> Edits:
        """Put a literal in the place of the value, in the style of what stands there.

        `slot` tells how a `parameter_map` value must be written (bytes for `s`). A value that comes from a name is
        changed where the setting stands, not where the name gets its value.
        """
        return ()

    def set_expression(self, document: Document, setting: Setting, expression: str) -> Edits:
        """Put source text in the place of the value, quoted as the syntax needs it."""
        return ()

    def set_path(
        self, document: Document, setting: Setting, path: str, *, base: str = "", slot: str | None = None
    ) -> Edits:
        """Point the setting to a file, with the import that this needs.

        `base` is empty for `path` as it is, `script` for a file beside the script whatever the working folder, or the
        name of the environment variable that holds the folder above `path`.
        """
        return ()

    def move(self, document: Document, block: Block, setting: Setting, name: str) -> Edits:
        """Move an entry to the object that a dotted name says, under the name behind its last dot."""
        return ()

    def wrap_bytes(self, document: Document, setting: Setting) -> Edits:
        """Turn a `str` value into bytes, in the style of the file (`tf.compat.as_bytes(...)` or `b"..."`)."""
        return ()

    def remove(self, document: Document, settings: Sequence[Setting]) -> Edits:
        """Take settings out with all that belongs to them: lines, continuations, commas; a suite never gets empty."""
        return ()

    def add(self, document: Document, block: Block, after: Setting | None, new: Added) -> Edits:
        """Set another option in the block, below `after` (or below its last setting), written as its neighbours are."""
        return ()


_WRITERS = {
    Form.PARAMETER_MAP: "npu_lsp.languages.python.writer",
    Form.KEYWORD: "npu_lsp.languages.python.writer",
    Form.ITEM: "npu_lsp.languages.python.writer",
    Form.ATTRIBUTE: "npu_lsp.languages.python.writer",
    Form.SUBSCRIPT: "npu_lsp.languages.python.writer",
    Form.FLAG: "npu_lsp.languages.shell.writer",
    Form.ASSIGNMENT: "npu_lsp.languages.shell.writer",
    Form.ENTRY: "npu_lsp.languages.config_formats.writer",
}


def writer_for(setting: Setting) -> Writer:
    """Return what can change `setting`: the module for its form, imported when it is first needed."""
    return cast(Writer, import_module(_WRITERS[setting.form]).WRITER)
