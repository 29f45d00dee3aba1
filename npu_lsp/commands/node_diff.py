"""What `npu-lsp diff` says of snapshots of nodes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import groupby

from npu_lsp.checking import stderr
from npu_lsp.checking.node import NodeDifference, differences, names_of, read
from npu_lsp.commands.found import write_found
from npu_lsp.commands.language import CommandError, chosen, told
from npu_lsp.reports.style import Style
from npu_lsp.reports.table import Column, Table
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import one_line, shown

_TITLE = Text("npu-lsp: nodes that differ", "npu-lsp：节点差异")
_SECTIONS = {
    "variables": Text("variables", "环境变量"),
    "versions": Text("versions", "版本"),
    "packages": Text("packages", "软件包"),
    "devices": Text("devices", "设备"),
    "files": Text("files", "文件"),
}
_ABSENT = Text("(not there)", "（无）")
_COMMA = Text(", ", "、")


def compare(paths: Sequence[str], arguments: argparse.Namespace) -> int:
    """Print in what nodes differ: 0 in nothing, 1 in something. Raises `CommandError`."""
    nodes = {}
    for name, path in zip(names_of(paths), paths, strict=True):
        try:
            nodes[name] = read(path)
        except ValueError as error:
            raise CommandError(
                f"{shown(path)} is no snapshot of this version", f"{shown(path)} 不是当前版本的快照"
            ) from error
    found, aside = differences(nodes, everything=arguments.all)
    language = chosen()
    write_found(
        arguments,
        content=lambda: {"nodes": list(nodes), "differences": [_json(each) for each in found], "set_aside": aside},
        table=lambda: _table(found, language),
        text=lambda style: _text(found, style, language),
    )
    if aside:
        stderr.tell(
            told(
                f"{aside} ranks, names and addresses are set aside; --all shows them",
                f"{aside} 项 rank、名称和地址未比较；用 --all 显示",
            )
        )
    return 1 if found else 0


def _json(each: NodeDifference) -> dict[str, object]:
    values = {node: value for value, nodes in each.values for node in nodes}
    return {"section": each.section, "name": each.name, "values": values}


def _table(found: Sequence[NodeDifference], language: Language) -> Table:
    columns = (
        Column(Text("section", "类别"), filter=True),
        Column(Text("name", "名称"), code=True),
        Column(Text("value", "取值"), code=True),
        Column(Text("nodes", "节点")),
    )
    rows = [
        (
            _SECTIONS[each.section].to(language),
            one_line(each.name),
            _ABSENT.to(language) if value is None else one_line(value),
            _COMMA.to(language).join(map(one_line, nodes)),
        )
        for each in found
        for value, nodes in each.values
    ]
    return Table(_TITLE, columns, rows)


def _text(found: Sequence[NodeDifference], style: Style, language: Language) -> Iterator[str]:
    for section, group in groupby(found, key=lambda each: each.section):
        yield f"{style.bold(_SECTIONS[section].to(language))}\n"
        for each in group:
            yield f"  {one_line(each.name)}\n"
            for value, nodes in each.values:
                said = _ABSENT.to(language) if value is None else one_line(value)
                yield f"    {said}   {style.dim(_COMMA.to(language).join(map(one_line, nodes)))}\n"
