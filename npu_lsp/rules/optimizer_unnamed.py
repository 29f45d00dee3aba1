"""NPU503: a custom optimizer without a name."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.linter.tensorflow.session import added_once, facts
from npu_lsp.text.bilingual import Text


class OptimizerUnnamed(Rule):
    """A custom optimizer that has options and no name.

    ## What it does
    Looks for optimizers whose `parameter_map` is filled and whose `name` is never set, neither in a branch nor elsewhere in the
    file.

    ## Why is this bad?
    TensorFlow looks optimizers up by name, and TF Adapter looks for `NpuOptimizer`. Without it everything in the
    `parameter_map` is ignored, and the graph stays on the host.

    ## Example
    ```python
    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.parameter_map["use_off_line"].b = True
    ```

    Use instead:
    ```python
    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.name = "NpuOptimizer"
    custom_op.parameter_map["use_off_line"].b = True
    ```

    ## Fix safety
    Unsafe: the options take effect from then on.
    """

    code = "NPU503"
    name = "optimizer-unnamed"
    title = Text(en="Optimizer without a name", zh="未设置优化器名称")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.SESSION})
    messages = {
        "unnamed": Text(
            en='This optimizer gets options and no name: TF Adapter reads only one called "NpuOptimizer", and ignores all of them. Name it so.',
            zh="该优化器设置了配置项却没有名称：TF Adapter 只读取名为“NpuOptimizer”的优化器，这些配置全部不生效。请设置该名称。",
        ),
        "mend": Text(en='Name it "NpuOptimizer"', zh="命名为“NpuOptimizer”"),
    }
    VALID = (
        Valid(
            'op = config.graph_options.rewrite_options.custom_optimizers.add()\nif npu:\n    op.name = "NpuOptimizer"\n'
            'op.parameter_map["use_off_line"].b = True\n'
        ),
        Valid(
            "def make(config):\n    op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
            '    op.parameter_map["use_off_line"].b = True\n    return op\n'
        ),
        Valid("op = config.graph_options.rewrite_options.custom_optimizers.add()\n"),
        Valid("from npu_bridge.npu_init import *\nop = config.graph_options.rewrite_options.custom_optimizers.add()\n"),
    )
    INVALID = (
        Invalid(
            "op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
            'op.parameter_map["use_off_line"].b = True\n',
            ("config.graph_options.rewrite_options.custom_optimizers.add()",),
            ("error unsafe",),
            'op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "NpuOptimizer"\n'
            'op.parameter_map["use_off_line"].b = True\n',
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look for the name of an optimizer with options."""
        added = added_once(block, context)
        if added is None or not block.settings or "optimizer_name" in facts(block, context):
            return
        from npu_lsp.languages.python.writer.session import name_optimizer

        edits = name_optimizer(context.document, block, added)
        fixes = self.fix(context, "mend", edits, Safety.UNSAFE)
        yield self.finding(context, added.span, "unnamed", surface=block.surface, fixes=fixes)
