"""`npu-lsp check`: reports and fixes what is wrong in files."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from npu_lsp.checking import saying
from npu_lsp.checking.checked import Settings
from npu_lsp.checking.progress import Progress
from npu_lsp.checking.report import Entry, Result
from npu_lsp.checking.run import Outcome, Plan, processors
from npu_lsp.checking.run import run as run_plan
from npu_lsp.commands.arguments import complain, discovery, language_of
from npu_lsp.commands.check_arguments import add_arguments as add_arguments
from npu_lsp.commands.interrupts import noted
from npu_lsp.commands.output import style_for, write_file, write_out
from npu_lsp.config.errors import ConfigError
from npu_lsp.linter.configuration import Config
from npu_lsp.reports import renderer
from npu_lsp.reports.style import Style
from npu_lsp.reports.summary import summary
from npu_lsp.text.bilingual import Text

if TYPE_CHECKING:
    from npu_lsp.checking.baselines import Known, Mode

_CLEAN, _FINDINGS, _BROKEN = 0, 1, 2
_CHUNK = 1 << 20
_FOR_PEOPLE = ("full", "concise")
# Where CI checks a repository out: what reads these reports expects paths from there.
_ROOTS = {"github": "GITHUB_WORKSPACE", "sarif": "GITHUB_WORKSPACE", "gitlab": "CI_PROJECT_DIR"}
_WOULD_FIX = Text(
    en="Would fix {count} finding(s) in {files} file(s).", zh="可修复 {files} 个文件中的 {count} 个问题。"
)
_WROTE = Text(
    en="Wrote {count} known finding(s) in {files} file(s) to {path}.",
    zh="已将 {files} 个文件中的 {count} 个已知问题写入 {path}。",
)
_NAME_IT = Text(
    en="From now on only new ones are reported, once {config} has the line: {line}",
    zh="在 {config} 中加入这一行后，将只报告新增问题：{line}",
)
_NOTHING = Text(en="found no file to check", zh="没有找到需要检查的文件")
_SHRUNK = Text(
    en="{count} known finding(s) are gone; {path} was updated, commit it.",
    zh="{count} 个已知问题已消除；{path} 已更新，请提交。",
)
_OUTDATED = Text(
    en="{count} known finding(s) in {path} are gone; run `npu-lsp check` locally to update it, and commit it.",
    zh="{path} 中的 {count} 个已知问题已消除；请在本地运行 `npu-lsp check` 更新该文件并提交。",
)
_LOCKED = Text(
    en="That fails this run, as baselines are locked in CI; `--baseline-mode keep` lets it pass.",
    zh="由于基线在 CI 中被锁定，本次检查不通过；可用 `--baseline-mode keep` 放行。",
)


def run(arguments: argparse.Namespace) -> int:
    """Check what was named: 0 clean, 1 findings, 2 usage, configuration or internal error."""
    saying.start(verbose=arguments.verbose)
    try:
        with noted() as interrupts:
            code = _Check(arguments).run()
            if interrupts:
                raise KeyboardInterrupt
            return code
    except ConfigError as error:
        complain(error, arguments)
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"npu-lsp: {saying.told(error)}", file=sys.stderr)
    return _BROKEN


class _Check:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.here = os.getcwd()
        # A name for the text on stdin means the text on stdin, as with other linters.
        self.paths: list[str] = arguments.paths or ["-" if arguments.stdin_filename else "."]
        more = {
            "output-format": arguments.output_format,
            "fail-on": arguments.fail_on,
            "baseline": arguments.baseline,
            "cache-dir": arguments.cache_dir or os.environ.get("NPU_LSP_CACHE_DIR"),
        }
        self.discovery = discovery(arguments, more)
        self.config = self._main_config()
        self.language = language_of(self.config.language)
        self.fixing: bool = arguments.fix or arguments.diff

    def run(self) -> int:
        if "-" in self.paths:
            return self._run_stdin()
        output = self.arguments.output_file
        if output and any(_is_one_file(output, path) for path in self.paths):
            print(f"npu-lsp: {output}: the report can't take the place of a file that is checked", file=sys.stderr)
            return _BROKEN
        caching = not (self.arguments.no_cache or os.environ.get("NPU_LSP_NO_CACHE"))
        settings = self._settings(remember=caching)
        jobs = self.arguments.jobs or processors()
        plan = Plan(self.paths, self.here, settings, jobs=jobs, shard=self.arguments.shard, cache=caching)
        progress = Progress(sys.stderr if sys.stderr.isatty() and not self.arguments.quiet else None)
        try:
            outcome = run_plan(plan, self.discovery, progress)
        finally:
            progress.end()
        saying.debug("%s files, %s results from the cache", outcome.files, outcome.remembered)
        if not (outcome.files or outcome.entries or self.arguments.shard or self.config.force_exclude):
            saying.warn("%s", _NOTHING.to(self.language))
        if self.arguments.write_baseline:
            return self._write_baseline(outcome)
        return self._finish(outcome)

    def _run_stdin(self) -> int:
        if len(self.paths) > 1:
            print("npu-lsp: - (stdin) goes with no other path", file=sys.stderr)
            return _BROKEN
        from npu_lsp.checking.stdin import check_stdin

        name = self.arguments.stdin_filename
        piped = check_stdin(sys.stdin.buffer, name, self.here, self._settings(remember=False), self.discovery)
        fixed = self.fixing and not self.arguments.diff
        if fixed:
            # Stdout belongs to the text.
            sys.stdout.buffer.write(piped.data)
            while more := sys.stdin.buffer.read(_CHUNK):
                sys.stdout.buffer.write(more)
            sys.stdout.buffer.flush()
        return self._finish(piped.outcome, sys.stderr if fixed else sys.stdout)

    def _settings(self, *, remember: bool) -> Settings:
        write = self.arguments.fix and not self.arguments.diff and "-" not in self.paths
        return Settings(
            language=self.language,
            fix=self.fixing,
            unsafe=self.arguments.unsafe_fixes,
            write=write,
            remember=remember and not self.fixing,
        )

    def _main_config(self) -> Config:
        """Return the configuration that says how to report: that of the first path, or of the current folder."""
        first = os.path.join(self.here, self.arguments.stdin_filename or self.paths[0])
        folder = first if os.path.isdir(first) else os.path.dirname(first)
        return self.discovery.config_for(os.path.normpath(folder if os.path.isdir(folder) else self.here))

    # -- what comes of a run ----------------------------------------------------------------------------

    def _finish(self, outcome: Outcome, stream: TextIO = sys.stdout) -> int:
        arguments = self.arguments
        if arguments.diff:
            return self._finish_diff(outcome)
        known = self._known(outcome)
        entries = known.entries if known is not None else outcome.entries
        output_format = self.config.output_format
        result = self._result(outcome, entries, output_format)
        style = style_for(arguments.color, stream, file=bool(arguments.output_file))
        report = self._report(result, output_format, style)
        if arguments.output_file:
            write_file(arguments.output_file, report)
        else:
            write_out(report, stream)
        if output_format in _FOR_PEOPLE and not arguments.quiet and not arguments.statistics:
            style = style_for(arguments.color, stream)
            lines = summary(result, outcome.fixed, style, fixing=arguments.fix)
            write_out((f"{line}\n" for line in lines), stream)
        locked = known is not None and bool(known.outdated) and self._mode == "lock"
        if known is not None and not arguments.quiet:
            self._tell_of_baselines(known, locked=locked)
        return self._exit_code(outcome, result, locked=locked)

    def _report(self, result: Result, output_format: str, style: Style) -> Iterable[str]:
        if not result.open and output_format in _FOR_PEOPLE:
            return ()
        if not self.arguments.statistics:
            return renderer(output_format)(result, style)
        from npu_lsp.reports.statistics import statistics, statistics_json

        if output_format in _FOR_PEOPLE:
            return statistics(result, self.arguments.group_by, style)
        return [statistics_json(result, self.arguments.group_by)]

    def _result(self, outcome: Outcome, entries: tuple[Entry, ...], output_format: str) -> Result:
        rules = {}
        if entries and (output_format == "sarif" or self.arguments.statistics):
            from npu_lsp.reports.rules import rule_facts

            rules = rule_facts({entry.code for entry in entries}, self.language)
        root = os.environ.get(_ROOTS.get(output_format, ""), "")
        inside = root and Path(self.here).is_relative_to(root)
        return Result(
            entries,
            files=outcome.files,
            language=self.language,
            rules=rules,
            failed=outcome.failed,
            here=self.here,
            root=root if inside else self.here,
        )

    def _finish_diff(self, outcome: Outcome) -> int:
        write_out(diff for _, diff in outcome.diffs)
        count = sum(outcome.fixed.values())
        if not self.arguments.quiet:
            print(_WOULD_FIX.to(self.language).format(count=count, files=len(outcome.diffs)), file=sys.stderr)
        if outcome.failed:
            return _BROKEN
        return _FINDINGS if outcome.diffs and not self.arguments.exit_zero else _CLEAN

    def _exit_code(self, outcome: Outcome, result: Result, *, locked: bool) -> int:
        if outcome.failed:
            return _BROKEN
        limit = self.config.fail_on.rank
        bad = any(entry.severity.rank <= limit for entry in result.open)
        return _FINDINGS if (bad or locked) and not self.arguments.exit_zero else _CLEAN

    # -- baselines --------------------------------------------------------------------------------------

    @property
    def _mode(self) -> Mode:
        from npu_lsp.checking.baselines import mode_of

        return mode_of(self.arguments.baseline_mode)

    def _known(self, outcome: Outcome) -> Known | None:
        """Return what baselines say; `None` where there is none."""
        if self.config.baseline is None and all(config.baseline is None for config in outcome.configs.values()):
            return None
        from npu_lsp.checking.baselines import apply

        partial = self._partial(outcome)
        return apply(outcome, self.config, self._mode, self.here, partial=partial)

    def _write_baseline(self, outcome: Outcome) -> int:
        from npu_lsp.checking.baseline import NAME
        from npu_lsp.checking.baselines import written

        path = self.config.baseline or (self.config.root or Path(self.here)) / NAME
        baseline = written(outcome, path, self.here)
        if not self.arguments.quiet:
            text, shown = _WROTE.to(self.language), os.path.relpath(path, self.here)
            print(text.format(count=baseline.total, files=len(baseline.counts), path=shown), file=sys.stderr)
            self._tell_how_to_use(path)
        return _BROKEN if outcome.failed else _CLEAN

    def _tell_how_to_use(self, baseline: Path) -> None:
        """Say which line of which file makes later runs use a baseline, unless one does already."""
        origin = self.config.origins.get("baseline", "command line")
        if self.config.baseline == baseline and origin != "command line":
            return
        import json

        file = self.config.path or (self.config.root or Path(self.here)) / "npu-lsp.toml"
        name = os.path.relpath(baseline, file.parent).replace(os.sep, "/")
        line = f"baseline = {json.dumps(name, ensure_ascii=False)}"
        table = ", [tool.npu-lsp]" if file.name == "pyproject.toml" else ""
        config = os.path.relpath(file, self.here) + table
        print(_NAME_IT.to(self.language).format(config=config, line=line), file=sys.stderr)

    def _partial(self, outcome: Outcome) -> bool:
        arguments = self.arguments
        narrowed = (
            arguments.select or arguments.ignore or arguments.extend_select or arguments.per_file_ignores
            or arguments.target or arguments.catalog or arguments.config or arguments.isolated
        )  # fmt: skip
        return bool(narrowed or arguments.shard or arguments.diff or outcome.failed or "-" in self.paths)

    def _tell_of_baselines(self, known: Known, *, locked: bool) -> None:
        for text, counts in ((_SHRUNK, known.shrunk), (_OUTDATED, known.outdated)):
            for path, count in counts.items():
                shown = os.path.relpath(path, self.here)
                print(text.to(self.language).format(count=count, path=shown), file=sys.stderr)
        if locked:
            print(_LOCKED.to(self.language), file=sys.stderr)


def _is_one_file(one: str, other: str) -> bool:
    try:
        return os.path.isfile(one) and os.path.samefile(one, other)
    except OSError:
        return False
