"""Variables that a command line hands over to what it runs: `X=v` in front of it, and the words of a runner that say so.

Flags as in the manual pages of docker, ctr, kubectl, Open MPI, MPICH, Apptainer, Slurm and conda.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.shell.words import Piece, PieceKind, ShellWord
from npu_lsp.text import lazy_re as re

ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<sign>\+?=)")
TO_CONTAINER = ("-e", "--env")
"""The flags by which a container is told one variable."""
_GIVING = {
    **dict.fromkeys(("docker", "podman", "nerdctl"), TO_CONTAINER),
    **dict.fromkeys(("ctr", "kubectl", "oc"), ("--env",)),
    **dict.fromkeys(("mpirun", "mpiexec"), ("-x", "-env")),
    **dict.fromkeys(("singularity", "apptainer"), ("--env",)),
}
"""The flags by which some are told one variable: `-e X=1`, `--env=X=1`."""
_LISTING = dict.fromkeys(("srun", "sbatch", "salloc"), "--export=")
"""How some are told in one list: `--export=ALL,X=1,Y=2`."""
_SETTING = {**dict.fromkeys(("kubectl", "oc"), ("set", "env")), **dict.fromkeys(("conda", "mamba"), ("vars", "set"))}
"""The words behind which some take `X=v` for what they start later: `kubectl set env deployment/x X=v`."""


def is_assignment(word: ShellWord) -> bool:
    """Return whether `word` has the form `X=v`, with nothing quoted up to the sign."""
    first = word.pieces[0] if word.pieces else None
    return (
        first is not None and first.kind is PieceKind.TEXT and not first.quoted and bool(ASSIGNMENT.match(first.text))
    )


@cache
def passing(surface: Surface) -> frozenset[str]:
    """Return the flags by which a tool is told one variable: what stands behind them is no value of an option."""
    return frozenset(flag for program in surface.row.commands for flag in _GIVING.get(program, ()))


def given_by_runner(words: Sequence[ShellWord], at: int, runner: str) -> Iterator[ShellWord]:
    """Yield what a runner is told to put into the environment of what it runs, flag by flag or in a list."""
    yield from _given(words, at, _GIVING.get(runner, ()))
    yield from _listed(words[at + 1 :], _LISTING.get(runner))
    said = [word.text for word in words]
    first, second = _SETTING.get(runner, ("", ""))
    start = next(
        (i + 2 for i in range(at + 1, len(words) - 1) if (said[i], said[i + 1]) == (first, second)), len(words)
    )
    yield from filter(is_assignment, words[start:])


def _given(words: Sequence[ShellWord], at: int, flags: tuple[str, ...]) -> Iterator[ShellWord]:
    """Yield what `-e X=v` and `--env=X=v` put into the environment of what a command runs, quoted or not, each with its flag."""
    for index in range(at + 1, len(words) if flags else 0):
        word, before = words[index], words[index - 1]
        if before.text in flags and ASSIGNMENT.match(word.lead):
            yield word._replace(start=before.start)
        for flag in flags:
            rest = word.after(len(flag) + 1) if word.lead.startswith(flag + "=") else None
            if rest is not None and ASSIGNMENT.match(rest.lead):
                yield rest._replace(start=word.start)


def _listed(words: Sequence[ShellWord], flag: str | None) -> Iterator[ShellWord]:
    """Yield what a list puts into the environment, each with the comma in front of it; quotes and variables end the list."""
    for word in words:
        if flag is None or not word.bare or not word.lead.startswith(flag):
            continue
        start = word.start + len(flag)
        parts = word.lead[len(flag) :].split(",")
        for number, part in enumerate(parts):
            end = start + len(part)
            # The first one is left alone: without it the list would mean another environment.
            if number and ASSIGNMENT.match(part) is not None:
                yield ShellWord(start - 1, end, (Piece(PieceKind.TEXT, part, start, end),))
            start = end + 1


def given_in_front(words: Sequence[ShellWord], at: int, environment: Sequence[ShellWord]) -> list[ShellWord]:
    """Return the `X=v` words right in front of a tool."""
    found: list[ShellWord] = []
    given = {word.pieces for word in environment}
    while at > 0 and is_assignment(words[at - 1]) and words[at - 1].pieces not in given:
        at -= 1
        found.insert(0, words[at])
    return found
