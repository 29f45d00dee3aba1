"""Which program a command runs, behind `sudo`, `env`, `time` and the like: a tool, or one that is given a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from npu_lsp.catalog.surfaces import COMMANDS, Surface
from npu_lsp.languages.shell.flags import program_started
from npu_lsp.languages.shell.handing_over import given_by_runner, given_in_front, is_assignment
from npu_lsp.languages.shell.words import PieceKind, Word
from npu_lsp.text.kinds import Kind

TOOLS: Mapping[str, Surface] = {command: surface for surface in COMMANDS for command in surface.row.commands}
_MODULES: Mapping[str, Surface] = {module: surface for surface in COMMANDS for module in surface.row.modules}
_SHELLS = frozenset({"bash", "sh", "dash", "ksh", "zsh", "ash"})
_COMMAND = re.compile(r"-[bBdEiIOqsSuvx]*c")
_PYTHON = re.compile(r"python[\d.]*|pypy\d*|ipython\d*")


# Texts that name a program: `atc`, `$HOME/bin/atc`, `${ATC:-atc}`, `$(which atc)`.
_PROGRAM = re.compile(
    r"(?:\$\{\w+:?[-=])?(?:[^\s;|&()]*/)?(?P<name>[\w.]+)\}?"
    r"|(?:\$\(|`)[ \t]*(?:which|command -v|type -[pP])\s+(?P<found>[\w.]+)[ \t]*(?:2>/dev/null[ \t]*)?[)`]"
)


class _Wrapper(NamedTuple):
    """How a command that runs another one takes its own words."""

    options: str = ""
    """The short options that take a word."""
    positionals: int = 0
    """How many words of its own stand before the command."""


# Options as in the manual pages of coreutils, util-linux, sudo, findutils, and bash's builtins.
_WRAPPERS: Mapping[str, _Wrapper] = {
    "sudo": _Wrapper("ughpCrtUDRT"),
    "doas": _Wrapper("uC"),
    "env": _Wrapper("uC"),
    "time": _Wrapper("fo"),
    "nohup": _Wrapper(),
    "setsid": _Wrapper(),
    "timeout": _Wrapper("ks", 1),
    "nice": _Wrapper("n"),
    "ionice": _Wrapper("cnt"),
    "chrt": _Wrapper("TPD", 1),
    "taskset": _Wrapper("", 1),
    "sshpass": _Wrapper("pfdP"),
    "stdbuf": _Wrapper("ioe"),
    "exec": _Wrapper("a"),
    "command": _Wrapper(),
    "builtin": _Wrapper(),
    "eval": _Wrapper(),
    "unbuffer": _Wrapper(),
    "chroot": _Wrapper("", 1),
    "numactl": _Wrapper("CNmiPp"),
    "xargs": _Wrapper("nIPLdsaE"),
    "coproc": _Wrapper(),
    "noglob": _Wrapper(),
    "nocorrect": _Wrapper(),
}
# Commands whose own words are too many to list: a tool counts only where a flag follows it.
_RUNNERS = frozenset(
    {
        "docker", "podman", "nerdctl", "ctr", "kubectl", "oc", "ssh", "srun", "sbatch", "salloc", "mpirun", "mpiexec", "msrun", "su", "runuser", "gosu",
        "screen", "tmux", "script", "strace", "ltrace", "perf", "gdb", "valgrind", "flock", "watch", "parallel",
        "singularity", "apptainer", "conda", "mamba", "micromamba", "poetry", "pipenv", "uv", "systemd-run", "find",
        "catchsegv", "cgexec",
    }
)  # fmt: skip
_ONE_COMMAND = re.compile(r"-[a-z]*c|--(?:session-)?command")
_QUERIES = re.compile(r"-[a-zA-Z]*[vV]")

Holds = Callable[[str], str | None]
"""Returns the text that a variable holds where that is certain."""


class Program(NamedTuple):
    """What a command runs."""

    environment: tuple[Word, ...]
    """The `X=v` words before the command, and those that `env` takes."""
    surface: Surface | None
    """`None`: no tool that is known."""
    at: int
    """The word that names the tool, or that holds the script to run."""
    script: Kind | None = None
    """The language of the script that the word at `at` is (`bash -c "..."`); `None`: it is none."""
    open: bool = False
    """True: more words are added when it runs (`xargs`)."""
    stop: int | None = None
    """Where the words of the runner go on (`find -exec ... \\;`), or those of what the tool starts begin; `None`: nowhere."""


def resolve(words: Sequence[Word], holds: Holds | None = None, runs: Callable[[str], bool] | None = None) -> Program:
    """Tell what the command made of `words` runs; `runs` knows which functions run their arguments."""
    found = _resolved(words, holds, runs)
    stop = program_started(found.surface, words, found.at + 1) if found.stop is None else None
    # `$X` may hold flags.
    return found if stop is None else found._replace(open=found.open or not words[stop].lead, stop=stop)


def _resolved(words: Sequence[Word], holds: Holds | None, runs: Callable[[str], bool] | None) -> Program:
    environment: list[Word] = []
    at = _take_assignments(words, 0, environment)
    more = False
    while at < len(words):
        name = name_of(words[at], holds)
        language = _language(words, at, name)
        if language is not None:
            return _interpreter(words, at, environment, language)._replace(open=more)
        if name is None:
            if not _may_run_rest(words, at):
                break
            at += 1
            continue
        surface = TOOLS.get(name)
        if surface is not None:
            return Program(tuple(environment), surface, at, open=more)
        wrapper = _WRAPPERS.get(name)
        if wrapper is None:
            return (
                _run(words, at, environment, holds) if _runs(words, at, name, runs) else _trap(words, at, environment)
            )
        if name == "command" and _QUERIES.fullmatch("".join(word.lead for word in words[at + 1 : at + 2])):
            break
        more = more or name == "xargs"
        start = at + 1
        at = _skip_options(words, start, wrapper)
        if name in ("env", "sudo", "doas"):
            at = _take_assignments(words, at, environment)
        if name == "eval" and _is_script(words, at, named=True):
            return Program(tuple(environment), None, at, script=Kind.SHELL)
    return _nothing(environment)


def name_of(word: Word, holds: Holds | None = None) -> str | None:
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


def _runs(words: Sequence[Word], at: int, name: str, runs: Callable[[str], bool] | None) -> bool:
    """Tell whether a command runs what its words say."""
    return name in _RUNNERS or (runs is not None and _names_tool(words, at + 1) and runs(name))


def _trap(words: Sequence[Word], at: int, environment: list[Word]) -> Program:
    """Return what a command that runs no other one runs: `trap "..."` a script, all others nothing."""
    if words[at].text == "trap" and _is_script(words, at + 1):
        return Program(tuple(environment), None, at + 1, script=Kind.SHELL)
    return _nothing(environment)


def _nothing(environment: list[Word]) -> Program:
    return Program(tuple(environment), None, -1)


def _take_assignments(words: Sequence[Word], at: int, environment: list[Word]) -> int:
    while at < len(words) and is_assignment(words[at]):
        environment.append(words[at])
        at += 1
    return at


def _holds_blank(word: Word) -> bool:
    return any(piece.kind is PieceKind.TEXT and (" " in piece.text or "\n" in piece.text) for piece in word.pieces)


def program_in(text: str) -> str | None:
    """Return the name of the program that a value or an expansion names, without its folder."""
    match = _PROGRAM.fullmatch(text.strip("\"'"))
    return match["name"] or match["found"] if match is not None else None


def _is_script(words: Sequence[Word], at: int, *, named: bool = False) -> bool:
    """Tell whether a word is a script; where it may also be `named`, it can be `"$command"`."""
    if at >= len(words):
        return False
    word = words[at]
    return _holds_blank(word) or (named and _is_name(word) and word.pieces[0].quoted)


def _may_run_rest(words: Sequence[Word], at: int) -> bool:
    """Tell whether a word is nothing, or one that runs the rest: `$SUDO atc --x=y`."""
    return at + 2 < len(words) and _is_name(words[at]) and _starts_tool(words, at + 1)


def _is_name(word: Word) -> bool:
    return len(word.pieces) == 1 and word.pieces[0].kind is PieceKind.NAME


def _starts_tool(words: Sequence[Word], at: int) -> bool:
    return name_of(words[at]) in TOOLS and words[at + 1].lead.startswith("-")


def _names_tool(words: Sequence[Word], start: int) -> bool:
    return any(_starts_tool(words, at) for at in range(start, len(words) - 1))


def _skip_options(words: Sequence[Word], at: int, wrapper: _Wrapper) -> int:
    while at < len(words):
        text = words[at].lead
        if not text.startswith("-") or text == "-":
            break
        at += 1
        if text == "--":
            break
        # `-u root` takes a word, `-uroot` and `--user=root` have it already.
        if len(text) == 2 and text[1] in wrapper.options:
            at += 1
    return at + wrapper.positionals


def _language(words: Sequence[Word], at: int, name: str | None) -> Kind | None:
    """Return the language of the scripts that the program called `name` runs; `$PYTHON -m ge.pyatc` can be Python only."""
    if name is not None:
        return interpreted_by(name)
    flag, module = [word.text for word in words[at + 1 : at + 3]] if at + 2 < len(words) else (None, None)
    return Kind.PYTHON if flag == "-m" and module in _MODULES else None


def interpreted_by(name: str) -> Kind | None:
    """Return the language of the scripts that a program runs."""
    if name in _SHELLS:
        return Kind.SHELL
    return Kind.PYTHON if _PYTHON.fullmatch(name) else None


def _interpreter(words: Sequence[Word], at: int, environment: list[Word], language: Kind) -> Program:
    """Find the script of `bash -c "..."` or `python3 -c "..."`, or the tool that is the module of `python3 -m ...`."""
    at += 1
    shell = language is Kind.SHELL
    while at < len(words):
        text = words[at].lead
        if not text.startswith(("-", "+") if shell else "-") or text.startswith("--") or text == "-":
            break
        at += 1
        if "c" in text if shell else _COMMAND.fullmatch(text):
            found = Program(tuple(environment), None, at, script=language)
            return found if at < len(words) else _nothing(environment)
        if text in (("-o", "+o", "-O", "+O") if shell else ("-W", "-X")):
            at += 1
        elif not shell and "m" in text:
            surface = _MODULES.get(words[at].text or "") if text.endswith("m") and at < len(words) else None
            return _nothing(environment) if surface is None else Program(tuple(environment), surface, at)
    return _nothing(environment)


def _stop(runner: str | None, words: Sequence[Word], start: int) -> int | None:
    """Return the word before which the command ends that `runner` runs; `None` where all from `start` on are its own."""
    if runner == "find":
        return next((i for i in range(start, len(words)) if words[i].text in (";", "\\;", "+")), None)
    if runner == "parallel":
        return next((i for i in range(start, len(words)) if words[i].lead.startswith(":::")), None)
    return None


def _run(words: Sequence[Word], at: int, environment: list[Word], holds: Holds | None) -> Program:
    runner = name_of(words[at])
    environment += given_by_runner(words, at, runner or "")
    started: Sequence[int] = range(at + 1, len(words) - 1)
    if words[at].text == "find":
        started = [index for index in started if words[index - 1].lead.startswith("-exec")]
    for index in started:
        found = _run_at(words, index, environment, holds)
        if found is not None and found.surface is not None:
            environment += given_in_front(words, index, environment)
            stop = _stop(runner, words, found.at + 1)
            return found._replace(environment=tuple(environment), open=runner == "parallel", stop=stop)
        if found is not None and found.script:
            return found
        if runner in ("su", "runuser") and _ONE_COMMAND.fullmatch(words[index].lead):
            return Program(tuple(environment), None, index + 1, script=Kind.SHELL)
    last = words[-1]
    if len(words) > at + 2 and _holds_blank(last) and runner in ("ssh", "su", "runuser", "watch"):
        return Program(tuple(environment), None, len(words) - 1, script=Kind.SHELL)
    return _nothing(environment)


def _run_at(words: Sequence[Word], at: int, environment: list[Word], holds: Holds | None) -> Program | None:
    """Return what the command at `at` runs, if it is a tool with a flag behind it, or an interpreter."""
    name = name_of(words[at], holds)
    if name is not None and name in TOOLS and words[at + 1].lead.startswith("-"):
        return Program(tuple(environment), TOOLS[name], at)
    language = _language(words, at, name)
    return _interpreter(words, at, environment, language) if language is not None else None
