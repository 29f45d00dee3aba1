"""What errors mean and which lines may have caused them: for people, as Markdown, and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from npu_lsp.catalog.error_codes import ErrorCode
from npu_lsp.checking.causes import Cause
from npu_lsp.checking.log import Mention
from npu_lsp.docs.markdown import code, plain
from npu_lsp.reports.style import Style
from npu_lsp.text.as_json import as_json
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import one_line, shown_path

_MOST = 5
"""Places that people are shown for one error."""
_WIDEST = 300
"""Characters of a message that people are shown."""
_MEANS = Text("means", "含义")
_DO = Text("do", "处理")
_ABOUT = Text("options", "相关配置项")
_SOURCE = Text("source", "来源")
_LOG = Text("log, line {line}", "日志第 {line} 行")
_TIMES = Text(" ({times} times)", "（共 {times} 次）")
_SET = Text("set in", "配置位置")
_FIX = Text("fix", "修复")
_MORE = Text("{count} more places", "另有 {count} 处")


class Explained(NamedTuple):
    """One error, what it means, and where it may come from."""

    code: ErrorCode
    mention: Mention | None
    """Its message in the log; `None` where it was asked for by name."""
    causes: Sequence[Cause] = ()


def render(explained: Sequence[Explained], language: Language, style: Style) -> Iterator[str]:
    """Yield a few lines for each error, and an empty one between them."""
    for number, each in enumerate(explained):
        yield ("\n" if number else "") + "\n".join(_lines(each, language, style)) + "\n"


def markdown(explained: Sequence[Explained], language: Language) -> Iterator[str]:
    """Yield a section for each error."""
    for each in explained:
        yield f"### {each.code.code}: {each.code.what.to(language)}\n\n"
        for title, text in _told(each, language):
            yield f"- **{title}**: {code(text) if title == _place_of(each, language) else text}\n"
        for cause in each.causes[:_MOST]:
            yield f"- {code(f'{cause.path}:{cause.line}')} {plain(' '.join(_about(cause, language)))}\n"
        yield "\n"


def whole(explained: Sequence[Explained]) -> Iterator[str]:
    """Yield JSON with everything, in both languages."""
    yield as_json({"version": 1, "errors": [_json(each) for each in explained]})


def _lines(each: Explained, language: Language, style: Style) -> Iterator[str]:
    yield f"{style.bold(each.code.code)}  {each.code.component.to(language)}"
    for title, text in _told(each, language):
        yield f"  {style.dim(title)}: {text}"
    for cause in each.causes[:_MOST]:
        place = f"{shown_path(cause.path)}:{cause.line}:{cause.column}"
        said = _about(cause, language)
        yield f"  {style.dim(_SET.to(language))}: {style.bold(place)}  {next(said, '')}".rstrip()
        yield from (f"    {line}" for line in said)
    if len(each.causes) > _MOST:
        yield f"  {_MORE.to(language).format(count=len(each.causes) - _MOST)}"


def _told(each: Explained, language: Language) -> Iterator[tuple[str, str]]:
    code, mention = each.code, each.mention
    if mention is not None:
        yield _place_of(each, language), one_line(mention.text)[:_WIDEST]
    yield _MEANS.to(language), code.what.to(language)
    if code.remedy is not None:
        yield _DO.to(language), code.remedy.to(language)
    if mention is None:
        if code.options:
            yield _ABOUT.to(language), ", ".join(f"{surface.value} {name}" for surface, name in code.options)
        yield _SOURCE.to(language), code.source.to(language)


def _place_of(each: Explained, language: Language) -> str:
    if each.mention is None:
        return ""
    times = _TIMES.to(language).format(times=each.mention.times) if each.mention.times > 1 else ""
    return _LOG.to(language).format(line=each.mention.line) + times


def _about(cause: Cause, language: Language) -> Iterator[str]:
    row, entry = cause.row, cause.entry
    if row is not None:
        yield (
            f"{one_line(row.option)} = {one_line(json.dumps(row.value, ensure_ascii=False))}"
            if row.known
            else one_line(row.option)
        )
    if entry is not None:
        yield f"{entry.severity.value}[{one_line(entry.code)}]: {one_line(entry.message)}"
        if entry.remedies:
            yield f"{_FIX.to(language)}: {one_line(entry.remedies[0].title)}"


def _json(each: Explained) -> dict[str, Any]:
    code, mention = each.code, each.mention
    return {
        "code": code.code,
        "component": code.component._asdict(),
        "meaning": code.what._asdict(),
        "remedy": code.remedy._asdict() if code.remedy is not None else None,
        "options": [{"surface": surface.value, "option": name} for surface, name in code.options],
        "source": code.source._asdict(),
        "log": {"line": mention.line, "message": mention.text, "times": mention.times} if mention is not None else None,
        "causes": [
            {
                "path": cause.path,
                "line": cause.line,
                "column": cause.column,
                "setting": cause.row.option if cause.row is not None else None,
                "value": cause.row.value if cause.row is not None and cause.row.known else None,
                "in_message": cause.quoted,
                "finding": {"code": cause.entry.code, "message": cause.entry.message}
                if cause.entry is not None
                else None,
            }
            for cause in each.causes
        ],
    }
