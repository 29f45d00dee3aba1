"""Changes inside a host file: made in the inner text by the writer of its language, then moved to the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from npu_lsp.languages import read
from npu_lsp.languages.model import Block, Fact, Setting
from npu_lsp.languages.registry import kinds
from npu_lsp.languages.writers import Added, Edits, Writer
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Edit, Span

if TYPE_CHECKING:
    from npu_lsp.languages.injections import InjectedDocument

_HOSTS = kinds(host=True)
_Change = Callable[[Document, Setting], tuple[Edit, ...]]
Add = Callable[[Document, Block, Fact], tuple[Edit, ...]]
Write = Callable[[Document, Block], tuple[Edit, ...]]


def _inside(name: str) -> Any:
    """Return a writer's method `name` that works in an inner text: the writer of its language makes the edits, which are moved to the file."""

    def method(self: Hosted, document: Document, setting: Setting, *given: Any, **named: Any) -> tuple[Edit, ...]:
        return self._change(document, setting, lambda d, s: getattr(self._writer, name)(d, s, *given, **named))

    return method


class Hosted(Writer):
    """A writer that also works where its language stands inside another file."""

    rename = _inside("rename")
    set_slot = _inside("set_slot")
    set_value = _inside("set_value")
    set_expression = _inside("set_expression")
    set_path = _inside("set_path")
    wrap_bytes = _inside("wrap_bytes")

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def move(self, document: Document, block: Block, setting: Setting, name: str) -> tuple[Edit, ...]:
        """Put an entry into the object that it belongs in."""
        place = _place(document, setting)
        if place is None:
            return () if document.kind in _HOSTS else self._writer.move(document, block, setting, name)
        if place.setting is None:
            return ()
        return place.region.edits(self.move(place.region.document, place.block, place.setting, name))

    def remove(self, document: Document, settings: Sequence[Setting]) -> tuple[Edit, ...]:
        """Take settings out, each where it stands; nothing when one of them can't go."""
        placed = [(setting, _place(document, setting)) for setting in settings]
        own = [setting for setting, place in placed if place is None]
        if own and document.kind in _HOSTS:
            return ()
        made = [self._writer.remove(document, own)] if own else []
        places = [place for _, place in placed if place is not None]
        for region in {id(place.region): place.region for place in places}.values():
            inner = [place.setting for place in places if place.region is region and place.setting is not None]
            made.append(region.edits(self.remove(region.document, inner)))
        return tuple(edit for edits in made for edit in edits) if all(made) else ()

    def add(self, document: Document, block: Block, after: Setting | None, new: Added) -> Edits:
        """Set another option in the block."""
        place = _place(document, after or (block.settings[-1] if block.settings else None), block)
        if place is None:
            return () if document.kind in _HOSTS else self._writer.add(document, block, after, new)
        inner = place.setting if after is not None else None
        return place.region.edits(self.add(place.region.document, place.block, inner, new))

    def _change(self, document: Document, setting: Setting, change: _Change) -> tuple[Edit, ...]:
        place = _place(document, setting)
        if place is None:
            return () if document.kind in _HOSTS else change(document, setting)
        if place.setting is None:
            return ()
        return place.region.edits(self._change(place.region.document, place.setting, change))


def add_to_session(document: Document, block: Block, added: Fact, add: Add) -> tuple[Edit, ...]:
    """Put in what belongs to a session besides its options: what `add` makes where the optimizer is `added`."""
    number = block.facts.index(added)
    return where_it_stands(document, block, lambda inner, same: add(inner, same, same.facts[number]))


def where_it_stands(document: Document, block: Block, write: Write) -> tuple[Edit, ...]:
    """Return what `write` makes of a block, in the text of its own language."""
    place = _place(document, None, block)
    if place is None:
        return () if document.kind in _HOSTS else write(document, block)
    return place.region.edits(where_it_stands(place.region.document, place.block, write))


class _InRegion(NamedTuple):
    """A setting as the inner reader found it."""

    region: InjectedDocument
    block: Block
    setting: Setting | None


class _Index(NamedTuple):
    """What the regions of a host set, by where it stands in the host."""

    settings: dict[tuple[Span, Span], _InRegion]
    """By the places of the key and of what goes when the setting does."""
    blocks: dict[Span, _InRegion]
    """By the place of the head."""


def _place(document: Document, setting: Setting | None, block: Block | None = None) -> _InRegion | None:
    """Return where `setting` of a host stands in its region; without one, where `block` does."""
    index = _index(document)
    if setting is not None:
        return index.settings.get((setting.key, setting.own))
    return index.blocks.get(block.head) if block is not None else None


@Memoized
def _index(document: Document) -> _Index:
    from npu_lsp.languages.injections import regions

    index = _Index({}, {})
    read(document)
    for region in regions(document):
        outer = region.span
        for block in read(region.document).blocks:
            index.blocks.setdefault(outer(block.head), _InRegion(region, block, None))
            for setting in block.settings:
                place = _InRegion(region, block, setting)
                index.settings.setdefault((outer(setting.key), outer(setting.own)), place)
    return index
