"""`npu-lsp rule`: explains rules."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from npu_lsp.catalog.near import nearest
from npu_lsp.commands.arguments import add_format
from npu_lsp.commands.language import CommandError, add_language, language_of, told
from npu_lsp.commands.output import write_out
from npu_lsp.commands.parser import did_you_mean
from npu_lsp.config.discover import Discovery
from npu_lsp.config.errors import ConfigError
from npu_lsp.docs.markdown import bare
from npu_lsp.linter.page import FIXES, page, sections, table
from npu_lsp.linter.rule import Rule
from npu_lsp.reports.table import Column, Table
from npu_lsp.rules import all_rules, rule_for
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import as_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Explains a rule: what it finds, why that is bad, what to write instead.",
        "解释一条规则：检查内容、有什么影响、应当如何书写。",
    )
    code = told("a code or a name: NPU101, unknown-option", "编号或名称：NPU101、unknown-option")
    parser.add_argument("rule", nargs="?", metavar="CODE", help=code)
    parser.add_argument("--all", action="store_true", help=told("explain every rule", "解释所有规则"))
    parser.add_argument("--list", action="store_true", help=told("list every rule, a line each", "逐行列出所有规则"))
    add_format(parser, "text", "json", "markdown", "html")
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the pages that were asked for; 2 when there is no such rule."""
    if arguments.all or arguments.list:
        rules = (*all_rules(), *_own())
    elif arguments.rule:
        rule = rule_for(arguments.rule) or next((each for each in _own() if each.name == arguments.rule), None)
        if rule is None:
            near = nearest(
                arguments.rule, [word for r in (*all_rules(), *_own()) for word in (r.code, r.name)], wrong=True
            )
            hint = did_you_mean(near) if near is not None else ""
            raise CommandError(
                f"there is no rule {arguments.rule!r}; `npu-lsp rule --list` lists all{hint}",
                f"没有规则 {arguments.rule!r}；`npu-lsp rule --list` 列出所有规则{hint}",
            )
        rules = (rule,)
    else:
        raise CommandError("name a rule, or --all or --list", "请指定规则，或使用 --all 或 --list")
    language = language_of(arguments.lang)
    if arguments.format == "json":
        rows = [
            {
                "code": r.code,
                "name": r.name,
                "severity": r.severity.value,
                "fix": r.fixable.value,
                "title": {"en": r.title.en, "zh": r.title.zh},
                "page": page(r, language),
            }
            for r in rules
        ]
        write_out([as_json(rows)])
    elif arguments.format == "html":
        from npu_lsp.reports.table import html

        write_out(html(_table_of(rules, language), language))
    elif arguments.list and arguments.format == "markdown":
        write_out([table(rules, language)])
    elif arguments.list:
        write_out(f"{r.code}  {r.severity.value:<8}{r.name:<32}{r.title.to(language)}\n" for r in rules)
    else:
        write_out(["\n".join(page(r, language) for r in rules)])
    return 0


def _own() -> Sequence[Rule]:
    """Return the house rules that are in force in the current folder."""
    try:
        config = Discovery().config_for(Path.cwd())
    except ConfigError:
        return ()  # The rules of npu-lsp are explained all the same.
    if not config.house_rules:
        return ()
    from npu_lsp.linter.house.rule import house_rules

    return house_rules(config)


_COLUMNS = (
    Column(Text("code", "编码"), code=True),
    Column(Text("name", "名称"), code=True),
    Column(Text("severity", "级别"), filter=True),
    Column(Text("fix", "修复"), filter=True),
    Column(Text("what it finds", "说明")),
    Column(Text("why that is bad", "有什么影响"), prose=True),
)
_WHY = ("Why is this bad?", "有什么影响")


def _table_of(rules: Iterable[Rule], language: Language) -> Table:
    """Return a row for each of the rules."""
    rows = [
        (
            rule.code,
            rule.name,
            rule.severity.value,
            FIXES[rule.fixable].to(language),
            rule.title.to(language),
            " ".join(bare(body) for heading, body in sections(page(rule, language)) if heading in _WHY),
        )
        for rule in rules
    ]
    return Table(Text("npu-lsp: rules", "npu-lsp：规则"), _COLUMNS, rows)
