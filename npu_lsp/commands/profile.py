"""`npu-lsp profile`: how far a folder follows a set of switches, such as that of a deterministic run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from npu_lsp.catalog import environment, toolkit
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import as_text
from npu_lsp.catalog.near import nearest as nearest_name
from npu_lsp.catalog.profiles import Profile, profiles
from npu_lsp.catalog.recipes import recipe, recipes, title_of
from npu_lsp.catalog.target import Target
from npu_lsp.checking.checker import kind_of
from npu_lsp.checking.inventory import Row, rows
from npu_lsp.checking.profile_state import ProfileStanding, ProfileState, additional, closest, standings
from npu_lsp.commands.arguments import add_found, add_paths, discovery
from npu_lsp.commands.found import write_found
from npu_lsp.commands.language import CommandError, chosen, told
from npu_lsp.commands.output import write_out
from npu_lsp.commands.runs import LISTED, ran, tell_missing
from npu_lsp.linter.configuration import Config
from npu_lsp.reports.profile_table import MORE, NO_RECIPE, done, places, table_of
from npu_lsp.reports.style import Style
from npu_lsp.reports.table import FORMS
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.small_file import read, reason
from npu_lsp.text.terminal import one_line, shown, shown_path

_EPILOG = Text(
    """\
exit codes:
  0   every switch that concerns the folder is as the profile has it
  1   one is missing, or set otherwise
  2   wrong usage

examples:
  npu-lsp profile                     which profiles are there?
  npu-lsp profile determinism .       which switches of a deterministic run are set where, and which are missing?
  npu-lsp profile --match serve.sh    which official page sets what is closest to this?
  npu-lsp profile vllm-ascend/deepseek-v3.1@a3 serve.sh
                                      how does that page differ from this?
""",
    """\
退出码：
  0   相关开关均符合方案
  1   有开关未配置或取值不符
  2   用法错误

示例：
  npu-lsp profile                     有哪些方案？
  npu-lsp profile determinism .       确定性计算的各开关配置在哪里，缺少哪些？
  npu-lsp profile --match serve.sh    哪个官方页面的配置与该文件最接近？
  npu-lsp profile vllm-ascend/deepseek-v3.1@a3 serve.sh
                                      与该页面相比，缺少哪些配置，哪些不同？
""",
)
_RIGHT = (ProfileState.SET, ProfileState.DEFAULT)
_MOST = 5
"""Recipes that are listed for one file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Shows which switches of a profile are set where, which are missing and which are set otherwise.",
        "列出方案中各开关的配置位置，以及未配置和取值不符的开关。",
    )
    parser.epilog = _EPILOG.to(chosen())
    name = told("a profile; without one, all are listed", "方案名；缺省时列出所有方案")
    parser.add_argument("profile", nargs="?", metavar="PROFILE", help=name)
    match = told(
        "name the recipes that are closest to FILE, by model, product and version",
        "按模型、产品和版本列出与 FILE 最接近的官方配方",
    )
    parser.add_argument("--match", metavar="FILE", type=Path, help=match)
    add_paths(parser)
    add_found(parser, "text", "json", *FORMS)


