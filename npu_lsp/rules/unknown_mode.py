"""NPU801: a mode in an operator precision file that no operator, or not this one, has."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.near import nearest
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Rule
from npu_lsp.linter.values import allows, shown, text_of
from npu_lsp.linter.wording import apart
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnknownMode(Rule):
    """A mode in an operator precision file that the operator doesn't have.

    ## What it does
    Compares each mode in a file for `op_precision_mode` with those that exist. Where a CANN toolkit is installed, its
    list tells the modes of each operator.

    ## Why is this bad?
    The line is skipped with a warning in the log: the operator keeps the mode that it had, and nobody notices.

    ## Fix safety
    Unsafe: the mode takes effect from then on.
    """

    code = "NPU801"
    title = Text(en="Mode that the operator doesn't have", zh="算子不支持的精度模式")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.OP_PRECISION})
    messages = {
        "near": Text(
            en='"{operator}" has no mode {value}: the line is skipped, and only the log says so. Did you mean {near}?',
            zh="“{operator}”没有模式 {value}，该行会被忽略，仅在日志中告警。是否应为 {near}？",
        ),
        "unknown": Text(
            en='"{operator}" has no mode {value}: the line is skipped, and only the log says so. It takes: {listed}.',
            zh="“{operator}”没有模式 {value}，该行会被忽略，仅在日志中告警。可选模式：{listed}。",
        ),
    }
    examples_in = Kind.OP_PRECISION
    VALID = (
        "[ByOpType]\nSoftmaxV2=high_precision\n",
        "# SoftmaxV2=x\nSoftmaxV2 = high_performance\n",
    )
    INVALID = (
        "[ByOpType]\nSoftmaxV2=«high_percision→high_precision»\n",
        "[ByNodeName]\nbert/softmax=«best»\n",
    )

    def concerns(self, option: Option) -> bool:
        return bool(option.values)

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        text = text_of(setting.value)
        if text is None:
            return
        own = self._own_modes(setting, context)
        if text in own or (not own and allows(option, setting.value)):
            return
        takes = sorted(own) or [str(each.value) for each in option.values if each.supported]
        near = nearest(text, takes, wrong=True)
        yield self.finding(
            context,
            setting.value.inside,
            "unknown" if near is None else "near",
            of=option,
            fixes=self.changed(context, setting, near),
            operator=setting.receiver,
            value=shown(text),
            near=shown(near),
            listed=apart(map(shown, takes), context.language),
        )

    def _own_modes(self, setting: Setting, context: Context) -> frozenset[str]:
        """Return the operator's modes as the installed toolkit lists them; none where it doesn't."""
        if context.toolkit is None or setting.name != "ByOpType":
            return frozenset()
        return context.toolkit.modes.get(setting.receiver, frozenset())
