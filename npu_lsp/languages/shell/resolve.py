"""Which program a command runs, behind `sudo`, `env`, `time` and the like: a tool, or one that is given a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.shell.env_passing import given_by_runner, given_in_front, is_assignment
from npu_lsp.languages.shell.flags import program_started
from npu_lsp.languages.shell.program_names import MODULES, Holds, language_of, name_of, tool_at
from npu_lsp.languages.shell.words import PieceKind, ShellWord
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind

_COMMAND = re.compile(r"-[bBdEiIOqsSuvx]*c")


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


class ResolvedProgram(NamedTuple):
    """What a command runs."""

    surface: Surface | None = None
    """`None`: no tool that is known."""
    at: int = -1
    """The word that names the tool, or that holds the script to run."""
    script: Kind | None = None
    """The language of the script that the word at `at` is (`bash -c "..."`); `None`: it is none."""
    open: bool = False
    """True: more words are added when it runs (`xargs`)."""
    stop: int | None = None
    """Where the words of the runner go on (`find -exec ... \\;`), or those of what the tool starts begin; `None`: nowhere."""
    environment: tuple[ShellWord, ...] = ()
    """The `X=v` words before the command, those that `env` takes, and those that a runner is told."""


_NOTHING = ResolvedProgram()


def resolve(
    words: Sequence[ShellWord], holds: Holds | None = None, runs: Callable[[str], bool] | None = None
) -> ResolvedProgram:
    """Tell what the command made of `words` runs; `runs` knows which functions run their arguments."""
    found = _resolved(words, holds, runs)
    stop = program_started(found.surface, words, found.at + 1) if found.stop is None else None
    # `$X` may hold flags.
    return found if stop is None else found._replace(open=found.open or not words[stop].lead, stop=stop)


def _resolved(words: Sequence[ShellWord], holds: Holds | None, runs: Callable[[str], bool] | None) -> ResolvedProgram:
    at = _past_assignments(words, 0)
    environment = tuple(words[:at])
    found, more = _NOTHING, False
    while at < len(words):
        name = name_of(words[at], holds)
        language = language_of(words, at, name)
        if language is not None:
            found = _interpreter(words, at, language)._replace(open=more)
            break
        if name is None:
            if not _may_run_rest(words, at):
                break
            at += 1
            continue
        tool = tool_at(words, at, name)
        if tool is not None:
            return _tool(words, at, tool, environment, holds)._replace(open=more)
        wrapper = _WRAPPERS.get(name)
        if wrapper is None:
            found = _run(words, at, environment, holds) if _runs(words, at, name, runs) else _trap(words, at)
            break
        if name == "command" and _QUERIES.fullmatch("".join(word.lead for word in words[at + 1 : at + 2])):
            break
        more = more or name == "xargs"
        at = _skip_options(words, at + 1, wrapper)
        if name in ("env", "sudo", "doas"):
            start, at = at, _past_assignments(words, at)
            environment += tuple(words[start:at])
        if name == "eval" and _is_script(words, at, named=True):
            found = ResolvedProgram(at=at, script=Kind.SHELL)
            break
    return found._replace(environment=(*environment, *found.environment)) if environment else found


def _tool(
    words: Sequence[ShellWord],
    at: int,
    tool: tuple[Surface, int],
    environment: tuple[ShellWord, ...],
    holds: Holds | None,
) -> ResolvedProgram:
    """Return the program at `at`; for `mpirun`, the known program that it starts, if any, with the variables that `-x` hands to it."""
    if tool[0] is not Surface.MPIRUN:
        return ResolvedProgram(*tool, environment=environment)
    found = _run(words, at, environment, holds)
    front = (*environment, *(each for each in found.environment if each not in environment))
    return found._replace(environment=front) if found.at >= 0 else ResolvedProgram(*tool, environment=front)


def _runs(words: Sequence[ShellWord], at: int, name: str, runs: Callable[[str], bool] | None) -> bool:
    """Return whether a command runs what its words say."""
    return name in _RUNNERS or (runs is not None and _names_tool(words, at + 1) and runs(name))


def _trap(words: Sequence[ShellWord], at: int) -> ResolvedProgram:
    """Return what a command that runs no other one runs: `trap "..."` a script, all others nothing."""
    if words[at].text == "trap" and _is_script(words, at + 1):
        return ResolvedProgram(at=at + 1, script=Kind.SHELL)
    return _NOTHING


def _past_assignments(words: Sequence[ShellWord], at: int) -> int:
    """Return the first word from `at` on that isn't `X=v`."""
    while at < len(words) and is_assignment(words[at]):
        at += 1
    return at