def run(arguments: argparse.Namespace) -> int:
    """Print the state of a profile: 0 complete, 1 incomplete, 2 wrong usage."""
    try:
        found = discovery(arguments)
        config = found.config_for(Path.cwd())
        known = profiles(load(), config.profiles)
        target = config.target.resolved(toolkit.find(), environment.installed())
        if arguments.match is not None:
            return _matched(arguments.match, config, target)
        if arguments.profile is None:
            write_out(shown(f"{name:<24}{each.title.to(chosen())}") + "\n" for name, each in known.items())
            return 0
        profile = known.get(arguments.profile) or recipe(arguments.profile, load())
        if profile is None:
            near = nearest_name(arguments.profile, (*known, *recipes(load())))
            listed = ", ".join(known)
            raise CommandError(
                f"there is no profile {arguments.profile!r}; "
                + (f"did you mean {near!r}?" if near else f"there are {listed}, and what --match names"),
                f"没有方案 {arguments.profile!r}；"
                + (f"是否应为 {near!r}？" if near else f"可用的有 {listed} 以及 --match 列出的配方"),
            )
        outcome = ran(arguments.paths or ["."], arguments, LISTED, found=found)
    except KeyError as error:
        raise CommandError(
            f"{error.args[0]}: a profile of the configuration names it, and no surface has it",
            f"{error.args[0]}: 配置的方案中有该项，但没有任何入口支持它",
        ) from error
    missing = tell_missing(outcome)
    states = list(standings(profile, sorted(outcome.rows), load(), target))
    more = additional(profile, sorted(outcome.rows)) if "/" in profile.name else []
    write_found(
        arguments,
        content=lambda: as_json(profile, states, more),
        table=lambda: table_of(profile, states, chosen(), more),
        text=lambda style: _text(profile, states, style, more),
    )
    return max(missing, 0 if all(each.state in _RIGHT for each in states) else 1)


def matches(path: Path, config: Config, target: Target) -> list[str]:
    """Return the names of the recipes that are closest to a file, the best first. Raises `OSError`, also where it is too large."""
    text = read(path, config.max_file_size).decode("utf-8-sig", "replace")
    document = Document(text, kind=kind_of(str(path), text.encode()), path=str(path))
    catalog = load()
    return closest(text, list(rows("", document, catalog)), target, catalog)[:_MOST]


def _matched(path: Path, config: Config, target: Target) -> int:
    """Print the recipes that are closest to a file."""
    try:
        names = matches(path, config, target)
    except OSError as error:
        why = reason(error)
        raise CommandError(f"{path}: {why.en}", f"{path}：{why.zh}") from error
    known = recipes(load())
    width = max(map(len, names), default=0)
    write_out(shown(f"{name:<{width}}  {title_of(known[name]).to(chosen())}") + "\n" for name in names)
    if not names:
        write_out([NO_RECIPE.to(chosen()) + "\n"])
    return 0 if names else 1


def _text(profile: Profile, states: Sequence[ProfileStanding], style: Style, more: Sequence[Row]) -> Iterator[str]:
    language = chosen()
    yield f"{style.bold(one_line(profile.title.to(language)))}\n"
    if profile.what.en:
        yield f"{one_line(profile.what.to(language))}\n"
    yield "\n"
    for each in states:
        paint = style.green if each.state in _RIGHT else style.red
        where = f": {places(each)}" if each.rows else ""
        switch = each.switch
        equals = "=" if switch.values else ""
        yield f"  {switch.surface.value} {style.bold(one_line(switch.option))}{equals}{one_line(switch.value)}  {paint(each.state.value.to(language))}{where}\n"
        if switch.reason is not None and each.state not in _RIGHT:
            yield f"    {one_line(switch.reason.to(language))}\n"
    for row in more:
        written = one_line(as_text(row.value)) if row.known else "…"
        yield f"  {row.surface} {style.bold(one_line(row.option))}={written}  {MORE.to(language)}: {shown_path(row.path)}:{row.line}\n"
    yield f"\n{done(states, language)}\n"


def as_json(profile: Profile, states: Sequence[ProfileStanding], more: Sequence[Row]) -> dict[str, Any]:
    """Return how far settings follow a profile, and what is set besides, where that is asked of it."""
    switches = [
        {
            "surface": each.switch.surface.value,
            "option": each.switch.option,
            "values": list(each.switch.values),
            "state": each.state.name.lower(),
            "settings": [row._asdict() for row in each.rows],
        }
        for each in states
    ]
    found: dict[str, Any] = {"profile": profile.name, "switches": switches}
    return {**found, "additional": [row._asdict() for row in more]} if more else found
