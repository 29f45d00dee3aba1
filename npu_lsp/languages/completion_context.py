"""What can be completed at a place of a file. Spans are offsets in code points from 0 in the document's text."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.text.spans import Span


class CompletionKind(str, Enum):
    """What can be completed at a place."""

    KEY = "key"
    SLOT = "slot"
    VALUE = "value"
    FLAG = "flag"
    NAME = "name"
    """The optimizer's name."""


class CompletionContext(NamedTuple):
    """What stands at a place while it is being typed; made from the damaged line's own text."""

    wanted: CompletionKind
    surface: Surface
    replace: Span
    """What a completion replaces; it never leaves the cursor's line."""
    typed: str
    """The text of `replace` up to the cursor."""
    option: str | None = None
    """For a slot or a value: whose."""
    slot: str | None = None
    before: str = ""
    """What must come before an inserted value (an opening quote, `tf.compat.as_bytes("`)."""
    after: str = ""
    """What must come after it (a closing quote, `")`, `"].`, `=`)."""
    present: frozenset[str] = frozenset()
    """Names that the block sets already."""
    prefix: str = ""
    """What the names to complete start with, though it isn't typed here: `DumpConfig.` in `DumpConfig(enable|`."""
    module: str = ""
    """What must come before constants that are proposed, as it does before the call's name: `torch_npu.profiler.`."""
    part: str | None = None
    """Values that are keys with values: the key whose value is typed, nothing where a key is; `None`: the whole value is."""
    json: bool = False
    """True: a value is written as JSON has it, wherever that stands."""


class Lack(NamedTuple):
    """What a name lacks that is half typed, so that its reader finds a setting there."""

    signs: str
    """What goes behind it. `q` is the quote that is still open; signs that stand there already aren't put there twice."""
    after: str = ""
    """What a completion of the name adds, where nothing else stands behind it."""
    quoted: bool = False
    """True: the name stands in quotes there, which a completion adds."""
    surface: Surface = Surface.ENV
    """Whose names are typed there."""
