"""What errors mean and which lines may have caused them: for people, as Markdown, as a page, and for programs.

What stands in a log goes out through `_quoted` alone: it may hold anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from npu_lsp.checking.causes import Cause
from npu_lsp.checking.diagnosis import Diagnosis, Explained, RunTold
from npu_lsp.checking.logs.stamps import shown_time
from npu_lsp.checking.logs.waits import Why
from npu_lsp.checking.report import ReportedFinding
from npu_lsp.docs.markdown import code, plain, sentences
from npu_lsp.linter.findings import Safety
from npu_lsp.reports.style import Style
from npu_lsp.reports.table import as_html, as_sentences
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import as_json, one_line, shown_path

Link = Callable[[str, int], str]
_MOST = 5
"""Places that people are shown for one error, and errors that they are shown whole."""
_WIDEST = 300
"""Characters of a message that people are shown."""
_ADVICE = 1200
"""Characters of an advice, which is ours but for what stands in a message."""
_DO = Text("do", "处理")
_ABOUT = Text("options", "相关配置项")
_SOURCE = Text("source", "来源")
_LOG = Text("log, line {line}", "日志第 {line} 行")
_TIMES = Text(" ({times} times)", "（共 {times} 次）")
_SET = Text("set in", "配置位置")
_ADVISED = Text("(as advised already)", "（已按建议设置）")
_FIX = Text("fix", "修复")
_WRITE = Text("write", "改为")
_BOUND = {"least": Text(" or more", " 或更大"), "most": Text(" or less", " 或更小")}
_REVIEW = Text(" (review)", "（需审阅）")
_REASON = Text("reason", "原因")
_TELLS = Text("find out with", "确认命令")
_UNSET = Text("not set", "未设置")
_LOOK = Text("look at", "查看配置")
_MORE = Text("{count} more places", "另有 {count} 处")
_ALSO = Text("also in the log", "日志中还有")
_AT = Text("{code} (line {line})", "{code}（第 {line} 行）")
_FINDINGS = Text("found in the files", "文件中的问题")
_RANKS = Text(
    "{first} was the first to fail, at {when} ({code}); {count} other{s} followed within {seconds:.0f} s",
    "{first} 最先报错，时间 {when}（{code}）；其余 {count} 个进程在 {seconds:.0f} 秒内相继报错",
)
_WAITED: Mapping[Why, Text] = {
    "awaited": Text(
        "the others ({count}) wait for {names}, at first or at last hand, and it waits for none: look there first",
        "其他 rank（{count} 个）直接或间接等待 {names}，而它不等待任何 rank：请先排查该 rank",
    ),
    "circle": Text(
        "{names} wait for each other: look at the link between them", "{names} 互相等待：请检查它们之间的链路"
    ),
    "missing": Text(
        "{names} never came to the root of the communicator: look at their logs first, and whether they were started",
        "{names} 未连接到通信域根节点：请先查看其日志，并确认其是否启动",
    ),
    "elsewhere": Text(
        "{names} waits in another collective operation than the others ({count}): it took another way through the program, or fell behind",
        "{names} 等待的集合通信操作与其他 rank（{count} 个）不同：其执行路径不一致，或已落后",
    ),
}
_ABSENT = Text("; nothing from {names}: did it start?", "；没有 {names} 的日志，请确认其是否启动")
_AHEAD = Text(
    "; the clock of {host} is {hours} h ahead, which is taken off", "；{host} 的时钟快 {hours} 小时，比较时已扣除"
)
_RUNS = Text(
    "the logs are of {count} runs, begun at {times}; the errors of all are below",
    "日志来自 {count} 次运行，开始时间为 {times}；以下列出所有运行中的错误",
)
_AND = Text(", ", "、")
_OF_RUN = Text("run of {begin}: ", "{begin} 的运行：")
_WARNED = Text("no error in the log; it warns of this:", "日志中没有错误，只有以下警告：")
_STOPPED = Text("stopped by {what}", "程序因 {what} 退出")
_NOTHING = Text("No known error in {count} line{s}.", "{count} 行日志中没有已知的错误。")


def render(diagnosis: Diagnosis, language: Language, style: Style) -> Iterator[str]:
    """Yield the likeliest cause first, a few lines for each error and an empty one between them, and the rest in a line."""
    parts: list[str] = []
    if about := _about_run(diagnosis, language):
        parts.append("\n".join(about) + "\n")
    first, rest = _divided(diagnosis.errors)
    # What is only an echo explains less than what is wrong in the files.
    wrong = list(_findings(diagnosis.findings, language, style))
    leads = not first or all(each.code.kind != "cause" or each.unknown for each in first)
    if wrong and leads:
        parts.append("\n".join(wrong) + "\n")
    parts += ["\n".join(_lines(each, language, style)) + "\n" for each in first]
    if rest:
        parts.append(f"{style.dim(_ALSO.to(language))}: {_listed(rest, language)}\n")
    if wrong and not leads:
        parts.append("\n".join(wrong) + "\n")
    for number, part in enumerate(parts):
        yield ("\n" if number else "") + part


def nothing(lines: int, language: Language) -> str:
    """Return the line that says that a log of so many lines tells of no known error."""
    return _NOTHING.many(lines, language) + "\n"


def markdown(diagnosis: Diagnosis, language: Language, link: Link | None = None) -> Iterator[str]:
    """Yield a section for each error; `link` gives the address of a line of a file, or of the log where the path is empty."""

    def place(path: str, line: int) -> str:
        shown = code(f"{shown_path(path)}:{line}")
        return f"[{shown}]({link(path, line)})" if link is not None else shown

    for about in _about_run(diagnosis, language):
        yield f"{plain(about)}\n\n"
    first, rest = _divided(diagnosis.errors)
    for each in first:
        yield f"### {sentences(_title(each, language))}\n\n"
        for title, text in _told(each, language):
            quoted = title == _place_of(each, language)
            line = each.mention.line if each.mention is not None and quoted else 0
            address = link("", line) if link is not None and line else ""
            yield f"- {f'[**{title}**]({address})' if address else f'**{title}**'}: {code(text) if quoted else sentences(text)}\n"
        for cause in each.causes[:_MOST]:
            yield f"- {place(cause.path, cause.line)} {plain(' '.join(_about(cause, language)))}\n"
        yield "\n"
    if rest:
        yield f"**{_ALSO.to(language)}**: {plain(_listed(rest, language))}\n\n"
    if diagnosis.findings:
        yield f"### {_FINDINGS.to(language)}\n\n"
        for entry in diagnosis.findings[:_MOST]:
            yield f"- {place(entry.path, entry.place.line)} {plain(_of_entry(entry))}\n"


def _shown(title: str, text: str, language: Language, *, quoted: bool) -> str:
    """Return what is told of an error as a page shows it: lines and commands apart, names as code."""
    if quoted or title == _TELLS.to(language):
        return f"<pre>{as_html(text)}</pre>"
    if title in (_LOOK.to(language), _ABOUT.to(language)):
        return ", ".join(f"<code>{as_html(each)}</code>" for each in text.split(", "))
    return as_sentences(text)


def page(diagnosis: Diagnosis, language: Language) -> Iterator[str]:
    """Yield a page of HTML that needs nothing besides."""
    yield f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"><title>npu-lsp explain</title>\n'
    yield "<style>:root{color-scheme:light dark}code{font-family:ui-monospace,Consolas,monospace}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    yield "pre{background:#8882;padding:.5rem;overflow-x:auto;white-space:pre-wrap}h1{font-size:1.5rem}h2{font-size:1.1rem}"
    yield "li code{background:#8882;border-radius:3px;padding:0 .2em}</style></head><body>\n<h1>npu-lsp explain</h1>\n"
    for about in _about_run(diagnosis, language):
        yield f"<p>{as_html(about)}</p>\n"
    first, rest = _divided(diagnosis.errors)
    for each in first:
        yield f"<h2>{as_html(_title(each, language))}</h2>\n<ul>\n"
        for title, text in _told(each, language):
            quoted = title == _place_of(each, language)
            yield f"<li><b>{as_html(title)}</b>: {_shown(title, text, language, quoted=quoted)}</li>\n"
        for cause in each.causes[:_MOST]:
            place = as_html(f"{shown_path(cause.path)}:{cause.line}")
            yield f"<li><code>{place}</code> {as_html(' '.join(_about(cause, language)))}</li>\n"
        yield "</ul>\n"
    if rest:
        yield f"<p>{as_html(_ALSO.to(language))}: {as_html(_listed(rest, language))}</p>\n"
    if diagnosis.findings:
        yield f"<h2>{as_html(_FINDINGS.to(language))}</h2>\n<ul>\n"
        for entry in diagnosis.findings[:_MOST]:
            place = as_html(f"{shown_path(entry.path)}:{entry.place.line}")
            yield f"<li><code>{place}</code> {as_html(_of_entry(entry))}</li>\n"
        yield "</ul>\n"
    yield "</body></html>\n"


def whole(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield JSON with everything, in both languages."""
    newest = diagnosis.runs[0] if diagnosis.runs else None
    yield as_json(
        {
            "version": 1,
            "errors": [_json(each) for each in diagnosis.errors],
            "findings": [
                {"path": entry.path, "line": entry.place.line, "code": entry.code, "message": entry.message}
                for entry in diagnosis.findings
            ],
            **_run_json(newest),
            "runs": [
                {"begin": shown_time(run.begin) if run.begin is not None else None, **_run_json(run)}
                for run in diagnosis.runs
            ],
            "warned": diagnosis.warned,
        }
    )


