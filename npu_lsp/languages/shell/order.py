"""What runs before and after a place in a shell script, as far as its lines tell."""

from __future__ import annotations

import re

# A line that starts something which may read the environment of the NPU: not the installer of packages, nor a question
# for help or a version.
_RUNS = re.compile(
    r"^(?:(?:nohup|time|sudo|exec)[ \t]+)*(?:\S*/)?(?:python[\d.]*|atc|aoe|torchrun|msame|mpirun|accelerate)[ \t]+"
    r"(?!-m[ \t]+(?:pip|venv|virtualenv|ensurepip|build|json\.tool|http\.server)\b"
    r"|(?:-V|-h|--version|--help)(?![^\s;&|])|(?:\S*/)?setup\.py\b)\S",
    re.MULTILINE,
)
# A line that runs nothing which could read a variable.
_IDLE = re.compile(
    r"(?:#.*|(?:export|unset|declare|readonly|set|echo|printf|exit|return|rm|cp|mv|mkdir|ls|cat|sleep|wait|date)\b.*"
    r"|[A-Za-z_]\w*=[^\s`$(]*|fi|done|esac|\}|)"
)
_UNSURE = re.compile(r"`|\$\(|&&|\|\||;[ \t]*\S|\|")


def ran_before(text: str, offset: int) -> str | None:
    """Return the name of the last program that a line before `offset` runs, `None` where there is none for sure."""
    last = None
    for match in _RUNS.finditer(text, 0, offset):
        last = match
    return last.group().split()[-2].rpartition("/")[2] if last is not None else None


def nothing_runs_after(text: str, offset: int) -> bool:
    """Tell whether no line below that at `offset` runs anything that could read a variable."""
    start = text.find("\n", offset)
    if start < 0:
        return True
    rest = text[start + 1 :].split("\n")
    return all(_IDLE.fullmatch(line.strip(" \t\r")) and not _UNSURE.search(line.split("#")[0]) for line in rest)
