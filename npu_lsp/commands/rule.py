"""`npu-lsp rule`: explains rules."""

from __future__ import annotations

import argparse
import json
import sys

from npu_lsp.commands.arguments import language_of
from npu_lsp.linter.page import page, table
from npu_lsp.rules import all_rules, rule_for


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = "Explains a rule: what it finds, why that is bad, what to write instead."
    parser.add_argument("rule", nargs="?", metavar="CODE", help="a code or a name: NPU101, unknown-option")
    parser.add_argument("--all", action="store_true", help="explain every rule")
    parser.add_argument("--list", action="store_true", help="list every rule, a line each")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default: text")
    parser.add_argument(
        "--lang",
        choices=("auto", "en", "zh"),
        default="auto",
        help="language of the pages; default: that of the locale",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the pages that were asked for; 2 when there is no such rule."""
    if arguments.all or arguments.list:
        rules = all_rules()
    elif arguments.rule:
        rule = rule_for(arguments.rule)
        if rule is None:
            print(f"npu-lsp: there is no rule {arguments.rule!r}; `npu-lsp rule --list` lists all", file=sys.stderr)
            return 2
        rules = (rule,)
    else:
        print("npu-lsp: name a rule, or --all or --list", file=sys.stderr)
        return 2
    language = language_of(arguments.lang)
    if arguments.format == "json":
        print(
            json.dumps(
                [
                    {
                        "code": r.code,
                        "name": r.name,
                        "severity": r.severity.value,
                        "fix": r.fixable.value,
                        "title": {"en": r.title.en, "zh": r.title.zh},
                        "page": page(r, language),
                    }
                    for r in rules
                ],
                ensure_ascii=False,
                indent=2,
            )
        )
    elif arguments.list and arguments.format == "markdown":
        print(table(rules, language), end="")
    elif arguments.list:
        for r in rules:
            print(f"{r.code}  {r.severity.value:<8}{r.name:<32}{r.title.to(language)}")
    else:
        print("\n".join(page(r, language) for r in rules), end="")
    return 0
