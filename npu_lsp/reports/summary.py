"""The last words of a run: how much was found, most of what and where, how much of it can be fixed. Ten lines at the most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from npu_lsp.checking.checked import FixMode
from npu_lsp.checking.report import ReportedFinding, Result
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.style import Style
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import one_line, shown_path

_MANY = 10
"""From so many findings on nobody counts by hand what most of them are about."""
_TOP = 3
_CLEAN = Text(en="All checks passed!", zh="全部检查通过！")
_EMPTY = Text(en="No file to check.", zh="没有需要检查的文件。")
_FOUND = Text(en="Found {what} in {files}.", zh="在 {files}中发现 {what}。")
FILES = Text(en="{count} file{s}", zh="{count} 个文件")
FIXED = Text(en="Fixed {count} finding{s}.", zh="已修复 {count} 个问题。")
_IGNORED = Text(en="Silenced {count} finding{s} with comments.", zh="已用注释忽略 {count} 个问题。")
_NO_PLACE = Text(
    en="{count} finding{s} left that no comment can silence here; `--write-baseline` takes them as known.",
    zh="还有 {count} 个问题无法用注释忽略；可用 `--write-baseline` 记入基线。",
)
_KNOWN = Text(en="{baseline} known from the baseline not shown.", zh="另有 {baseline} 个已记入基线的问题未显示。")
_SILENCED = Text(
    en="{baseline} known from the baseline and {comment} ignored by comments not shown.",
    zh="另有 {baseline} 个已记入基线、{comment} 个被注释忽略的问题未显示。",
)
_RULES = Text(en="Most frequent rules:   {listed}", zh="主要规则：  {listed}")
_OPTIONS = Text(en="Most frequent options: {listed}", zh="主要配置项：{listed}")
_FIXABLE = Text(
    en="[*] {count} fixable with the `--fix` option{where}.", zh="[*] {count} 个可用 `--fix` 选项自动修复{where}。"
)
_MORE = Text(
    en="[*] {count} fixable with the `--fix` option{where} ({more} more with `--unsafe-fixes`).",
    zh="[*] {count} 个可用 `--fix` 选项自动修复{where}（加上 `--unsafe-fixes` 还可修复 {more} 个）。",
)
_WHERE = Text(en=", in {files}; `--diff` shows the changes", zh="，涉及 {files}；`--diff` 可预览修改")
_UNSAFE = Text(
    en="No fixes available without `--unsafe-fixes`, which has {more}.",
    zh="没有安全修复；加上 `--unsafe-fixes` 可修复 {more} 个。",
)
_KINDS = {
    Severity.ERROR: Text(en="{count} error{s}", zh="{count} 个错误"),
    Severity.WARNING: Text(en="{count} warning{s}", zh="{count} 个警告"),
    Severity.INFO: Text(en="{count} note{s}", zh="{count} 个提示"),
    Severity.HINT: Text(en="{count} hint{s}", zh="{count} 个建议"),
}


class Done(NamedTuple):
    """What a run fixed, for its summary."""

    mended: Mapping[str, Mapping[str, int]] = {}
    """How many findings of which code, by file."""
    listed: bool = False
    """Tell the files and the codes, too."""
    mending: FixMode = FixMode.NOTHING

    @property
    def total(self) -> int:
        """How many findings the fixes removed."""
        return sum(sum(codes.values()) for codes in self.mended.values())

    def lines(self, language: Language) -> Iterator[str]:
        """Yield a line for the whole, and where it is wanted one for each file."""
        if self.total:
            yield (_IGNORED if self.mending is FixMode.SILENCED else FIXED).many(self.total, language)
        if self.listed:
            yield from self.files()

    def files(self) -> Iterator[str]:
        """Yield a line for each file."""
        for path, codes in self.mended.items():
            yield f"  {shown_path(path)}: {_counted(codes)}"


def summary(result: Result, done: Done, style: Style) -> Iterator[str]:
    """Yield the lines that end a report for people."""
    language = result.language
    entries = result.open
    yield from done.lines(language)
    yield found(result) if entries or result.empty else style.green(found(result))
    silenced = [entry for entry in result.entries if entry.silenced]
    baseline = sum(entry.silenced == "baseline" for entry in silenced)
    if baseline:
        comment = len(silenced) - baseline
        yield (_SILENCED if comment else _KNOWN).to(language).format(baseline=baseline, comment=comment)
    if len(entries) >= _MANY:
        yield from _most(entries, language)
    if done.mending is FixMode.SILENCED and entries:
        yield _NO_PLACE.many(len(entries), language)
    if done.mending is FixMode.NOTHING:
        yield from _offers(entries, language)
    elif done.mending is FixMode.SAFE:
        yield from _unsafe_offers(entries, language)


def found(result: Result) -> str:
    """Return in a sentence what was found."""
    language, entries = result.language, result.open
    parts = list(_counts(entries, language))
    if not parts:
        return (_EMPTY if result.empty else _CLEAN).to(language)
    files = FILES.many(len({entry.path for entry in entries}), language)
    return _FOUND.to(language).format(what=(", " if language == "en" else "、").join(parts), files=files)


def _counts(entries: tuple[ReportedFinding, ...], language: Language) -> Iterator[str]:
    for severity, text in _KINDS.items():
        count = sum(entry.severity is severity for entry in entries)
        if count:
            yield text.many(count, language)


def _most(entries: tuple[ReportedFinding, ...], language: Language) -> Iterator[str]:
    rules = Counter(f"{entry.code} {entry.name}" for entry in entries)
    options = Counter(entry.option for entry in entries if entry.option)
    for text, counts in ((_RULES, rules), (_OPTIONS, options)):
        if counts:
            yield text.to(language).format(listed=_counted(dict(_top(counts))))


def _top(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_TOP]


def _counted(counts: Mapping[str, int]) -> str:
    return one_line(", ".join(f"{name}×{count}" if count > 1 else name for name, count in counts.items()))


def _offers(entries: tuple[ReportedFinding, ...], language: Language) -> Iterator[str]:
    mendable = [entry for entry in entries if entry.fixable]
    safe = len(mendable)
    more = _only_unsafe(entries)
    files = len({entry.path for entry in mendable})
    where = _WHERE.to(language).format(files=FILES.many(files, language)) if len(entries) >= _MANY else ""
    if safe and more:
        yield _MORE.to(language).format(count=safe, more=more, where=where)
    elif safe:
        yield _FIXABLE.to(language).format(count=safe, where=where)
    else:
        yield from _unsafe_offers(entries, language)


def _unsafe_offers(entries: tuple[ReportedFinding, ...], language: Language) -> Iterator[str]:
    more = _only_unsafe(entries)
    if more:
        yield _UNSAFE.to(language).format(more=more)


def _only_unsafe(entries: tuple[ReportedFinding, ...]) -> int:
    return sum(bool(entry.reported_fixes) and not entry.fixable for entry in entries)
