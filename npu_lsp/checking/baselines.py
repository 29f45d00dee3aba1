"""Applies the baselines that configurations name to what a run found, and keeps them up to date."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, cast

from npu_lsp.checking.baseline import Baseline
from npu_lsp.checking.report import ReportedFinding, order
from npu_lsp.checking.run import Outcome
from npu_lsp.linter.configuration import Config

Mode = Literal["shrink", "keep", "lock"]
"""What becomes of known findings that are gone: the file is written without them, or not; `lock` makes the run fail."""


class KnownFindings(NamedTuple):
    """The findings of a run with those marked that a baseline knows, and how the baselines changed."""

    entries: tuple[ReportedFinding, ...]
    """Those that are known are marked."""
    shrunk: Mapping[Path, int] = {}
    """How many findings fewer each baseline has that was written."""
    outdated: Mapping[Path, int] = {}
    """How many findings of each baseline are gone, where it was not written."""


def mode_of(choice: str) -> Mode:
    """Return the mode that `--baseline-mode` asks for: on a developer's machine baselines shrink, in CI they are locked."""
    if choice != "auto":
        return cast(Mode, choice)
    # In CI a file that changes is lost with the machine, and nobody would see that it was not committed.
    return "shrink" if os.environ.get("CI", "").lower() in ("", "0", "false") else "lock"


def apply(outcome: Outcome, fallback: Config, mode: Mode, here: str, *, partial: bool) -> KnownFindings:
    """Mark the findings that are known, and shrink baselines as `mode` says.

    `partial`: the run saw less than it would have to for that (a shard, other rules than the configuration's).
    `fallback` is in force for files that were not found. Raises `ConfigError` for a baseline that can't be used, and
    `OSError` where one can't be written.
    """
    groups: dict[Path | None, list[ReportedFinding]] = {}
    files: dict[Path, list[str]] = {}
    rules: dict[Path, Config] = {}
    configs = outcome.configs
    for file, config in configs.items():
        if config.baseline is not None:
            files.setdefault(config.baseline, []).append(file)
            rules.setdefault(config.baseline, config)
    for entry in outcome.entries:
        groups.setdefault(configs.get(entry.path, fallback).baseline, []).append(entry)
    entries = groups.pop(None, [])
    shrunk: dict[Path, int] = {}
    outdated: dict[Path, int] = {}
    for path in sorted({*files, *(p for p in groups if p is not None)}):
        baseline = Baseline.read(path, here)
        marked = list(baseline.silenced(groups.get(path, ())))
        entries += marked
        if partial or path not in rules:
            continue
        smaller = baseline.shrunk(marked, files[path], baseline.missing(here), _codes(rules[path]))
        gone = baseline.total - smaller.total
        if gone and mode == "shrink":
            smaller.write()
            shrunk[path] = gone
        elif gone:
            outdated[path] = gone
    return KnownFindings(tuple(sorted(entries, key=order)), shrunk, outdated)


def _codes(config: Config) -> Collection[str]:
    from npu_lsp.linter.house.rule import rules_with
    from npu_lsp.linter.selection import selected
    from npu_lsp.rules import all_rules

    return {rule.code for rule in selected(rules_with(config, all_rules()), config)}