def _run_json(run: RunTold | None) -> dict[str, Any]:
    ranks, waited = (run.ranks, run.waited) if run is not None else (None, None)
    return {
        "ranks": {**ranks._asdict(), "when": shown_time(ranks.when)} if ranks is not None else None,
        "waited": waited._asdict() if waited is not None else None,
    }


def _divided(errors: Sequence[Explained]) -> tuple[Sequence[Explained], Sequence[Explained]]:
    """Return the errors that are told of whole, and those that are only named."""
    telling = (each for each in errors if each.mention is None or each.reason or each.code.kind != "wrapper")
    whole = list(islice(telling, _MOST)) or list(errors[:1])
    return whole, [each for each in errors if each not in whole]


def _lines(each: Explained, language: Language, style: Style) -> Iterator[str]:
    yield style.bold(_title(each, language))
    told = [(title, f"  {style.dim(title)}: {text}") for title, text in _told(each, language)]
    place_of = _place_of(each, language)
    yield from (line for title, line in told if title != place_of)
    for cause in each.causes[:_MOST]:
        place = f"{shown_path(cause.path)}:{cause.line}:{cause.column}"
        said = _about(cause, language)
        yield f"  {style.dim(_SET.to(language))}: {style.bold(place)}  {next(said, '')}".rstrip()
        yield from (f"    {line}" for line in said)
    if len(each.causes) > _MOST:
        yield f"  {_MORE.to(language).format(count=len(each.causes) - _MOST)}"
    yield from (line for title, line in told if title == place_of)


