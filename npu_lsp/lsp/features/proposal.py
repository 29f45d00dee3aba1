"""One thing that can be typed, and how far up it is listed."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, NamedTuple

from lsprotocol.types import CompletionItemKind

from npu_lsp.catalog.model import Option, Scalar


class Rank(IntEnum):
    """In which order proposals are listed."""

    RIGHT = 0
    NEEDED = 1
    """What a command doesn't run without, unless another option says so."""
    NORMAL = 2
    PRESENT = 3
    """Set already in the same block."""
    UNFIT = 4
    """Not for the target that the code must run on, or the wrong slot."""
    DEPRECATED = 5


class Proposal(NamedTuple):
    """One thing that can be typed."""

    label: str
    name: str
    """What it is compared with: a flag without dashes."""
    text: str
    """What is inserted, without what the place asks for around it."""
    kind: CompletionItemKind
    rank: Rank = Rank.NORMAL
    detail: str = ""
    beside: str = ""
    """Shown beside the label where the client can."""
    option: Option | None = None
    value: Scalar = None
    is_value: bool = False
    struck: bool = False
    alone: bool = False
    """Nothing comes after it: a flag without a value, a group of options with its dot."""
    snippet: str = ""
    """What is inserted where the client takes snippets, `$0` where the cursor goes."""
    leads_on: bool = False
    """What comes next can be listed, too: the slot of a key, the values of a flag."""
    frame: Literal["place", "module", "none"] = "place"
    """What it stands in: the quotes or the call that the place asks for; as a constant of a class, the module of the call;
    as a number, nothing."""
