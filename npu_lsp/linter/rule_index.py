"""Which rules are asked about what. Most rules have no word for most options, and asking them would be most of the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.launch.launch import launches
from npu_lsp.linter.other_tools import is_of_other_tool
from npu_lsp.linter.rule import Rule

Check = tuple[Rule, Callable[..., Iterator[Finding]], tuple[object, ...]]
"""A rule, which of its methods is called, and with what."""


class RuleIndex:
    """The rules that run together, by what they look at. It serves files that are checked against one catalog."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self.tried = frozenset(rule.code for rule in self.rules if rule.tried)
        """The codes of those about values that a test may try."""
        self._of_files = [rule for rule in self.rules if rule.checks_files]
        self._of_launches = [rule for rule in self.rules if rule.checks_launches]
        self._of_surfaces: dict[Surface, _OfSurface] = {}

    def checks(self, context: Context) -> Iterator[Check]:
        """Yield what is to be asked about a file: about it as a whole, about each block, setting and launch."""
        faults = {None, *(found.kind for found in context.reading.syntax)}
        for rule in self._of_files:
            if rule.fault in faults:
                yield rule, rule.check_file, (context,)
        for block in context.reading.blocks:
            if is_of_other_tool(block, context):
                continue
            own = self._of_surface(block.surface)
            for rule in own.of_blocks(option for _, option in context.settings(block)):
                yield rule, rule.check_block, (block, context)
            for setting, option in context.settings(block):
                for rule in own.of_option(option)[0]:
                    yield rule, rule.check_setting, (setting, option, block, context)
        for launch in launches(context) if self._of_launches else ():
            if not is_of_other_tool(launch.block, context):
                yield from ((rule, rule.check_launch, (launch, context)) for rule in self._of_launches)

    def _of_surface(self, surface: Surface) -> _OfSurface:
        known = self._of_surfaces.get(surface)
        if known is None:
            rules = [rule for rule in self.rules if rule.surfaces is None or surface in rule.surfaces]
            known = self._of_surfaces[surface] = _OfSurface(rules)
        return known


class _OfSurface:
    """The rules that look at blocks of one surface."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._of_every_block = [rule for rule in rules if rule.checks_blocks and not rule.chooses]
        self._of_some_blocks = [rule for rule in rules if rule.checks_blocks and rule.chooses]
        self._of_settings = [rule for rule in rules if rule.checks_settings]
        self._of_options: dict[int, tuple[list[Rule], list[Rule], Option]] = {}
        """By the identity of an option, which is kept so that it stays one: to hash one takes longer than to ask."""

    def of_option(self, option: Option) -> tuple[list[Rule], list[Rule], Option]:
        """Return the rules that may have a word for a setting of `option`, and those for a block with one."""
        known = self._of_options.get(id(option))
        if known is None:
            of_settings = [rule for rule in self._of_settings if rule.concerns(option)]
            of_blocks = [rule for rule in self._of_some_blocks if rule.concerns(option)]
            known = self._of_options[id(option)] = of_settings, of_blocks, option
        return known

    def of_blocks(self, options: Iterable[Option]) -> Iterable[Rule]:
        """Return the rules that may have a word for a block that sets `options`."""
        return dict.fromkeys(chain(self._of_every_block, *(self.of_option(option)[1] for option in options)))
