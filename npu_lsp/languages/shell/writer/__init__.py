"""Writes flags and variables in shell scripts; where a command stands in a string of Python, only what is safe there."""

from __future__ import annotations

from collections.abc import Sequence

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages.hosts.writer import Hosted
from npu_lsp.languages.model import Block, Form, Setting
from npu_lsp.languages.shell.writer.addition import addition, like
from npu_lsp.languages.shell.writer.quoting import expression as as_expression
from npu_lsp.languages.shell.writer.quoting import inside, is_half_quoted, quoting_of, scalar, written
from npu_lsp.languages.shell.writer.removal import removal
from npu_lsp.languages.writers import Added, Edits, Writer
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Edit, Span

_KEY = re.compile(r"[\w.-]+")


_BESIDE = '$(dirname "$0")'
_GOES_HOME = re.compile(r"^[ \t]*cd[ \t][^\n]*(?:dirname|BASH_SOURCE|%/\*)", re.MULTILINE)


def _folder_of(document: Document, setting: Setting, base: str) -> str:
    """Return source text for the folder `base`, or nothing where a plain path does.

    `script` is the script's own folder. A script that first goes there itself needs no folder, and neither does one that
    has none: a command in a manual, a step of a pipeline.
    """
    if base != "script":
        return f"${{{base}}}" if base else ""
    if document.kind is not Kind.SHELL or not document.path:
        return ""
    return "" if _home(document) <= setting.statement.start else _BESIDE


@Memoized
def _home(document: Document) -> int:
    """Return where a script has gone to its own folder; every command of it asks."""
    found = _GOES_HOME.search(document.text)
    return found.end() if found is not None else len(document.text) + 1


class ShellWriter(Writer):
    """See `npu_lsp.languages.writers.Writer`."""

    def rename(self, document: Document, setting: Setting, name: str) -> tuple[Edit, ...]:
        """Give the setting another key, with as many dashes, and dashes inside it where they were."""
        key = document.text[setting.key.start : setting.key.end]
        if _KEY.fullmatch(key) is None:
            return ()
        new = like(document.text, setting, name) if setting.form is Form.FLAG else name
        return (Edit(setting.key, new),)

    def set_value(self, document: Document, setting: Setting, value: Scalar, *, slot: str | None = None) -> Edits:
        """Write another value; quotes that are there stay, others come where they must."""
        text = scalar(value)
        quoting = quoting_of(document, setting)
        content = setting.value.content
        span = setting.value.span
        if content is not None and content != span and not quoting.strict:
            quote = document.text[content.start - 1]
            said = inside(text, quote) if quote in "\"'" else None
            if said is not None:
                return (Edit(content, said),)
        return _put(
            document, setting, content if quoting.strict and content is not None else span, written(text, quoting)
        )

    def set_expression(self, document: Document, setting: Setting, expression: str) -> tuple[Edit, ...]:
        """Write source text with variables in it, in double quotes, so that they are expanded and nothing is split."""
        quoting = quoting_of(document, setting)
        return _put(document, setting, setting.value.span, as_expression(expression, quoting))

    def set_path(
        self, document: Document, setting: Setting, path: str, *, base: str = "", slot: str | None = None
    ) -> tuple[Edit, ...]:
        """Point the setting to a file."""
        folder = _folder_of(document, setting, base)
        if not folder:
            return self.set_value(document, setting, path)
        return self.set_expression(document, setting, f"{folder}/{path}")

    def remove(self, document: Document, settings: Sequence[Setting]) -> tuple[Edit, ...]:
        """Take settings out with their lines and their backslashes."""
        return removal(document, settings)

    def add(self, document: Document, block: Block, after: Setting | None, new: Added) -> Edits:
        """Set another option: a flag on a line of its own where the others have one, or a variable below another."""
        return addition(document, block, after, new.name, new.value)


def _put(document: Document, setting: Setting, span: Span, said: str | None) -> tuple[Edit, ...]:
    if said is None or is_half_quoted(document.text, span):
        return ()
    if setting.form is Form.FLAG and not setting.separator:
        said = f"={said}"
    return (Edit(span, said),)


WRITER: Writer = Hosted(ShellWriter())
