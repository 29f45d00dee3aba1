"""NPU103: a value of a type that the place doesn't take."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Scalar, Slot, Surface, ValueType
from npu_lsp.catalog.surfaces import Typing, where
from npu_lsp.languages.model import Block, Setting, Value, ValueKind
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.linter.values import allows, shown, text_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit

# What protobuf stores in each field of `AttrValue` without raising TypeError.
_STORABLE = {
    Slot.STRING: {ValueKind.BYTES},
    Slot.INT: {ValueKind.INT, ValueKind.BOOL},
    Slot.FLOAT: {ValueKind.FLOAT, ValueKind.INT, ValueKind.BOOL},
    Slot.BOOL: {ValueKind.BOOL, ValueKind.INT},
}
_NEEDS = {
    Slot.STRING: Text(en="bytes", zh="bytes"),
    Slot.INT: Text(en="an integer", zh="整数"),
    Slot.FLOAT: Text(en="a number", zh="数值"),
    Slot.BOOL: Text(en="True or False", zh="True 或 False"),
}
_TYPES: dict[ValueType, tuple[set[ValueKind], Text]] = {
    "string": ({ValueKind.STRING, ValueKind.BYTES}, Text(en="a string", zh="字符串")),
    "path": ({ValueKind.STRING, ValueKind.BYTES}, Text(en="a path as a string", zh="字符串形式的路径")),
    "bool": ({ValueKind.BOOL}, Text(en="True or False", zh="True 或 False")),
    "int": ({ValueKind.INT}, Text(en="an integer", zh="整数")),
    "float": ({ValueKind.FLOAT, ValueKind.INT}, Text(en="a number", zh="数值")),
    "list": ({ValueKind.LIST}, Text(en="a list", zh="列表")),
    "dict": ({ValueKind.DICT}, Text(en="a dict", zh="字典")),
    "object": ({ValueKind.DICT}, Text(en="an object of its own class", zh="对应类的对象")),
}
_JSON = where(lambda row: row.typing is Typing.JSON)
_TRUE_OR_FALSE = Text(en="true or false", zh="true 或 false")
_BRACES = Text(en="an object in braces", zh="大括号括起的对象")
_NAME = Text(en="one of its names", zh="枚举名")
_WORDS: dict[ValueType, re.Pattern[str]] = {
    "int": re.compile(r"[+-]?(?:\d+|0[xX][\da-fA-F]+)\Z", re.ASCII),
    "float": re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fF]?\Z", re.ASCII),
}
_TELLING = frozenset(ValueKind) - {ValueKind.UNKNOWN, ValueKind.OBJECT, ValueKind.WORD, ValueKind.NONE}


class WrongType(Rule):
    """A value of a type that raises an exception, or that is rejected, where it is stored.

    ## What it does
    Compares the type of each literal with the one that its place takes. On `parameter_map` that is what protobuf
    stores: a `.s` field takes bytes, `.i` an integer, `.f` a number, `.b` a bool. `os.environ` takes texts only; in AIPP
    files texts stand in quotes, and nothing else does. What a variable holds is not known, and left alone.

    ## Why is this bad?
    Protobuf raises `TypeError` when a `str` is assigned to a bytes field, or text to a number or a bool. On the TF 2
    options and on `NPURunConfig` a value of another type is rejected when the object is made, or misread later.

    ## Example
    ```python
    custom_op.parameter_map["precision_mode"].s = "allow_mix_precision"
    custom_op.parameter_map["use_off_line"].b = "True"
    ```

    Use instead:
    ```python
    custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")
    custom_op.parameter_map["use_off_line"].b = True
    ```

    ## Fix safety
    Safe where the same value is written in the right type: the code raised an exception before.
    """

    code = "NPU103"
    name = "wrong-type"
    title = Text(en="Value of the wrong type", zh="值的类型错误")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = where(lambda row: row.typing)
    messages = {
        "raises": Text(
            en='"{option}" needs {needed} in ".{slot}"; {given} raises TypeError. Write {needed}.',
            zh="“{option}”的“.{slot}”字段需要 {needed}，此处为 {given}，赋值时会抛出 TypeError。请改为 {needed}。",
        ),
        "rejected": Text(
            en='"{option}" takes {needed}; {given} is rejected with an error. Write {needed}.',
            zh="“{option}”需要{needed}，此处为 {given}，会报错。请改为{needed}。",
        ),
        "environment": Text(
            en='The environment holds texts only; {given} for "{option}" raises TypeError. Write it as a str.',
            zh="环境变量只能为字符串，“{option}”赋值为 {given} 会抛出 TypeError，请写成字符串。",
        ),
        "handed_on": Text(
            en='"{option}" takes {needed}; {given} raises TypeError before the training starts. Write {needed}.',
            zh="“{option}”需要{needed}，此处为 {given}，训练开始前会抛出 TypeError。请改为{needed}。",
        ),
        "class": Text(
            en='"{option}" takes a {needed}; with a {given} the constructor raises an error.',
            zh="“{option}”需要 {needed} 对象，传入 {given} 时构造函数会抛出异常。",
        ),
        "silent": Text(
            en='"{option}" takes {needed}, not {given}, and nothing reports it at run time. Write {needed}.',
            zh="“{option}”需要{needed}，而不是 {given}，运行时不会报错。请改为{needed}。",
        ),
        "quoted": Text(
            en='"{option}" takes {needed}, which stands without quotes; ATC can\'t read the file and stops with an error.',
            zh="“{option}”需要{needed}，不能加引号，否则文件无法解析，ATC 会报错退出。",
        ),
        "unquoted": Text(
            en='"{option}" takes a text in quotes; ATC can\'t read the file and stops with an error.',
            zh="“{option}”的取值须加引号，否则文件无法解析，ATC 会报错退出。",
        ),
        "unquote": Text(en="Remove the quotes", zh="去掉引号"),
        "quote": Text(en="Put it in quotes", zh="加上引号"),
        "bytes": Text(en="Turn it into bytes", zh="转换为 bytes"),
        "rewrite": Text(en="Change to {value}", zh="改为 {value}"),
    }
    VALID = (
        Valid('custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("allow_mix_precision")\n'),
        Valid('custom_op.parameter_map["precision_mode"].s = b"allow_mix_precision"\n'),
        Valid('print "Python 2"\ncustom_op.parameter_map["precision_mode"].s = "allow_mix_precision"\n'),
        Valid('custom_op.parameter_map["use_off_line"].b = FLAGS.offline\n'),
        Valid("config = NPURunConfig(iterations_per_loop=10, precision_mode=None)\n"),
        Valid('import os\nos.environ["ASCEND_DEVICE_ID"] = "1"\nos.environ["RANK_ID"] = str(rank)\n'),
        Valid('import os\nos.environ["RANK_ID"] = table["rank_id"]\n'),
        Valid('npu.global_options().graph_exec_timeout = "600000"\n'),
        Valid('[{"op": "Add", "input_desc": [{"param_type": "required", "format": ["ND"]}]}]\n', Kind.SINGLE_OP),
        Valid('[{"op": "Add", "attr": [{"name": "axis", "type": "int", "value": 1}]}]\n', Kind.SINGLE_OP),
        Valid("config = NPURunConfig(graph_run_mode=True, iterations_per_loop=True, precision_mode=None)\n"),
        Valid("config = NPURunConfig(dump_config=DumpConfig(enable_dump=False), profiling_config=None)\n"),
        Valid("config = NPURunConfig(hcom_parallel=1, variable_format_optimize=None, dump_path=None)\n"),
        Valid("config = NPURunConfig(graph_memory_max_size=26 * 1024 ** 3, save_checkpoints_steps=1e3)\n"),
    )
    INVALID = (
        Invalid(
            'custom_op.parameter_map["precision_mode"].s = "allow_mix_precision"\n',
            ('"allow_mix_precision"',),
            ("error safe",),
            'custom_op.parameter_map["precision_mode"].s = b"allow_mix_precision"\n',
        ),
        Invalid(
            'import tensorflow as tf\ncustom_op.parameter_map["dump_path"].s = str(path)\n',
            ("str(path)",),
            ("error safe",),
            'import tensorflow as tf\ncustom_op.parameter_map["dump_path"].s = tf.compat.as_bytes(str(path))\n',
        ),
        Invalid(
            'custom_op.parameter_map["use_off_line"].b = "True"\n',
            ('"True"',),
            ("error safe",),
            'custom_op.parameter_map["use_off_line"].b = True\n',
        ),
        Invalid(
            'config = NPURunConfig(iterations_per_loop="10")\n',
            ('"10"',),
            ("error safe",),
            "config = NPURunConfig(iterations_per_loop=10)\n",
            kind=Kind.PYTHON,
        ),
        Invalid("atc --static_model_ops_lower_limit=few\n", ("few",), ("error",), kind=Kind.SHELL),
        Invalid(
            'import os\nos.environ["ASCEND_GLOBAL_LOG_LEVEL"] = 3\n',
            ("3",),
            ("error safe",),
            'import os\nos.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"\n',
        ),
        Invalid(
            "config = NPURunConfig(mix_compile_mode=1)\n",
            ("1",),
            ("error safe",),
            "config = NPURunConfig(mix_compile_mode=True)\n",
        ),
        Invalid('config = NPURunConfig(dump_config="dump.cfg")\n', ('"dump.cfg"',), ("error",)),
        Invalid("config = NPURunConfig(dump_config={})\n", ("{}",), ("error",)),
        Invalid("config = NPURunConfig(dump_config=ProfilingConfig())\n", ("ProfilingConfig()",), ("error",)),
        Invalid(
            "config = NPURunConfig(mix_compile_mode=None, graph_run_mode=None)\n", ("None", "None"), ("error", "error")
        ),
        Invalid(
            "config = NPURunConfig(hcom_parallel=None, dump_config=DumpConfig(enable_dump=None))\n",
            ("None", "None"),
            ("error", "error"),
        ),
        Invalid("config = NPURunConfig(debug_dir=[1], hccl_timeout=1.5)\n", ("[1]", "1.5"), ("error", "error")),
        Invalid(
            'aipp_op {\n  aipp_mode: "static"\n  related_input_name: data\n}\n',
            ('"static"', "data"),
            ("error safe", "error safe"),
            'aipp_op {\n  aipp_mode: static\n  related_input_name: "data"\n}\n',
            kind=Kind.AIPP,
        ),
        Invalid('{"black-list": {"to-add": "Add"}}\n', ('"Add"',), ("error",), kind=Kind.MIXLIST),
        Invalid(
            '[{"compile_flag": "1"}, {"input_desc": [{"is_const": 1}]}]\n',
            ('"1"', "1"),
            ("error safe", "error safe"),
            '[{"compile_flag": 1}, {"input_desc": [{"is_const": true}]}]\n',
            kind=Kind.SINGLE_OP,
        ),
        Invalid(
            '[{"op": null, "input_desc": [{"shape": 3}]}]\n', ("null", "3"), ("error", "error"), kind=Kind.SINGLE_OP
        ),
        Invalid("[op_compiler_cache]\nmax_op_cache_size=500MB\n", ("500MB",), ("warning",), kind=Kind.OP_CACHE),
        Invalid("aipp_op {\n  mean_chn_0: 104.5\n}\n", ("104.5",), ("error",), kind=Kind.AIPP),
        Invalid("npu.global_options().external_weight = 2\n", ("2",), ("error",)),
        Invalid(
            'npu.global_options().is_tailing_optimization = "True"\n',
            ('"True"',),
            ("error safe",),
            "npu.global_options().is_tailing_optimization = True\n",
        ),
    )

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Compare the kind of the value with what its place takes."""
        if option.surface.row.typing is Typing.PROTO and (wrong := self._quotes(setting, option, context)) is not None:
            yield wrong
            return
        if setting.value.kind is ValueKind.WORD or (
            option.surface.row.environment and text_of(setting.value) is not None
        ):
            yield from self._word(setting, option, context)
            return
        if option.surface.row.environment:
            yield from self._environment(setting, option, context)
            return
        session = setting.surface.row.typing is Typing.SLOTS
        if setting.value.kind is ValueKind.OBJECT and option.surface is Surface.RUN_CONFIG:
            yield from self._object(setting, option, context)
            return
        if setting.value.kind not in _TELLING | {ValueKind.NONE}:
            return
        if session:
            yield from self._session(setting, option, context)
        else:
            yield from self._typed(setting, option, context)

    def _word(self, setting: Setting, option: Option, context: Context) -> Iterator[Finding]:
        """Look at a word of a shell where a number is wanted; lists and grammars have rules of their own."""
        text = text_of(setting.value)
        form = _WORDS.get(option.type)
        if form is None or not text or option.values or option.grammar or form.match(text):
            return
        yield self.finding(
            context,
            setting.value.content or setting.value.span,
            "rejected" if option.enforced else "silent",
            option=option.name,
            surface=option.surface,
            # Which of the tools a script starts reads a variable, nobody knows.
            severity=None if option.enforced and not option.surface.row.environment else Severity.WARNING,
            needed=_TYPES[option.type][1].to(context.language),
            given=shown(text),
        )

    def _quotes(self, setting: Setting, option: Option, context: Context) -> Finding | None:
        """Return what is wrong with a field of text protobuf: texts stand in quotes, and nothing else does."""
        value, free = setting.value, option.type == "string" and not option.values
        if (value.kind, free) not in ((ValueKind.STRING, False), (ValueKind.WORD, True)) or not value.known:
            return None
        written = value.data if not free else f'"{value.data}"'
        edit = Edit(value.span, written)
        return self.finding(
            context,
            value.span,
            "unquoted" if free else "quoted",
            option=option.name,
            surface=option.surface,
            fixes=[Fix(self.say(context, "quote" if free else "unquote"), (edit,), Safety.SAFE)],
            needed=(_NAME if option.values else _TYPES[option.type][1]).to(context.language),
        )

    def _environment(self, setting: Setting, option: Option, context: Context) -> Iterator[Finding]:
        """Look at a value that Python puts into the environment, which holds texts only."""
        if setting.value.kind not in _TELLING - {ValueKind.STRING, ValueKind.BYTES}:
            return
        value = str(setting.value.data) if setting.value.known else None
        yield self.finding(
            context,
            setting.value.span,
            "environment",
            option=option.name,
            surface=option.surface,
            fixes=self._rewrite(setting, option, value, context, None),
            given=_given(setting.value),
        )

    def _session(self, setting: Setting, option: Option, context: Context) -> Iterator[Finding]:
        slot = option.slot
        if slot is None or setting.slot != slot.value or setting.value.kind in _STORABLE[slot]:
            return
        # In Python 2 a plain string is bytes.
        if slot is Slot.STRING and setting.value.kind is ValueKind.STRING and _is_python2(context):
            return
        yield self.finding(
            context,
            setting.value.span,
            "raises",
            option=option.name,
            surface=option.surface,
            fixes=self._session_fixes(setting, option, slot, context),
            needed=_NEEDS[slot].to(context.language),
            slot=slot.value,
            given=_given(setting.value),
        )

    def _session_fixes(self, setting: Setting, option: Option, slot: Slot, context: Context) -> list[Fix]:
        writer = writer_for(setting)
        if slot is Slot.STRING and setting.value.kind is ValueKind.STRING:
            edits = writer.wrap_bytes(context.document, setting)
            return [Fix(self.say(context, "bytes"), edits, Safety.SAFE)] if edits else []
        wanted: set[ValueKind] = {
            Slot.STRING: {ValueKind.STRING},
            Slot.INT: {ValueKind.INT},
            Slot.FLOAT: {ValueKind.FLOAT},
            Slot.BOOL: {ValueKind.BOOL},
        }[slot]
        return self._rewrite(setting, option, _converted(setting.value, wanted, option), context, slot.value)

    def _typed(self, setting: Setting, option: Option, context: Context) -> Iterator[Finding]:
        expected = _TYPES.get(option.type)
        if option.surface is Surface.SINGLE_OP and setting.value.kind is ValueKind.LIST:
            return  # Test cases and prototypes of other tools look alike, and list formats and types.
        if option.type == "object" and option.surface in _JSON:
            # The value of an attribute may be anything.
            expected = (_TYPES["object"][0], _BRACES) if option.surface is Surface.MIXLIST else None
        if option.type == "bool" and option.surface in _JSON:
            expected = (_TYPES["bool"][0], _TRUE_OR_FALSE)
        unset = setting.value.kind is ValueKind.NONE and option.nullable and not option.exact_type
        if expected is None or (unset and option.surface is not Surface.SINGLE_OP):
            return
        stored = _stored(option, context)
        # The keys of a dict that takes an object's place are never read.
        if setting.value.kind in expected[0] and not (
            option.type == "object" and option.surface is Surface.RUN_CONFIG and setting.value.kind is ValueKind.DICT
        ):
            return
        if stored is not None:
            if setting.value.kind not in stored:
                yield self._mistyped(setting, option, "handed_on", expected, context)
            return
        # What the tool lists or tests as a number takes a bool too, and the other way round: True == 1 in Python.
        exact = option.exact_type and not option.open
        if option.surface is Surface.GLOBAL_OPTIONS and option.type == "bool" and _is_number_but_no_bool(setting.value):
            yield self._mistyped(setting, option, "rejected", expected, context)
            return
        if (
            setting.value.known and option.values and allows(option, setting.value) and not exact
        ) or not option.enforced:
            return
        # Without a list of values the TF 2 options take everything, and hand on its text.
        if option.surface is Surface.GLOBAL_OPTIONS and not option.values:
            return
        if {setting.value.kind} | expected[0] <= {ValueKind.INT, ValueKind.BOOL, ValueKind.FLOAT} and not exact:
            return
        yield self._mistyped(setting, option, "rejected", expected, context)

    def _mistyped(
        self, setting: Setting, option: Option, message: str, expected: tuple[set[ValueKind], Text], context: Context
    ) -> Finding:
        return self.finding(
            context,
            setting.value.span,
            message,
            option=option.name,
            surface=option.surface,
            fixes=self._rewrite(setting, option, _converted(setting.value, expected[0], option), context, None),
            needed=expected[1].to(context.language),
            given=_given(setting.value, option.surface),
        )

    def _object(self, setting: Setting, option: Option, context: Context) -> Iterator[Finding]:
        """Look at an object of one of the adapter's classes: each argument is named after its own."""
        name = option.name.rsplit(".", 1)[-1]
        wanted = "".join(part.capitalize() for part in name.split("_"))
        if setting.value.known and setting.value.data != wanted and option.type == "object":
            yield self.finding(
                context,
                setting.value.span,
                "class",
                option=option.name,
                surface=option.surface,
                needed=wanted,
                given=setting.value.data,
            )

    def _rewrite(
        self, setting: Setting, option: Option, value: Scalar, context: Context, slot: str | None
    ) -> list[Fix]:
        if value is None:
            return []
        edits = writer_for(setting).set_value(context.document, setting, value, slot=slot)
        written = str(value).lower() if isinstance(value, bool) and setting.surface in _JSON else repr(value)
        title = self.say(context, "rewrite", value=written)
        return [Fix(title, edits, Safety.SAFE)] if edits else []


