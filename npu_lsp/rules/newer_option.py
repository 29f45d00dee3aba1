"""NPU306: an option that the docs would rather not see."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.rules.fixes import fixes_for
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class NewerOption(Rule):
    """An option for which the docs recommend another one, though both work.

    ## What it does
    Offers to move the setting to the recommended option, by the correspondence that the docs give. A value without a
    counterpart is left alone. It runs in editors; on the command line, select it.

    ## Why is this bad?
    It isn't. New values come to the newer option only.

    ## Example
    ```python
    custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")
    ```

    Use instead:
    ```python
    custom_op.parameter_map["precision_mode_v2"].s = tf.compat.as_bytes("mixed_float16")
    ```

    ## Fix safety
    Unsafe: both are documented to do the same, but older versions don't know the newer option.
    """

    code = "NPU306"
    name = "newer-option"
    title = Text(en="Option with a recommended successor", zh="有推荐替代项的配置项")
    severity = Severity.HINT
    default = False
    in_editor = True
    fixable = Fixable.ALWAYS
    messages = {
        "newer": Text(
            en='"{option}" has a recommended successor, "{replacement}". {why}',
            zh="“{option}”有推荐的替代项“{replacement}”。{why}",
        ),
    }
    VALID = (
        Valid('custom_op.parameter_map["precision_mode_v2"].s = tf.compat.as_bytes("mixed_float16")\n'),
        Valid('custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_fp32_to_fp16")\n'),
        Valid("atc --precision_mode=force_fp16\n", Kind.SHELL, target={"cann": "6.0"}),
    )
    INVALID = (
        Invalid(
            'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n',
            ("precision_mode",),
            ("hint unsafe",),
            'custom_op.parameter_map["precision_mode_v2"].s = tf.compat.as_bytes("mixed_float16")\n',
        ),
        Invalid(
            "atc --model=a.onnx --precision_mode=force_fp16\n",
            ("--precision_mode",),
            ("hint unsafe",),
            "atc --model=a.onnx --precision_mode_v2=fp16\n",
            kind=Kind.SHELL,
        ),
    )

    def concerns(self, option: Option) -> bool:
        """Only those that the docs advise against."""
        return option.preferred is not None

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Report a setting that can be moved, unless the target is too old for the other option."""
        newer = option.preferred
        if newer is None or newer.replacement is None:
            return
        other = context.catalog.option(option.surface, newer.replacement)
        if other is None or context.target.lacks(other.since, other.component):
            return
        fixes = fixes_for(newer.fix, setting, option, block, context)
        if fixes:
            yield self.finding(
                context,
                setting.key,
                "newer",
                of=option,
                fixes=fixes,
                replacement=newer.replacement,
                why=newer.why.to(context.language),
            )
