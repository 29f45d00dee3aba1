"""What a block says about the options that one of its settings depends on, branch by branch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from npu_lsp.catalog.model import Condition, Option, Relation, Scalar
from npu_lsp.catalog.products import products
from npu_lsp.languages.branches import dominates, exclusive
from npu_lsp.languages.model import Block, Setting, ValueKind
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.relations import among, is_set, off_by_default, outside, says_off
from npu_lsp.linter.values import refused, same, text_of
from npu_lsp.text.memo import MemoTable

Pair = tuple[Setting, Option]

_NO_TEXTS = frozenset({ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL, ValueKind.NONE})
_SOURCES = frozenset({"model", "om", "singleop", "model_path"})
"""Flags of ATC and AOE that name what is read: a command has one of them."""
_PURPOSES = frozenset({"soc_version", "job_type", "mode"})
"""Flags that say what for; a command has one of these, too."""
_MOST_UNKNOWN = 20
"""Names that the catalog doesn't have, of which one may be a mistyped one that is asked for."""
_BY_BLOCK: MemoTable[Context, int, Companions] = MemoTable()


class Companions:
    """The settings of a block, looked at from one of them. Made once for a block, it serves all its settings."""

    def __init__(self, block: Block, context: Context) -> None:
        self.block = block
        self.context = context
        self.pairs: list[Pair] = [pair for pair in context.settings(block) if is_set(*pair)]
        self._by_name: dict[str, list[Pair]] = {}
        self._by_grammar: dict[str | None, list[Pair]] = {}
        self._all_known = True
        for pair in self.pairs:
            of_option = self._by_name.setdefault(pair[1].name, [])
            if len(of_option) < MOST_OF_ONE:
                of_option.append(pair)
                self._by_grammar.setdefault(pair[1].grammar, []).append(pair)
            else:
                self._all_known = False
        unknown = (setting.name for setting in block.settings if context.option(setting) is None)
        self._unknown = tuple(islice(dict.fromkeys(unknown), _MOST_UNKNOWN))

    @classmethod
    def of_block(cls, block: Block, context: Context) -> Companions:
        """Return the companions of a block, the same ones for all rules that look at it."""
        by_block = _BY_BLOCK.of(context)
        known = by_block.get(block.id)
        if known is None:
            known = by_block[block.id] = cls(block, context)
        return known

    def of(self, setting: Setting | None, name: str) -> list[Pair]:
        """Return the settings of the option called `name` that may run together with `setting`."""
        return [
            (other, option)
            for other, option in self._by_name.get(name, ())
            if other is not setting and not (setting and exclusive(setting.branch, other.branch))
        ]

    def written_as(self, *grammars: str) -> list[Pair]:
        """Return the settings of options whose values have one of these forms."""
        return [pair for grammar in grammars for pair in self._by_grammar.get(grammar, ())]

    def shows_all(self, name: str) -> bool:
        """Return whether nothing sets the option called `name` but what can be seen.

        No fix that writes this name is safe elsewhere: an argument that is there twice stops the call, and of a key or a flag
        that is there twice one takes the place of the other.
        """
        if self.block.open or self.context.parsed.damaged or not self._all_known:
            return False
        if self.block.surface.row.environment:
            return False  # A variable may come from whoever starts the script.
        # Or it is there, mistyped: that is told.
        return all(self.context.catalog.near(self.block.surface, each) != name for each in self._unknown)

    def complete(self, setting: Setting | None, name: str) -> bool:
        """Return whether what the block doesn't set under `name` is set nowhere."""
        if not self.shows_all(name) or (setting is not None and self._is_excerpt()):
            return False
        return self.block.surface.row.nested != "calls" or self._in_sight(setting, name)

    def holds(self, setting: Setting | None, relation: Relation) -> Setting | None:
        """Return a setting of the other option that makes `relation` hold whenever `setting` runs.

        Where the other one is set several times, to values of which one doesn't, nobody knows.
        """
        found: Setting | None = None
        for other, option in self.of(setting, relation.other):
            if setting is not None and not dominates(other.branch, setting.branch):
                continue
            if not among(other.value, relation.other_values) or not outside(other.value, relation.other_not, option):
                return None
            found = found or other
        return found

    def fulfils(self, setting: Setting | None, condition: Condition) -> bool | None:
        """Return whether a condition holds where `setting` runs; `None` where that can't be known."""
        answers = [self._is(setting, name, values) for name, values in condition.when]
        if False in answers:
            return False
        return None if None in answers else True

    def default(self, name: str) -> tuple[Scalar, ...]:
        """Return what the option called `name` may be where it isn't set."""
        option = self.context.lookup(self.block.surface, name)
        return tuple(default.value for default in option.defaults) if option is not None else ()

    def says_nothing(self, setting: Setting, option: Option) -> bool:
        """Return whether a setting only spells out what holds without it, so that nobody misses its effect."""
        return bool(option.defaults) and all(same(setting.value, default.value) for default in option.defaults)

    def unread(self, setting: Setting, option: Option, *, partly: bool = False) -> bool:
        """Return whether the tool doesn't look at the setting, since what it needs is switched off.

        `partly`: or looks at a part of it only.
        """
        return not option.surface.row.complains and any(
            relation.kind == "requires"
            and (relation.extent == "total" or partly)
            and not relation.rejected
            and relation.other_surface is None
            and not relation.values
            and self.is_off(setting, relation)
            for relation in option.relations
        )

    def within_ignored(self, setting: Setting) -> bool:
        """Return whether a setting is a key of one that the tool passes over as a whole, whatever stands in it."""
        parts = setting.name.split(".")
        return any(
            self.ignoring(*outer) is not None
            for end in range(1, len(parts))
            for outer in self.of(setting, ".".join(parts[:end]))
        )

    def ignoring(self, setting: Setting, option: Option) -> tuple[Relation, Setting] | None:
        """Return the relation, and the setting of its other option, by which the tool passes over `setting` wherever it runs."""
        for relation in option.total("ignored_when"):
            other = self.holds(setting, relation) if among(setting.value, relation.values) else None
            if other is not None and not self.is_void(other):
                return relation, other
        return None

    def is_off(self, setting: Setting, relation: Relation) -> bool:
        """Return whether every setting of the other option says "off", or none is there and that is its default."""
        others = self.of(setting, relation.other)
        if others:
            return all(other.value.known and says_off(other.value.data, option, relation) for other, option in others)
        needed = self.context.lookup(self.block.surface, relation.other)
        return needed is not None and off_by_default(needed, relation) and self.complete(setting, relation.other)

    def is_void(self, setting: Setting) -> bool:
        """Return whether a setting certainly does nothing: its conditions don't hold, or its list isn't one of texts."""
        option = self.context.option(setting)
        if option is None:
            return False
        value = setting.value
        wrong = option.type == "list" and (
            (value.known and value.kind is not ValueKind.LIST) or any(item.kind in _NO_TEXTS for item in value.items)
        )
        conditions = option.only_when
        return wrong or (bool(conditions) and all(self.fulfils(setting, each) is False for each in conditions))

    def must_be_set(self, name: str) -> bool:
        """Return whether the tool stops without the option, whatever needs it: NPU208 tells that it is missing."""
        option = self.context.lookup(self.block.surface, name)
        return option is not None and any(self.fulfils(None, condition) for condition in option.required)

    def products(self) -> tuple[str, ...]:
        """Return the product families that the block is for: those of a chip that it names, else the target's."""
        known = products(self.context.catalog)
        chips = [text_of(other.value) for other, option in self.pairs if option.name == "soc_version"]
        families = {known.of_soc(chip) for chip in chips if chip}
        if chips:
            return tuple(sorted(family for family in families if family)) if None not in families else ()
        return self.context.products

    def _is(self, setting: Setting | None, name: str, values: Sequence[Scalar]) -> bool | None:
        others = self.of(setting, name)
        always = any(setting is None or dominates(other.branch, setting.branch) for other, _ in others)
        answers: set[bool | None] = set()
        for other, _ in others:
            answers.add(True if not values else self._value_is(other, name, values))
        if not always:
            answers |= set(self._unset(setting, name, values))
        return answers.pop() if len(answers) == 1 else None

    def _unset(self, setting: Setting | None, name: str, values: Sequence[Scalar]) -> Iterator[bool | None]:
        """Yield what may be the answer where the option isn't set here."""
        if not self.complete(setting, name):
            yield None
        elif not values:
            yield False
        else:
            defaults = self.default(name)
            yield from (default in values for default in defaults)
            if not defaults:
                yield None if self._is_required(name) else False

    def _is_required(self, name: str) -> bool:
        """Return whether the tool can't do without the option: that it is missing is told, and nothing follows from it."""
        option = self.context.lookup(self.block.surface, name)
        return option is not None and bool(option.required)

    def _value_is(self, other: Setting, name: str, values: Sequence[Scalar]) -> bool | None:
        """Return whether a value is one of `values`; what the tool doesn't take may have been meant as any of them."""
        if not other.value.known:
            return None
        if among(other.value, values):
            return True
        option = self.context.lookup(self.block.surface, name)
        return None if option is not None and refused(option, other.value) else False

    def _is_excerpt(self) -> bool:
        """Return whether a page shows an option alone, or a part of a command: what goes with it is left out there."""
        if self.context.document.kind not in PAGES:
            return False
        if self.block.surface.row.commands:
            return not self._by_name.keys() & _SOURCES or not self._by_name.keys() & _PURPOSES
        return len(self.block.settings) < 2

    def _in_sight(self, setting: Setting | None, name: str) -> bool:
        """Return whether a keyword would stand in the call: that of a nested object stands in its own."""
        head = self.context.text(self.block.head)
        group = name.rpartition(".")[0]
        own = setting.name.rpartition(".")[0] if setting is not None else None
        return group == own or (not group and head == self.block.surface.row.tool)
