"""Which calls start a process, and where in the call its command stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.modules import local_names
from npu_lsp.languages.python.tree.constants import text_of
from npu_lsp.languages.python.tree.nodes import is_single, keyword, path, positional
from npu_lsp.languages.python.view import SourceView

WORDS = (
    *("os.system", "popen", "subprocess", "Popen", "check_call", "check_output", "getoutput", "getstatusoutput"),
    *("os.exec", "os.spawn", "get_ipython"),
)
"""What a line holds that starts a process."""

_MODULES = frozenset({"subprocess", "sp", "commands"})
_FUNCTIONS = frozenset(
    {"run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput", "create_subprocess_shell"}
)
_IMPORTED_FROM: Mapping[str, frozenset[str]] = {
    "subprocess": _FUNCTIONS,
    "os": frozenset({"system", "popen"}),
}
_SHELLS = frozenset({"os.system", "os.popen", "popen", "os.popen2", "os.popen3", "os.popen4"})
_ARGUMENTS = ("args", "command", "cmd")
# As in the documentation of `os`: v takes a list, l takes words, p looks in PATH, e takes an environment.
_REPLACING = frozenset(f"os.exec{how}" for how in ("v", "ve", "vp", "vpe", "l", "le", "lp", "lpe"))
_SPAWNING = frozenset(f"os.spawn{how}" for how in ("v", "ve", "vp", "vpe", "l", "le", "lp", "lpe"))
_IPYTHON = "get_ipython()"
_IPYTHON_TEXT = frozenset({"system", "getoutput"})
_IPYTHON_MAGICS = {
    "run_line_magic": (frozenset({"sx", "system"}), 1),
    "run_cell_magic": (frozenset({"bash", "sh", "sx", "system"}), 2),
}
"""Magics whose argument is for a shell, and where it stands in the call."""
_IPYTHON_SETS = frozenset({"env", "set_env"})


class StartedCommand(NamedTuple):
    """A command as one expression: a text, or a list that starts with the program."""

    command: cst.BaseExpression
    prefix: str = ""
    """What makes a command of the text."""

    def nodes(self) -> tuple[cst.CSTNode, ...]:
        """Return all that is given."""
        return (self.command,)


class StartedProgram(NamedTuple):
    """A program and its words."""

    program: cst.BaseExpression
    words: tuple[cst.Arg, ...] | cst.BaseExpression
    """Each by itself, or one list of them, whose first one is a name that nobody looks at."""

    def nodes(self) -> tuple[cst.CSTNode, ...]:
        """Return all that is given."""
        return (self.program, *(self.words if isinstance(self.words, tuple) else (self.words,)))


Started = StartedCommand | StartedProgram


class Starts:
    """Knows what a file calls the functions that start a process."""

    def __init__(self, view: SourceView) -> None:
        self.imported: set[str] = set()
        """Names of functions and modules that the file imports."""
        self._modules = set(_MODULES)
        for name, full in local_names(view, "subprocess", "os import").items():
            module, _, function = full.rpartition(".")
            if function in _IMPORTED_FROM.get(module, ()):
                self.imported.add(name)
            elif full == "subprocess":
                self._modules.add(name)
        self._words = self._modules - _MODULES
        self.imported |= self._words

    def of(self, call: cst.Call) -> Started | None:
        """Return what a call starts, or `None` where it starts nothing."""
        written = path(call.func)
        if written is None:
            return None
        module, _, function = written.rpartition(".")
        if written in _REPLACING or written in _SPAWNING:
            return _by_os(call, written)
        if function in ("create_subprocess_exec", "subprocess_exec"):
            return _by_words(positional(call)[int(function == "subprocess_exec") :])
        if module == _IPYTHON or module.endswith("." + _IPYTHON):
            return _by_ipython(call, function)
        command = _command(call) if self._is_start(written, module, function) else None
        return StartedCommand(command) if command is not None else None

    def _is_start(self, written: str, module: str, function: str) -> bool:
        if written in _SHELLS or (written in self.imported and written not in self._words):
            return True
        return function in _FUNCTIONS and (module in self._modules or module == "asyncio")


def _command(call: cst.Call) -> cst.BaseExpression | None:
    """Return what a call runs: its first argument, or the one that is called so."""
    given = positional(call)
    return given[0].value if given else keyword(call, *_ARGUMENTS)


def _by_os(call: cst.Call, written: str) -> Started | None:
    """`os.execv(program, [name, ...])`, `os.execl(program, name, ...)`; `os.spawn...` takes a mode in front."""
    arguments = positional(call)[1 if written in _SPAWNING else 0 :]
    if len(arguments) < 2 or not is_single(arguments[:2]):
        return None
    how = written.rpartition("exec")[2] if written in _REPLACING else written.rpartition("spawn")[2]
    if how[0] == "v":
        return StartedProgram(arguments[0].value, arguments[1].value)
    return StartedProgram(arguments[0].value, tuple(arguments[2 : -1 if how.endswith("e") else None]))


def _by_words(arguments: Sequence[cst.Arg]) -> Started | None:
    """`create_subprocess_exec(program, *words)`."""
    if not arguments or arguments[0].star:
        return None
    return StartedProgram(arguments[0].value, tuple(arguments[1:]))


def _by_ipython(call: cst.Call, function: str) -> Started | None:
    """`get_ipython().system("...")`: what `!...` of a notebook becomes in a script."""
    given = [a.value for a in positional(call)]
    if not given:
        return None
    if function in _IPYTHON_TEXT:
        return StartedCommand(given[0])
    names, at = _IPYTHON_MAGICS.get(function, (frozenset(), 0))
    name = text_of(given[0])
    if len(given) <= at or name is None:
        return None
    if name in names:
        return StartedCommand(given[at])
    return StartedCommand(given[at], prefix="export ") if name in _IPYTHON_SETS and at == 1 else None
