"""NPU902: a comment that silences a rule that doesn't exist."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from npu_lsp.catalog.near import NearNames
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule, told
from npu_lsp.linter.suppressions.comments import Silenced, Suppression
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit

_MOST = 100
"""Codes of a comment with fixes: each of these writes all the others anew."""
_MOST_TOLD = 1_000
"""Words of a file that are told: all rules are looked through for what each was meant to be."""


class UnknownSuppression(Rule):
    """A code or a name in an `npu-lsp: ignore` comment that no rule has.

    ## What it does
    Reports each word between the brackets that is neither the code nor the name of a rule.

    ## Why is this bad?
    The comment silences nothing: whoever wrote it meant another rule.

    ## Fix safety
    Changing a mistyped name is unsafe, as another finding is silenced from then on. Taking out a word that is close
    to nothing is safe.
    """

    code = "NPU902"
    title = Text(en="Comment that names no rule", zh="忽略注释中的未知规则")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    of_suppressions = True
    messages = {
        "near": Text(en='There is no rule "{code}". Did you mean "{near}"?', zh="没有规则“{code}”。是否应为“{near}”？"),
        "unknown": Text(
            en='There is no rule "{code}", so the comment silences nothing by it.',
            zh="没有规则“{code}”，注释中的该项不起作用。",
        ),
        "remove": Text(en='Remove "{code}"', zh="删除“{code}”"),
    }
    examples_in = Kind.PYTHON
    VALID = ('op.parameter_map["ours"].s = b"a"  # npu-lsp: ignore[NPU101, wrong-slot]\n',)
    INVALID = (
        'custom_op.parameter_map["ours"].b = True  # npu-lsp: ignore[«unknown-options→unknown-option»]\n',
        told(
            'op.parameter_map["ours"].s = b"a"  # npu-lsp: ignore[‹NPU101, «E501»→NPU101›]\n',
            "warning safe",
            Kind.PYTHON,
        ),
    )

    def check_suppressions(
        self, written: Sequence[Suppression], running: frozenset[str], context: Context
    ) -> Iterator[Finding]:
        from npu_lsp.rules import all_rules, rule_for

        known = NearNames([*context.own_rules, *(rule.name for rule in all_rules())])
        words = ((each, word) for each in written for word in each.codes if word.code not in context.own_rules)
        unknown = ((each, word) for each, word in words if rule_for(word.code) is None)
        for each, word in islice(unknown, _MOST_TOLD):
            near = known.nearest(word.code.lower())
            yield self.finding(
                context,
                word.code_span,
                "near" if near else "unknown",
                code=word.code,
                near=near,
                fixes=self._fixes(context, each, word, near),
            )

    def _fixes(self, context: Context, each: Suppression, word: Silenced, near: str | None) -> list[Fix]:
        if near is not None:
            return self.fix(context, "rename", [Edit(word.code_span, near)], Safety.UNSAFE, near=near)
        if len(each.codes) > _MOST:
            return []
        from npu_lsp.linter.suppressions.removal import without

        edits = without(context.document, each, [word.span])
        return self.fix(context, "remove", edits, Safety.SAFE, code=word.text)