def _title(each: Explained, language: Language) -> str:
    what = _quoted(each.code.what.to(language))
    if each.unknown:
        return f"{what}  [{_STOPPED.to(language).format(what=one_line(each.code.code))}]" if each.code.code else what
    if each.code.code.islower():
        return f"{what}  [{each.code.component.to(language)}]"
    return f"{what}  [{one_line(each.code.code)}, {each.code.component.to(language)}]"


def _told(each: Explained, language: Language) -> Iterator[tuple[str, str]]:
    code, mention = each.code, each.mention
    if each.reason and code.code and each.reason not in code.what.to(language):
        yield _REASON.to(language), _quoted(each.reason)
    if code.remedy is not None:
        yield _DO.to(language), _quoted(code.remedy.to(language), _ADVICE)
    if code.wants is not None:
        bound = _BOUND[code.wants.bound].to(language) if code.wants.bound else ""
        yield _WRITE.to(language), _quoted(f"{code.wants.name}={code.wants.value}") + bound
    if each.names:
        yield (_UNSET if each.causes else _LOOK).to(language), ", ".join(map(_quoted, each.names[:_MOST]))
    if code.tells is not None:
        yield _TELLS.to(language), _quoted(code.tells)
    if mention is not None:
        yield _place_of(each, language), _quoted(mention.text)
    else:
        if code.options:
            yield _ABOUT.to(language), ", ".join(f"{surface.value} {name}" for surface, name in code.options)
        yield _SOURCE.to(language), code.source.to(language)


def _place_of(each: Explained, language: Language) -> str:
    if each.mention is None:
        return ""
    times = _TIMES.to(language).format(times=each.mention.times) if each.mention.times > 1 else ""
    line = _LOG.to(language).format(line=each.mention.line)
    return (f"{line}, {shown_path(each.mention.path)}" if each.mention.path else line) + times


def _about(cause: Cause, language: Language) -> Iterator[str]:
    row, entry, written = cause.row, cause.entry, cause.written
    if row is not None:
        value = f" = {json.dumps(row.value, ensure_ascii=False)}" if row.known else ""
        yield one_line(f"{row.option}{value}")
    if written is not None:
        yield _quoted(f"{written.name} {written.value}")
    if cause.advised:
        yield _ADVISED.to(language)
    if entry is not None:
        yield _of_entry(entry)
        if entry.reported_fixes:
            yield f"{_FIX.to(language)}: {one_line(entry.reported_fixes[0].title)}"
    if cause.wish is not None:
        review = _REVIEW.to(language) if cause.wish.safety is Safety.UNSAFE else ""
        yield f"{_FIX.to(language)}: {_quoted(cause.wish.title(language))}{review}"


