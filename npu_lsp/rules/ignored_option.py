"""NPU204: an option that another one makes void."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Relation
from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity, Tag
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import shown
from npu_lsp.linter.wording import outcome
from npu_lsp.rules.fixes.remove import removal
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_NOTHING = Text(en="Nothing reports it at run time.", zh="运行时不会提示。")


class IgnoredOption(Rule):
    """An option that has no effect while another one is set.

    ## What it does
    Looks for options that another one in the same block overrides or switches off, whatever they say.
    What another one overrides in part only is left alone; a hover tells what stays.
    Nothing is reported where the two may not meet, or where the other one changes in between.

    ## Why is this bad?
    The file says one thing and the run does another.

    ## Fix safety
    Safe: what is taken out has no effect, so that what runs is the same. To make it count, take the other one out instead.
    Unsafe for environment variables, which the script itself may read, and for values that are the result of a call or a
    command. Not offered where others get the setting from the same text.
    """

    code = "NPU204"
    title = Text(en="Option that another one makes void", zh="因其他配置而不生效的配置项")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    # A variable that a tool doesn't read the script itself may; files lay out what a switch in them turns off.
    surfaces = where(lambda row: not row.environment and not row.file)
    messages = {
        "set": Text(
            en='"{option}" has no effect, since "{other}" is set. {result} Keep one of them.',
            zh="由于配置了“{other}”，“{option}”不生效。{result}请只保留其中一个。",
        ),
        "value": Text(
            en='"{option}" has no effect, since "{other}" is {value}. {result} Remove it, or change "{other}".',
            zh="由于“{other}”为 {value}，“{option}”不生效。{result}请删除，或修改“{other}”。",
        ),
    }
    examples_in = Kind.PYTHON
    examples_fixed = "safe"
    VALID = (
        Valid("atc --model=a.onnx --fusion_switch_file=a.cfg --optimization_switch=b:off\n", Kind.SHELL),
        'op.parameter_map["op_compiler_cache_mode"].s = b"enable"\nop.parameter_map["op_debug_level"].i = 0\n',
        'op.parameter_map["op_compiler_cache_mode"].s = b"disable"\nop.parameter_map["op_debug_level"].i = 2\n',
        # The script itself may read it.
        Valid("export ASCEND_DEVICE_ID=1\nexport DEVICE_ID=0\n", Kind.SHELL),
        # A file says what holds when the switch in it is on.
        Valid("aipp_op {\n  csc_switch: false\n  matrix_r0c0: 256\n}\n", Kind.AIPP),
        (
            'op.parameter_map["op_compiler_cache_mode"].s = b"enable"\n'
            'if FLAGS.debug:\n    op.parameter_map["op_debug_level"].i = 2\n'
        ),
        (
            "from torch_npu.profiler import _ExperimentalConfig\n"
            "_ExperimentalConfig(mstx=False, mstx_domain_include=['x'], mstx_domain_exclude=['y'])\n"
        ),
        "from torch_npu.profiler import _ExperimentalConfig\n_ExperimentalConfig(mstx=True, mstx_domain_include=1, mstx_domain_exclude=['y'])\n",
        "from torch_npu.profiler import _ExperimentalConfig\n_ExperimentalConfig(mstx=True, mstx_domain_include=[1], mstx_domain_exclude=['y'])\n",
    )
    INVALID = (
        (
            '‹custom_op.parameter_map["«op_compiler_cache_mode»"].s = tf.compat.as_bytes("enable")\n'
            '→›custom_op.parameter_map["op_debug_level"].i = 2\n'
        ),
        (
            "from torch_npu.profiler import _ExperimentalConfig\n"
            "_ExperimentalConfig(mstx=True, mstx_domain_include=['x']‹, «mstx_domain_exclude»=['y']→›)\n"
        ),
        told('atc --model=a.onnx‹ «--input_shape»="a:1,2"→› --input_shape_range="a:[1,2~4]"\n'),
        told("atc --model=a.pb --framework=5‹ «--weight»=a.caffemodel→› --output=b\n"),
        told(
            'A="--framework=5 «--op_select_implmode»=high_precision"\natc $A --model=a\n'
            "atc $A --model=b --op_precision_mode=b.ini\n"
        ),
        (
            'd = dict(«op_select_implmode»="high_precision")\na = NPURunConfig(**d)\n'
            'b = NPURunConfig(op_precision_mode="b.ini", **d)\n'
        ),
    )

    def concerns(self, option: Option) -> bool:
        return any(option.total("ignored_when"))

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at each setting for another one on its surface that switches it off wherever it runs."""
        companions = Companions.of_block(block, context)
        for setting, option in companions.pairs:
            by = companions.ignoring(setting, option)
            if by is not None:
                yield self._finding(setting, option, *by, context)

    def _finding(
        self, setting: Setting, option: Option, relation: Relation, other: Setting, context: Context
    ) -> Finding:
        narrow = bool(relation.other_values or relation.other_not)
        # For others that get it from the same text it may well count.
        shared = context.shared(setting)
        fixes = [] if shared else removal(context, self.say(context, "remove", option=option.name), [setting])
        return self.finding(
            context,
            setting.key,
            "value" if narrow else "set",
            of=option,
            fixes=fixes,
            tags=(Tag.UNNECESSARY,),
            related=self.set_here(context, other, relation.other),
            other=relation.other,
            value=shown(other.value.data, other.form),
            result=outcome(relation, _NOTHING, context.language),
        )
