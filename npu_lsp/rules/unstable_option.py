"""NPU304: an option that is experimental or for debugging."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.linter.values import same
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

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
    name = "unstable-option"
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
    VALID = (
        Valid('npu.global_options().experimental.multi_branches_config.input_shape = "data:-1"\n'),
        Valid('custom_op.parameter_map["use_off_line"].b = True\n'),
        Valid("atc --model=a.onnx --op_debug_level=0\n", Kind.SHELL),
        Valid('NPURunConfig(experimental_config=ExperimentalConfig(logical_device_cluster_deploy_mode="LB"))\n'),
        Valid("NPURunConfig(experimental_config=ExperimentalConfig(graph_memory_optimize_config=c))\n"),
        # A variable holds for the runs that somebody sets it for.
        Valid("export ATB_STREAM_SYNC_EVERY_KERNEL_ENABLE=1\n", Kind.SHELL),
        # What goes is told as that.
        Valid('custom_op.parameter_map["op_debug_level"].i = 2\n'),
        Valid(
            "atc --our_flag=1\n", Kind.SHELL, files={"my-options.toml": _OURS.format('removed = { version = "8.0" }')}
        ),
    )
    INVALID = (
        Invalid(
            'a.parameter_map["op_debug_config"].s = b"a.cfg"\nb.parameter_map["op_debug_config"].s = b"a.cfg"\n',
            ("op_debug_config",),
            ("info",),
        ),
        Invalid(
            'NPURunConfig(experimental_config=ExperimentalConfig(logical_device_cluster_deploy_mode="SINGLE"))\n',
            ("logical_device_cluster_deploy_mode",),
            ("info",),
        ),
        Invalid('custom_op.parameter_map["op_debug_config"].s = b"debug.cfg"\n', ("op_debug_config",), ("info",)),
        Invalid("atc --model=a.onnx --op_debug_level=2\n", ("--op_debug_level",), ("info",), kind=Kind.SHELL),
        Invalid(
            "atc --our_flag=1\n",
            ("--our_flag",),
            ("info",),
            kind=Kind.SHELL,
            files={"my-options.toml": _OURS.format("")},
        ),
    )

    def concerns(self, option: Option) -> bool:
        """Other rules tell of those that should go."""
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
