"""A rule's page: the same text for `npu-lsp rule`, for the editor and for the reference."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

from npu_lsp.language import Language, Text
from npu_lsp.rules.rule import Fixable, Rule

_FIX = {
    Fixable.NEVER: Text(en="no fix", zh="无自动修复"),
    Fixable.SOMETIMES: Text(en="sometimes has a fix", zh="部分情况可自动修复"),
    Fixable.ALWAYS: Text(en="has a fix", zh="可自动修复"),
}


def page(rule: Rule, language: Language = "en") -> str:
    """Return the Markdown page of `rule`."""
    facts = f"`{rule.code}` · {rule.severity.value} · {_FIX[rule.fixable].to(language)}"
    body = inspect.cleandoc(type(rule).__doc__ or "")
    return f"# {rule.name}: {rule.title.to(language)}\n\n{facts}\n\n{body}\n"


def table(rules: Iterable[Rule], language: Language = "en") -> str:
    """Return a Markdown table of rules, a row each."""
    head = {"en": ("code", "name", "severity", "fix", "what it finds"), "zh": ("编码", "名称", "级别", "修复", "说明")}
    rows = [head[language], ("---",) * 5]
    for rule in rules:
        fix = _FIX[rule.fixable].to(language) if rule.fixable is not Fixable.NEVER else ""
        rows.append((rule.code, f"`{rule.name}`", rule.severity.value, fix, rule.title.to(language)))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
