"""NPU303: an option that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity, Tag
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.rules.fixes.remove import removal
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class NoEffect(Rule):
    """An option that is accepted and then never used.

    ## What it does
    Reports options that exist for the sake of old scripts only: the tool accepts them, and no part of it uses them.

    ## Why is this bad?
    The file promises something that the run doesn't do.

    ## Example
    ```python
    custom_op.parameter_map["min_group_size"].b = True
    ```

    Use instead: leave it out.

    ## Fix safety
    Safe: nothing reads the option, so that what runs is the same without it. Unsafe for environment variables, which the
    script itself may read, and where the value is the result of a call or a command that may do something else, too.
    """

    code = "NPU303"
    title = Text(en="Option without any effect", zh="没有任何作用的配置项")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "dead": Text(
            en='Nothing reads "{option}": setting it has no effect. Remove it.',
            zh="没有任何代码读取“{option}”，配置后不起作用，请删除。",
        ),
    }
    examples_in = Kind.PYTHON
    examples_fixed = "safe"
    VALID = (
        # They should go for another reason, which another rule tells.
        'from mindspore import context\ncontext.set_context(auto_tune_mode="RL")\n',
        'custom_op.parameter_map["variable_memory_max_size"].s = b"1"\n',
        'custom_op.parameter_map["use_off_line"].b = True\n',
        # The docs keep them for later; GE hands them to the operator, which uses them.
        Valid("aipp_op {\n  resize: true\n  resize_output_w: 224\n  raw_rgbir_to_f16_n: 4\n}\n", Kind.AIPP),
        # No field of the format: the file can't be read, and another rule says so.
        Valid("aipp_op {\n  rotation_angle: 0\n}\n", Kind.AIPP),
    )
    INVALID = (
        told("aipp_op {\n  crop: true\n‹  «cpadding_value»: 0.0\n→›}\n", kind=Kind.AIPP),
        told("‹export «GE_TRAIN»=1\n→›", "info unsafe"),
        told('‹op.parameter_map["«min_group_size»"].i = start()\n→›', "warning unsafe", Kind.PYTHON),
        'op.parameter_map["use_off_line"].b = True\n‹op.parameter_map["«min_group_size»"].b = True\n→›',
    )

    def concerns(self, option: Option) -> bool:
        """Another rule tells of those that should go."""
        return option.status == "no_effect" and option.removed is None and option.deprecated is None

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Report a setting of an option without effect, unless another rule tells why it should go."""
        yield self.finding(
            context,
            setting.key,
            "dead",
            of=option,
            # A variable that nothing reads only takes up a line.
            severity=Severity.INFO if option.surface.row.environment else None,
            fixes=removal(context, self.say(context, "remove", option=option.name), [setting]),
            tags=(Tag.UNNECESSARY,),
        )
