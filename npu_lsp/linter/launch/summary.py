"""A launch in one line: `8 processes on 2 devices, tp 8`."""

from __future__ import annotations

from npu_lsp.linter.launch.launch import Launch
from npu_lsp.text.bilingual import Language, Text

_ONE_PROCESS = Text("1 process", "1 个进程")
_PROCESSES = Text("{number} processes", "{number} 个进程")
_NODES = Text(" on {number} nodes", "，共 {number} 个节点")
_ONE_DEVICE = Text(" on 1 device", "使用 1 个设备")
_DEVICES = Text(" on {number} devices", "使用 {number} 个设备")
_ONLY_DEVICES = Text("devices {ids}", "设备 {ids}")
_BETWEEN = Text(", ", "，")
SHORT = {"tensor": "tp", "pipeline": "pp", "context": "cp", "data": "dp"}
"""What people call the parallel sizes."""


def summary(launch: Launch, language: Language) -> str:
    """Return what is known of a launch in a few words; nothing where nothing is known."""
    parts = [_processes(launch, language)]
    sizes = ((short, launch.size(what)) for what, short in SHORT.items())
    parts += [f"{short} {size.number}" for short, size in sizes if size is not None and size.number > 1]
    return _BETWEEN.to(language).join(filter(None, parts))


def _processes(launch: Launch, language: Language) -> str:
    count, nodes, devices = launch.processes, launch.nodes, launch.devices
    if count is None:
        ids = ",".join(map(str, devices.ids)) if devices is not None else ""
        return _ONLY_DEVICES.to(language).format(ids=ids) if ids else ""
    said = (_ONE_PROCESS if count.number == 1 else _PROCESSES).to(language).format(number=count.number)
    if nodes is not None and nodes.number > 1:
        said += _NODES.to(language).format(number=nodes.number)
    if devices is not None:
        number = len(devices.ids)
        said += (_ONE_DEVICE if number == 1 else _DEVICES).to(language).format(number=number)
    return said
