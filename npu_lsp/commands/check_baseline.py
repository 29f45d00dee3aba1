"""What `npu-lsp check` says of baselines, on stderr."""

from __future__ import annotations

import json
import os
from pathlib import Path

from npu_lsp.checking import stderr
from npu_lsp.checking.baseline import NAME, Baseline
from npu_lsp.checking.baselines import KnownFindings
from npu_lsp.checking.run import Outcome
from npu_lsp.linter.configuration import Config
from npu_lsp.reports.summary import FILES
from npu_lsp.text.bilingual import Language, Text

_WROTE = Text(
    en="Wrote {count} known finding{s} in {files} to {path}.",
    zh="已将 {files}中的 {count} 个已知问题写入 {path}。",
)
_NAME_IT = Text(
    en="From now on only new ones are reported, once {config} has the line: {line}",
    zh="在 {config} 中加入这一行后，将只报告新增问题：{line}",
)
_SHRUNK = Text(
    en="Gone: {count} known finding{s}; {path} was updated, commit it.",
    zh="{count} 个已知问题已消除；{path} 已更新，请提交。",
)
_OUTDATED = Text(
    en="Gone: {count} known finding{s} in {path}; run `npu-lsp check` locally to update it, and commit it.",
    zh="{path} 中的 {count} 个已知问题已消除；请在本地运行 `npu-lsp check` 更新该文件并提交。",
)
_LOCKED = Text(
    en="That fails this run, as baselines are locked in CI; `--baseline-mode keep` lets it pass.",
    zh="由于基线在 CI 中被锁定，本次检查不通过；可用 `--baseline-mode keep` 放行。",
)


def write(outcome: Outcome, config: Config, here: str, language: Language, *, quiet: bool) -> None:
    """Take all findings of a run as known, and say where that stands now."""
    path = config.baseline or (config.root or Path(here)) / NAME
    baseline = Baseline.of(path, here, outcome.entries)
    baseline.write()
    if quiet:
        return
    _tell_what_was_written(baseline, os.path.relpath(path, here), language)
    origin = config.origins.get("baseline", "command line")
    if config.baseline != path or origin == "command line":
        _tell_how_to_use(path, config, here, language)


def _tell_what_was_written(baseline: Baseline, shown: str, language: Language) -> None:
    files = FILES.many(len(baseline.counts), language)
    stderr.tell(_WROTE.many(baseline.total, language, files=files, path=shown))


def _tell_how_to_use(baseline: Path, config: Config, here: str, language: Language) -> None:
    """Say which line of which file makes later runs use a baseline."""
    file = config.path or (config.root or Path(here)) / "npu-lsp.toml"
    name = os.path.relpath(baseline, file.parent).replace(os.sep, "/")
    line = f"baseline = {json.dumps(name, ensure_ascii=False)}"
    table = ", [tool.npu-lsp]" if file.name == "pyproject.toml" else ""
    shown = os.path.relpath(file, here) + table
    stderr.tell(_NAME_IT.to(language).format(config=shown, line=line))


def tell(known: KnownFindings, here: str, language: Language, *, locked: bool) -> None:
    """Say what became of known findings that are gone."""
    for text, counts in ((_SHRUNK, known.shrunk), (_OUTDATED, known.outdated)):
        for path, count in counts.items():
            stderr.tell(text.many(count, language, path=os.path.relpath(path, here)))
    if locked:
        stderr.tell(_LOCKED.to(language))
