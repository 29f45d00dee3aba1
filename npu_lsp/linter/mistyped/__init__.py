"""Values of a type that their place doesn't take: one way of typing a file."""

from __future__ import annotations

from npu_lsp.catalog.model import Option, Surface, ValueType
from npu_lsp.catalog.surface_row import Typing
from npu_lsp.languages.model import Form, Setting, ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.mistyped import conversion, objects
from npu_lsp.linter.mistyped.conversion import converted, rewritten
from npu_lsp.linter.mistyped.model import TELLING, TYPES, Correction, Expected, Mistyped, given
from npu_lsp.linter.mistyped.objects import is_taken
from npu_lsp.linter.values import says_no, shown, text_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.spans import Edit

_ONE_OF_ITS_NAMES = Text(en="one of its names", zh="枚举名")


def _in_protobuf(setting: Setting, option: Option) -> Mistyped | None:
    """Return what is wrong with the quotes of a value."""
    value, free = setting.value, option.type == "string" and not option.values
    if (value.kind, free) not in ((ValueKind.STRING, False), (ValueKind.WORD, True)) or not value.known:
        return None
    edit = Edit(value.span, f'"{value.data}"' if free else value.data)
    return Mistyped(
        "unquoted" if free else "quoted",
        _ONE_OF_ITS_NAMES if option.values else TYPES[option.type].name,
        correction=Correction("quote" if free else "unquote", (edit,)),
    )


_LAX = frozenset({Surface.VLLM_ARGS, Surface.SGLANG_ARGS})
"""Classes whose fields pydantic fills, or that nobody checks until they are used."""
_READ = {
    "int": re.compile(r"[+-]?\d+(?:\.0+)?"),
    "float": re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"),
    "bool": re.compile(r"(?i:true|false|on|off|yes|no|y|n|t|f|0|1)"),
}
_TRUE_OR_FALSE = Text(en="true or false", zh="true 或 false")
_BRACES = Text(en="an object in braces", zh="大括号括起的对象")
_NAMES = {ValueKind.NONE: "null", ValueKind.DICT: "object", ValueKind.INT: "number", ValueKind.FLOAT: "number"}


def _in_json(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with a member of another type than the tool takes."""
    if not option.enforced and not option.exact_type:
        return _truth(setting, option, context)
    expected = _expected(option, setting.form)
    if expected is None or _is_taken_in_json(setting, option, expected):
        return None
    if _in_dict(setting) and setting.value.kind is ValueKind.BOOL and ValueKind.INT in expected.kinds:
        return Mistyped("counted", expected.name, shown(setting.value.data, setting.form), sure=False)
    value = _bare(setting, option, context) or converted(setting.value, expected.kinds, option)
    message = "rejected" if option.enforced else "default"
    correction = rewritten(setting, value, context)
    return Mistyped(message, expected.name, _given(setting), correction=correction, sure=option.enforced)


def _in_dict(setting: Setting) -> bool:
    """Return whether a program reads the value from a dict, and works with what is there."""
    return setting.surface.row.silent and not setting.surface.row.file


def _is_taken_in_json(setting: Setting, option: Option, expected: Expected) -> bool:
    if _is_converted(setting, option) or (setting.surface in _LAX and _is_read(setting, option)):
        return True
    single = option.surface is Surface.SINGLE_OP
    if single and setting.value.kind is ValueKind.LIST:
        return True  # Test cases and prototypes of other tools look alike, and list formats and types.
    unset = setting.value.kind is ValueKind.NONE and option.nullable and not option.exact_type
    if (unset and not single) or setting.value.kind in expected.kinds:
        return True
    return option.enforced and is_taken(setting.value, option, expected)


def _is_converted(setting: Setting, option: Option) -> bool:
    """Return whether the program makes a number of a text itself: `int("8")`."""
    text = text_of(setting.value) if _in_dict(setting) and not option.exact_type else None
    if text is None or option.type not in ("int", "float"):
        return False
    return _READ[option.type].fullmatch(text.strip()) is not None


def _is_read(setting: Setting, option: Option) -> bool:
    """Return whether pydantic reads a value as one of the option's type: `"8"` as 8, `"yes"` and 1 as true."""
    text = text_of(setting.value)
    if text is None:
        return setting.value.kind in (ValueKind.BOOL, ValueKind.INT) and option.type in ("bool", "int", "float")
    form = _READ.get(option.type)
    return form is not None and form.fullmatch(text.strip()) is not None


def _bare(setting: Setting, option: Option, context: Context) -> str | None:
    """Return the text that a word was meant to be which isn't one without quotes: `ON` in YAML."""
    if setting.form is not Form.ENTRY or setting.value.kind is not ValueKind.BOOL:
        return None
    word = context.document.text[slice(*setting.value.span)].casefold()
    found = [each.value for each in option.values if isinstance(each.value, str) and each.value.casefold() == word]
    return found[0] if len(found) == 1 else None


def _truth(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with a text that says no, where any text but the empty one counts as yes."""
    text = text_of(setting.value)
    if option.type != "bool" or not says_no(text):
        return None
    return Mistyped(
        "truth", _truths(setting.form), f'"{text}"', correction=rewritten(setting, False, context), sure=False
    )


def _truths(form: Form) -> Text:
    return _TRUE_OR_FALSE if form is Form.ENTRY else TYPES["bool"].name


def _expected(option: Option, form: Form) -> Expected | None:
    expected = TYPES.get(option.type)
    if expected is not None and option.type == "bool":
        return expected._replace(name=_truths(form))
    if expected is not None and option.type == "object":
        # The value of an attribute may be anything.
        return expected._replace(name=_BRACES) if option.surface is Surface.MIXLIST else None
    return expected


def _given(setting: Setting) -> str:
    """Return the name of the value's type in the language that it stands in."""
    value = setting.value
    return _NAMES.get(value.kind, value.kind.value) if setting.form is Form.ENTRY else given(value)


_FORMS: dict[ValueType, re.Pattern[str]] = {
    "int": re.compile(r"[+-]?(?:\d+|0[xX][\da-fA-F]+)\Z", re.ASCII),
    "float": re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fF]?\Z", re.ASCII),
}
_STANDS_FOR = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+)+|[A-Za-z]")
"""`prefill_node_port`, `x`: what a page says instead of a number."""
_LIST = re.compile(r"\d+(?:,[ ]?\d+)+")


