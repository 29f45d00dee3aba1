"""NPU807: a fusion switch for a rule that doesn't exist."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.near import NearNames, distance
from npu_lsp.languages.model import Block
from npu_lsp.linter.context import Context
from npu_lsp.linter.files.fusion_names import named_rules
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnknownFusionRule(Rule):
    """A mistyped name of a fusion rule.

    ## What it does
    Looks for names in fusion switch files that are close to the name of a fusion rule. Other unknown names are left alone:
    rules of your own are not in any list.

    ## Why is this bad?
    Names must match to the letter. A switch for a rule that doesn't exist is silently ignored.

    ## Example
    ```
    ConvBatchNormFusionPass:off
    ```

    Use instead:
    ```
    ConvBatchnormFusionPass:off
    ```

    ## Fix safety
    Unsafe: the switch takes effect from then on.
    """

    code = "NPU807"
    name = "unknown-fusion-rule"
    title = Text(en="Fusion rule that doesn't exist", zh="不存在的融合规则")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    surfaces = frozenset({Surface.FUSION_SWITCH})
    messages = {
        "near": Text(
            en='There is no fusion rule "{rule}", and the switch does nothing. Did you mean "{near}"?',
            zh="不存在融合规则“{rule}”，该开关不生效。是否应为“{near}”？",
        ),
    }
    VALID = (
        # Two letters may be another rule.
        Valid("ConvBatchnormFusonPas:off\n", Kind.FUSION_SWITCH),
        Valid("ConvBatchnormFusionPass:off\nMyOwnPass:off\n", Kind.FUSION_SWITCH),
        Valid('{"Switch": {"GraphFusion": {"ALL": "off"}}}\n', Kind.FUSION_SWITCH),
    )
    INVALID = (
        Invalid(
            "ConvBatchNormFusionPass:off\n",
            ("ConvBatchNormFusionPass",),
            ("warning unsafe",),
            "ConvBatchnormFusionPass:off\n",
            kind=Kind.FUSION_SWITCH,
        ),
        Invalid(
            "ConvBatchnormFusionPas:off\n",
            ("ConvBatchnormFusionPas",),
            ("warning unsafe",),
            "ConvBatchnormFusionPass:off\n",
            kind=Kind.FUSION_SWITCH,
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look for the rules that mistyped names were meant to be."""
        rules = {rule.name for rule in context.catalog.fusion_rules()}
        if context.toolkit is not None:
            rules |= context.toolkit.fusion_rules
        known: NearNames | None = None
        for setting in named_rules(block):
            if setting.name in rules:
                continue
            if known is None:
                known = NearNames(rules)
            near = known.nearest(setting.name)
            # Names of rules are long and alike: two slips apart they are two rules.
            if near is None or distance(setting.name.casefold(), near.casefold(), 1) is None:
                continue
            fixes = self.renamed(context, setting, near)
            yield self.finding(
                context, setting.key, "near", surface=block.surface, fixes=fixes, rule=setting.name, near=near
            )
