"""NPU501, NPU503: a custom optimizer that TF Adapter doesn't recognise, or that has no name."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.programs import OPTIMIZER
from npu_lsp.languages.model import Block, FactKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule
from npu_lsp.linter.tensorflow.session import added_once, facts, is_of_others
from npu_lsp.linter.values import text_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit


class OptimizerName(Rule):
    """A custom optimizer whose name isn't exactly `NpuOptimizer`.

    ## What it does
    Looks at the name of each custom optimizer that has options in its `parameter_map`. A name that
    isn't a literal is left alone, and so is an optimizer with none of TF Adapter's options: it is another's.

    ## Why is this bad?
    TF Adapter looks for an optimizer called `NpuOptimizer`, letter by letter. Under any other name nothing that is set
    in the `parameter_map` takes effect.

    ## Fix safety
    Unsafe: the options take effect from then on.
    """

    code = "NPU501"
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
    examples_in = Kind.PYTHON
    VALID = (
        (
            "op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = name\n"
            'op.parameter_map["use_off_line"].b = True\n'
        ),
        # Nothing says that it is one of TF Adapter.
        'op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "Npuoptimizer"\n',
        (
            'op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "NpuOptimizer"\n'
            'op.parameter_map["use_off_line"].b = True\n'
        ),
        'layer.name = "Npuoptimizer"\n',
        'op = cfg.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "Ours"\nop.parameter_map["a"].i = 1\n',
    )
    INVALID = (
        (
            "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
            'custom_op.name = "«Npuoptimizer→NpuOptimizer»"\ncustom_op.parameter_map["use_off_line"].b = True\n'
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


class OptimizerUnnamed(Rule):
    """A custom optimizer that has options and no name.

    ## What it does
    Looks for optimizers whose `parameter_map` is filled and whose `name` is never set, neither in a branch nor elsewhere in the
    file.

    ## Why is this bad?
    TensorFlow looks optimizers up by name, and TF Adapter looks for `NpuOptimizer`. Without it everything in the
    `parameter_map` is ignored, and the graph stays on the host.

    ## Fix safety
    Unsafe: the options take effect from then on.
    """

    code = "NPU503"
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
    examples_in = Kind.PYTHON
    VALID = (
        (
            'op = config.graph_options.rewrite_options.custom_optimizers.add()\nif npu:\n    op.name = "NpuOptimizer"\n'
            'op.parameter_map["use_off_line"].b = True\n'
        ),
        (
            "def make(config):\n    op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
            '    op.parameter_map["use_off_line"].b = True\n    return op\n'
        ),
        "op = config.graph_options.rewrite_options.custom_optimizers.add()\n",
        "from npu_bridge.npu_init import *\nop = config.graph_options.rewrite_options.custom_optimizers.add()\n",
    )
    INVALID = (
        (
            "custom_op = «config.graph_options.rewrite_options.custom_optimizers.add()→config.graph_options.rewrite_options.custom_optimizers.add()\n"
            'custom_op.name = "NpuOptimizer"»\ncustom_op.parameter_map["use_off_line"].b = True\n'
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        added = added_once(block, context)
        if added is None or not block.settings or "optimizer_name" in facts(block, context):
            return
        from npu_lsp.languages.python.writer.session import name_optimizer

        edits = name_optimizer(context.document, block, added)
        fixes = self.fix(context, "mend", edits, Safety.UNSAFE)
        yield self.finding(context, added.span, "unnamed", surface=block.surface, fixes=fixes)
