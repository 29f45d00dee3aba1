"""NPU202: options that go together, and one of them missing."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Relation
from npu_lsp.findings import Finding, Severity
from npu_lsp.kinds import Kind
from npu_lsp.language import Text
from npu_lsp.readers.model import Block
from npu_lsp.relations import among
from npu_lsp.rules.companions import Companions, Pair
from npu_lsp.rules.context import Context
from npu_lsp.rules.rule import Invalid, Rule, Valid
from npu_lsp.rules.wording import listed, outcome

_OP = "op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
_NO_EFFECT = Text(en="Alone they have no effect.", zh="单独配置不生效。")


class UsedTogether(Rule):
    """Some of several options that must be set together.

    ## What it does
    Looks for options that only make sense as a group, such as `input_shape`, `dynamic_dims` and `dynamic_node_type`, and
    reports a group of which only a part is set.

    ## Why is this bad?
    The run stops with an error, or what is set has no effect.

    ## Example
    ```python
    custom_op.parameter_map["input_shape"].s = tf.compat.as_bytes("data:1,-1")
    custom_op.parameter_map["dynamic_dims"].s = tf.compat.as_bytes("16;32")
    ```

    Use instead:
    ```python
    custom_op.parameter_map["input_shape"].s = tf.compat.as_bytes("data:1,-1")
    custom_op.parameter_map["dynamic_dims"].s = tf.compat.as_bytes("16;32")
    custom_op.parameter_map["dynamic_node_type"].i = 1
    ```
    """

    code = "NPU202"
    name = "used-together"
    title = Text(en="Only a part of options that go together", zh="须成组配置的选项不完整")
    severity = Severity.ERROR
    messages = {
        "part": Text(
            en='"{option}" goes together with {missing}, which is not set. {result} Set all of them, or none.',
            zh="“{option}”须与{missing}同时配置，但后者未配置。{result}请全部配置，或全部删除。",
        ),
    }
    VALID = (
        Valid(
            _OP + 'op.parameter_map["input_shape"].s = b"data:1,-1"\nop.parameter_map["dynamic_dims"].s = b"16;32"\n'
            'op.parameter_map["dynamic_node_type"].i = 1\n'
        ),
        Valid('def shapes(op):\n    op.parameter_map["input_shape"].s = b"data:1,-1"\n'),
        Valid("atc --host_env_os=linux --host_env_cpu=aarch64\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            _OP + 'op.parameter_map["input_shape"].s = b"data:1,-1"\nop.parameter_map["dynamic_dims"].s = b"16;32"\n',
            ("input_shape",),
        ),
        Invalid("atc --model=a.onnx --host_env_os=linux\n", ("--host_env_os",), kind=Kind.SHELL),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at each group of which something is set, at the first of it."""
        companions = Companions.of_block(block, context)
        seen: set[frozenset[str]] = set()
        for pair in companions.pairs:
            setting, option = pair
            relations = [
                relation
                for relation in option.relations
                if relation.kind == "together"
                and relation.other_surface is None
                and among(setting.value, relation.values)
            ]
            group = frozenset((option.name, *(relation.other for relation in relations)))
            if len(group) > 1 and group not in seen:
                seen.add(group)
                yield from self._look(pair, relations, companions)

    def _look(self, pair: Pair, relations: list[Relation], companions: Companions) -> Iterator[Finding]:
        setting, option = pair
        missing = [
            relation
            for relation in relations
            if not companions.of(setting, relation.other) and companions.complete(setting, relation.other)
        ]
        if not missing:
            return
        context = companions.context
        rejected = any(relation.rejected for relation in missing)
        yield self.finding(
            context,
            setting.key,
            "part",
            option=option.name,
            surface=option.surface,
            severity=None if rejected else Severity.WARNING,
            missing=listed([relation.other for relation in missing], context.language),
            result=outcome(missing[0], _NO_EFFECT, context.language),
        )
