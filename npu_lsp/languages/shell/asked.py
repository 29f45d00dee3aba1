"""What a command asks about the script around it: asked again of the next version, the answers may be others."""

from __future__ import annotations

from collections.abc import Callable

from npu_lsp.languages.model import Branch
from npu_lsp.languages.shell.known import Carried, Known, Scope
from npu_lsp.languages.shell.scope import Variables
from npu_lsp.languages.shell.variables import is_variable
from npu_lsp.languages.shift import Shift


class Asked:
    """The questions of one command, and what it was told."""

    __slots__ = ("at", "branch", "carrying", "known", "more", "programs", "variables")

    def __init__(self, variables: Variables, at: int, branch: Branch) -> None:
        self.variables = variables
        self.at = at
        self.branch = branch
        self.known: dict[str, Known | None] = {}
        self.programs: dict[str, str | None] = {}
        self.carrying: set[str] = set()
        """Variables that were asked for the words that they carry, and carry none."""
        self.more = False
        """True: it has been told more than is kept here."""

    def scope(self, runs: Callable[[str], bool]) -> Scope:
        """Return what a command is read with."""

        def asked_runs(name: str) -> bool:
            self.more = True
            return runs(name)

        return Scope(
            lookup=self._lookup,
            program=self._program,
            carried=self._carried,
            is_variable=is_variable,
            branch=self.branch,
            runs=asked_runs,
        )

    def _lookup(self, name: str) -> Known | None:
        known = self.known[name] = self.variables.literal(name, self.at, self.branch)
        return known

    def _program(self, name: str) -> str | None:
        program = self.programs[name] = self.variables.program(name)
        return program

    def _carried(self, name: str) -> Carried | None:
        carried = self.variables.carried(name, self.at, self.branch)
        if carried is None:
            self.carrying.add(name)
        else:
            # Its words stand elsewhere.
            self.more = True
        return carried

    def again(self, variables: Variables, shift: Shift, branch: Branch) -> Asked | None:
        """Ask the same of another version; return what is told, or `None` where that is something else."""
        asked = Asked(variables, shift.offset(self.at), branch)
        for name, known in self.known.items():
            if asked._lookup(name) != (known and known._replace(origin=shift.maybe(known.origin))):
                return None
        if any(asked._program(name) != program for name, program in self.programs.items()):
            return None
        return None if any(asked._carried(name) is not None for name in self.carrying) else asked
