"""Findings counted by rule, by file or by option: what there is to do, the most first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.reports import FOR_PEOPLE
from npu_lsp.reports.style import Style
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import as_json, cells, shown

Group = Literal["rule", "file", "option"]

_NO_OPTION = Text(en="(no option)", zh="（无配置项）")


def counted(result: Result, group: Group, output_format: str, style: Style) -> Iterator[str]:
    """Yield the counts in a format for people, else in JSON."""
    return statistics(result, group, style) if output_format in FOR_PEOPLE else iter([statistics_json(result, group)])


def statistics(result: Result, group: Group, style: Style) -> Iterator[str]:
    """Yield a line for each group: how many findings, whether `--fix` mends them, what they are."""
    rows = _rows(result, group)
    if not rows:
        return
    width = max(len(str(row["count"])) for row in rows)
    keys = [shown(row["key"]) for row in rows]
    names = max(map(cells, keys))
    for row, key in zip(rows, keys, strict=True):
        mark = "[*]" if row["fixable"] == row["count"] else "[-]" if row["fixable"] else "[ ]"
        detail = _detail(row, result, group)
        padding = " " * (names - cells(key))
        count = f"{row['count']:>{width}}"
        yield f"{count}  {style.blue(mark)}  {style.bold(key)}{padding}  {shown(detail)}".rstrip() + "\n"


def statistics_json(result: Result, group: Group) -> str:
    """Return the same as JSON."""
    return as_json({"version": 1, "group_by": group, "groups": _rows(result, group)})


def _rows(result: Result, group: Group) -> list[dict[str, Any]]:
    found: dict[str, list[ReportedFinding]] = {}
    for entry in result.open:
        key = {"rule": entry.code, "file": entry.path, "option": entry.option or ""}[group]
        found.setdefault(key, []).append(entry)
    rows: list[dict[str, Any]] = []
    for key, entries in found.items():
        row: dict[str, Any] = {
            "key": key or _NO_OPTION.to(result.language),
            "count": len(entries),
            "fixable": sum(entry.fixable for entry in entries),
            "files": len({entry.path for entry in entries}),
        }
        if group == "rule":
            row |= {"name": entries[0].name, "severity": entries[0].severity.value}
        else:
            row["codes"] = dict(sorted(Counter(entry.code for entry in entries).items()))
        rows.append(row)
    return sorted(rows, key=lambda row: (-row["count"], row["key"]))


def _detail(row: dict[str, Any], result: Result, group: Group) -> str:
    if group != "rule":
        return ", ".join(f"{code}×{count}" if count > 1 else code for code, count in row["codes"].items())
    facts = result.rules.get(row["key"])
    return f"{row['name']}: {facts.title}" if facts else str(row["name"])
