"""All options for a client's own list of them, what is known of one, and where the workspace sets which."""

from __future__ import annotations

from itertools import chain
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.docs.wording import heading, shown
from npu_lsp.lsp.features.elsewhere import listed, opened
from npu_lsp.lsp.features.indexer import index_workspace
from npu_lsp.lsp.features.markup import plaintext
from npu_lsp.lsp.features.option_text import option_text
from npu_lsp.lsp.features.registrations import OPTION
from npu_lsp.lsp.project import Project
from npu_lsp.lsp.session import Session
from npu_lsp.text.bilingual import Text

_HIDDEN = frozenset({"internal", "no_effect"})
_GROUPS = {
    "": Text("Others", "其他"),
    "accuracy": Text("Accuracy", "精度"),
    "basic": Text("Basics", "基础"),
    "cache": Text("Caches", "缓存"),
    "compare": Text("Comparing", "精度比对"),
    "compile": Text("Compiling", "编译"),
    "data": Text("Data", "数据"),
    "debug": Text("Debugging", "调试"),
    "display": Text("Display", "显示"),
    "distributed": Text("Distributed", "分布式"),
    "dump": Text("Dump", "数据 Dump"),
    "experimental": Text("Experimental", "试验"),
    "input": Text("Input", "输入"),
    "log": Text("Logs", "日志"),
    "memory": Text("Memory", "内存"),
    "mixed": Text("Mixed computing", "混合计算"),
    "model": Text("Model", "模型"),
    "output": Text("Output", "输出"),
    "performance": Text("Performance", "性能"),
    "profiling": Text("Profiling", "性能分析"),
    "recovery": Text("Recovery", "故障恢复"),
    "runtime": Text("Run time", "运行时"),
    "shape": Text("Shapes", "Shape"),
    "target": Text("Target", "目标"),
    "tuning": Text("Tuning", "调优"),
}


def options(session: Session, _params: Any) -> list[dict[str, Any]]:
    """Answer the options of each surface by group, each with its name as people write it and one line about it.

    Files that options name come behind everything that names them.
    """
    project = session.projects.find("")
    found: list[dict[str, Any]] = []
    for surface in sorted(Surface, key=lambda each: each.row.file):
        groups: dict[str, list[dict[str, Any]]] = {}
        for option in project.analyzer.catalog.options(surface):
            if option.status not in _HIDDEN:
                groups.setdefault(option.group, []).append(_row(project, option))
        if groups:
            title = heading(surface, project.analyzer.catalog, project.language)
            ordered = sorted(groups, key=lambda group: (not group, _title(group, project)))
            named = [{"title": _title(group, project), "options": groups[group]} for group in ordered]
            found.append({"surface": surface.value, "title": title, "groups": named})
    return found


def option(session: Session, params: Any) -> dict[str, Any]:
    """Answer the Markdown about one option; raise `JsonRpcInvalidParams` for one that isn't known."""
    project = session.projects.find("")
    asked = params if isinstance(params, dict) else {}
    surfaces = [surface for surface in Surface if surface.value == asked.get("surface")]
    found = project.analyzer.catalog.option(surfaces[0], str(asked.get("option"))) if surfaces else None
    if found is None:
        raise JsonRpcInvalidParams(f"{OPTION} takes a surface and one of its options")
    return {"markdown": option_text(project, found)}


async def settings(session: Session, params: Any) -> list[dict[str, Any]]:
    """Answer the options that the files of the workspace set, each with its places; files are gone through for it.

    Of an option that the catalog has, the answer tells what the list of all options tells.
    """
    token = params.get("workDoneToken") if isinstance(params, dict) else None
    await index_workspace(session, token if isinstance(token, (int, str)) else None)
    project = session.projects.find("")
    catalog = project.analyzer.catalog
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for each in chain(opened(session), listed(session)):
        entry = each.entry
        if entry.sets and entry.surface is not None:
            key = (entry.name, entry.surface.value)
            if key not in found:
                option = catalog.option(entry.surface, entry.name)
                row = _row(project, option) if option is not None else _name(entry.surface, entry.name)
                title = heading(entry.surface, catalog, project.language)
                found[key] = {"surface": entry.surface.value, "title": title, **row, "places": []}
            found[key]["places"].append({"location": each.location, "value": entry.value})
    return [found[key] for key in sorted(found, key=lambda key: (key[0].casefold(), *key))]


def _row(project: Project, option: Option) -> dict[str, Any]:
    summary = plaintext(project.analyzer.catalog.docs(option.surface, option.name).summary.to(project.language))
    stands = standing(option, project.analyzer.target)
    marks = {"struck": stands.deprecated or stands.removed, "usable": stands.usable}
    return {**_name(option.surface, option.name), "summary": summary, **marks}


def _name(surface: Surface, name: str) -> dict[str, Any]:
    return {"option": name, "name": shown(surface, name)}


def _title(group: str, project: Project) -> str:
    title = _GROUPS.get(group)
    return title.to(project.language) if title is not None else group
