"""A whole run: which files, what is found in them, in one result."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from npu_lsp.checking.checker import Checked, Checker, Settings
from npu_lsp.checking.walking import Candidate, Walk
from npu_lsp.config.discover import Discovery
from npu_lsp.config.model import Config
from npu_lsp.reports.model import Entry, order


class Outcome(NamedTuple):
    """What came of a run."""

    entries: tuple[Entry, ...]
    """Sorted."""
    files: int
    failed: bool
    """An error of ours kept a file from being checked."""
    config: Config
    """What is in force where the command runs, or with the first file."""


def run(paths: Sequence[str], discovery: Discovery, settings: Settings) -> Outcome:
    """Check what `paths` name. Raises `ConfigError` where a configuration can't be used."""
    here = os.getcwd()
    config = discovery.config_for(here)
    walk = Walk(discovery, here)
    checker = Checker(walk.configs, settings)
    entries: list[Entry] = []
    files = 0
    failed = False
    for _, checked in _checked(walk.files(paths), checker):
        files += 1
        entries += checked.entries
        failed = failed or checked.failed
    if walk.missing:
        from npu_lsp.checking.problems import problem_entry

        missing = (problem_entry(path, "missing", config, settings.language) for path in walk.missing)
        entries += [entry for entry in missing if entry is not None]
    return Outcome(tuple(sorted(entries, key=order)), files, failed, config)


def _checked(candidates: Iterable[Candidate], checker: Checker) -> Iterable[tuple[Candidate, Checked]]:
    for candidate in candidates:
        yield candidate, checker.check(candidate)
