"""NPU505: options on a config that no session gets."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.linter.tensorflow.session import added_once, facts
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class ConfigUnused(Rule):
    """A config whose options never reach a session.

    ## What it does
    Looks for configs that get an optimizer with options and are then used for nothing: not handed to a session, an estimator
    or a function, not returned, not stored. Whatever can't be told for certain counts as a use.

    ## Why is this bad?
    Nothing of what is set takes effect: the session runs with its own, mostly empty, config.
    """

    code = "NPU505"
    title = Text(en="Config that no session gets", zh="未被使用的会话配置")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.SESSION})
    messages = {
        "unused": Text(
            en="No session gets this config, and none of its options takes effect. Hand it on: tf.Session(config=...).",
            zh="该配置未传给任何会话，其中的配置项均不生效。请传入会话：tf.Session(config=...)。",
        ),
    }
    _HEAD = (
        "def train():\n    config = tf.ConfigProto()\n"
        "    op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
        '    op.name = "NpuOptimizer"\n    op.parameter_map["use_off_line"].b = True\n'
    )
    examples_in = Kind.PYTHON
    VALID = (
        (
            "def train():\n    config = tf.ConfigProto()\n"
            "    custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
            '    custom_op.name = "NpuOptimizer"\n    custom_op.parameter_map["use_off_line"].b = True\n'
            "    with tf.Session(config=config) as sess:\n        sess.run(step)\n"
        ),
        _HEAD + "    with tf.Session(config=config) as sess:\n        sess.run(step)\n",
        _HEAD + "    return config\n",
        _HEAD + "    self.config = config\n",
        _HEAD + "    config = npu_config_proto(config)\n    with tf.Session() as sess:\n        sess.run(step)\n",
        # Nothing is lost with it, or nobody knows where it comes from.
        _HEAD.rpartition("    op.parameter_map")[0] + "    with tf.Session() as sess:\n        sess.run(step)\n",
        'def train(op):\n    op.parameter_map["use_off_line"].b = True\n    tf.Session().run(step)\n',
    )
    INVALID = (
        (
            "def train():\n    config = tf.ConfigProto()\n"
            "    custom_op = «config.graph_options.rewrite_options.custom_optimizers.add()»\n"
            '    custom_op.name = "NpuOptimizer"\n    custom_op.parameter_map["use_off_line"].b = True\n'
            "    with tf.Session() as sess:\n        sess.run(step)\n"
        ),
        # The session gets another config.
        Invalid(
            _HEAD + "    with tf.Session(config=npu_config_proto()) as sess:\n        sess.run(step)\n",
            ("config.graph_options.rewrite_options.custom_optimizers.add()",),
            ("warning",),
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look whether the block's config gets anywhere."""
        added = added_once(block, context)
        if added is None or not block.settings or "config_used" in facts(block, context):
            return
        yield self.finding(context, added.span, "unused", surface=block.surface)
