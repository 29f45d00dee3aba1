"""`npu-lsp upgrade`: tells what an upgrade of CANN, torch_npu or vLLM-Ascend changes for the settings of a folder."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.extend import extended
from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.target import Target
from npu_lsp.checking import stderr
from npu_lsp.checking.checked import FixMode, Request
from npu_lsp.checking.run import Outcome
from npu_lsp.checking.upgrading import Effect, Upgrade, Versions, plan, unversioned
from npu_lsp.commands.arguments import add_found, add_paths, discovery
from npu_lsp.commands.found import write_found
from npu_lsp.commands.language import chosen, told
from npu_lsp.commands.runs import BOTH, CHECKED, ran, tell_missing
from npu_lsp.config import overrides
from npu_lsp.reports.style import Style
from npu_lsp.reports.summary import FIXED
from npu_lsp.reports.table import FORMS, Column, Table
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import one_line, shown_path

_EPILOG = Text(
    """\
examples:
  npu-lsp upgrade --from cann=8.0 --to cann=9.0 .
  npu-lsp upgrade --to cann=9.0,vllm-ascend=0.23 --format html . > upgrade.html
  npu-lsp upgrade --from cann=8.0 --to cann=9.0 --fix .     make the moves that are certain
""",
    """\
示例：
  npu-lsp upgrade --from cann=8.0 --to cann=9.0 .
  npu-lsp upgrade --to cann=9.0,vllm-ascend=0.23 --format html . > upgrade.html
  npu-lsp upgrade --from cann=8.0 --to cann=9.0 --fix .     执行确定的修改
""",
)
_MOST = 6
"""Places that are listed behind one sentence."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Tells what an upgrade changes: what stops, what is ignored from then on, which defaults change, what is new.",
        "列出升级的影响：哪些配置会报错、哪些不再生效、哪些默认值变化、新增了什么。",
    )
    parser.epilog = _EPILOG.to(chosen())
    add_paths(parser)
    old = told("the versions that run today; default: whatever they are", "当前版本；默认不限")
    parser.add_argument("--from", dest="old", action="append", default=[], metavar="KEY=VALUE", help=old)
    new = told("the versions to come: cann=9.0,vllm-ascend=0.23", "目标版本：cann=9.0,vllm-ascend=0.23")
    parser.add_argument("--to", dest="new", action="append", required=True, metavar="KEY=VALUE", help=new)
    fix = told("make the safe fixes of what is found", "对发现的问题执行安全修复")
    parser.add_argument("--fix", action="store_true", help=fix)
    add_found(parser, "text", "json", *FORMS, target=False)


def run(arguments: argparse.Namespace) -> int:
    """Print the steps: 0 none, 1 some, 2 wrong usage or an error of ours."""
    # First the run: it says what is wrong with a target.
    after = _ran(arguments, arguments.new, BOTH)
    before = _ran(arguments, arguments.old, CHECKED).entries if arguments.old else unversioned(after.entries)
    versions = Versions(_target(arguments.old), _target(arguments.new))
    upgrade = plan(before, after.entries, after.rows, versions, _catalogs(after), chosen())
    fixed = _fixed(arguments, upgrade) if arguments.fix else None
    missing = tell_missing(after)
    write_found(
        arguments,
        content=lambda: _json(upgrade),
        table=lambda: _table_of(upgrade, chosen()),
        text=lambda style: _text(upgrade, style),
    )
    if fixed is not None:
        stderr.tell(FIXED.many(fixed, chosen()))
    if after.failed or missing:
        return 2
    return 1 if upgrade.steps else 0


def _target(words: Sequence[str]) -> Target:
    keys = overrides.target(words) or {}
    products = keys.pop("products", ())
    return Target.parse(keys, products)


def _fixed(arguments: argparse.Namespace, upgrade: Upgrade) -> int:
    """Make the safe fixes of the rules that found something; return how many."""
    codes = sorted({step.code for step in upgrade.steps if step.safe})
    if not codes:
        return 0
    request = Request(mending=FixMode.SAFE, write=True)
    return _ran(arguments, arguments.new, request, codes).fixed.total()


def _ran(
    arguments: argparse.Namespace, target: Sequence[str], request: Request, select: Sequence[str] | None = None
) -> Outcome:
    asked = argparse.Namespace(**{**vars(arguments), "target": list(target)})
    more = {"select": list(select)} if select is not None else None
    return ran(arguments.paths or ["."], arguments, request, found=discovery(asked, more))


