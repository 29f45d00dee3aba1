"""The last words of a run: how much was found, how much of it can be fixed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from npu_lsp.checking.report import Entry, Result
from npu_lsp.linter.severity import Severity
from npu_lsp.reports.style import Style
from npu_lsp.text.bilingual import Language, Text

_CLEAN = Text(en="All checks passed!", zh="全部检查通过！")
_FOUND = Text(en="Found {what} in {files}.", zh="在 {files}中发现 {what}。")
_FILES = Text(en="{count} file{s}", zh="{count} 个文件")
_FIXED = Text(en="Fixed {count} finding{s}.", zh="已修复 {count} 个问题。")
_KNOWN = Text(en="{baseline} known from the baseline not shown.", zh="另有 {baseline} 个已记入基线的问题未显示。")
_SILENCED = Text(
    en="{baseline} known from the baseline and {comment} ignored by comments not shown.",
    zh="另有 {baseline} 个已记入基线、{comment} 个被注释忽略的问题未显示。",
)
_FIXABLE = Text(en="[*] {count} fixable with the `--fix` option.", zh="[*] {count} 个可用 `--fix` 选项自动修复。")
_MORE = Text(
    en="[*] {count} fixable with the `--fix` option ({more} more with `--unsafe-fixes`).",
    zh="[*] {count} 个可用 `--fix` 选项自动修复（加上 `--unsafe-fixes` 还可修复 {more} 个）。",
)
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


def summary(result: Result, fixed: Mapping[str, int], style: Style, *, fixing: bool = False) -> Iterator[str]:
    """Yield the lines that end a report for people; `fixed` has what was fixed, by code."""
    language = result.language
    entries = result.open
    count = sum(fixed.values())
    if count:
        yield _many(_FIXED, count, language)
    parts = list(_counts(entries, language))
    if parts:
        files = _many(_FILES, len({entry.path for entry in entries}), language)
        yield _FOUND.to(language).format(what=(", " if language == "en" else "、").join(parts), files=files)
    else:
        yield style.green(_CLEAN.to(language))
    silenced = [entry for entry in result.entries if entry.silenced]
    baseline = sum(entry.silenced == "baseline" for entry in silenced)
    if baseline:
        comment = len(silenced) - baseline
        yield (_SILENCED if comment else _KNOWN).to(language).format(baseline=baseline, comment=comment)
    if not fixing:
        yield from _offers(entries, language)


def _counts(entries: tuple[Entry, ...], language: Language) -> Iterator[str]:
    for severity, text in _KINDS.items():
        count = sum(entry.severity is severity for entry in entries)
        if count:
            yield _many(text, count, language)


def _offers(entries: tuple[Entry, ...], language: Language) -> Iterator[str]:
    safe = sum(entry.fixable for entry in entries)
    more = sum(bool(entry.remedies) and not entry.fixable for entry in entries)
    if safe and more:
        yield _MORE.to(language).format(count=safe, more=more)
    elif safe:
        yield _FIXABLE.to(language).format(count=safe)
    elif more:
        yield _UNSAFE.to(language).format(more=more)


def _many(text: Text, count: int, language: Language) -> str:
    return text.to(language).format(count=count, s="" if count == 1 else "s")
