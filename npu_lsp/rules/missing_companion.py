"""NPU201: an option that needs another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.model import Option, Relation, Scalar
from npu_lsp.languages.branches import dominates
from npu_lsp.languages.model import Block, Setting, ValueKind
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.relations import among
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.linter.values import is_suffix, refused, shown
from npu_lsp.linter.wording import either, outcome
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_OP = "op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
_SHARED = 'A="--framework=5 --output=a --soc_version=Ascend310P3'
_NO_EFFECT = Text(en="Without it the setting has no effect.", zh="否则该配置不生效。")


class MissingCompanion(Rule):
    """An option that works only with another one, which is not set, or set to something else.

    ## What it does
    For each option that needs another one, looks whether that is set for the same optimizer, call or command, to a
    value that goes with it. Where settings may come from elsewhere (`**kwargs`, `"$@"`), nothing counts as missing,
    nor where a page in Markdown shows an option alone.

    ## Why is this bad?
    The tool stops with an error, or the setting has no effect.

    ## Example
    ```python
    custom_op.parameter_map["enable_dump"].b = True
    ```

    Use instead:
    ```python
    custom_op.parameter_map["enable_dump"].b = True
    custom_op.parameter_map["dump_path"].s = tf.compat.as_bytes("/tmp/dump")
    ```

    ## Fix safety
    Unsafe: the other option changes what the run does.
    """

    code = "NPU201"
    title = Text(en="Option without the one it needs", zh="缺少配套的配置项")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "missing": Text(
            en='"{option}" needs "{other}", which is not set. {result} Set it, or leave this one out.',
            zh="“{option}”须与“{other}”配合使用，但后者未配置。{result}请补充后者，或删除此项。",
        ),
        "missing_value": Text(
            en='"{option}" needs "{other}" = {values}, which is not set. {result} Set it, or leave this one out.',
            zh="“{option}”要求“{other}”为 {values}，但后者未配置。{result}请补充后者，或删除此项。",
        ),
        "wrong": Text(
            en='"{option}" needs "{other}" = {values}, which is {value} here. {result} Change one of them.',
            zh="“{option}”要求“{other}”为 {values}，当前为 {value}。{result}请修改其中一个。",
        ),
        "add": Text(en='Set "{other}" = {value}', zh="添加“{other}” = {value}"),
        "change": Text(en='Change "{other}" to {value}', zh="将“{other}”改为 {value}"),
    }
    examples_in = Kind.PYTHON
    VALID = (
        'custom_op.parameter_map["enable_dump"].b = True\ncustom_op.parameter_map["dump_path"].s = b"/tmp/dump"\n',
        'custom_op.parameter_map["enable_dump"].b = False\n',
        Valid('```python\nconfig = NPURunConfig(work_path="/home/out")\n```\n', Kind.MARKDOWN),
        Valid("```sh\natc --model=a.onnx --dynamic_batch_size=1,2 --output=a\n```\n", Kind.MARKDOWN),
        "config = NPURunConfig(dump_config=DumpConfig(enable_dump=True, **more))\n",
        Valid('atc --dynamic_dims="1;2" "$@"\n', Kind.SHELL),
        Valid("atc --model=a.onnx --framework=5 --soc_version=Ascend310P3 --external_weight=1\n", Kind.SHELL),
        'op.parameter_map["enable_dump"].b = False\nop.parameter_map["dump_mode"].s = b"all"\n',
        'custom_op.parameter_map["variable_placement"].s = b"Device"\n',
        _OP + 'op.parameter_map["dump_mode"].s = b"output"\n',
        Valid(
            'vllm serve m --additional-config \'{"scheduler_config": {"recompute_scheduler_enable": true}}\'\n',
            Kind.SHELL,
        ),
        # NPU208 tells that the chip is missing.
        Valid("atc --singleop=a.json --output=out\n", Kind.SHELL),
        Valid("atc --mode=5 --om=$GRAPH --json=a.json\natc --mode=5 --om=a.txt --json=a.json\n", Kind.SHELL),
    )
    INVALID = (
        _OP + 'op.parameter_map["«enable_dump»"].b = True\n',
        told("aipp_op {\n  aipp_mode: static\n  «crop_size_w»: 224\n  crop_size_h: 224\n}\n", "warning", Kind.AIPP),
        "config = NPURunConfig(dump_config=DumpConfig(«enable_dump»=True))\n",
        Invalid(
            _OP + 'op.parameter_map["profiling_options"].s = tf.compat.as_bytes("{}")\n',
            ("profiling_options",),
            ("warning unsafe",),
            _OP + 'op.parameter_map["profiling_options"].s = tf.compat.as_bytes("{}")\n'
            'op.parameter_map["profiling_mode"].b = True\n',
        ),
        told(
            'op.parameter_map["«shape_generalization_mode»"].s = b"FULL"\n'
            'op.parameter_map["jit_compile"].s = b"‹fals→tru›e"\n',
            "warning unsafe",
            Kind.PYTHON,
        ),
        told(
            'atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --input_format=ND «--dynamic_dims»="1;2"\n'
        ),
        told("atc «--mode»=5 --om=a.om --json=a.json\n"),
        # What one or several of a block need is missing once.
        'config = NPURunConfig(dynamic_input_config=DynamicInputConfig(«compile_hybrid_mode»=1‹→, dynamic_node_type=1›, input_shape="a:-1,2", dynamic_dims="1;2"))\n',
        told(
            _OP
            + 'op.parameter_map["«local_device_list»"].s = b"0"\nop.parameter_map["«optypelist_for_implmode»"].s = b"Add"\n',
            ("warning", "error"),
            Kind.PYTHON,
        ),
        (
            _OP + 'if a:\n    op.parameter_map["«enable_dump»"].b = True\n'
            'else:\n    op.parameter_map["«enable_dump_debug»"].b = True\n'
        ),
        # It stands there and sets nothing.
        "config = NPURunConfig(mix_compile_mode=None, «distribute»=d)\n",
        'op.parameter_map["mix_compile_mode"].b = ‹Fals→Tru›e\nop.parameter_map["«in_out_pair»"].s = b"a"\n',
        told(
            'if x:\n    op.parameter_map["jit_compile"].s = b"‹fals→tru›e"\n'
            'op.parameter_map["«shape_generalization_mode»"].s = b"FULL"\n',
            "warning unsafe",
            Kind.PYTHON,
        ),
        # It excludes what is there.
        told(
            _OP + 'op.parameter_map["enable_dump_debug"].b = True\nop.parameter_map["dump_path"].s = b"/tmp"\n'
            'op.parameter_map["«dump_mode»"].s = b"all"\n',
            "warning",
            Kind.PYTHON,
        ),
        (
            _OP + 'op.parameter_map["compile_dynamic_mode"].b = True\nop.parameter_map["«compile_hybrid_mode»"].i = 1\n'
            'op.parameter_map["input_shape"].s = b"a:-1"\nop.parameter_map["dynamic_dims"].s = b"1;2"\n'
        ),
        # What is there goes with the value that is needed, and with no other one.
        told(
            "atc --model=a.onnx --framework=5 --output=a «--soc_version»=Ascend035A‹→ --mode=30› --cluster_config=c.json\n"
        ),
        # It is the default, which the tool rejects all the same.
        told(
            '{"conv1": {"weight_quant_params": {‹→"wts_algo": "ada_quantize", ›"«num_iteration»": 10000}}}\n',
            kind=Kind.AMCT,
        ),
        # What others get from the same text is changed only where they need it, too.
        told(f'{_SHARED} --deterministic=0"\natc $A --model=a «--deterministic_level»=1\natc $A --model=b\n'),
        told(f'{_SHARED} «--deterministic_level»=1"\natc $A --model=a\natc $A --model=b --deterministic=1\n'),
        told(f'{_SHARED} --deterministic=‹0→1› «--deterministic_level»=1"\natc $A --model=a\natc $A --model=b\n'),
    )

    def concerns(self, option: Option) -> bool:
        return any(option.total("requires"))

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        companions = Companions.of_block(block, context)
        told: set[tuple[object, ...]] = set()
        for setting, option in companions.pairs:
            for relation in option.total("requires"):
                if relation.other_surface is None and among(setting.value, relation.values):
                    # What several of a block need is missing once.
                    missing = (relation.other, setting.branch)
                    for finding in () if missing in told else self._look(setting, option, relation, companions):
                        yield finding
                        if not companions.of(setting, relation.other):
                            told.add(missing)

    def _look(self, setting: Setting, option: Option, relation: Relation, companions: Companions) -> Iterator[Finding]:
        others = companions.of(setting, relation.other)
        if not relation.rejected and not relation.values and companions.says_nothing(setting, option):
            return
        wanted = relation.other_values
        by_default = any(default in wanted for default in companions.default(relation.other))
        if others:
            if any(_may_be(other, wanted, its) for other, its in others):
                return
            if not relation.rejected and not relation.values and companions.is_off(setting, relation):
                return  # Everything is laid out for the day when it is switched on.
            if by_default and not any(dominates(other.branch, setting.branch) for other, _ in others):
                return
            yield self._finding(setting, option, relation, companions, others[-1][0])
        elif (
            not by_default
            and companions.complete(setting, relation.other)
            and not companions.must_be_set(relation.other)
        ):
            yield self._finding(setting, option, relation, companions, None)

    def _finding(
        self, setting: Setting, option: Option, relation: Relation, companions: Companions, other: Setting | None
    ) -> Finding:
        context = companions.context
        values = relation.other_values
        return self.finding(
            context,
            setting.key,
            "wrong" if other is not None else "missing_value" if values else "missing",
            of=option,
            severity=None if relation.rejected else Severity.WARNING,
            fixes=self._fixes(setting, relation, companions, other),
            related=self.set_here(context, other, relation.other),
            other=relation.other,
            values=either(values, context.language, setting.form),
            value=shown(other.value.data, other.form) if other is not None else "",
            result=outcome(relation, _NO_EFFECT, context.language),
        )

    def _fixes(self, setting: Setting, relation: Relation, companions: Companions, other: Setting | None) -> list[Fix]:
        """Return the fix that sets the other option; there is one where only one value goes."""
        context = companions.context
        changed = setting if other is None else other
        if context.shared(changed) and not context.shared(setting):
            return []  # Others get it too.
        if other is None and not _can_be_added(setting, relation.other, companions):
            return []
        if len(relation.other_values) != 1 or is_suffix(relation.other_values[0]):
            return []
        value: Scalar = relation.other_values[0]
        needed = context.lookup(companions.block.surface, relation.other)
        if needed is None or _is_ruled_out(needed, value, companions):
            return []
        if needed.type == "member" and (other is None or other.value.kind is not ValueKind.MEMBER):
            return []  # How the file names its class isn't known here.
        slot = needed.slot.value if needed.slot is not None else None
        writer = writer_for(setting)
        if other is None:
            edits = writer.add(context.document, companions.block, setting, Added(relation.other, value, slot))
        else:
            edits = writer_for(other).set_value(context.document, other, value, slot=slot)
        title = "add" if other is None else "change"
        return self.fix(context, title, edits, Safety.UNSAFE, other=relation.other, value=shown(value, setting.form))


def _may_be(other: Setting, wanted: Sequence[Scalar], option: Option) -> bool:
    """Return whether a setting has one of the values, may get it, or may have been meant to: what the tool refuses is told of it."""
    value = other.value
    return not value.known or among(value, wanted) or refused(option, value)


def _can_be_added(setting: Setting, name: str, companions: Companions) -> bool:
    """Return whether the option called `name` goes beside `setting`: not where others get it too, or it stands there and sets nothing."""
    context, block = companions.context, companions.block
    return not context.shared(setting) and all(option.name != name for _, option in context.settings(block))


def _is_ruled_out(needed: Option, value: Scalar, companions: Companions) -> bool:
    """Return whether something that is set already excludes `value` of an option."""
    return any(
        relation.kind == "conflicts"
        and (not relation.values or value in relation.values)
        and companions.holds(None, relation) is not None
        for relation in needed.relations
    )