def _catalogs(outcome: Outcome) -> Callable[[str], Catalog]:
    """Return a function that gives the catalog for a path, with the options that its configuration adds."""
    made: dict[tuple[object, ...], Catalog] = {}
    configs = outcome.configs

    def of(path: str) -> Catalog:
        own = tuple(configs[path].catalog)
        if own not in made:
            made[own] = extended(load(), own) if own else load()
        return made[own]

    return of


_TITLE = Text("npu-lsp: upgrade", "npu-lsp：升级影响")
_COLUMNS = (
    Column(Text("effect", "影响"), filter=True),
    Column(Text("option", "配置项"), code=True),
    Column(Text("file", "文件"), code=True),
    Column(Text("line", "行")),
    Column(Text("message", "说明")),
    Column(Text("fix", "修复")),
)
_NOTHING = Text("The upgrade changes nothing that is set here.", "升级不影响此处的配置。")
_COUNTED = {
    Effect.STOPS: Text("{count} setting{s} rejected", "{count} 项配置报错退出"),
    Effect.IGNORED: Text("{count} setting{s} ignored", "{count} 项配置不再生效"),
    Effect.DEFAULT: Text("{count} default{s} changed", "{count} 项默认值变化"),
    Effect.DEPRECATED: Text("{count} setting{s} deprecated", "{count} 项配置已废弃"),
    Effect.OTHER: Text("{count} setting{s} to look at", "{count} 项配置需要确认"),
}
_CHANGES = Text("After the upgrade: {counts}.", "升级后：{counts}。")
_NEW = Text(
    "New in {component} where this is set ({count}): {names}.", "{component} 在所用入口上新增 {count} 项：{names}。"
)
_MOST_PLACES = 20
"""Names that are listed in a sentence."""


def _table_of(upgrade: Upgrade, language: Language) -> Table:
    """Return the steps, a row each, and in sentences how many there are and what is new."""
    rows = [
        (
            step.effect.value.to(language),
            one_line(step.option),
            step.path.replace("\\", "/"),
            str(step.line),
            one_line(step.message) + (f" [{step.code}]" if step.code else ""),
            one_line(step.fix),
        )
        for step in upgrade.steps
    ]
    return Table(_TITLE, _COLUMNS, rows, tuple(lead(upgrade, language)))


def lead(upgrade: Upgrade, language: Language) -> Iterator[str]:
    """Yield the sentences that sum an upgrade up."""
    counts = [(effect, sum(step.effect is effect for step in upgrade.steps)) for effect in Effect]
    told = [_COUNTED[each].many(n, language) for each, n in counts if n]
    joined = (", " if language == "en" else "、").join(told)
    yield _CHANGES.to(language).format(counts=joined) if told else _NOTHING.to(language)
    for component in dict.fromkeys(option.component for option in upgrade.new):
        names = list(dict.fromkeys(option.name for option in upgrade.new if option.component == component))
        listed = ", ".join(names[:_MOST_PLACES]) + (", …" if len(names) > _MOST_PLACES else "")
        yield _NEW.to(language).format(component=title_of(component), count=len(names), names=listed)


def _text(upgrade: Upgrade, style: Style) -> Iterator[str]:
    for effect in Effect:
        steps = [step for step in upgrade.steps if step.effect is effect]
        if not steps:
            continue
        yield f"{style.bold(effect.value.to(chosen()))} ({len(steps)})\n"
        told: dict[tuple[str, str, str, bool], list[str]] = {}
        for step in steps:
            place = f"{shown_path(step.path)}:{step.line}"
            told.setdefault((step.message, step.code, step.fix, step.safe), []).append(place)
        for (message, code, fix, safe), places in told.items():
            yield f"  {one_line(message)}{f' [{one_line(code)}]' if code else ''}\n"
            if fix:
                yield f"    {style.green('[*] ' if safe else '')}{one_line(fix)}\n"
            more = f", … ({len(places)})" if len(places) > _MOST else ""
            yield f"    {', '.join(places[:_MOST])}{more}\n"
        yield "\n"
    yield from (f"{one_line(line)}\n" for line in lead(upgrade, chosen()))


def _json(upgrade: Upgrade) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [
        {**step._asdict(), "effect": step.effect.name.lower(), "code": step.code or None, "fix": step.fix or None}
        for step in upgrade.steps
    ]
    new = [
        {"surface": option.surface.value, "option": option.name, "component": option.component, "since": option.since}
        for option in upgrade.new
    ]
    return {"steps": steps, "new": new}
