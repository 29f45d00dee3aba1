"""What a node has, and in what nodes differ: variables, versions, devices, and the files that everybody reads."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from npu_lsp.catalog import toolkit
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Surface
from npu_lsp.checking.processes import Process, packages
from npu_lsp.checking.secrets import is_of_one_node, masked
from npu_lsp.checking.smi import NodeDevices
from npu_lsp.text import lazy_re as re

FORMAT = "npu-lsp-snapshot"
VERSION = 1
_SECTIONS = ("variables", "versions", "packages", "devices", "files")
_ALSO = frozenset(
    {
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "PYTHONPATH",
        "OMP_NUM_THREADS",
        "OMP_PROC_BIND",
        "GLOO_SOCKET_IFNAME",
        "TP_SOCKET_IFNAME",
        "MASTER_ADDR",
        "MASTER_PORT",
        "WORLD_SIZE",
        "RANK",
        "LOCAL_RANK",
        "NODE_RANK",
    }
)
_PREFIXES = re.compile(
    r"(?:ASCEND|ATB|HCCL|HCCN|VLLM|SGLANG|MINDIE|MIES|MS|TORCH|PYTORCH|ACL|ACLNN|CANN|NPU|TE|GE|LCCL|LCAL|OMP|RAY)_"
)
_PACKAGES = re.compile(
    r"torch|vllm|sglang|mind|transformers|ascend|npu|triton|ray\Z|numpy\Z|deepspeed|accelerate|mooncake|onnx|tensorflow|te\Z|hccl|cann|megatron|peft\Z"
)
_VERSIONS = {
    "driver": ("usr/local/Ascend/driver/version.info", r"^\s*Version\s*=\s*(\S+)"),
    "firmware": ("usr/local/Ascend/firmware/version.info", r"^\s*Version\s*=\s*(\S+)"),
    "nnal": ("usr/local/Ascend/nnal/atb/latest/version.info", r"^\s*(?:Ascend-cann-atb|Version)\s*[:=]\s*(\S+)"),
    "mindie": ("usr/local/Ascend/mindie/latest/version.info", r"^\s*(?:Ascend-mindie|Version)\s*[:=]\s*(\S+)"),
    "kernel": ("proc/sys/kernel/osrelease", r"^(\S+)"),
    "system": ("etc/os-release", r'^PRETTY_NAME="?([^"\n]+)'),
}
_FILES = ("etc/hccn.conf", "etc/ascend_install.info")
_NAMED = ("RANK_TABLE_FILE", "RANKTABLEFILE", "ASCEND_GLOBAL_RESOURCE_CONFIG")
"""Variables that name a file."""
_MINDIE = ("usr/local/Ascend/mindie/latest/mindie-service/conf/config.json",)
_LARGEST = 1 << 20
_MOST = 2000
"""Keys of a file that are kept."""

Snapshot = dict[str, Any]


class NodeDifference(NamedTuple):
    """Something in which nodes differ."""

    section: str
    name: str
    values: tuple[tuple[str | None, tuple[str, ...]], ...]
    """Each value with the nodes that have it; `None`: it isn't there."""


def snapshot(
    process: Process, catalog: Catalog, devices: NodeDevices | None, *, root: Path = Path("/"), shown: bool = False
) -> Snapshot:
    """Return what a node has below `root`; `shown`: with secrets and addresses."""

    def told(name: str, value: str) -> str:
        return value if shown else masked(name, value)

    known = catalog.names(Surface.ENV)
    variables = {
        name: told(name, value)
        for name, value in sorted(process.variables.items())
        if name in known or name in _ALSO or _PREFIXES.match(name)
    }
    installed = packages(_below(root, process.python))
    chips = devices.facts() if devices is not None else dict(_devices(root))
    return {
        "format": FORMAT,
        "version": VERSION,
        "variables": variables,
        "versions": dict(_versions(process, root)),
        "packages": {name: version for name, version in sorted(installed.items()) if _PACKAGES.search(name)},
        "devices": {name: str(value) for name, value in chips.items()},
        "files": {
            f"{path}: {key}": told(key.rpartition(".")[2], value)
            for path in _paths(process)
            for key, value in _entries(_below(root, Path(path)))
        },
    }


