"""A process of this machine: its variables, its command line and its packages, read from `/proc`; nothing of it is run or changed."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from npu_lsp.checking.secrets import SECRET, masked
from npu_lsp.text import lazy_re as re

_LARGEST = 4 << 20
_MOST = 5000
"""Variables, and entries of a folder, that are looked at at the most."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LONGEST = 2000
_INSTALLED = re.compile(r"(?P<name>[\w.-]+?)-(?P<version>\d[\w.!]*)(?:\+[\w.]*)?\.(?:dist|egg)-info\Z", re.IGNORECASE)
_PYTHON = re.compile(r"python[\d.]*\Z")
_SCRIPTS = frozenset({"vllm", "torchrun", "accelerate", "deepspeed", "msrun", "ray"})
"""Programs in Python whose process is called after the interpreter."""


class Process(NamedTuple):
    """What is known of a process."""

    name: str
    """How reports call its variables."""
    variables: Mapping[str, str]
    command: tuple[str, ...] = ()
    python: Path | None = None
    """The folder that its Python is installed in."""


def own() -> Process:
    """Return this process: the variables that it was given, and the Python that a shell would find."""
    return Process("environment.sh", dict(os.environ), (), _prefix_of(os.environ))


def running(number: int, proc: Path = Path("/proc")) -> Process:
    """Return the process with that number. Raises `OSError` where there is none, or where it is somebody else's."""
    folder = proc / str(number)
    parts = _content(folder / "environ").decode("utf-8", "surrogateescape").split("\0")
    pairs = (part.partition("=") for part in islice(parts, _MOST))
    variables = {name: value for name, sign, value in pairs if sign}
    words = tuple(part for part in _content(folder / "cmdline").decode("utf-8", "replace").split("\0") if part)
    prefix = _prefix_of(variables)
    try:
        binary = (folder / "exe").readlink()
        if _PYTHON.match(binary.name):
            prefix = prefix or binary.parent.parent
    except OSError:
        pass
    return Process(f"pid-{number}-environment.sh", variables, words, prefix)


_GIVEN = re.compile(r"^(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)=(?![^\n]*\$\{?(?P=name)\b)", re.MULTILINE)
"""A variable that a line of a script sets by itself, in no branch, and not to what it was."""


def script(process: Process, launch: str | None = None) -> str:
    """Return a script that gives what the process has: an `export` for each variable, then its command, or `launch` in its place.

    What looks like a secret isn't in it, nor what `launch` gives another value, whatever it was.
    """
    own = {match["name"] for match in _GIVEN.finditer(launch or "")}
    lines = [f"export {name}={shlex.quote(value)}" for name, value in _told(process.variables) if name not in own]
    if launch is None:
        command = " ".join(map(shlex.quote, _program(process.command)))
        launch = f"{command}\n" if command else ""
    return "".join(f"{line}\n" for line in lines) + launch


def _told(variables: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in islice(sorted(variables.items()), _MOST):
        if _NAME.match(name) and len(value) < _LONGEST and value.isprintable() and masked(name, value) != SECRET:
            yield name, value


def _program(command: Sequence[str]) -> Sequence[str]:
    """Return a command as people type it: `vllm serve m` where the process is `/usr/bin/python3 /usr/bin/vllm serve m`."""
    if len(command) > 1 and _PYTHON.match(Path(command[0]).name) and Path(command[1]).name in _SCRIPTS:
        return (Path(command[1]).name, *command[2:])
    return command


def packages(prefix: Path | None) -> dict[str, str]:
    """Return the versions of the packages that are installed below `prefix`, by their names; folders' names tell them."""
    found: dict[str, str] = {}
    for folder in _site_packages(prefix) if prefix is not None else ():
        for name in _names(folder):
            match = _INSTALLED.match(name)
            if match is not None:
                found.setdefault(re.sub(r"[-_.]+", "-", match["name"]).lower(), match["version"])
    return found


def _site_packages(prefix: Path) -> Iterator[Path]:
    for above in (prefix / "lib", prefix / "lib64", prefix / "local" / "lib"):
        for name in _names(above):
            if name.startswith("python"):
                yield above / name / "site-packages"
                yield above / name / "dist-packages"


def _prefix_of(variables: Mapping[str, str]) -> Path | None:
    """Return where the Python is installed that these variables name, or that stands first in `PATH`."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if variables.get(name, "").startswith("/"):
            return Path(variables[name])
    found = shutil.which("python3", path=variables.get("PATH", "")) if sys.platform != "win32" else None
    return Path(found).parent.parent if found is not None else None


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, 2 * _MOST))
    except OSError:
        return []


def _content(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(_LARGEST)
