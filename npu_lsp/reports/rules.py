"""What reports say of the rules behind their findings."""

from __future__ import annotations

from collections.abc import Iterable

from npu_lsp.checking.report import RuleFacts
from npu_lsp.linter.page import page
from npu_lsp.linter.rule import Fixable, Rule
from npu_lsp.rules import rule_for
from npu_lsp.text.bilingual import Language


def rule_facts(codes: Iterable[str], language: Language, own: Iterable[Rule] = ()) -> dict[str, RuleFacts]:
    """Return the facts of the rules with these codes; codes of other programs are left out.

    `own` are rules that configurations add.
    """
    found: dict[str, RuleFacts] = {}
    added = {rule.code: rule for rule in own}
    for code in codes:
        rule = added.get(code) or rule_for(code)
        if rule is not None:
            fixable = rule.fixable is not Fixable.NEVER
            title = rule.title.to(language)
            found[code] = RuleFacts(code, rule.name, title, rule.severity, page(rule, language), fixable)
    return found