def is_snapshot(path: str) -> bool:
    """Return whether a file is what `snapshot` returned."""
    try:
        with open(path, "rb") as stream:
            return FORMAT.encode() in stream.read(200)
    except OSError:
        return False


def read(path: str) -> Snapshot:
    """Return a snapshot that was written; raise `ValueError` for a file that is none."""
    with open(path, "rb") as stream:
        try:
            content = json.loads(stream.read(8 * _LARGEST))
        except RecursionError as error:
            raise ValueError(path) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT or content.get("version") != VERSION:
        raise ValueError(path)
    if not all(isinstance(content.get(section, {}), dict) for section in _SECTIONS):
        raise ValueError(path)
    return content


def differences(nodes: Mapping[str, Snapshot], *, everything: bool = False) -> tuple[list[NodeDifference], int]:
    """Return in what nodes differ, and how many ranks, names and addresses were set aside."""
    found: list[NodeDifference] = []
    aside = 0
    for section in _SECTIONS:
        names = dict.fromkeys(name for node in nodes.values() for name in node.get(section, {}))
        for name in sorted(names):
            values: dict[str | None, list[str]] = {}
            for called, node in nodes.items():
                value = node.get(section, {}).get(name)
                values.setdefault(None if value is None else str(value), []).append(called)
            if len(values) < 2:
                continue
            if not everything and is_of_one_node(name.rpartition(": ")[2].rpartition(".")[2]):
                aside += 1
                continue
            grouped = tuple((value, tuple(having)) for value, having in values.items())
            found.append(NodeDifference(section, name, grouped))
    return found, aside


def names_of(paths: Sequence[str]) -> list[str]:
    """Return what snapshots are called: the names of their files, or their paths where these are the same."""
    stems = [Path(path).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else list(paths)


def _below(root: Path, path: Path | None) -> Path:
    return root / str(path).lstrip("/") if path is not None else root / "usr"


def _versions(process: Process, root: Path) -> Iterator[tuple[str, str]]:
    variables = dict(process.variables)
    if root != Path("/"):
        for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "HOME"):
            variables[name] = str(_below(root, Path(variables.get(name, "/usr/local/Ascend/ascend-toolkit/latest"))))
    cann = toolkit.find(variables)
    if cann is not None and cann.version is not None:
        yield "cann", cann.version
    for name, (path, pattern) in _VERSIONS.items():
        match = re.search(pattern, _text(root / path), re.MULTILINE)
        if match is not None:
            yield name, match[1].strip()


def _devices(root: Path) -> Iterator[tuple[str, str]]:
    """Yield how many devices the system has files of: without `npu-smi` no more is known."""
    try:
        names = os.listdir(root / "dev")
    except OSError:
        return
    yield "count", str(sum(re.fullmatch(r"davinci\d+", name) is not None for name in names))


def _paths(process: Process) -> Iterator[str]:
    yield from (f"/{path}" for path in (*_FILES, *_MINDIE))
    for name in _NAMED:
        if process.variables.get(name, "").startswith("/"):
            yield process.variables[name]


def _entries(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what a file says: the leaves of JSON, else the lines of the form `key=value`."""
    text = _text(path)
    if text.lstrip()[:1] in ("{", "["):
        try:
            yield from islice(_leaves(json.loads(text), ""), _MOST)
        except (ValueError, RecursionError):
            return
        return
    for line in text.splitlines()[:_MOST]:
        key, sign, value = line.partition("=")
        if sign and not key.lstrip().startswith("#"):
            yield key.strip(), value.strip()


def _leaves(node: object, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        for key, inner in node.items():
            yield from _leaves(inner, f"{at}.{key}" if at else str(key))
    elif isinstance(node, list) and any(isinstance(each, (dict, list)) for each in node):
        for number, inner in enumerate(node):
            yield from _leaves(inner, f"{at}[{number}]")
    else:
        yield at, json.dumps(node, ensure_ascii=False) if not isinstance(node, str) else node


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as stream:
            return stream.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
