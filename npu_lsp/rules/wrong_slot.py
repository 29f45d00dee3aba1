"""NPU102: a `parameter_map` entry stored where TF Adapter doesn't look."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Slot, Surface
from npu_lsp.languages.model import Block, Setting, Value, ValueKind
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.mistyped.conversion import WRITTEN, converted
from npu_lsp.linter.rule import Fixable, Invalid, Rule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit

_ZERO = {Slot.STRING: '""', Slot.INT: "0", Slot.FLOAT: "0.0", Slot.BOOL: "False"}
_WRITTEN_SLOTS = frozenset(slot.value for slot in Slot)


def _stored(option: str, wrong: str, right: str = "") -> Invalid:
    """Return an example: how a value is stored, and how it should be, where that is sure."""
    before, after = (f'op.parameter_map["{option}"].{each}\n' for each in (wrong, right))
    return Invalid(before, (wrong[0],), ("error unsafe" if right else "error",), after if right else None)


class WrongSlot(Rule):
    """A `parameter_map` entry stored in another field than TF Adapter reads.

    ## What it does
    Compares the field that is assigned (`.s`, `.i`, `.f`, `.b`) with the one that the TensorFlow adapter reads.
    Keys that the catalog doesn't know, and keys that aren't literals, are left alone.

    ## Why is this bad?
    TF Adapter doesn't check which field was set. It reads its own one and gets that field's zero value: an empty
    string, 0 or False. Nothing is logged.

    ## Fix safety
    The fix changes the field, and the value where it has to be written differently there. It is unsafe: the option
    takes effect from then on.
    """

    code = "NPU102"
    title = Text(en="Value stored in a field that is never read", zh="值写入了不会被读取的字段")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.SESSION})
    messages = {
        "wrong": Text(
            en='"{option}" is read from ".{right}", so the value in ".{wrong}" is lost and TF Adapter sees {zero}. Use ".{right}".',
            zh="TF Adapter 从“.{right}”读取“{option}”，写入“.{wrong}”的值会丢失，实际读到的是 {zero}。请改用“.{right}”。",
        ),
        "missing": Text(
            en='"{option}" has no field ".{wrong}", so the assignment raises AttributeError. Use ".{right}".',
            zh="“{option}”没有“.{wrong}”字段，赋值会抛出 AttributeError。请改用“.{right}”。",
        ),
        "slot": Text(en='Store it in ".{right}"', zh="改为写入“.{right}”"),
    }
    examples_in = Kind.PYTHON
    VALID = (
        'custom_op.parameter_map["use_off_line"].b = True\n',
        'custom_op.parameter_map["my_own_key"].i = 3\n',
        (
            "def put(key, field, value):\n    setattr(op.parameter_map[key], field, value)\n"
            'put("precision_mode", FIELD, b"force_fp16")\n'
        ),
    )
    INVALID = (
        'custom_op.parameter_map["precision_mode"].«b→s» = tf.compat.as_bytes("allow_mix_precision")\n',
        # Among several values "1" is a mode.
        'op.parameter_map["aoe_mode"].«b» = True\n',
        'op.parameter_map["quant_dumpable"].«b→s» = ‹True→b"1"›\n',
        (
            "import tensorflow as tf\n"
            'custom_op.parameter_map["jit_compile"].«b→s» = ‹False→tf.compat.as_bytes("false")›\n'
        ),
        'custom_op.parameter_map["precision_mode"].«i» = MODE\n',
        'for key in ["use_off_line", "«precision_mode»"]:\n    op.parameter_map[key].b = True\n',
        # The field stands where others get it, too.
        'def put(key, value):\n    op.parameter_map[key].i = value\nput("«dump_step»", 5)\n',
        'custom_op.parameter_map["use_off_line"].«s→b» = ‹b"True"→True›\n',
        'custom_op.parameter_map["precision_mode"].«list→s» = b"force_fp16"\n',
        'custom_op.parameter_map["dump_step"].«i→s» = ‹5→b"5"›\n',
        _stored("use_off_line", 's = b"1"', "b = True"),
        _stored("use_off_line", 's = b"false"', "b = False"),
        _stored("use_off_line", 's = b"0"', "b = False"),
        _stored("use_off_line", 's = b"maybe"'),
        _stored("hccl_timeout", 's = b"60"', "i = 60"),
        _stored("hccl_timeout", "f = 60.5"),
        _stored("hccl_timeout", "b = True"),
        _stored("ac_parallel_enable", "b = True", 's = b"1"'),
        _stored("ac_parallel_enable", "b = False", 's = b"0"'),
        _stored("dump_mode", 'i = "all"', 's = b"all"'),
        _stored("dump_path", 'i = "a"', 's = b"a"'),
        _stored("dump_path", "b = True"),
        _stored("dump_path", 'i = f"{folder}/dump"'),
        _stored("device_type", "b = True"),
        _stored("dump_path", "i = None"),
        _stored("dump_path", "i = [1]"),
        _stored("dump_path", 'i = {"a": 1}'),
    )

    def concerns(self, option: Option) -> bool:
        return option.slot is not None

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        if setting.slot is None or option.slot is None or setting.slot == option.slot.value:
            return
        yield self.finding(
            context,
            # In a loop or a function the field stands elsewhere, and other options share it.
            setting.slot_span or setting.key,
            "wrong" if setting.slot in _WRITTEN_SLOTS else "missing",
            of=option,
            fixes=self._fixes(setting, option, option.slot, context),
            right=option.slot.value,
            wrong=setting.slot,
            zero=_ZERO[option.slot],
        )

    def _fixes(self, setting: Setting, option: Option, right: Slot, context: Context) -> list[Fix]:
        writer = writer_for(setting)
        edits: tuple[Edit, ...] = writer.set_slot(context.document, setting, right.value)
        if not edits:
            return []
        if not _fits(setting.value, right):
            value = converted(setting.value, {WRITTEN[right]}, option)
            more = writer.set_value(context.document, setting, value, slot=right.value) if value is not None else ()
            if not more:
                return []
            edits += more
        return self.fix(context, "slot", edits, Safety.UNSAFE, right=right.value)


def _fits(value: Value, slot: Slot) -> bool:
    """Return whether the value can be stored in `slot` as it is written."""
    fitting = {
        Slot.STRING: {ValueKind.BYTES},
        Slot.INT: {ValueKind.INT},
        Slot.FLOAT: {ValueKind.FLOAT, ValueKind.INT},
        Slot.BOOL: {ValueKind.BOOL},
    }
    return value.kind in fitting[slot]
