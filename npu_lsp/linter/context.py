"""What a rule may ask about the file that it looks at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.target import Target, Version
from npu_lsp.catalog.toolkit import Toolkit
from npu_lsp.languages.model import Block, Fact, FactKind, ParseResult, Setting, SyntaxFault
from npu_lsp.text.bilingual import Language
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memos
from npu_lsp.text.spans import IntervalIndex, Span

MOST_OF_ONE = 50
"""Settings of one option in a block that others are compared with: one that has more of them was made to be slow."""


def is_assumed(fact: str | None, component: str, target: Target, versions: Mapping[str, Any]) -> bool:
    """Return whether what holds since version `fact` may not hold on `target`: nobody names a version, or no release of a line.

    `versions` are the tables of `versions.toml`, which say what is still supported. What no page dates holds everywhere.
    """
    if fact is None:
        return False
    version = target.version(component)
    if version is not None:
        return any(version.may_lack(Version.parse(each)) for each in fact.split(", "))
    if target.knows(component):
        return not target.is_sure(fact, component)
    oldest = oldest_supported(component, versions)
    return oldest is None or not Target.parse({component: oldest}).at_least(fact, component)


def oldest_supported(component: str, versions: Mapping[str, Any]) -> str | None:
    """Return the oldest release of a component that its makers still support; `None` where no page says."""
    lines = versions.get(component, {}).values()
    return next((facts["supported"]["from"] for facts in lines if "supported" in facts), None)


class Context:
    """One file, what was read in it, and what it is checked against."""

    def __init__(
        self,
        *,
        document: Document,
        parsed: ParseResult,
        catalog: Catalog,
        target: Callable[[], Target],
        products: Sequence[str] = (),
        language: Language = "en",
        known: tuple[str, ...] = (),
        toolkit: Toolkit | None = None,
        root: Path | None = None,
        own_rules: tuple[str, ...] = (),
    ) -> None:
        self.document = document
        self.parsed = parsed
        self.catalog = catalog
        self._target_of = target
        self.products = tuple(products)
        """The products that the code must run on, by id; none: any."""
        self.language: Language = language
        self.known = known
        """Names, or globs of names, that the configuration adds to every surface."""
        self.root = root
        """The folder of the configuration, where there is one."""
        self.own_rules = own_rules
        """The names of the rules that the configuration adds."""
        self.toolkit = toolkit
        """A CANN installation on this machine, where there is one."""
        self.memos = Memos()
        """What rules make of the file and its blocks, and keep for each other."""
        self._settings: dict[int, tuple[Block, Sequence[tuple[Setting, Option]]]] = {}
        """By the identity of a block, which is kept so that it stays one: every rule asks."""
        self._by_name: dict[int, tuple[Block, Mapping[str, Sequence[Setting]]]] = {}

    @cached_property
    def target(self) -> Target:
        """What the file must run on: found out when it is first asked for, since files around it have a word in it."""
        return self._target_of()

    def option(self, setting: Setting) -> Option | None:
        """Return the option that `setting` sets, resolving an abbreviated flag as getopt does."""
        return self.lookup(setting.surface, setting.name)

    def lookup(self, surface: Surface, name: str) -> Option | None:
        """Return the option of that name on `surface`, as the target has it; a unique prefix of a flag is enough."""
        option = self.catalog.option(surface, name)
        if option is None:
            longer = self.longer(surface, name)
            if len(longer) == 1:
                option = self.catalog.option(surface, longer[0])
        if option is not None and option.refuses is not None and option.type != "dict":
            unchecked = self.target.at_least(option.refuses, option.component) is False
            return option._replace(enforced=False, exact_type=False) if unchecked else option
        return option

    def longer(self, surface: Surface, name: str) -> list[str]:
        """Return the options that a flag is short for; more than one, and the tool doesn't take it."""
        if not surface.row.shortens or not name:
            return []
        return self.catalog.beginning(surface, name)

    def is_assumed(self, fact: str | None, component: str) -> bool:
        """Return whether version `fact` of a component is there only because nobody says which one runs."""
        return is_assumed(fact, component, self.target, self.catalog.plain("versions"))

    def settings(self, block: Block) -> Sequence[tuple[Setting, Option]]:
        """Return the block's settings of options that the catalog knows."""
        known = self._settings.get(id(block))
        if known is None:
            both = ((setting, self.option(setting)) for setting in block.settings)
            known = self._settings[id(block)] = block, tuple((s, option) for s, option in both if option is not None)
        return known[1]

    def by_name(self, block: Block) -> Mapping[str, Sequence[Setting]]:
        """Return the block's settings by their names, those that the catalog doesn't know included."""
        known = self._by_name.get(id(block))
        if known is None:
            found: dict[str, list[Setting]] = {}
            for setting in block.settings:
                found.setdefault(setting.name, []).append(setting)
            known = self._by_name[id(block)] = block, found
        return known[1]

    @cached_property
    def surfaces(self) -> frozenset[Surface]:
        """What the file sets something of."""
        return frozenset(block.surface for block in self.parsed.blocks)

    @cached_property
    def names(self) -> frozenset[str]:
        """What the file sets under whatever surface."""
        return frozenset(setting.name for setting in self.parsed.settings)

    def named(self, surface: Surface, name: str) -> Sequence[Setting]:
        """Return the settings of a name on a surface, in all blocks of the file."""
        return self._named.get((surface, name), ())

    @cached_property
    def _named(self) -> Mapping[tuple[Surface, str], Sequence[Setting]]:
        found: dict[tuple[Surface, str], list[Setting]] = {}
        for setting in self.parsed.settings:
            found.setdefault((setting.surface, setting.name), []).append(setting)
        return found

    def shared(self, setting: Setting) -> bool:
        """Return whether others get `setting` too: a command's variable that others name, a dict that others spread."""
        return self._owners[setting.own] > 1

    @cached_property
    def _owners(self) -> Counter[Span]:
        """Count the blocks that get a setting, by its place."""
        return Counter(chain.from_iterable({s.own for s in b.settings} for b in self.parsed.blocks))

    def goes_elsewhere(self, span: Span) -> bool:
        """Return whether others than the commands of one tool get a text: a change that is right for that may be wrong for them."""
        return self._elsewhere.touches(span)

    @cached_property
    def _elsewhere(self) -> IntervalIndex:
        surfaces: dict[Span, Surface] = {}
        both = (
            s.own
            for b in self.parsed.blocks
            for s in b.settings
            if surfaces.setdefault(s.own, b.surface) is not b.surface
        )
        return IntervalIndex([*both, *(fact.span for fact in self.facts.get(FactKind.SHARED_TEXT, ()))])

    def is_first(self, setting: Setting) -> bool:
        """Return whether no setting of the same name stands before `setting` in the file."""
        return self._firsts[setting.surface, setting.name] == setting.key

    @cached_property
    def _firsts(self) -> dict[tuple[Surface, str], Span]:
        """Return where each name is set first."""
        return {each: min(setting.key for setting in settings) for each, settings in self._named.items()}

    @cached_property
    def facts(self) -> Mapping[FactKind, Sequence[Fact]]:
        """What is known of the whole file, by what it says: a file may have as many facts as blocks that ask for them."""
        found: dict[FactKind, list[Fact]] = {}
        for fact in self.parsed.facts:
            found.setdefault(fact.kind, []).append(fact)
        return found

    def has_slip(self, span: Span) -> bool:
        """Return whether a slip in the syntax stands in `span`, so that what is wrong there is told already."""
        return self._syntax.touches(span)

    @cached_property
    def _syntax(self) -> IntervalIndex:
        # Line ends are those of the whole script: they are shown at its first line, and say nothing about what it sets.
        return IntervalIndex(one.span for one in self.parsed.syntax if one.kind is not SyntaxFault.CRLF)

    def text(self, span: Span) -> str:
        """Return the document's text at `span`."""
        return self.document.text[span.start : span.end]