def _of_entry(entry: ReportedFinding) -> str:
    return one_line(f"{entry.severity.value}[{entry.code}]: {entry.message}")


def _findings(entries: Sequence[ReportedFinding], language: Language, style: Style) -> Iterator[str]:
    if entries:
        yield style.bold(_FINDINGS.to(language))
    for entry in entries[:_MOST]:
        yield f"  {style.bold(f'{shown_path(entry.path)}:{entry.place.line}:{entry.place.column}')}  {_of_entry(entry)}"
    if len(entries) > _MOST:
        yield f"  {_MORE.to(language).format(count=len(entries) - _MOST)}"


def _about_run(diagnosis: Diagnosis, language: Language) -> list[str]:
    """Return for each run a line on the first process to fail and one on the rank that the others wait for; and one where none failed."""
    runs = diagnosis.runs
    said = [_WARNED.to(language)] if diagnosis.warned else []
    if len(runs) < 2:
        return [*said, *(_of_run(runs[0], language) if runs else [])]
    if not said:
        times = [shown_time(run.begin) for run in runs[:_MOST] if run.begin is not None]
        times += ["…"] if len(runs) > _MOST else []
        said = [_RUNS.to(language).format(count=len(runs), times=_AND.to(language).join(times))]
    for run in runs[:_MOST]:
        begin = _OF_RUN.to(language).format(begin=shown_time(run.begin) if run.begin is not None else "…")
        said += [begin + line for line in _of_run(run, language)]
    return said


def _of_run(run: RunTold, language: Language) -> list[str]:
    said: list[str] = []
    ranks, waited = run.ranks, run.waited
    if ranks is not None:
        first = _RANKS.many(
            ranks.followed,
            language,
            first=one_line(ranks.first),
            when=shown_time(ranks.when),
            code=one_line(ranks.code) or "…",
            seconds=ranks.seconds,
        )
        absent = one_line(", ".join(ranks.absent[:_MOST]))
        said.append(first + (_ABSENT.to(language).format(names=absent) if absent else ""))
        said[-1] += "".join(
            _AHEAD.to(language).format(host=one_line(host), hours=hours) for host, hours in ranks.ahead[:_MOST]
        )
    if waited is not None:
        names = one_line(", ".join(waited.names))
        said.append(_WAITED[waited.why].to(language).format(names=names, count=waited.waiting))
    return said


def _listed(errors: Sequence[Explained], language: Language) -> str:
    said = {each.code.code or "…": each.mention.line for each in reversed(errors) if each.mention is not None}
    named = [_AT.to(language).format(code=code, line=line) for code, line in reversed(said.items())]
    return one_line(", ".join(named[: 2 * _MOST]))


def _quoted(text: str, most: int = _WIDEST) -> str:
    """Return what stands in a log as it may be shown: in one line, bounded, without what controls a terminal or a CI system."""
    return one_line(text)[:most].replace("::", ": :")


def _json(each: Explained) -> dict[str, Any]:
    code, mention = each.code, each.mention
    return {
        "code": code.code,
        "component": code.component._asdict(),
        "kind": code.kind if not each.unknown else "unknown",
        "meaning": code.what._asdict(),
        "remedy": code.remedy._asdict() if code.remedy is not None else None,
        "reason": each.reason or None,
        "write": {"name": code.wants.name, "value": code.wants.value} if code.wants is not None else None,
        "command": code.tells,
        "options": [{"surface": surface.value, "option": name} for surface, name in code.options],
        "not_set": list(each.names),
        "source": code.source._asdict(),
        "log": {
            "line": mention.line,
            "path": mention.path or None,
            "message": mention.text,
            "times": mention.times,
            "time": shown_time(mention.when) if mention.when is not None else None,
            "process": mention.process or None,
        }
        if mention is not None
        else None,
        "causes": [
            {
                "path": cause.path,
                "line": cause.line,
                "column": cause.column,
                "setting": cause.row.option if cause.row else cause.written.name if cause.written else None,
                "value": cause.written.value
                if cause.written
                else cause.row.value
                if cause.row and cause.row.known
                else None,
                "in_message": cause.quoted,
                "fix": {"value": cause.wish.wanted.value, "safe": cause.wish.safety is Safety.SAFE}
                if cause.wish is not None
                else None,
                "finding": {"code": cause.entry.code, "message": cause.entry.message}
                if cause.entry is not None
                else None,
            }
            for cause in each.causes
        ],
    }
