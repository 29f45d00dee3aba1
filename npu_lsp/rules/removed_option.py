"""NPU302: an option that the target no longer has."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.findings import Finding, Fix, Safety, Severity, Tag
from npu_lsp.kinds import Kind
from npu_lsp.language import Text
from npu_lsp.readers.model import Block, Setting
from npu_lsp.rules.context import Context
from npu_lsp.rules.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.writers import writer_for

_SILENT = frozenset({Surface.SESSION, Surface.ENV})


class RemovedOption(Rule):
    """An option that the target's CANN version no longer knows.

    ## What it does
    Reports each setting of an option that was removed, in the version it was removed or, where no page tells the
    version, in every one.

    ## Why is this bad?
    In `parameter_map` and in the environment a removed option is ignored without a word: the script no longer does
    what it says. `NPURunConfig` raises an exception, and `atc` stops.

    ## Example
    ```python
    custom_op.parameter_map["fp_point"].s = tf.compat.as_bytes("resnet/conv2d_1")
    ```

    Use instead:
    ```python
    custom_op.parameter_map["profiling_options"].s = tf.compat.as_bytes(
        '{"output": "/tmp/profiling", "task_trace": "on", "fp_point": "resnet/conv2d_1"}'
    )
    ```

    ## Fix safety
    Taking the setting out is safe where it is ignored anyway, and unsafe where the command fails with it.
    """

    code = "NPU302"
    name = "removed-option"
    title = Text(en="Option that no longer exists", zh="已移除的配置项")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "replaced": Text(
            en='"{option}" no longer exists{since}: {why} Use "{replacement}" instead.',
            zh="“{option}”{since}已移除：{why}请改用“{replacement}”。",
        ),
        "alone": Text(en='"{option}" no longer exists{since}: {why}', zh="“{option}”{since}已移除：{why}"),
        "since": Text(en=" since CANN {cann}", zh="自 CANN {cann} 起"),
        "remove": Text(en='Remove "{option}"', zh="删除“{option}”"),
    }
    VALID = (Valid("atc --model=a.onnx --output=a\n", Kind.SHELL),)
    INVALID = (
        Invalid(
            'op.parameter_map["fp_point"].s = b"conv"\nop.parameter_map["use_off_line"].b = True\n',
            ("fp_point",),
            'op.parameter_map["use_off_line"].b = True\n',
        ),
    )

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Report a setting of an option that the target no longer has."""
        gone = option.removed
        if gone is None or context.target.at_least(gone.cann) is False:
            return
        silent = option.surface in _SILENT
        edits = writer_for(setting).remove(context.document, [setting])
        safety = Safety.SAFE if silent else Safety.UNSAFE
        yield self.finding(
            context,
            setting.key,
            "replaced" if gone.replacement else "alone",
            option=option.name,
            surface=option.surface,
            severity=Severity.WARNING if silent else None,
            fixes=[Fix(self.say(context, "remove", option=option.name), edits, safety)] if edits else [],
            tags=(Tag.DEPRECATED,),
            since=self.say(context, "since", cann=gone.cann) if gone.cann else "",
            why=gone.why.to(context.language),
            replacement=gone.replacement,
        )
