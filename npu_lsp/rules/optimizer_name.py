"""NPU501: a custom optimizer that TF Adapter doesn't recognise."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.programs import OPTIMIZER
from npu_lsp.languages.model import Block, FactKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.linter.tensorflow.session import is_of_others
from npu_lsp.linter.values import text_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.spans import Edit


class OptimizerName(Rule):
    """A custom optimizer whose name isn't exactly `NpuOptimizer`.

    ## What it does
    Looks at the name of each custom optimizer that has options in its `parameter_map`. A name that
    isn't a literal is left alone, and so is an optimizer with none of TF Adapter's options: it is another's.

    ## Why is this bad?
    TF Adapter looks for an optimizer called `NpuOptimizer`, letter by letter. Under any other name nothing that is set
    in the `parameter_map` takes effect.

    ## Example
    ```python
    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.name = "Npuoptimizer"
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

    code = "NPU501"
    name = "optimizer-name"
    title = Text(en="Optimizer that TF Adapter doesn't recognise", zh="TF Adapter 无法识别的优化器名称")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    surfaces = frozenset({Surface.SESSION})
    messages = {
        "wrong": Text(
            en='TF Adapter only reads an optimizer named "NpuOptimizer"; everything set under "{name}" is ignored. Give it that name.',
            zh="TF Adapter 只识别名为“NpuOptimizer”的优化器，“{name}”下的全部配置都会被忽略。请改用该名称。",
        ),
        "rename": Text(en='Change to "NpuOptimizer"', zh="改为“NpuOptimizer”"),
    }
    VALID = (
        Valid(
            "op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = name\n"
            'op.parameter_map["use_off_line"].b = True\n'
        ),
        # Nothing says that it is one of TF Adapter.
        Valid('op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "Npuoptimizer"\n'),
        Valid(
            'op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "NpuOptimizer"\n'
            'op.parameter_map["use_off_line"].b = True\n'
        ),
        Valid('layer.name = "Npuoptimizer"\n'),
        Valid(
            'op = cfg.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "Ours"\nop.parameter_map["a"].i = 1\n'
        ),
    )
    INVALID = (
        Invalid(
            'op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "Npuoptimizer"\n'
            'op.parameter_map["use_off_line"].b = True\n',
            ("Npuoptimizer",),
            ("error unsafe",),
            'op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "NpuOptimizer"\n'
            'op.parameter_map["use_off_line"].b = True\n',
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Compare the optimizer's name where it is known."""
        if not block.settings or is_of_others(block, context):
            return
        for fact in block.facts:
            if fact.kind != FactKind.OPTIMIZER_NAME or fact.value is None:
                continue
            name = text_of(fact.value)
            if name is None or name == OPTIMIZER:
                continue
            span = fact.value.inside
            edits = [Edit(fact.value.content, OPTIMIZER)] if fact.value.content is not None else []
            fixes = self.fix(context, "rename", edits, Safety.UNSAFE)
            yield self.finding(context, span, "wrong", surface=Surface.SESSION, fixes=fixes, name=name)
