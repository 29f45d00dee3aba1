"""NPU304 and NPU306: options that came later than the target, or that may go again."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import same
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

    ## Fix safety
    Unsafe: both are documented to do the same, but older versions don't know the newer option.
    """

    code = "NPU306"
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
    examples_in = Kind.PYTHON
    VALID = (
        'custom_op.parameter_map["precision_mode_v2"].s = tf.compat.as_bytes("mixed_float16")\n',
        'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_fp32_to_fp16")\n',
        Valid("atc --precision_mode=force_fp16\n", Kind.SHELL, target={"cann": "6.0"}),
    )
    INVALID = (
        'custom_op.parameter_map["«precision_mode→precision_mode_v2»"].s = tf.compat.as_bytes("‹allow_mix_precision→mixed_float16›")\n',
        told("atc --model=a.onnx «--precision_mode→--precision_mode_v2»=f‹orce_f→›p16\n"),
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


_OURS = """
[options.our_flag]
summary = "Ours."
[options.our_flag.atc]
type = "string"
stability = "experimental"
{}
"""


class UnstableOption(Rule):
    """An option that isn't meant for production.

    ## What it does
    Points out options that the docs call experimental, which may change or go in any version, and options for finding
    errors, which cost speed, memory or disk space. Each is told once for a file. A setting to the option's default is left
    alone, and so is an object that holds such options: each of them is looked at by itself. So is a name that says
    `experimental` itself.

    ## Why is this bad?
    It may be just right while you work on the script. Left in, it surprises whoever runs the script after an upgrade,
    or waits for it.

    ## Example
    ```python
    custom_op.parameter_map["op_debug_config"].s = tf.compat.as_bytes("debug.cfg")
    ```

    Use instead: leave it out of what goes to production.
    """

    code = "NPU304"
    title = Text(en="Experimental option, or one for debugging", zh="试验性或调试用配置项")
    severity = Severity.INFO
    messages = {
        "experimental": Text(
            en='"{option}" is experimental: it may change or go in any version. Don\'t rely on it in production.',
            zh="“{option}”为试验特性，后续版本可能变更或删除，请勿用于商用产品。",
        ),
        "debug": Text(
            en='"{option}" is for debugging: it costs speed, memory or disk space. Leave it out of production.',
            zh="“{option}”用于调试定位，会影响性能、内存或占用磁盘，生产环境请删除。",
        ),
    }
    examples_in = Kind.PYTHON
    VALID = (
        'npu.global_options().experimental.multi_branches_config.input_shape = "data:-1"\n',
        'custom_op.parameter_map["use_off_line"].b = True\n',
        Valid("atc --model=a.onnx --op_debug_level=0\n", Kind.SHELL),
        'NPURunConfig(experimental_config=ExperimentalConfig(logical_device_cluster_deploy_mode="LB"))\n',
        "NPURunConfig(experimental_config=ExperimentalConfig(graph_memory_optimize_config=c))\n",
        # A variable holds for the runs that somebody sets it for.
        Valid("export ATB_STREAM_SYNC_EVERY_KERNEL_ENABLE=1\n", Kind.SHELL),
        # What goes is told as that.
        'custom_op.parameter_map["op_debug_level"].i = 2\n',
        Valid(
            "atc --our_flag=1\n", Kind.SHELL, files={"my-options.toml": _OURS.format('removed = { version = "8.0" }')}
        ),
    )
    INVALID = (
        'a.parameter_map["«op_debug_config»"].s = b"a.cfg"\nb.parameter_map["op_debug_config"].s = b"a.cfg"\n',
        'NPURunConfig(experimental_config=ExperimentalConfig(«logical_device_cluster_deploy_mode»="SINGLE"))\n',
        'custom_op.parameter_map["«op_debug_config»"].s = b"debug.cfg"\n',
        told("atc --model=a.onnx «--op_debug_level»=2\n"),
        told("atc «--our_flag»=1\n", files={"my-options.toml": _OURS.format("")}),
    )

    def concerns(self, option: Option) -> bool:
        """Leave out what is deprecated or removed: other rules report it."""
        return (
            option.stability != "stable"
            and "experimental" not in option.name
            and option.type != "object"
            and not option.surface.row.environment
            and option.removed is None
            and option.deprecated is None
        )

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Report a setting of such an option, unless another rule tells why it should go."""
        if not context.is_first(setting) or any(same(setting.value, default.value) for default in option.defaults):
            return
        yield self.finding(context, setting.key, option.stability, of=option)