def _stored(option: Option, context: Context) -> set[ValueKind] | None:
    """Return what can be handed on to the session: the Estimator puts most arguments into a `parameter_map`.

    An option that is open without a list of values is turned into text first, whatever it is.
    Source: tf:tf_adapter/python/npu_bridge/estimator/npu/npu_estimator.py.
    """
    if option.surface is not Surface.RUN_CONFIG or (option.open and not option.values):
        return None
    if option.exact_type and option.type == "bool":
        return None  # The constructor looks at it first.
    name = context.catalog.topic(option.topic).get(Surface.SESSION)
    behind = context.catalog.option(Surface.SESSION, name) if name is not None else None
    if behind is None or behind.slot is None:
        return None
    # `tf.compat.as_bytes` stands between: it takes both kinds of text.
    return _STORABLE[behind.slot] | ({ValueKind.STRING} if behind.slot is Slot.STRING else set())


def _is_python2(context: Context) -> bool:
    return any(fact.what == "python2" for fact in context.reading.setup)


def _is_number_but_no_bool(value: Value) -> bool:
    return value.known and value.kind in (ValueKind.INT, ValueKind.FLOAT) and value.data not in (0, 1)


def _given(value: Value, surface: Surface | None = None) -> str:
    names = {ValueKind.STRING: "str", ValueKind.NONE: "None"}
    if surface in _JSON:
        names = {ValueKind.NONE: "null", ValueKind.DICT: "object", ValueKind.INT: "number", ValueKind.FLOAT: "number"}
    return names.get(value.kind, value.kind.value)


def _converted(value: Value, wanted: set[ValueKind], option: Option) -> Scalar:
    """Return the same value in a wanted type, or `None` where that can't be told."""
    if not value.known:
        return None
    text = text_of(value)
    if ValueKind.BOOL in wanted and value.kind is ValueKind.INT and value.data in (0, 1):
        return bool(value.data)
    if text is not None:
        if ValueKind.BOOL in wanted:
            return {"true": True, "false": False, "1": True, "0": False}.get(text.strip().lower())
        try:
            if ValueKind.INT in wanted:
                return int(text)
            return float(text) if ValueKind.FLOAT in wanted else None
        except ValueError:
            return None
    if ValueKind.STRING in wanted and value.kind in (ValueKind.INT, ValueKind.BOOL, ValueKind.FLOAT):
        texts = [str(value.data), str(value.data).lower()]
        allowed = {str(a.value) for a in option.values}
        return next((t for t in texts if t in allowed or (not allowed and value.kind is ValueKind.INT)), None)
    return None
