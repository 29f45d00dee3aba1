"""NPU209: an option for another situation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.model import Condition, Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity, Tag
from npu_lsp.linter.relations import active
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.wording import either
from npu_lsp.rules.fixes.remove import removal
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_OP = "op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
_OPTIONS = """
[options.our_flag]
summary = "Ours."
[options.our_flag.atc]
type = "string"
default = "1"
only_when = [ { when = { framework = [3] }, rejected = true } ]
"""


_BESIDE = """
[options.our_flag]
summary = "Ours."
[options.our_flag.atc]
type = "string"
only_when = [ { when = { other_flag = [], framework = [3] } } ]
[options.other_flag]
summary = "The other."
[options.other_flag.atc]
type = "string"
"""


class NotApplicable(Rule):
    """An option that counts only in another mode, for another framework, or with another option.

    ## What it does
    Looks up when the option has an effect, and compares that with the rest of the command or block.
    Where a part of that isn't known, nothing is reported.

    ## Why is this bad?
    The tool ignores the option, or stops with an error where it insists.

    ## Fix safety
    Safe where the option is ignored: what runs is the same without it. Unsafe where the tool stops, since it may as well
    be the condition that was meant to hold, and where the value is the result of a call or a command.
    """

    code = "NPU209"
    title = Text(en="Option for another situation", zh="不适用于当前场景的配置项")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "ignored": Text(
            en='"{option}" has an effect only when {conditions}. It is ignored here; remove it.',
            zh="“{option}”仅当{conditions} 时生效，此处会被忽略，请删除。",
        ),
        "rejected": Text(
            en='"{option}" works only when {conditions}; here the tool stops with an error. Remove it.',
            zh="“{option}”仅当{conditions} 时可用，此处会报错，请删除。",
        ),
        "is": Text(en='"{name}" is {values}', zh="“{name}”为 {values}"),
        "set": Text(en='"{name}" is set', zh="配置了“{name}”"),
        "and": Text(en=" and ", zh=" 且 "),
        "or": Text(en=", or ", zh="，或 "),
    }
    examples_fixed = "safe"
    VALID = (
        # It only spells out what holds without it.
        "atc --mode=0 --dump_mode=0\n",
        "atc --framework=3 --enable_scope_fusion_passes=P\n",
        "atc --framework=$F --enable_scope_fusion_passes=P\n",
        "atc --framework=onnx --enable_scope_fusion_passes=P\n",
        # NPU203 tells it, or NPU204.
        "atc --mode=7 --dump_mode=1\n",
        "atc --singleop=a.json --output=a --framework=1 --input_fp16_nodes=x\n",
        Valid(
            _OP + 'op.parameter_map["modify_mixlist"].s = b"a.json"\n'
            'op.parameter_map["precision_mode_v2"].s = b"mixed_float16"\n'
        ),
    )
    INVALID = (
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3‹ «--enable_scope_fusion_passes»=P→›\n",
        # It only spells out the default, and the tool stops all the same.
        told("atc‹ «--our_flag»=1→› --framework=5\n", "error unsafe", files={"my-options.toml": _OPTIONS}),
        told("atc --model=a.onnx --framework=5‹ «--enable_scope_fusion_passes»=$(passes)→›\n", "warning unsafe"),
        "atc --model=a.onnx --framework=5‹ «--json»=a.json→›\n",
        'A="«--enable_scope_fusion_passes»=P"\natc $A --framework=5\natc $A --framework=3\n',
        "atc --model=a.onnx --framework=5 --mode=0‹ «--dump_mode»=1→›\n",
        # The other one has no effect either.
        told(
            "aipp_op {\n  aipp_mode: dynamic\n  max_src_image_size: 752640\n  csc_switch: false\n"
            "‹  «matrix_r0c0»: 256\n→›}\n",
            kind=Kind.AIPP,
        ),
        # The other one takes a part of the effect away only: that is not told.
        "atc --model=a --framework=1 --output_type=FP16‹ «--is_output_adjust_hw_layout»=true→›\n",
        told("atc‹ «--our_flag»=1→› --framework=5\n", files={"my-options.toml": _BESIDE}),
    )

    def concerns(self, option: Option) -> bool:
        return bool(option.only_when)

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at each setting whose option has conditions, none of which holds for sure."""
        companions = Companions.of_block(block, context)
        for setting, option in companions.pairs:
            conditions = option.only_when
            if not conditions or any(companions.fulfils(setting, c) is not False for c in conditions):
                continue
            rejected = any(condition.rejected for condition in conditions)
            if not rejected and companions.says_nothing(setting, option):
                continue
            if not _is_told(setting, option, companions):
                yield self._finding(setting, option, conditions, context)

    def _finding(self, setting: Setting, option: Option, conditions: Sequence[Condition], context: Context) -> Finding:
        rejected = any(condition.rejected for condition in conditions)
        # Where others get it from the same text it may well count.
        shared = context.shared(setting)
        title = self.say(context, "remove", option=option.name)
        safety = Safety.UNSAFE if rejected else Safety.SAFE
        return self.finding(
            context,
            setting.key,
            "rejected" if rejected else "ignored",
            of=option,
            severity=Severity.ERROR if rejected else None,
            fixes=[] if shared else removal(context, title, [setting], safety=safety),
            tags=() if rejected else (Tag.UNNECESSARY,),
            conditions=self._listed(conditions, context),
        )

    def _listed(self, conditions: Sequence[Condition], context: Context) -> str:
        words = [
            self.say(context, "and").join(
                self.say(context, "is" if values else "set", name=name, values=either(values, context.language))
                for name, values in condition.when
            )
            for condition in conditions
        ]
        return self.say(context, "or").join(words)


def _is_told(setting: Setting, option: Option, companions: Companions) -> bool:
    """Return whether a conflict or an override says the same of the two options."""
    return any(
        active(relation, setting, *other) and not companions.is_void(other[0])
        for relation in option.total("conflicts", "ignored_when")
        for other in companions.of(setting, relation.other)
    )
