"""NPU301: an option that is on its way out."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Deprecation, Option
from npu_lsp.findings import Finding, Severity, Tag
from npu_lsp.fixes import fixes_for
from npu_lsp.kinds import Kind
from npu_lsp.language import Text
from npu_lsp.readers.model import Block, Setting
from npu_lsp.rules.context import Context
from npu_lsp.rules.rule import Fixable, Invalid, Rule, Valid


class DeprecatedOption(Rule):
    r"""An option that still works and that a later CANN version will drop.

    ## What it does
    Reports each setting of an option that the docs or the tool call deprecated, with the reason and the option that
    takes its place. For a `target.cann` before the deprecation nothing is reported.

    ## Why is this bad?
    The tool prints a warning among thousands of log lines at best. When the option goes, the setting is ignored
    (`parameter_map`) or the command fails (`atc`).

    ## Example
    ```sh
    atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --op_select_implmode=high_precision
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 \
        --op_precision_mode="${ASCEND_HOME_PATH}/opp/built-in/op_impl/ai_core/tbe/impl_mode/high_precision.ini"
    ```

    ## Fix safety
    Safe where the replacement is documented to do the same; unsafe, or not offered, elsewhere.
    """

    code = "NPU301"
    name = "deprecated-option"
    title = Text(en="Deprecated option", zh="已废弃的配置项")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "replaced": Text(
            en='"{option}" is deprecated{since}: {why} Use "{replacement}" instead.',
            zh="“{option}”{since}已废弃：{why}请改用“{replacement}”。",
        ),
        "alone": Text(en='"{option}" is deprecated{since}: {why}', zh="“{option}”{since}已废弃：{why}"),
        "since": Text(en=" since CANN {cann}", zh="自 CANN {cann} 起"),
    }
    VALID = (Valid("atc --op_precision_mode=op_precision.ini\n", Kind.SHELL),)
    INVALID = (
        # The second command needs the mode for its list: no fix.
        Invalid(
            'A="--framework=5 --op_select_implmode=high_precision"\n'
            "atc $A --model=a\natc $A --model=b --optypelist_for_implmode=Relu\n",
            ("--op_select_implmode", "--optypelist_for_implmode"),
            kind=Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx --op_select_implmode=high_performance --output=a\n",
            ("--op_select_implmode",),
            "atc --model=a.onnx --output=a\n",
            kind=Kind.SHELL,
        ),
        Invalid('custom_op.parameter_map["enable_data_pre_proc"].b = True\n', ("enable_data_pre_proc",)),
        Invalid(
            'atc --model=a.onnx --input_shape_range="a:[1~8,3];b:[-1,2]" --output=a\n',
            ("--input_shape_range",),
            'atc --model=a.onnx --input_shape="a:1~8,3;b:-1,2" --output=a\n',
            kind=Kind.SHELL,
        ),
    )

    def concerns(self, option: Option) -> bool:
        """Only what is on its way out, and not what is gone."""
        return option.deprecated is not None and option.removed is None

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Report a setting of a deprecated option, unless the target is older than the deprecation."""
        gone = option.deprecated
        if gone is None or context.target.at_least(gone.cann) is False:
            return
        yield self.finding(
            context,
            setting.key,
            "replaced" if gone.replacement else "alone",
            option=option.name,
            surface=option.surface,
            fixes=fixes_for(gone.fix, setting, option, block, context),
            tags=(Tag.DEPRECATED,),
            since=self._since(gone, context),
            why=gone.why.to(context.language),
            replacement=gone.replacement,
        )

    def _since(self, gone: Deprecation, context: Context) -> str:
        return self.say(context, "since", cann=gone.cann) if gone.cann else ""
