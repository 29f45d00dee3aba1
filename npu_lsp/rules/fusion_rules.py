"""Fusion rules in the files that switch them: unknown ones, such as stand at the wrong place, and such as stay on."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.near import NearNames, distance
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity, Tag
from npu_lsp.linter.rule import Fixable, Rule
from npu_lsp.linter.values import text_of
from npu_lsp.rules.fixes.remove import removal
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_ALL = "ALL"


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
    examples_in = Kind.FUSION_SWITCH
    VALID = (
        # Two letters may be another rule.
        "ConvBatchnormFusonPas:off\n",
        "ConvBatchnormFusionPass:off\nMyOwnPass:off\n",
        '{"Switch": {"GraphFusion": {"ALL": "off"}}}\n',
    )
    INVALID = (
        "«ConvBatchNormFusionPass→ConvBatchnormFusionPass»:off\n",
        "«ConvBatchnormFusionPas→ConvBatchnormFusionPass»:off\n",
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        rules = {rule.name for rule in context.catalog.fusion_rules()}
        if context.toolkit is not None:
            rules |= context.toolkit.fusion_rules
        known: NearNames | None = None
        for setting in _named_rules(block):
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


_GROUPS = {"graph": "GraphFusion", "ub": "UBFusion"}


class FusionRuleMisplaced(Rule):
    """A fusion rule under `GraphFusion` that belongs under `UBFusion`, or the other way round.

    ## What it does
    Compares the group that an entry of a fusion switch file stands in with the kind of the rule that it names. Files of
    lines (`Rule:off`) have no groups: a line counts for both kinds.

    ## Why is this bad?
    GE looks a rule up in the group of its own kind only. The switch does nothing, and nothing reports it.

    ## Fix safety
    No fix: the group may have to be made first.
    """

    code = "NPU812"
    title = Text(en="Fusion rule in the wrong group", zh="融合规则写在错误的分组下")
    severity = Severity.WARNING
    fixable = Fixable.NEVER
    surfaces = frozenset({Surface.FUSION_SWITCH})
    messages = {
        "group": Text(
            en='"{rule}" is looked up under "{right}" only: this switch under "{wrong}" is silently ignored. Move it there.',
            zh="“{rule}”只在“{right}”下查找，写在“{wrong}”下会被静默忽略。请移到“{right}”下。",
        ),
    }
    examples_in = Kind.FUSION_SWITCH
    VALID = (
        '{"Switch": {"UBFusion": {"FusionVirtualOpSetSwitch": "off"}}}\n',
        # Only scripts name this one: nothing shows its kind.
        '{"Switch": {"UBFusion": {"ALL": "on", "CombinedNonMaxSuppressionFusionPass": "off"}}}\n',
        '{"Switch": {"GraphFusion": {"MyOwnPass": "off", "ALL": "off"}}}\n',
        "FusionVirtualOpSetSwitch:off\nConvBatchnormFusionPass:off\n",
    )
    INVALID = (
        '{"Switch": {"GraphFusion": {"«FusionVirtualOpSetSwitch»": "off"}}}\n',
        '{"Switch": {"UBFusion": {"ALL": "on", "«ConvBatchnormFusionPass»": "off"}}}\n',
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        if block.receiver not in _GROUPS.values():
            return
        for setting in _named_rules(block):
            rule = context.catalog.fusion_rule(setting.name)
            if rule is None or _GROUPS[rule.kind] == block.receiver or all(s.startswith("zoo") for s in rule.sources):
                # Of a rule that scripts alone name nothing shows the kind.
                continue
            yield self.finding(
                context,
                setting.key,
                "group",
                surface=block.surface,
                rule=rule.name,
                right=_GROUPS[rule.kind],
                wrong=block.receiver,
            )


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
    examples_in = Kind.FUSION_SWITCH
    examples_fixed = "safe"
    VALID = (
        "ConvBatchnormFusionPass:off\n",
        "UnheardOfPass:off\n",
        "AABiasaddConvFusion:on\n",
        '{"Switch": {"GraphFusion": {"ALL": "off"}}}\n',
    )
    INVALID = (
        "ALL:on\n‹«AABiasaddConvFusion»:off\n→›",
        '{\n  "Switch": {"GraphFusion": {\n    "ALL": "on"‹,\n    "«AABiasaddConvFusion»": "off"→›\n  }}\n}\n',
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        for setting in _named_rules(block):
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


def _named_rules(block: Block) -> Iterator[Setting]:
    """Yield the entries of `block` that switch one fusion rule."""
    for setting in block.settings:
        if setting.receiver and setting.name and setting.name != _ALL:
            yield setting
