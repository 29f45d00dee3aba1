"""The tools that coding assistants get. Each of them reads, and none of them writes or runs anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any, Literal, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from npu_lsp import __version__
from npu_lsp.catalog import environment, links, toolkit
from npu_lsp.catalog.extend import extended
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.near import nearest
from npu_lsp.catalog.recipes import recipe, recipes, title_of
from npu_lsp.catalog.target import Target
from npu_lsp.checking.checked import Request
from npu_lsp.checking.diagnosis import Diagnosis, diagnosed, named
from npu_lsp.checking.inventory import Row
from npu_lsp.checking.logs.reader import LogReader
from npu_lsp.checking.profile_state import additional, standings
from npu_lsp.checking.progress import Progress
from npu_lsp.checking.report import ReportedFinding
from npu_lsp.checking.run import Plan
from npu_lsp.checking.run import run as run_plan
from npu_lsp.checking.stdin import check_stdin
from npu_lsp.commands.profile import as_json, matches
from npu_lsp.config.discover import Discovery
from npu_lsp.config.errors import ConfigError
from npu_lsp.docs.render import render_all
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.page import page
from npu_lsp.reports.explanation import markdown, nothing
from npu_lsp.reports.json import fields
from npu_lsp.rules import all_rules, rule_for
from npu_lsp.text.bilingual import Language
from npu_lsp.text.links import behind_link

Json = dict[str, Any]
Answer = TypeVar("Answer")
Speech = Literal["en", "zh"]
_MOST = 200
"""Findings, settings or names that one answer holds at the most; it says how many there are."""
_LARGEST = 1_000_000
_LONGEST_CODE = 100
_INSTRUCTIONS = (
    "Knows the options of Huawei Ascend NPUs: ATC, CANN environment variables, torch_npu, vLLM-Ascend, SGLang, MindIE, MindSpore. "
    "Use check before you hand over a script or a configuration for NPUs, and option before you write an option from memory."
)
_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def server(folders: Sequence[str], language: Language) -> MCPServer[Any]:
    """Return the server for one client, which may have read what lies below `folders`."""
    made: MCPServer[Any] = MCPServer("npu-lsp", version=__version__, instructions=_INSTRUCTIONS, log_level="ERROR")
    tools = _Tools(folders, language)
    reading = (tools.check, tools.check_text, tools.settings, tools.recipes, tools.recipe)
    for tool in (*reading, tools.option, tools.options, tools.rule, tools.explain):
        made.tool(annotations=_READS)(tool)
    return made


class _Tools:
    def __init__(self, folders: Sequence[str], language: Language) -> None:
        self._folders = [os.path.realpath(folder) for folder in folders]
        self._language = language
        self._lock = Lock()
        """Tools are called in threads, and parsers are shared."""

    def check(self, path: str = ".") -> Json:
        """Check a file or a folder for mistakes in its NPU configuration. Paths are relative to the first folder."""
        absolute = self._allowed(path)
        plan = Plan([absolute], self._folders[0], Request(language=self._language), cache=False)
        outcome = self._asked(lambda: run_plan(plan, Discovery(here=Path(self._folders[0])), Progress(None)))
        return self._findings(outcome.entries, outcome.files)

    def check_text(self, text: str, filename: str) -> Json:
        """Check a text that is not saved yet, as a file of that name (`run.sh`, `serve.py`, `Dockerfile`)."""
        name = os.path.relpath(self._allowed(filename), self._folders[0])
        data, discovery = text.encode("utf-8", "replace"), Discovery(here=Path(self._folders[0]))
        request = Request(language=self._language)
        piped = self._asked(lambda: check_stdin(BytesIO(data), name, self._folders[0], request, discovery))
        return self._findings(piped.outcome.entries, 1)

    def settings(self, path: str = ".") -> Json:
        """List the NPU options that a file or a folder sets, with their places and values, right or wrong."""
        rows = self._rows(path)
        return {"settings": [row._asdict() for row in rows[:_MOST]], "count": len(rows)}

    def recipes(self, path: str) -> Json:
        """Name what official pages set for the model that a file starts: the closest by model, product and version first."""
        absolute = Path(self._allowed(path))
        config = self._asked(self._config)
        names = self._asked(lambda: matches(absolute, config, _resolved(config)))
        known, sources = recipes(load()), load().plain("sources")
        found = [
            {
                "name": name,
                "title": title_of(known[name]).to(self._language),
                "source": links.address(known[name]["source"], sources, self._language),
            }
            for name in names
        ]
        return {"recipes": found, "count": len(found)}

    def recipe(self, name: str, path: str = ".") -> Json:
        """Compare a file or a folder with a recipe: what it sets, sets otherwise, lacks, and has besides. Advice: what differs may be right."""
        profile = recipe(name, load())
        if profile is None:
            near = nearest(name, recipes(load()))
            raise ToolError(f"there is no recipe {name!r}" + (f"; did you mean {near!r}?" if near else ""))
        found = self._rows(path)
        states = list(standings(profile, found, load(), self._asked(self._target)))
        return as_json(profile, states, additional(profile, found)[:_MOST])

    def option(self, name: str, language: Speech | None = None) -> str:
        """Explain an option, a flag or an environment variable: type, values, default, versions, products, relations."""
        said = self._language if language is None else language
        config = self._asked(self._config)
        catalog = extended(load(), config.catalog)
        word = name.lstrip("-")
        named = {surface: word for surface in Surface if catalog.option(surface, word) is not None}
        options = (catalog.option(surface, own) for surface, own in (named or catalog.topic(word)).items())
        found: list[Option] = [each for each in options if each is not None]
        if not found:
            near = sorted({like for surface in Surface if (like := catalog.near(surface, word)) is not None})
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise ToolError(f"there is no option {name!r}{hint}")
        target = _resolved(config)
        return render_all(catalog, found, said, target, budget=20_000)

    def options(self, contains: str, surface: str | None = None) -> Json:
        """Find options by a part of their names; `surface` (env, vllm, atc, mindie, ...) narrows the search."""
        if surface is not None and surface not in {each.value for each in Surface}:
            raise ToolError(f"there is no surface {surface!r}; one of {', '.join(each.value for each in Surface)}")
        word, catalog = contains.lower(), load()
        found = [
            {"surface": each.value, "name": name, "summary": catalog.docs(each, name).summary.to(self._language)}
            for each in Surface
            if surface in (None, each.value)
            for name in sorted(catalog.names(each))
            if word in name.lower()
        ]
        return {"options": found[:_MOST], "count": len(found)}

    def rule(self, name: str) -> str:
        """Explain a rule by its code or name (NPU101): what it finds, why that is bad, what to write instead."""
        config = self._asked(self._config)
        found = rule_for(name)
        if found is None and config.house_rules:
            from npu_lsp.linter.house.rule import house_rules

            found = next((each for each in house_rules(config) if each.name == name), None)
        if found is None:
            near = nearest(name, [word for each in all_rules() for word in (each.code, each.name)])
            raise ToolError(f"there is no rule {name!r}" + (f"; did you mean {near!r}?" if near else ""))
        return page(found, self._language)

    def explain(self, error: str) -> str:
        """Explain an error of CANN, torch_npu, vLLM-Ascend or MindIE: a code (E10001, 507018), or lines of a log."""
        catalog = load()
        code = catalog.error_codes.find(error.strip()) if len(error) < _LONGEST_CODE else None
        if code is not None:
            return "".join(markdown(Diagnosis([named(code, None)]), self._language))
        reader = LogReader(catalog)
        reader.read(BytesIO(error[:_LARGEST].encode("utf-8", "replace")))
        log = reader.log()
        diagnosis = diagnosed(log, catalog, None)
        return "".join(markdown(diagnosis, self._language)) if diagnosis.errors else nothing(log.lines, self._language)

    def _rows(self, path: str) -> list[Row]:
        """Return what a file or a folder sets, in the order of the text."""
        request = Request(language=self._language, inventory=True, check=False)
        plan = Plan([self._allowed(path)], self._folders[0], request, cache=False)
        outcome = self._asked(lambda: run_plan(plan, Discovery(here=Path(self._folders[0])), Progress(None)))
        return sorted(outcome.rows, key=lambda row: (row.path, *row[1:5], row.block))

    def _config(self) -> Config:
        return Discovery().config_for(self._folders[0])

    def _target(self) -> Target:
        return _resolved(self._config())

    def _allowed(self, path: str) -> str:
        """Return a path that may be read, absolute. Raises `ToolError`."""
        absolute = os.path.normpath(os.path.join(self._folders[0], path))
        for folder in self._folders:
            inside = absolute == folder or absolute.startswith(folder.rstrip(os.sep) + os.sep)
            if inside and "\0" not in path and not behind_link(absolute, folder):
                return absolute
        raise ToolError(f"{path!r} is not below a folder that may be read, or a link leads there")

    def _asked(self, ask: Callable[[], Answer]) -> Answer:
        with self._lock:
            try:
                return ask()
            except ConfigError as error:
                raise ToolError("\n".join(each.told(self._language) for each in error.problems)) from error
            except OSError as error:
                raise ToolError(str(error)) from error

    def _findings(self, entries: Sequence[ReportedFinding], files: int) -> Json:
        told = [fields(entry) for entry in entries if not entry.silenced]
        return {"findings": told[:_MOST], "count": len(told), "files": files}


def _resolved(config: Config) -> Target:
    return config.target.resolved(toolkit.find(), environment.installed())
