"""`npu-lsp check`: reports and fixes what is wrong in files."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from npu_lsp.checking import stderr
from npu_lsp.checking.checked import FixMode, Request
from npu_lsp.checking.progress import Progress
from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.checking.run import Outcome, Plan, processors
from npu_lsp.checking.run import run as run_plan
from npu_lsp.commands.arguments import complain, discovery
from npu_lsp.commands.check_arguments import add_arguments as add_arguments
from npu_lsp.commands.check_misuse import COUNTED, misused
from npu_lsp.commands.found import style_for
from npu_lsp.commands.interrupts import noted
from npu_lsp.commands.language import language_of, told
from npu_lsp.commands.output import write_bytes, write_file, write_out
from npu_lsp.config.errors import ConfigError
from npu_lsp.linter.configuration import Config
from npu_lsp.reports import FOR_PEOPLE, needs_rules, renderer
from npu_lsp.reports.style import Style
from npu_lsp.reports.summary import FILES, Done, summary
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import shown_path

if TYPE_CHECKING:
    from npu_lsp.checking.baselines import KnownFindings, Mode
    from npu_lsp.checking.walking import PassedOver
    from npu_lsp.linter.fixing.asked import FixAnswer, Proposed
    from npu_lsp.linter.rule import Rule

_CLEAN, _FINDINGS, _BROKEN = 0, 1, 2
_CHUNK = 1 << 20
# Where CI checks a repository out: what reads these reports expects paths from there.
_ROOTS = {
    "github": "GITHUB_WORKSPACE",
    "sarif": "GITHUB_WORKSPACE",
    "gitlab": "CI_PROJECT_DIR",
    "azure": "BUILD_SOURCESDIRECTORY",
}
_WOULD_FIX = Text(en="Would fix {count} finding{s} in {files}.", zh="可修复 {files}中的 {count} 个问题。")
_WOULD_SILENCE = Text(en="Would silence {count} finding{s} in {files}.", zh="可用注释忽略 {files}中的 {count} 个问题。")
_NOTHING = Text(
    en="found no file to check; --allow-empty lets that pass", zh="没有找到需要检查的文件；可用 --allow-empty 放行"
)
_IGNORED = Text(en="Git ignores {path}: {file}:{line}: {pattern}", zh="Git 忽略了 {path}：{file}:{line}: {pattern}")
_FEW = 3
"""So many lines of ignore files are told."""
_MISSING = Text(
    en="{path}: there is nothing of that name; --allow-empty lets that pass",
    zh="{path}：没有匹配的文件或目录；可用 --allow-empty 放行",
)


def run(arguments: argparse.Namespace) -> int:
    """Check what was named: 0 clean, 1 findings, 2 usage, configuration or internal error."""
    wrong = misused(arguments)
    if wrong is not None:
        stderr.tell(f"npu-lsp check: {told('error: ', '错误：')}{wrong}")
        return _BROKEN
    with noted() as interrupts:
        code = _watched(arguments) if arguments.watch else _once(arguments)
        if interrupts:
            raise KeyboardInterrupt
        return code


def _once(arguments: argparse.Namespace) -> int:
    try:
        return _Check(arguments).run()
    except BrokenPipeError:
        raise
    except OSError as error:
        stderr.tell(f"npu-lsp: {stderr.told(error)}")
    return _BROKEN


def _watched(arguments: argparse.Namespace) -> int:
    """Check again and again, until an interrupt."""
    from npu_lsp.commands.watching import watch

    gc.enable()

    def check() -> Iterable[str]:
        looked_at: list[str] = []
        try:
            one = _Check(arguments)
            one.run()
            looked_at += one.looked_at()
        except ConfigError as error:
            complain(error, arguments)
        return looked_at

    return watch(check, lambda: discovery(arguments), arguments.paths or ["."])


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
        stderr.speak(self.language)
        self.mending = _mending(arguments)
        self.output_format = self.config.output_format
        if arguments.statistics and self.output_format not in COUNTED:
            # The configuration's: whoever asks for counts wants to see them.
            self.output_format = "full"
        self.looked_at: Callable[[], frozenset[str]] = frozenset

    def run(self) -> int:
        if self.arguments.environment:
            return self._run_environment()
        if "-" in self.paths:
            return self._run_stdin()
        if self.arguments.show_files:
            return self._show_files()
        output = self.arguments.output_file
        if output and any(_is_one_file(output, path) for path in self.paths):
            taken = told("the report can't take the place of a file that is checked", "报告不能覆盖被检查的文件")
            stderr.tell(f"npu-lsp: {output}: {taken}")
            return _BROKEN
        caching = not (self.arguments.no_cache or os.environ.get("NPU_LSP_NO_CACHE"))
        request = self._request(remember=caching)
        jobs = self._jobs()
        plan = Plan(self.paths, self.here, request, jobs=jobs, shard=self.arguments.shard, cache=caching)
        progress = self._progress()
        try:
            outcome = run_plan(plan, self.discovery, progress)
        finally:
            progress.end()
        self.looked_at = outcome.looked_at
        stderr.debug("{files} files, {known} results from the cache", files=outcome.files, known=outcome.remembered)
        empty = self._is_empty(outcome.files or len(outcome.entries), outcome.missing, outcome.passed_over)
        if self.arguments.write_baseline:
            from npu_lsp.commands.check_baseline import write

            write(outcome, self.config, self.here, self.language, quiet=self.arguments.quiet)
            return _BROKEN if outcome.failed or empty else _CLEAN
        # Nothing was checked: that isn't "all checks passed", and what else there is to say is said.
        return max(_BROKEN if empty else _CLEAN, self._finish(outcome, quiet=empty and not outcome.entries))

    def _is_empty(self, files: int, missing: Sequence[str], passed_over: Sequence[PassedOver]) -> bool:
        """Return whether something was named that there is nothing of, and say so."""
        if self.arguments.allow_empty:
            return False
        for path in missing:
            stderr.wrong(_MISSING, path=path)
        nothing = not (files or missing or self.arguments.shard or self.config.force_exclude)
        if nothing:
            stderr.wrong(_NOTHING)
            self._tell_of_ignore_files(passed_over)
        return nothing or bool(missing)

    def _tell_of_ignore_files(self, passed_over: Sequence[PassedOver]) -> None:
        """Say by which lines of which files there was nothing left."""
        lines: set[object] = set()
        for each in passed_over:
            line = each.line()
            if line is None or line in lines or len(lines) == _FEW:
                continue
            lines.add(line)
            file = os.path.relpath(line.file, self.here)
            stderr.warn(_IGNORED, path=each.shown, file=file, line=line.number, pattern=line.pattern)

    def _show_files(self) -> int:
        from npu_lsp.checking.walking import Walk
        from npu_lsp.commands.listing import files_of

        walk = Walk(self.discovery, self.here)
        files = files_of(walk, self.paths, self.arguments.shard)
        write_out(f"{shown_path(path)}\n" for path in files)
        return _BROKEN if self._is_empty(len(files), walk.missing, walk.passed_over) else _CLEAN

    def _run_stdin(self) -> int:
        if len(self.paths) > 1:
            alone = told("- (stdin) goes with no other path", "-（标准输入）不能与其他路径一起使用")
            stderr.tell(f"npu-lsp: {alone}")
            return _BROKEN
        from npu_lsp.checking.stdin import check_stdin

        name = self.arguments.stdin_filename
        piped = check_stdin(sys.stdin.buffer, name, self.here, self._request(remember=False), self.discovery)
        fixed = self._mends_in_place
        if fixed:
            # Stdout belongs to the text.
            write_bytes([piped.data], sys.stdout)
            write_bytes(iter(lambda: sys.stdin.buffer.read(_CHUNK), b""), sys.stdout)
        return self._finish(piped.outcome, sys.stderr if fixed else sys.stdout)

    def _run_environment(self) -> int:
        from npu_lsp.checking.surroundings import check_process
        from npu_lsp.commands.snapshot import process_of

        launch = self.arguments.paths[0] if self.arguments.paths else None
        return self._finish(check_process(process_of(self.arguments.pid), launch, self.config, self.language))

    @property
    def _mends_in_place(self) -> bool:
        """Whether what is mended is put in the place of what was there, not shown as a patch."""
        return self.mending is not FixMode.NOTHING and not self.arguments.diff

    def _request(self, *, remember: bool) -> Request:
        return Request(
            language=self.language,
            mending=self.mending,
            write=self._mends_in_place and "-" not in self.paths,
            ask=self._asking(),
            remember=remember and self.mending is FixMode.NOTHING,
        )

    def _jobs(self) -> int:
        # Whoever is asked is asked one thing at a time.
        return 1 if self.arguments.interactive else self.arguments.jobs or processors()

    def _progress(self) -> Progress:
        silent = self.arguments.quiet or self.arguments.interactive
        return Progress(sys.stderr if sys.stderr.isatty() and not silent else None)

    def _asking(self) -> Callable[[str, Proposed], FixAnswer] | None:
        if self.mending is not FixMode.ASKED:
            return None
        from npu_lsp.commands.check_asking import Asking

        return Asking(self.language, unsafe=self.arguments.unsafe_fixes)

    def _main_config(self) -> Config:
        """Return the configuration that says how to report: that of the first path, or of the current folder."""
        first = os.path.join(self.here, self.arguments.stdin_filename or self.paths[0])
        folder = first if os.path.isdir(first) else os.path.dirname(first)
        return self.discovery.config_for(os.path.normpath(folder if os.path.isdir(folder) else self.here))

    # -- what comes of a run ----------------------------------------------------------------------------

    def _finish(self, outcome: Outcome, stream: TextIO = sys.stdout, *, quiet: bool = False) -> int:
        arguments = self.arguments
        quiet = quiet or arguments.quiet
        if arguments.diff:
            return self._finish_diff(outcome)
        known = self._known(outcome)
        entries = known.entries if known is not None else outcome.entries
        result = self._result(outcome, entries)
        style = style_for(arguments.color, stream, file=bool(arguments.output_file))
        report = self._report(result, style)
        if arguments.output_file:
            write_file(arguments.output_file, report)
            # Whoever asks for a file wants nothing else on stdout.
            stream = sys.stderr
        else:
            write_out(report, stream)
        done = Done(outcome.mended, listed=arguments.show_fixes, mending=self.mending)
        if self.output_format in FOR_PEOPLE and not quiet and not arguments.statistics:
            write_out((f"{line}\n" for line in summary(result, done, style_for(arguments.color, stream))), stream)
        elif arguments.show_fixes:
            write_out((f"{line}\n" for line in done.lines(self.language)), sys.stderr)
        locked = known is not None and bool(known.outdated) and self._mode == "lock"
        if known is not None and not quiet:
            from npu_lsp.commands.check_baseline import tell

            tell(known, self.here, self.language, locked=locked)
        return self._exit_code(outcome, result, locked=locked)

    def _report(self, result: Result, style: Style) -> Iterable[str]:
        if not result.open and self.output_format in FOR_PEOPLE:
            return ()
        if not self.arguments.statistics:
            return renderer(self.output_format)(result, style)
        from npu_lsp.reports.statistics import counted

        return counted(result, self.arguments.group_by or "rule", self.output_format, style)

    def _result(self, outcome: Outcome, entries: tuple[ReportedFinding, ...]) -> Result:
        rules = {}
        if entries and (needs_rules(self.output_format) or self.arguments.statistics):
            from npu_lsp.reports.rules import rule_facts

            rules = rule_facts({entry.code for entry in entries}, self.language, _own_rules(outcome))
        root = os.environ.get(_ROOTS.get(self.output_format, ""), "")
        inside = root and Path(self.here).is_relative_to(root)
        return Result(
            entries,
            empty=not outcome.files and not entries,
            language=self.language,
            rules=rules,
            failed=outcome.failed,
            here=self.here,
            root=root if inside else self.here,
        )

    def _finish_diff(self, outcome: Outcome) -> int:
        diffs = (diff for _, diff in outcome.diffs)
        if self.arguments.output_file:
            write_file(self.arguments.output_file, diffs)
        else:
            write_out(diffs)
        if not self.arguments.quiet:
            text = _WOULD_SILENCE if self.mending is FixMode.SILENCED else _WOULD_FIX
            files = FILES.many(len(outcome.diffs), self.language)
            stderr.tell(text.many(sum(outcome.fixed.values()), self.language, files=files))
        if self.arguments.show_fixes:
            write_out((f"{line}\n" for line in Done(outcome.mended).files()), sys.stderr)
        if outcome.failed:
            return _BROKEN
        return _FINDINGS if outcome.diffs and not self.arguments.exit_zero else _CLEAN

    def _exit_code(self, outcome: Outcome, result: Result, *, locked: bool) -> int:
        if outcome.failed:
            return _BROKEN
        limit = self.config.fail_on.rank
        bad = any(entry.severity.rank <= limit for entry in result.open)
        changed = self.arguments.exit_non_zero_on_fix and bool(outcome.fixed)
        return _FINDINGS if (bad or locked or changed) and not self.arguments.exit_zero else _CLEAN

    # -- baselines --------------------------------------------------------------------------------------

    @property
    def _mode(self) -> Mode:
        from npu_lsp.checking.baselines import mode_of

        return mode_of(self.arguments.baseline_mode)

    def _known(self, outcome: Outcome) -> KnownFindings | None:
        """Return what baselines say; `None` where there is none."""
        if self.config.baseline is None and all(config.baseline is None for _, config in outcome.checked):
            return None
        from npu_lsp.checking.baselines import apply

        partial = self._partial(outcome)
        return apply(outcome, self.config, self._mode, self.here, partial=partial)

    def _partial(self, outcome: Outcome) -> bool:
        arguments = self.arguments
        narrowed = (
            arguments.select or arguments.ignore or arguments.extend_select or arguments.per_file_ignores
            or arguments.target or arguments.catalog or arguments.config or arguments.isolated
        )  # fmt: skip
        return bool(narrowed or arguments.shard or arguments.diff or outcome.failed or "-" in self.paths)


def _own_rules(outcome: Outcome) -> Iterator[Rule]:
    """Yield the rules that the configurations of the files add."""
    for config in {id(each): each for each in outcome.configs.values() if each.house_rules}.values():
        from npu_lsp.linter.house.rule import house_rules

        yield from house_rules(config)


def _mending(arguments: argparse.Namespace) -> FixMode:
    if arguments.add_ignores:
        return FixMode.SILENCED
    if arguments.interactive:
        return FixMode.ASKED
    if not (arguments.fix or arguments.diff):
        return FixMode.NOTHING
    return FixMode.ALL if arguments.unsafe_fixes else FixMode.SAFE


def _is_one_file(one: str, other: str) -> bool:
    try:
        return os.path.isfile(one) and os.path.samefile(one, other)
    except OSError:
        return False
