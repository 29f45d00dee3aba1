"""NPU808: a switch for a fusion rule that can't be turned off."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block
from npu_lsp.linter.context import Context
from npu_lsp.linter.files.fusion_names import named_rules
from npu_lsp.linter.findings import Finding, Severity, Tag
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.linter.values import text_of
from npu_lsp.rules.fixes.remove import removal
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class FusionRuleStaysOn(Rule):
    """A fusion rule that a switch file turns off in vain.

    ## What it does
    Looks for `off` at fusion rules that GE keeps on whatever the file says.

    ## Why is this bad?
    Nothing reports it. Who looks for the cause of an accuracy problem will think that the rule was off.

    ## Example
    ```
    AABiasaddConvFusion:off
    ConvBatchnormFusionPass:off
    ```

    Use instead:
    ```
    ConvBatchnormFusionPass:off
    ```

    ## Fix safety
    Safe: the line has no effect, so that what runs is the same without it.
    """

    code = "NPU808"
    name = "fusion-rule-stays-on"
    title = Text(en="Fusion rule that can't be turned off", zh="无法关闭的融合规则")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.FUSION_SWITCH})
    messages = {
        "off": Text(
            en='GE needs "{rule}" and keeps it on: this switch is silently ignored. Remove it.',
            zh="“{rule}”为必须开启的融合规则，该开关会被静默忽略。请删除。",
        ),
        "remove": Text(en='Remove "{rule}"', zh="删除“{rule}”"),
    }
    VALID = (
        Valid("ConvBatchnormFusionPass:off\n", Kind.FUSION_SWITCH),
        Valid("UnheardOfPass:off\n", Kind.FUSION_SWITCH),
        Valid("AABiasaddConvFusion:on\n", Kind.FUSION_SWITCH),
        Valid('{"Switch": {"GraphFusion": {"ALL": "off"}}}\n', Kind.FUSION_SWITCH),
    )
    INVALID = (
        Invalid(
            "ALL:on\nAABiasaddConvFusion:off\n",
            ("AABiasaddConvFusion",),
            ("warning safe",),
            "ALL:on\n",
            kind=Kind.FUSION_SWITCH,
        ),
        Invalid(
            '{\n  "Switch": {"GraphFusion": {\n    "ALL": "on",\n    "AABiasaddConvFusion": "off"\n  }}\n}\n',
            ("AABiasaddConvFusion",),
            ("warning safe",),
            '{\n  "Switch": {"GraphFusion": {\n    "ALL": "on"\n  }}\n}\n',
            kind=Kind.FUSION_SWITCH,
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look for rules that are switched off and can't be."""
        for setting in named_rules(block):
            rule = context.catalog.fusion_rule(setting.name)
            if rule is None or rule.switchable is not False or text_of(setting.value) != "off":
                continue
            yield self.finding(
                context,
                setting.key,
                "off",
                surface=block.surface,
                fixes=removal(context, self.say(context, "remove", rule=rule.name), [setting]),
                tags=(Tag.UNNECESSARY,),
                rule=rule.name,
            )