def _holds_blank(word: ShellWord) -> bool:
    return any(piece.kind is PieceKind.TEXT and (" " in piece.text or "\n" in piece.text) for piece in word.pieces)


def _is_script(words: Sequence[ShellWord], at: int, *, named: bool = False) -> bool:
    """Return whether a word is a script; where it may also be `named`, it can be `"$command"`."""
    if at >= len(words):
        return False
    word = words[at]
    return _holds_blank(word) or (named and _is_name(word) and word.pieces[0].quoted)


def _may_run_rest(words: Sequence[ShellWord], at: int) -> bool:
    """Return whether a word is nothing, or one that runs the rest: `$SUDO atc --x=y`."""
    return at + 2 < len(words) and _is_name(words[at]) and _starts_tool(words, at + 1)


def _is_name(word: ShellWord) -> bool:
    return len(word.pieces) == 1 and word.pieces[0].kind is PieceKind.NAME


def _starts_tool(words: Sequence[ShellWord], at: int) -> bool:
    tool = tool_at(words, at, name_of(words[at]))
    return tool is not None and (tool[1] > at or words[at + 1].lead.startswith("-"))


def _names_tool(words: Sequence[ShellWord], start: int) -> bool:
    return any(_starts_tool(words, at) for at in range(start, len(words) - 1))


def _skip_options(words: Sequence[ShellWord], at: int, wrapper: _Wrapper) -> int:
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


def _interpreter(words: Sequence[ShellWord], at: int, language: Kind) -> ResolvedProgram:
    """Find the script of `bash -c "..."` or `python3 -c "..."`, or the tool that is the module of `python3 -m ...`."""
    at += 1
    shell = language is Kind.SHELL
    while at < len(words):
        text = words[at].lead
        if not text.startswith(("-", "+") if shell else "-") or text.startswith("--") or text == "-":
            break
        at += 1
        if "c" in text if shell else _COMMAND.fullmatch(text):
            return ResolvedProgram(at=at, script=language) if at < len(words) else _NOTHING
        if text in (("-o", "+o", "-O", "+O") if shell else ("-W", "-X")):
            at += 1
        elif not shell and "m" in text:
            surface = MODULES.get(words[at].text or "") if text.endswith("m") and at < len(words) else None
            return _NOTHING if surface is None else ResolvedProgram(surface, at)
    script = tool_at(words, at, name_of(words[at])) if not shell and at < len(words) else None
    return ResolvedProgram(*script) if script is not None and (words[at].text or "").endswith(".py") else _NOTHING


def _stop(runner: str | None, words: Sequence[ShellWord], start: int) -> int | None:
    """Return the word before which the command ends that `runner` runs; `None` where all from `start` on are its own."""
    if runner == "find":
        return next((i for i in range(start, len(words)) if words[i].text in (";", "\\;", "+")), None)
    if runner == "parallel":
        return next((i for i in range(start, len(words)) if words[i].lead.startswith(":::")), None)
    return None


def _run(
    words: Sequence[ShellWord], at: int, environment: tuple[ShellWord, ...], holds: Holds | None
) -> ResolvedProgram:
    """Return what the runner at `at` runs; `environment` is what stands in front of it."""
    runner = name_of(words[at])
    given = tuple(given_by_runner(words, at, runner or ""))
    started: Sequence[int] = range(at + 1, len(words) - 1)
    if words[at].text == "find":
        started = [index for index in started if words[index - 1].lead.startswith("-exec")]
    for index in started:
        found = _run_at(words, index, holds)
        if found is not None and found.surface is not None:
            front = given_in_front(words, index, (*environment, *given))
            stop = _stop(runner, words, found.at + 1)
            return found._replace(environment=(*given, *front), open=runner == "parallel", stop=stop)
        if found is not None and found.script:
            return found._replace(environment=given)
        if runner in ("su", "runuser") and _ONE_COMMAND.fullmatch(words[index].lead):
            return ResolvedProgram(at=index + 1, script=Kind.SHELL, environment=given)
    last = words[-1]
    if len(words) > at + 2 and _holds_blank(last) and runner in ("ssh", "su", "runuser", "watch"):
        return ResolvedProgram(at=len(words) - 1, script=Kind.SHELL, environment=given)
    return ResolvedProgram(environment=given)


def _run_at(words: Sequence[ShellWord], at: int, holds: Holds | None) -> ResolvedProgram | None:
    """Return what the command at `at` runs, if it is a tool with a flag behind it, or an interpreter."""
    name = name_of(words[at], holds)
    tool = tool_at(words, at, name)
    if tool is not None and (tool[1] > at or words[at + 1].lead.startswith("-")):
        return ResolvedProgram(*tool)
    language = language_of(words, at, name)
    return _interpreter(words, at, language) if language is not None else None
