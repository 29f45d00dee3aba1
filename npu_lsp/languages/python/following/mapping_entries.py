"""What is known of a dict: its entries, each with the places of its name and of its value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import libcst as cst

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Form, Setting, Value
from npu_lsp.languages.python.place import Place
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text.spans import Span


class DictEntry(NamedTuple):
    """A name and what a dict holds under it."""

    name: str
    key_node: cst.BaseExpression
    key: Span
    node: cst.BaseExpression
    """The value."""
    place: Place
    value: Value
    form: Form
    statement: Span
    own: Span
    key_place: Place | None = None
    """Where the name is written, if not in the place of the value."""

    def setting(self, surface: Surface, name: str | None = None) -> Setting:
        """Return what the entry sets, under the whole of its `name` where it is in a group."""
        return Setting(
            surface,
            name or self.name,
            self.key,
            self.value,
            self.form,
            self.statement,
            self.own,
            branch=self.place.branch,
        )


@dataclass(slots=True)
class Entries:
    """What is known of a dict."""

    found: list[DictEntry] = field(default_factory=list)
    complete: bool = True
    """False: there may be more in it."""


EntriesOf = Callable[[SourceView, cst.BaseExpression, Place, Span], Entries]
