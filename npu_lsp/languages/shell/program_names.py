"""What a word names that is run: a tool, an interpreter, or another program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from npu_lsp.catalog.surfaces import COMMANDS, Surface
from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind

TOOLS: Mapping[str, Surface] = {command: surface for surface in COMMANDS for command in surface.row.commands}
_SUBCOMMANDS: Mapping[str, tuple[str, ...]] = {
    command: surface.row.subcommands for command, surface in TOOLS.items() if surface.row.subcommands
}
"""Words behind a program's name of which one must stand there, for its flags to be known."""
MODULES: Mapping[str, Surface] = {module: surface for surface in COMMANDS for module in surface.row.modules}
_SHELLS = frozenset({"bash", "sh", "dash", "ksh", "zsh", "ash"})
_PYTHON = re.compile(r"python[\d.]*|pypy\d*|ipython\d*")
# Texts that name a program: `atc`, `$HOME/bin/atc`, `${ATC:-atc}`, `$(which atc)`.
_PROGRAM = re.compile(
    r"(?:\$\{\w+:?[-=])?(?:[^\s;|&()]*/)?(?P<name>[\w.]+)\}?"
    r"|(?:\$\(|`)[ \t]*(?:which|command -v|type -[pP])\s+(?P<found>[\w.]+)[ \t]*(?:2>/dev/null[ \t]*)?[)`]"
)

Holds = Callable[[str], str | None]
"""Returns the text that a variable holds where that is certain."""


def name_of(word: ShellWord, holds: Holds | None = None) -> str | None:
    """Return the name of the program that `word` starts, without its folder."""
    text = word.text
    if text is None:
        last = word.pieces[-1]
        if last.kind is PieceKind.TEXT and "/" in last.text:
            # `${ASCEND_HOME}/bin/atc`: whatever the folder is, the name stands there.
            text = last.text
        elif len(word.pieces) == 1 and last.kind is PieceKind.NAME and holds is not None:
            text = holds(last.text)
    if not text:
        return None
    return text.replace("\\", "/").rpartition("/")[2]


def tool_at(words: Sequence[ShellWord], at: int, name: str | None) -> tuple[Surface, int] | None:
    """Return the tool called `name` that the word at `at` starts, and the last word that says so: a subcommand, where there are some."""
    surface = TOOLS.get(name or "")
    if surface is None or name is None or name not in _SUBCOMMANDS:
        return None if surface is None else (surface, at)
    said = words[at + 1].text if at + 1 < len(words) else None
    return (surface, at + 1) if said in _SUBCOMMANDS[name] else None


def surface_of(named: str) -> Surface:
    """Return the surface of a tool as `npu_lsp.catalog.programs` names it: a program or a module."""
    return TOOLS[named] if named in TOOLS else MODULES[named]


def program_in(text: str) -> str | None:
    """Return the name of the program that a value or an expansion names, without its folder."""
    match = _PROGRAM.fullmatch(text.strip("\"'"))
    return match["name"] or match["found"] if match is not None else None


def language_of(words: Sequence[ShellWord], at: int, name: str | None) -> Kind | None:
    """Return the language of the scripts that the program called `name` runs; `$PYTHON -m ge.pyatc` can be Python only."""
    if name is not None:
        return interpreted_by(name)
    flag, module = [word.text for word in words[at + 1 : at + 3]] if at + 2 < len(words) else (None, None)
    return Kind.PYTHON if flag == "-m" and module in MODULES else None


def interpreted_by(name: str) -> Kind | None:
    """Return the language of the scripts that a program runs."""
    if name in _SHELLS:
        return Kind.SHELL
    return Kind.PYTHON if _PYTHON.fullmatch(name) else None
