"""The environment variables in force where a command starts, as far as the settings of the file tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from npu_lsp.languages.branches import Branch, Branching, dominates, exclusive, reaches
from npu_lsp.languages.model import Block, Fact, FactKind, Setting
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

_AROUND = frozenset({Kind.SHELL, Kind.PYTHON, Kind.DOCKERFILE, Kind.MAKEFILE, Kind.NOTEBOOK})
"""Files of which a text inside gets what is set around it. A page, and a file of several jobs, shows many environments."""


class Environment:
    """The variables that one command gets. Made for a launch; it looks a variable up when it is asked for."""

    def __init__(self, block: Block, branch: Branch, context: Context) -> None:
        self._block = block
        self._branch = branch
        self._context = context

    def value(self, name: str) -> Setting | None:
        """Return the setting that gives the variable its value; `None` where nothing in the file does, or nobody knows which one."""
        if len(_settings(self._context).get(name, ())) > MOST_OF_ONE:
            return None
        own = [setting for setting in self._given(name) if setting.value.known]
        if own:
            return own[-1] if len({str(setting.value.data) for setting in own}) == 1 else None
        found = self._in_force(name)
        if not found and not self.is_set(name):
            return self._from_files.get(name)
        values = {str(setting.value.data) if setting.value.known else None for setting in found}
        return found[-1] if len(values) == 1 and None not in values else None

    def is_set(self, name: str) -> bool:
        """Return whether anything in the file may set the variable, whatever to."""
        return bool(_settings(self._context).get(name))

    @cached_property
    def _from_files(self) -> Mapping[str, Setting]:
        """What files set that are named for the command, each at the place where its file is named."""
        from npu_lsp.linter.launch.named_files import from_files

        return from_files(self._block, self._context)

    def _given(self, name: str) -> Iterator[Setting]:
        """Yield what the command line itself gives: `X=v command`, `docker run -e X=v image command`."""
        mine = self._block.command
        for block, setting in _settings(self._context).get(name, ()) if mine is not None else ():
            around = block.command
            if (
                around is not None
                and mine is not None
                and mine.within(around)
                and dominates(setting.branch, self._branch)
            ):
                yield setting

    def _in_force(self, name: str) -> list[Setting]:
        """Return the settings of which one gives the value: the last that surely ran, and those that may have run behind it."""
        found: list[Setting] = []
        start = self._block.head.start
        anywhere = any(arm.kind in (Branching.LOOP, Branching.FUNCTION) for arm in self._branch)
        for block, setting in _settings(self._context).get(name, ()):
            if not self._shares(block, setting) or exclusive(setting.branch, self._branch):
                continue
            if not reaches(setting.branch, self._branch):
                continue
            above = setting.key.start < start
            if not above and not anywhere:
                continue
            if any(self._ends(fact, name, setting) for fact in block.facts):
                continue
            if above and dominates(setting.branch, self._branch):
                found.clear()
            found.append(setting)
        sure = any(dominates(each.branch, self._branch) and each.key.start < start for each in found)
        return found if sure else []

    def _ends(self, fact: Fact, name: str, setting: Setting) -> bool:
        """Return whether the variable is taken out between `setting` and the command."""
        return (
            fact.kind is FactKind.UNSET
            and fact.value is not None
            and fact.value.data == name
            and setting.key.start < fact.span.start < self._block.head.start
        )

    def _shares(self, block: Block, setting: Setting) -> bool:
        """Return whether variables of `block` reach the command: both stand in one script, or the script of the command stands inside the other."""
        if block.command is not None:
            return False
        mine, its, document = self._block.text, block.text, self._context.document
        if document.kind is Kind.YAML and not its:
            from npu_lsp.languages.hosts.yaml_scopes import is_environment_of

            return is_environment_of(document, setting.key.start, self._block.head.start)
        return mine == its or (document.kind in _AROUND and mine[: len(its)] == its)


@Memoized
def _settings(context: Context) -> Mapping[str, list[tuple[Block, Setting]]]:
    """Return the settings of environment variables with their blocks, by name, in the order of the text."""
    found: dict[str, list[tuple[Block, Setting]]] = {}
    for block in context.parsed.blocks:
        for setting in block.settings if block.surface.row.environment else ():
            found.setdefault(setting.name, []).append((block, setting))
    return {name: sorted(each, key=lambda pair: pair[1].key) for name, each in found.items()}
