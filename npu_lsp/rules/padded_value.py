"""NPU107: blanks around a value that the tool compares letter by letter."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import allows, shown, text_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class PaddedValue(Rule):
    """A value with blanks before or behind it.

    ## What it does
    Looks for blanks at the ends of values that would be right without them, and of paths. Other texts may
    well want their blanks, and are left alone.

    ## Why is this bad?
    Tools compare values letter by letter: `"allow_mix_precision "` is not `"allow_mix_precision"`. In a path the blank
    becomes part of the file's name.

    ## Fix safety
    Safe where the tool rejects the value as it is, unsafe elsewhere: from then on it takes effect.
    """

    code = "NPU107"
    title = Text(en="Value with blanks around it", zh="取值前后有空格")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "rejected": Text(
            en='There are blanks around the value of "{option}", so the tool does not know it and stops with an error. Write {value}.',
            zh="“{option}”的取值前后有空格，工具无法识别并会报错，请写 {value}。",
        ),
        "silent": Text(
            en='There are blanks around the value of "{option}", and they count: nothing reports it at run time. Write {value}.',
            zh="“{option}”的取值前后有空格，空格也是取值的一部分，运行时不会报错，请写 {value}。",
        ),
    }
    examples_in = Kind.PYTHON
    examples_fixed = "safe"
    VALID = (
        ('custom_op.parameter_map["dump_path"].s = b" "\n'),
        'custom_op.parameter_map["graph_run_mode"].s = b" 1"\n',
        # Nothing reads this field: another rule says so.
        'custom_op.parameter_map["dump_path"].i = " ./dump"\n',
        # Neither a path, nor a list that it would be in without blanks.
        'custom_op.parameter_map["session_device_id"].s = " a"\n',
        Valid("atc --model=a --out_nodes=' a:0'\n", Kind.SHELL),
        Valid("atc --model=a --log=' unheard_of'\n", Kind.SHELL),
        'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n',
        'custom_op.parameter_map["dump_layer"].s = tf.compat.as_bytes("conv1 conv2")\n',
        Valid("atc --log= \n", Kind.SHELL),
    )
    INVALID = (
        'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("«allow_mix_precision →allow_mix_precision»")\n',
        told('atc --mode=0 --log="« info→info»"\n'),
        # The tool takes others, or all, and knows none of them.
        told('aoe --job_type=1 --op_select_implmode="« high_precision→high_precision»"\n', "warning unsafe"),
        told('config = NPURunConfig(quant_dumpable="«1 →1»")\n', "warning unsafe", Kind.PYTHON),
        told(
            'custom_op.parameter_map["dump_path"].s = tf.compat.as_bytes("« ./dump→./dump»")\n',
            "warning unsafe",
            Kind.PYTHON,
        ),
    )

    def concerns(self, option: Option) -> bool:
        return bool(option.values) or option.type == "path"

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        text = text_of(setting.value)
        if text is None or text == text.strip() or not text.strip():
            return
        if option.slot is not None and setting.slot != option.slot.value:
            return
        bare = text.strip()
        listed = bool(option.values) and allows(option, setting.value._replace(data=bare))
        if not listed and option.type != "path":
            return
        rejected = listed and option.enforced and not option.open
        safety = Safety.SAFE if rejected else Safety.UNSAFE
        yield self.finding(
            context,
            setting.value.inside,
            "rejected" if rejected else "silent",
            of=option,
            severity=None if rejected else Severity.WARNING,
            fixes=self.changed(context, setting, bare, safety=safety),
            value=shown(bare),
        )


def is_padded(option: Option, setting: Setting) -> bool:
    """Return whether blanks are all that is wrong with a value that `option` doesn't take."""
    text = text_of(setting.value)
    return text is not None and allows(option, setting.value._replace(data=text.strip()))
