"""NPU504: a session that doesn't say that it runs on the NPU."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule
from npu_lsp.linter.tensorflow.session import added_once, facts
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_OPTION = "use_off_line"


class OfflineMissing(Rule):
    """A session whose options leave `use_off_line` open.

    ## What it does
    Looks for `use_off_line` among the options of each optimizer. It stays silent where the config goes through
    `npu_config_proto(...)` or where other code may set the option. It runs in editors; on the command line, select it.

    ## Why is this bad?
    The option decides whether the graph runs on the NPU at all. TF Adapter has it on by default, so that this is only a
    hint: written down, it tells the reader where the graph runs, and it is the switch for comparing with the host.

    ## Example
    ```python
    custom_op.name = "NpuOptimizer"
    custom_op.parameter_map["precision_mode_v2"].s = tf.compat.as_bytes("mixed_float16")
    ```

    Use instead:
    ```python
    custom_op.name = "NpuOptimizer"
    custom_op.parameter_map["precision_mode_v2"].s = tf.compat.as_bytes("mixed_float16")
    custom_op.parameter_map["use_off_line"].b = True
    ```

    ## Fix safety
    Safe: the default is written down.
    """

    code = "NPU504"
    title = Text(en="Session that doesn't say where it runs", zh="未显式设置 use_off_line")
    severity = Severity.HINT
    default = False
    in_editor = True
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.SESSION})
    messages = {
        "missing": Text(
            en='"{option}" isn\'t set; TF Adapter then runs the graph on the NPU. Set it to say so, and to have the switch for comparing with the host.',
            zh="未设置“{option}”，TF Adapter 默认在 NPU 上执行。建议显式设置，便于阅读，也便于与 Host 侧结果比对。",
        ),
        "add": Text(en='Set "{option}" to True', zh="将“{option}”设为 True"),
    }
    _HEAD = (
        "config = tf.ConfigProto()\nop = config.graph_options.rewrite_options.custom_optimizers.add()\n"
        'op.name = "NpuOptimizer"\n'
    )
    examples_in = Kind.PYTHON
    VALID = (
        _HEAD + 'op.parameter_map["use_off_line"].b = True\nsess = tf.Session(config=config)\n',
        (_HEAD + 'op.parameter_map["mix_compile_mode"].b = True\nsess = tf.Session(config=npu_config_proto(config))\n'),
        _HEAD + 'op.parameter_map["mix_compile_mode"].b = True\nset_up(op)\nsess = tf.Session(config=config)\n',
        _HEAD + "sess = tf.Session(config=config)\n",
        # NPU503 tells that it has no name.
        (
            _HEAD.replace('op.name = "NpuOptimizer"\n', "")
            + 'op.parameter_map["mix_compile_mode"].b = True\nsess = tf.Session(config=config)\n'
        ),
        _HEAD + 'op.parameter_map["use_of_line"].b = True\nsess = tf.Session(config=config)\n',
    )
    INVALID = (
        Invalid(
            _HEAD + 'op.parameter_map["mix_compile_mode"].b = True\nsess = tf.Session(config=config)\n',
            ("config.graph_options.rewrite_options.custom_optimizers.add()",),
            ("hint safe",),
            _HEAD
            + 'op.parameter_map["mix_compile_mode"].b = True\nop.parameter_map["use_off_line"].b = True\n'
            + "sess = tf.Session(config=config)\n",
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        added = added_once(block, context)
        present = facts(block, context)
        if added is None or not block.settings or "npu_config_proto" in present or "optimizer_name" not in present:
            return
        if any(context.catalog.near(block.surface, setting.name) == _OPTION for setting in block.settings):
            return  # It is there, or was meant to be.
        option = context.catalog.option(block.surface, _OPTION)
        if option is None or option.slot is None:
            return
        edits = writer_for(block.settings[0]).add(
            context.document, block, None, Added(_OPTION, True, option.slot.value)
        )
        yield self.finding(
            context,
            added.span,
            "missing",
            option=_OPTION,
            surface=block.surface,
            fixes=self.fix(context, "add", edits, Safety.SAFE, option=_OPTION),
        )
