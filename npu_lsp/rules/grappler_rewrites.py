"""NPU502: graph rewrites of TensorFlow that get in the NPU's way."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Fact
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule
from npu_lsp.linter.tensorflow.session import added_once, facts
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_REMAPPING, _MEMORY = "remapping", "memory_optimization"


class GrapplerRewrites(Rule):
    """Graph rewrites of TensorFlow that stay on in a session on the NPU.

    ## What it does
    Looks at each config with an optimizer for the NPU whether it switches `remapping` off, and reports one that switches
    `memory_optimization` on. It stays silent where the config goes through `npu_config_proto(...)` or into `NPURunConfig`, which do that themselves, and
    where other code gets the config and may change it.

    ## Why is this bad?
    Both rewrite the graph before TF Adapter sees it, and clash with what the NPU does itself: `remapping` fuses operators
    into ones that the NPU doesn't have, and training stops or runs partly on the host. A config with `remapping` off and
    `memory_optimization` left as it is usually works, so that nothing is said about it.

    ## Example
    ```python
    config = tf.ConfigProto()
    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.name = "NpuOptimizer"
    sess = tf.Session(config=config)
    ```

    Use instead:
    ```python
    from tensorflow.core.protobuf.rewriter_config_pb2 import RewriterConfig

    config = tf.ConfigProto()
    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
    custom_op.name = "NpuOptimizer"
    config.graph_options.rewrite_options.remapping = RewriterConfig.OFF
    config.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF
    sess = tf.Session(config=config)
    ```

    ## Fix safety
    Unsafe: the graph that is built changes.
    """

    code = "NPU502"
    title = Text(en="Graph rewrites that are not switched off", zh="未关闭 TensorFlow 图优化")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.SESSION})
    messages = {
        "missing": Text(
            en="This config doesn't switch {rewrites} off: TensorFlow changes the graph in ways that clash with the NPU's own, and the session may fail or run partly on the host.",
            zh="该配置未关闭 {rewrites}，TensorFlow 的图改写会与 NPU 的处理冲突，可能导致执行失败或部分算子在 Host 侧执行。",
        ),
        "on": Text(
            en="{rewrites} must be RewriterConfig.OFF in a session on the NPU: TensorFlow's rewrite clashes with the NPU's own.",
            zh="NPU 会话中 {rewrites} 必须为 RewriterConfig.OFF，否则与 NPU 的处理冲突。",
        ),
        "off": Text(en="Switch {rewrites} off", zh="关闭 {rewrites}"),
    }
    _START = (
        "from npu_bridge.npu_init import *\nconfig = tf.ConfigProto()\n"
        'op = config.graph_options.rewrite_options.custom_optimizers.add()\nop.name = "NpuOptimizer"\n'
    )
    _REMAP = "config.graph_options.rewrite_options.remapping = RewriterConfig.OFF\n"
    _KEEP = "config.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF\n"
    _RUN = "with tf.Session(config=config) as sess:\n    sess.run(step)\n"
    _OTHERS = "config = tf.ConfigProto()\nconfig.graph_options.rewrite_options.custom_optimizers.add()."
    examples_in = Kind.PYTHON
    VALID = (
        _START + _REMAP + _KEEP + _RUN,
        _START + _REMAP + _RUN,
        _START + "with tf.Session(config=npu_config_proto(config)) as sess:\n    pass\n",
        _START.replace("tf.ConfigProto()", "npu_config_proto()") + _RUN,
        _START + "run_config = NPURunConfig(session_config=config)\n",
        _START + "prepare(config)\n" + _RUN,
        _OTHERS + 'name = "dpparallel"\n' + _RUN,
        _OTHERS + "name = name\n" + _RUN,
        _OTHERS + 'name = "ON"\n' + _RUN,
        _START.rpartition("op.name")[0] + _RUN,
        _START + "config.graph_options.rewrite_options.remapping = mode\n" + _KEEP + _RUN,
    )
    INVALID = (
        Invalid(_START + _RUN, ("custom_optimizers.add()",), ("warning unsafe",), _START + _REMAP + _KEEP + _RUN),
        Invalid(
            _START + _REMAP + "config.graph_options.rewrite_options.memory_optimization = RewriterConfig.ON\n" + _RUN,
            ("RewriterConfig.ON",),
            ("hint",),
        ),
        (
            "‹→from tensorflow.core.protobuf.rewriter_config_pb2 import RewriterConfig\n"
            "›import tensorflow as tf\ndef run():\n    config = tf.ConfigProto()\n"
            "    op = config.graph_options.rewrite_options.«custom_optimizers.add()»\n"
            "    op.name = 'NpuOptimizer'‹→\n"
            "    config.graph_options.rewrite_options.remapping = RewriterConfig.OFF\n"
            "    config.graph_options.rewrite_options.memory_optimization = RewriterConfig.OFF›\n"
            "    return tf.Session(config=config).run(step)\n"
        ),
        Invalid(
            _START + "config.graph_options.rewrite_options.remapping = RewriterConfig.ON\n" + _KEEP + _RUN,
            ("RewriterConfig.ON",),
            ("warning",),
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        for fact in block.facts:
            if fact.kind in (_REMAPPING, _MEMORY) and fact.value is not None and fact.value.data == "ON":
                severity = None if fact.kind == _REMAPPING else Severity.HINT
                yield self.finding(
                    context,
                    fact.value.span,
                    "on",
                    surface=block.surface,
                    severity=severity,
                    rewrites=f'"{fact.kind.value}"',
                )
        added = added_once(block, context)
        present = facts(block, context)
        if added is None or "optimizer_name" not in present or present & {"npu_config_proto", "config_handed_on"}:
            return
        missing = [name for name in (_REMAPPING, _MEMORY) if name not in present]
        if _REMAPPING in missing:
            yield self._missing(block, added, missing, context)

    def _missing(self, block: Block, added: Fact, missing: list[str], context: Context) -> Finding:
        from npu_lsp.languages.python.writer.session import switch_off

        rewrites = (" and " if context.language == "en" else "、").join(f'"{name}"' for name in missing)
        edits = switch_off(context.document, block, added, missing)
        at = context.document.text.find("custom_optimizers", added.span.start, added.span.end)
        return self.finding(
            context,
            added.span._replace(start=max(at, added.span.start)),
            "missing",
            surface=block.surface,
            fixes=self.fix(context, "off", edits, Safety.UNSAFE, rewrites=rewrites),
            rewrites=rewrites,
        )
