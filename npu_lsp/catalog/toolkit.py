"""What a CANN installation on this machine tells. Its own files win over the catalog.

Nothing is read before it is asked for, and everything once: little files of an installation, never a folder tree.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re

_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
_PLACES = ("cann", "ascend-toolkit/latest", "latest", "nnae/latest")
_ROOTS = ("/usr/local/Ascend", "~/Ascend", "/opt/Ascend")
_ARCHITECTURES = ("x86_64-linux", "aarch64-linux")
_IMPL_MODE = "opp/built-in/op_impl/ai_core/tbe/impl_mode"
_PLATFORMS = ("", "compiler", "runtime", "fwkacllib", "atc", *_ARCHITECTURES)
_FUSION = (
    "opp/built-in/fusion_pass/config/fusion_config.json",
    *(f"{each}/lib64/plugin/opskernel/fusion_config.json" for each in ("compiler", *_ARCHITECTURES)),
    *(f"{each}/lib64/plugin/opskernel/config/fusion_config.json" for each in ("compiler", *_ARCHITECTURES)),
)
_LARGEST = 8 << 20
"""Bytes of a file that is read at the most."""
_MOST = 10_000
"""Entries of a folder that are looked at at the most."""
# The file of a component has a number of its own under `Version`, and the release that it belongs to under `version_dir`.
_OF_TOOLKIT = re.compile(r"^[ \t]*version[ \t]*=[ \t]*([\w.+-]+)", re.MULTILINE | re.IGNORECASE)
_OF_COMPONENT = re.compile(r"^[ \t]*version_dir[ \t]*=[ \t]*([\w.+-]+)", re.MULTILINE)
_OF_CFG = re.compile(
    r"^[ \t]*\w*(?:running|installed)_version[ \t]*=[ \t]*\[(?:[^\]\r\n]*:)?([\w.+-]+)\]", re.MULTILINE
)
_RELEASE = re.compile(r"(?:cann-?)?(\d+\.\d+.*)", re.IGNORECASE)


class Toolkit:
    """An installed CANN toolkit."""

    def __init__(self, home: Path) -> None:
        self.home = home

    @cached_property
    def version(self) -> str | None:
        """The CANN version, as `8.0.RC3`; `None` where no file tells it."""
        toolkit = [self.home / folder / "ascend_toolkit_install.info" for folder in (*_ARCHITECTURES, "")]
        components = [self.home / folder / "version.info" for folder in ("compiler", "runtime", "toolkit")]
        sources = [
            *((path, _OF_TOOLKIT) for path in (*toolkit, self.home / "version.info")),
            *((path, _OF_COMPONENT) for path in (self.home / "version.info", *components)),
            *((path, _OF_CFG) for path in (self.home / "version.cfg", self.home.parent / "latest/version.cfg")),
        ]
        for path, pattern in sources:
            found = pattern.search(_text(path))
            release = _RELEASE.fullmatch(found.group(1)) if found else None
            if release:
                return release.group(1)
        return None

    @cached_property
    def soc_versions(self) -> frozenset[str]:
        """The names that `--soc_version` takes; empty where they can't be told."""
        folders = (self.home / each / "data" / "platform_config" for each in _PLATFORMS)
        return frozenset(name[: -len(".ini")] for folder in folders for name in _names(folder) if name.endswith(".ini"))

    @cached_property
    def modes(self) -> Mapping[str, frozenset[str]]:
        """The modes of each operator that has several, by operator type."""
        found: dict[str, frozenset[str]] = {}
        for line in _text(self.implementation_modes("all_ops_impl_mode.ini")).splitlines():
            operator, sign, modes = line.partition("=")
            if sign and not operator.startswith("#"):
                found[operator.strip()] = frozenset(mode.strip() for mode in modes.split(",") if mode.strip())
        return found

    @property
    def operators(self) -> frozenset[str]:
        """The operators that have several modes."""
        return frozenset(self.modes)

    @cached_property
    def fusion_rules(self) -> frozenset[str]:
        """The names of the fusion rules that come with the toolkit."""
        return frozenset(name for path in _FUSION for name in _rules(_text(self.home / path)))

    @property
    def stamp(self) -> str:
        """What tells this state of the installation from another one."""
        looks = (surroundings.look(self.home), surroundings.look(self.implementation_modes("all_ops_impl_mode.ini")))
        return f"{self.home}:{self.version}:{looks}"

    def implementation_modes(self, name: str) -> Path:
        """Return where the built-in list of implementation modes `name` (`high_precision.ini`) lies."""
        return self.home / _IMPL_MODE / name


def find(environment: Mapping[str, str] | None = None) -> Toolkit | None:
    """Return the toolkit that the environment names, else the one in a usual place, else `None`.

    Without `environment`, that of the process counts, and the answer is kept.
    """
    if environment is None:
        return installed()
    return next((Toolkit(home) for home in _homes(environment) if _is_toolkit(home)), None)


@cache
def installed() -> Toolkit | None:
    """Return the toolkit that this process finds; it is looked for once."""
    return find(dict(os.environ))


def stamp() -> str:
    """Return what tells the installed toolkit from another one, or from none."""
    found = installed()
    return found.stamp if found is not None else ""


def _homes(environment: Mapping[str, str]) -> Iterator[Path]:
    for variable in _VARIABLES:
        named = environment.get(variable, "")
        if named and Path(named).is_absolute():
            yield Path(named)
    for root in _ROOTS:
        home = environment.get("HOME", "")
        if root.startswith("~") and not home:
            continue
        base = root.replace("~", home, 1)
        for place in _PLACES:
            yield Path(base) / place


def _is_toolkit(home: Path) -> bool:
    if not surroundings.exists(home):
        return False
    return surroundings.exists(home / "opp") or Toolkit(home).version is not None


def _text(path: Path) -> str:
    data = surroundings.content(path, _LARGEST, links=True)
    return data.decode("utf-8", "replace") if data is not None else ""


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, _MOST)]
    except OSError:
        return []


def _rules(text: str) -> Iterator[str]:
    """Yield the names of rules in a `fusion_config.json`: the innermost keys below `Switch` and `Priority`."""
    import json

    try:
        waiting = [json.loads(text)] if text else []
    except (ValueError, RecursionError):
        return
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        for key, value in node.items():
            if isinstance(value, dict):
                waiting.append(value)
            else:
                yield str(key)
