"""NPU202: options that go together, and one of them missing."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Relation
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.linter.companions import Companions, Pair
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.relations import among
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.linter.values import shown
from npu_lsp.linter.wording import listed, outcome
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_OP = "op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
# An option that goes together with others, of which one takes one value, or that one and others that nobody lists.
_OURS = """
[options.our_flag]
summary = "Ours."
relations = [{}]
[options.our_flag.atc]
type = "string"
[options.other_flag]
summary = "The other."
[options.other_flag.values.on]
en = "On."
zh = "开启。"
[options.other_flag.atc]
type = "string"
{}
[options.third_flag]
summary = "The third."
[options.third_flag.atc]
type = "string"
"""
_OTHER = '{ kind = "together", other = "other_flag" }'
_COMMAND = "atc --model=a.onnx --framework=5 --soc_version=Ascend310P3"
_BOTH = _OTHER + ', { kind = "together", other = "third_flag" }'
_NO_EFFECT = Text(en="Alone they have no effect.", zh="单独配置不生效。")


class UsedTogether(Rule):
    """Some of several options that must be set together.

    ## What it does
    Looks for options that only make sense as a group, such as `input_shape`, `dynamic_dims` and `dynamic_node_type`, and
    reports a group of which only a part is set. Where settings may come from elsewhere, nothing counts as missing.

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

    ## Fix safety
    Unsafe: only you know whether you want all of them or none. What is missing is set where it takes one value only;
    else what is there is taken out.
    """

    code = "NPU202"
    title = Text(en="Only a part of options that go together", zh="须成组配置的选项不完整")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "part": Text(
            en='"{option}" goes together with {missing}, which is not set. {result} Set all of them, or none.',
            zh="“{option}”须与{missing}同时配置，但后者未配置。{result}请全部配置，或全部删除。",
        ),
        "add": Text(en='Set "{other}" = {value}', zh="添加“{other}” = {value}"),
        "remove": Text(en="Remove {options}", zh="删除{options}"),
    }
    examples_in = Kind.PYTHON
    VALID = (
        (
            _OP + 'op.parameter_map["input_shape"].s = b"data:1,-1"\nop.parameter_map["dynamic_dims"].s = b"16;32"\n'
            'op.parameter_map["dynamic_node_type"].i = 1\n'
        ),
        'def shapes(op):\n    op.parameter_map["input_shape"].s = b"data:1,-1"\n',
        Valid("atc --model=a.onnx --host_env_os=linux\n", Kind.SHELL),
    )
    INVALID = (
        (
            _OP
            + '‹op.parameter_map["«input_shape»"].s = b"data:1,-1"\n→›‹op.parameter_map["dynamic_dims"].s = b"16;32"\n→›'
        ),
        told(
            'c = npu.global_options().experimental.multi_branches_config\nc.«input_shape» = "a:-1"‹→\n'
            'c.dynamic_node_type = "0"›\nc.dynamic_dims = "1;2"\n',
            "warning unsafe unsafe",
            Kind.PYTHON,
        ),
        _OP + '‹op.parameter_map["«dynamic_dims»"].s = b"16;32"\n→›',
        *(
            Invalid(
                f"{_COMMAND} --our_flag=1\n",
                ("--our_flag",),
                told,
                fixed,
                kind=Kind.SHELL,
                files={"my-options.toml": options},
            )
            for told, fixed, options in (
                (("warning unsafe unsafe",), f"{_COMMAND} --our_flag=1 --other_flag=on\n", _OURS.format(_OTHER, "")),
                # Others may be meant.
                (("warning unsafe",), f"{_COMMAND}\n", _OURS.format(_OTHER, "open = true")),
                # One of two that are missing is not enough.
                (("warning unsafe",), f"{_COMMAND}\n", _OURS.format(_BOTH, "")),
            )
        ),
        # Another command has the same options.
        told(
            'OPTIONS="--framework=5 --soc_version=Ascend310P3 «--our_flag»=1"\n'
            "atc --model=a.onnx $OPTIONS\natc --model=b.onnx $OPTIONS --other_flag=on\n",
            "warning",
            files={"my-options.toml": _OURS.format(_OTHER, "")},
        ),
    )

    def concerns(self, option: Option) -> bool:
        return any(relation.kind == "together" for relation in option.relations)

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        companions = Companions.of_block(block, context)
        seen: set[frozenset[str]] = set()
        for pair in companions.pairs:
            setting, option = pair
            relations = [
                relation
                for relation in option.relations
                if relation.kind == "together"
                and relation.extent == "total"
                and relation.other_surface is None
                and among(setting.value, relation.values)
            ]
            group = frozenset((option.name, *(relation.other for relation in relations)))
            if group not in seen:
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
        there = [setting, *(other for relation in relations for other, _ in companions.of(setting, relation.other))]
        yield self.finding(
            context,
            setting.key,
            "part",
            of=option,
            severity=None if rejected else Severity.WARNING,
            fixes=[*self._additions(pair, missing, companions), *self._removal(there, companions)],
            missing=listed([relation.other for relation in missing], context.language),
            result=outcome(missing[0], _NO_EFFECT, context.language),
        )

    def _additions(self, pair: Pair, missing: list[Relation], companions: Companions) -> list[Fix]:
        """Return the fix that sets the one that is missing, where it takes one value only."""
        context, block = companions.context, companions.block
        name = missing[0].other
        option = context.lookup(block.surface, name)
        if len(missing) != 1 or option is None or option.open or len(option.values) != 1:
            return []
        if context.shared(pair[0]):
            return []  # Others get it too.
        value = option.values[0].value
        slot = option.slot.value if option.slot is not None else None
        edits = writer_for(pair[0]).add(context.document, block, pair[0], Added(name, value, slot))
        return self.fix(context, "add", edits, Safety.UNSAFE, other=name, value=shown(value))

    def _removal(self, there: list[Setting], companions: Companions) -> list[Fix]:
        """Return the fix that takes out what is there of the group."""
        context = companions.context
        if any(context.shared(setting) for setting in there):
            return []
        ordered = sorted(there, key=lambda setting: setting.own.start)
        edits = writer_for(ordered[0]).remove(context.document, ordered)
        names = listed([setting.name for setting in ordered], context.language)
        return self.fix(context, "remove", edits, Safety.UNSAFE, options=names)
