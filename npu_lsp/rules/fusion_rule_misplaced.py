"""NPU812: a fusion rule under the group of the other kind."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block
from npu_lsp.linter.context import Context
from npu_lsp.linter.files.fusion_names import named_rules
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_GROUPS = {"graph": "GraphFusion", "ub": "UBFusion"}


class FusionRuleMisplaced(Rule):
    """A fusion rule under `GraphFusion` that belongs under `UBFusion`, or the other way round.

    ## What it does
    Compares the group that an entry of a fusion switch file stands in with the kind of the rule that it names. Files of
    lines (`Rule:off`) have no groups: a line counts for both kinds.

    ## Why is this bad?
    GE looks a rule up in the group of its own kind only. The switch does nothing, and nothing reports it.

    ## Example
    ```json
    {"Switch": {"GraphFusion": {"FusionVirtualOpSetSwitch": "off"}}}
    ```

    Use instead:
    ```json
    {"Switch": {"UBFusion": {"FusionVirtualOpSetSwitch": "off"}}}
    ```

    ## Fix safety
    No fix: the group may have to be made first.
    """

    code = "NPU812"
    name = "fusion-rule-misplaced"
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
    VALID = (
        # Only scripts name this one: nothing shows its kind.
        Valid(
            '{"Switch": {"UBFusion": {"ALL": "on", "CombinedNonMaxSuppressionFusionPass": "off"}}}\n',
            Kind.FUSION_SWITCH,
        ),
        Valid('{"Switch": {"UBFusion": {"FusionVirtualOpSetSwitch": "off"}}}\n', Kind.FUSION_SWITCH),
        Valid('{"Switch": {"GraphFusion": {"MyOwnPass": "off", "ALL": "off"}}}\n', Kind.FUSION_SWITCH),
        Valid("FusionVirtualOpSetSwitch:off\nConvBatchnormFusionPass:off\n", Kind.FUSION_SWITCH),
    )
    INVALID = (
        Invalid(
            '{"Switch": {"GraphFusion": {"FusionVirtualOpSetSwitch": "off"}}}\n',
            ("FusionVirtualOpSetSwitch",),
            ("warning",),
            kind=Kind.FUSION_SWITCH,
        ),
        Invalid(
            '{"Switch": {"UBFusion": {"ALL": "on", "ConvBatchnormFusionPass": "off"}}}\n',
            ("ConvBatchnormFusionPass",),
            ("warning",),
            kind=Kind.FUSION_SWITCH,
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Compare the group of each rule with its kind."""
        if block.receiver not in _GROUPS.values():
            return
        for setting in named_rules(block):
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