def _in_text(setting: Setting, option: Option) -> Mistyped | None:
    """Return what is wrong with a word; lists and grammars have rules of their own."""
    text = text_of(setting.value)
    form = _FORMS.get(option.type)
    if form is None or not text or option.values or option.grammar or form.match(text):
        return None
    if option.surface.row.flags and _STANDS_FOR.fullmatch(text):
        return None
    if _LIST.fullmatch(text) and _is_of_tf_adapter(option):
        return None  # The script has it for the devices of a run.
    return Mistyped(
        "rejected" if option.enforced else "silent",
        TYPES[option.type].name,
        shown(text),
        setting.value.inside,
        # Which of the tools a script starts reads a variable, nobody knows.
        sure=option.enforced and not option.surface.row.environment,
    )


def _is_of_tf_adapter(option: Option) -> bool:
    """Return whether TF Adapter alone reads a variable."""
    # Links show since when it is there.
    return {source.partition(":")[0] for source in option.sources} - {"https"} == {"tf"}


def _in_environment(setting: Setting, context: Context) -> Mistyped | None:
    """Return what is wrong with a value that is no text: `os.environ` raises TypeError."""
    if setting.value.kind not in TELLING - {ValueKind.STRING, ValueKind.BYTES}:
        return None
    value = str(setting.value.data) if setting.value.known else None
    return Mistyped("environment", "", given(setting.value), correction=rewritten(setting, value, context))


def mistyped(setting: Setting, option: Option, context: Context) -> Mistyped | None:
    """Return what is wrong with the type of a value, or `None` where nothing is, or nobody can tell."""
    row, kind = option.surface.row, setting.value.kind
    if row.typing is Typing.PROTO and (wrong := _in_protobuf(setting, option)) is not None:
        return wrong
    if kind is ValueKind.WORD or (row.typing is Typing.TEXTS and text_of(setting.value) is not None):
        return _in_text(setting, option)
    if row.typing is Typing.TEXTS:
        return _in_environment(setting, context)
    if kind is ValueKind.OBJECT and option.surface is Surface.RUN_CONFIG:
        return objects.of_another_class(setting, option)
    if kind not in TELLING | {ValueKind.NONE}:
        return None
    if row.typing is Typing.SLOTS:
        return conversion.mistyped(setting, option, context)
    if row.typing is Typing.JSON:
        return _in_json(setting, option, context)
    return objects.mistyped(setting, option, context)
