"""What `npu-smi info` prints, read: the only place that knows its table.

Forms: A2 (one chip a card, `Chip`), A3 (two chips a card, `Chip  Phy-ID`), 310P (`Chip  Device`, no HBM). Examples of each are public:
https://github.com/1Panel-dev/1Panel/issues/9472, https://github.com/vllm-project/vllm-ascend/issues/2534,
https://github.com/Syllo/nvtop/issues/421
"""

from __future__ import annotations

import shutil
import subprocess
from typing import Any, NamedTuple

from npu_lsp.text import lazy_re as re

_VERSION = re.compile(r"\|\s*npu-smi\s+(?P<tool>\S+)\s+Version:\s*(?P<driver>\S+)")
_FIRST = re.compile(r"\|\s*(?P<card>\d+)\s+(?P<name>(?=[\d_-]{0,40}[A-Za-z])[\w-]{1,80})\s*\|\s*(?P<health>\w+)\s*\|")
_SECOND = re.compile(
    r"\|\s*(?P<chip>\d+)(?:\s+(?P<device>\d+))?\s*\|\s*(?P<bus>[0-9A-Fa-f]{4}:\S+|NA)\s*\|(?P<rest>[^|]*)\|"
)
_MEMORY = re.compile(r"(?<!\d)(\d{1,9})\s{0,20}/\s{0,20}(\d{1,9})")
_LARGEST = 1 << 20
_SECONDS = 30


class Chip(NamedTuple):
    """One chip."""

    card: int
    chip: int
    device: int
    """The number that programs call it by."""
    name: str
    health: str
    memory: int
    """MB of HBM, or of memory where there is no HBM."""


class NodeDevices(NamedTuple):
    """What `npu-smi info` says of one machine: the driver and the chips."""

    driver: str | None
    chips: tuple[Chip, ...]

    def facts(self) -> dict[str, Any]:
        """Return what nodes are compared by: neither what changes from second to second nor where it is plugged in."""
        found: dict[str, Any] = {"count": len(self.chips)}
        if self.driver is not None:
            found["driver"] = self.driver
        for each in self.chips:
            found[str(each.device)] = f"{each.name}, {each.memory} MB, {each.health}"
        return found


def read(text: str) -> NodeDevices:
    """Return what a table says; what it doesn't have the form of is passed over."""
    version = _VERSION.search(text[:_LARGEST])
    chips: list[Chip] = []
    above: re.Match[str] | None = None
    for line in text[:_LARGEST].splitlines():
        second = _SECOND.match(line) if above is not None else None
        if above is not None and second is not None:
            sizes = _MEMORY.findall(second["rest"])
            device = int(second["device"]) if second["device"] else len(chips)
            memory = int(sizes[-1][1]) if sizes else 0
            chips.append(Chip(int(above["card"]), int(second["chip"]), device, above["name"], above["health"], memory))
            above = None
        else:
            above = _FIRST.match(line)
    return NodeDevices(version["driver"] if version is not None else None, tuple(chips))


def ask() -> NodeDevices | None:
    """Run `npu-smi info` and return what it says; `None` where there is no such program or it fails."""
    program = shutil.which("npu-smi") or shutil.which("npu-smi", path="/usr/local/bin:/usr/local/sbin:/usr/bin")
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - the driver's own tool, with no word of anybody's
            [program, "info"], capture_output=True, timeout=_SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return read(done.stdout.decode("utf-8", "replace")) if done.returncode == 0 else None
