"""NPU811: an operator that ATC can't build as it is described."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Setting, Value, ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.linter.values import text_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_NEEDED = {
    "input_desc": ("format", "type", "shape"),
    "output_desc": ("format", "type", "shape"),
    "attr": ("name", "type", "value"),
}
_PARTS = {
    "input_desc": Text(en="input", zh="输入"),
    "output_desc": Text(en="output", zh="输出"),
    "attr": Text(en="attribute", zh="属性"),
}
# The parser of the tool takes true for 1 where a number is wanted, but no number for true.
_NUMBERS = frozenset({ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL})
_BOOLS = frozenset({ValueKind.BOOL})
_TEXTS = frozenset({ValueKind.STRING})
_VALUES = {
    "bool": (_BOOLS, 0, Text(en="true or false", zh="true 或 false")),
    "int": (_NUMBERS, 0, Text(en="a number", zh="数值")),
    "float": (_NUMBERS, 0, Text(en="a number", zh="数值")),
    "string": (_TEXTS, 0, Text(en="a string", zh="字符串")),
    "list_bool": (_BOOLS, 1, Text(en="a list of true and false", zh="由 true、false 组成的数组")),
    "list_int": (_NUMBERS, 1, Text(en="a list of numbers", zh="数值数组")),
    "list_float": (_NUMBERS, 1, Text(en="a list of numbers", zh="数值数组")),
    "list_string": (_TEXTS, 1, Text(en="a list of strings", zh="字符串数组")),
    "list_list_int": (_NUMBERS, 2, Text(en="a list of lists of numbers", zh="二维数值数组")),
    "data_type": (
        _NUMBERS | _TEXTS,
        0,
        Text(en='a name such as "DT_FLOAT" or its number', zh="“DT_FLOAT”等名称或枚举值"),
    ),
}
_RANKLESS = -2
# The tool knows no layout of the second name, and takes it for the first one.
_NO_FORMAT = ("reserved", "undefined")


_LISTS = ("input_desc", "output_desc", "attr")


def _wrong(text: str, marked: tuple[str, ...]) -> Invalid:
    return Invalid(text, marked, ("error",) * len(marked), kind=Kind.SINGLE_OP)


class OperatorPart(NamedTuple):
    """One tensor or attribute."""

    list: str
    """Which of `_LISTS` it stands in."""
    head: Span
    """Its opening brace."""
    fields: dict[str, Setting]
    """By the name within the part; the last of two of one name, as the parser takes it."""

    def value(self, name: str) -> Value | None:
        """Return the value of a field."""
        setting = self.fields.get(name)
        return setting.value if setting is not None else None

    def word(self, name: str) -> str | None:
        """Return a field's text in lower case, as formats and types are compared."""
        value = self.value(name)
        return str(value.data).lower() if value is not None and value.kind is ValueKind.STRING and value.known else None


def parts(block: Block) -> Iterator[OperatorPart]:
    """Yield the tensors and attributes of one operator, list by list."""
    for name in _LISTS:
        lists = [s for s in block.settings if s.name == name and s.value.kind is ValueKind.LIST]
        if len(lists) == 1:
            yield from _parts(name, lists[0], block)


def is_of_other_tool(block: Block) -> bool:
    """Return whether the operator is one of a prototype or a test case, which list formats and types."""
    return any(
        setting.value.kind is ValueKind.LIST and setting.name.rpartition(".")[2] in ("format", "type")
        for setting in block.settings
    )


def _parts(name: str, whole: Setting, block: Block) -> Iterator[OperatorPart]:
    found = [OperatorPart(name, item.span, {}) for item in whole.value.items if item.kind is ValueKind.DICT]
    starts = [part.head.start for part in found]
    for setting in block.settings:
        owner, _, own = setting.name.rpartition(".")
        if owner == name and whole.own.start < setting.key.start < whole.own.end:
            number = bisect_right(starts, setting.key.start) - 1
            if number >= 0:
                found[number].fields[own] = setting
    return iter(found)


class OperatorDescription(Rule):
    """A tensor or an attribute in a single-operator file whose parts don't fit together.

    ## What it does
    Reads the file of `--singleop` as ATC does: each tensor needs `format`, `type` and `shape`, each attribute `name`, `type`
    and `value`; each dynamic dimension (-1) needs a pair in `shape_range`, a shape of unknown rank is `[-2]` alone; an unused
    input has both the format `RESERVED` and the type `UNDEFINED`, and an output neither; the value of an attribute fits its type.
    Operator prototypes and test cases of other tools, which look alike, are left alone; how many inputs an operator needs is
    not known here.

    ## Why is this bad?
    ATC stops with an error (E10026, E10027, E10029, E10032, E13014), and none of the file's operators is built.
    """

    code = "NPU811"
    title = Text(en="Operator description that ATC rejects", zh="单算子描述有误")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.SINGLE_OP})
    messages = {
        "lacks": Text(
            en='This {what} has no "{option}": ATC can\'t read the file and stops with an error. Add it.',
            zh="该{what}缺少“{option}”，ATC 无法解析文件，会报错退出，请补充。",
        ),
        "typeless": Text(
            en="The type of the operator is empty, and ATC stops with E10026. Write one, such as Add.",
            zh="算子类型为空，ATC 报 E10026 退出，请填写 Add 等算子类型。",
        ),
        "numbers": Text(
            en='"{option}" must hold numbers only; ATC can\'t read the file and stops with an error.',
            zh="“{option}”的元素只能是数值，否则 ATC 无法解析文件，会报错退出。",
        ),
        "rank": Text(
            en="-2 stands for an unknown rank, and the shape is then [-2] alone; ATC stops with E13014. Write -1 for a dynamic dimension.",
            zh="-2 表示维数未知，此时 shape 只能写成 [-2]，否则 ATC 报 E13014 退出。动态维度请写 -1。",
        ),
        "rank_range": Text(
            en='A shape of unknown rank has no ranges; ATC stops with E13014. Remove "{option}".',
            zh="shape 为 [-2]（维数未知）时不能配置“{option}”，否则 ATC 报 E13014 退出，请删除。",
        ),
        "ranges": Text(
            en='"shape" has {dynamic} dynamic dimensions, "shape_range" has {pairs} pairs; ATC stops with E13014. Write a pair for each of them.',
            zh="“shape”中有 {dynamic} 个动态维度，“shape_range”中有 {pairs} 对范围，ATC 报 E13014 退出。请为每个动态维度配置一对范围。",
        ),
        "pair": Text(
            en="A range is a pair [low, high]; ATC stops with E13014.",
            zh="每个范围须为 [最小值, 最大值] 两个元素，否则 ATC 报 E13014 退出。",
        ),
        "unused": Text(
            en="An unused input has both the format RESERVED and the type UNDEFINED; with one of them ATC stops with E10027. Change the other one too.",
            zh="未使用的可选输入须同时配置 format 为 RESERVED、type 为 UNDEFINED，只配置其一时 ATC 报 E10027 退出。",
        ),
        "output": Text(
            en="An output can't be {given}: ATC stops with E10027. Write what the operator computes.",
            zh="输出不支持 {given}，ATC 报 E10027 退出，请填写实际取值。",
        ),
        "nameless": Text(
            en="The name of an attribute is empty, and ATC stops with E10029. Write the name that the operator knows.",
            zh="属性名为空，ATC 报 E10029 退出，请填写算子定义中的属性名。",
        ),
        "value": Text(
            en='An attribute of type "{type}" needs {needed}; ATC can\'t read the file and stops with an error. Change the value or the type.',
            zh="类型为“{type}”的属性值须为{needed}，否则 ATC 无法解析文件，会报错退出。请修改取值或类型。",
        ),
    }
    examples_in = Kind.SINGLE_OP
    VALID = (
        '[{"op": "Add", "input_desc": [{"format": "ND", "type": "float16", "shape": [-1, 16], "shape_range": [[1, 128]]}]}]\n',
        (
            '[{"compile_flag": 1}, {"op": "Add", "input_desc": [{"format": "ND", "type": "int32", "shape": [-1, -1], '
            '"shape_range": [[1, -1], [1, 16]]}, {"format": "RESERVED", "type": "UNDEFINED", "shape": []}], '
            '"output_desc": [{"format": "nd", "type": "int32", "shape": [-2]}]}]\n'
        ),
        (
            '[{"op": "A", "attr": [{"name": "a", "type": "bool", "value": true}, {"name": "b", "type": "int", "value": true}, '
            '{"name": "c", "type": "data_type", "value": "DT_FLOAT"}, {"name": "d", "type": "data_type", "value": 1}, '
            '{"name": "e", "type": "list_float", "value": [1, 0.5]}, {"name": "f", "type": "list_list_int", "value": [[1], []]}, '
            '{"name": "g", "type": "float", "value": 1}, {"name": "h", "type": "my_type", "value": 1}]}]\n'
        ),
        '[{"op": "Add", "input_desc": [{"format": ["ND"], "type": ["int16"], "name": "x"}]}]\n',
        '{"op": "A", "input_desc": [[{"tensor_name": "x"}]], "output_desc": [{"format": "ND"}]}\n',
        # What has another form is told as that.
        (
            '[{"op": "A", "input_desc": [{"format": "ND", "type": "int8", "shape": 3}, '
            '{"format": "ND", "type": "int8", "shape": [-1], "shape_range": 3}, '
            '{"format": "ND", "type": "int8", "shape": [0, 3]}, '
            '{"format": "ND", "type": "int8", "shape": [-1], "shape_range": [5]}]}]\n'
        ),
        '[{"op": "", "input_desc": [\n',
        '[{"case_name": "c", "op": "A", "input_desc": [{"format": "ND", "type": "int16"}]}]\n',
    )
    INVALID = (
        '[{"op": "Add", "input_desc": [{"format": "ND", "type": "float16", "shape": «[-1, 16]»}]}]\n',
        _wrong(
            '[{"op": "A", "output_desc": [{}], "attr": [{}, {"name": "a", "value": 1}]}]\n',
            ("{", "{", "{", "{", "{", "{", "{"),
        ),
        _wrong(
            '[{"op": "A", "input_desc": [{"format": "RESERVED", "shape": []}, {"type": "UNDEFINED", "shape": []}, '
            '{"type": "UNDEFINED", "format": "ND"}]}]\n',
            ("{", "{", "{", '"ND"'),
        ),
        _wrong(
            '[{"op": "A", "attr": [{"name": "a", "type": "int", "value": "1"}, {"name": "b", "type": "float", "value": "2"}, '
            '{"name": "c", "type": "list_bool", "value": [3]}, {"name": "d", "type": "list_bool", "value": [[true]]}, '
            '{"name": "e", "type": "list_float", "value": ["5"]}, {"name": "f", "type": "list_string", "value": [6]}, '
            '{"name": "g", "type": "list_string", "value": [["7"]]}, {"name": "i", "type": "string", "value": ["8"]}, '
            '{"name": "j", "type": "data_type", "value": ["DT_FLOAT"]}]}]\n',
            ('"1"', '"2"', "3", "[true]", '"5"', "6", '["7"]', '["8"]', '["DT_FLOAT"]'),
        ),
        _wrong(
            '[{"op": "A", "input_desc": [{"type": "int8", "shape": [1]}, {"format": "ND"}], "attr": [{"name": "a", "type": "int"}]}]\n',
            ("{", "{", "{", "{"),
        ),
        _wrong(
            '[{"op": "A", "input_desc": [{"format": "ND", "type": "int8", "shape": [-2, 3]}, '
            '{"format": "ND", "type": "int8", "shape": [-2], "shape_range": [[1, 16]]}, '
            '{"format": "ND", "type": "int8", "shape": ["n", 3]}]}]\n',
            ("[-2, 3]", "shape_range", '"n"'),
        ),
        _wrong(
            '[{"op": "A", "input_desc": [{"format": "ND", "type": "int8", "shape": [-1, 3]}, '
            '{"format": "ND", "type": "int8", "shape": [-1, -1], "shape_range": [[1, 16]]}, '
            '{"format": "ND", "type": "int8", "shape": [2], "shape_range": [[1, 16]]}, '
            '{"format": "ND", "type": "int8", "shape": [-1], "shape_range": [[1, 16, 32]]}]}]\n',
            ("[-1, 3]", "[-1, -1]", "[2]", "[1, 16, 32]"),
        ),
        _wrong(
            '[{"op": "A", "input_desc": [{"format": "ND", "type": "UNDEFINED", "shape": []}, '
            '{"format": "RESERVED", "type": "int8", "shape": []}], '
            '"output_desc": [{"format": "RESERVED", "type": "UNDEFINED", "shape": []}]}]\n',
            ('"ND"', '"int8"', '"RESERVED"', '"UNDEFINED"'),
        ),
        _wrong(
            '[{"op": "", "attr": [{"name": "", "type": "bool", "value": true}, {"name": "b", "type": "bool", "value": 1}, '
            '{"name": "c", "type": "list_int", "value": [1, "2"]}, {"name": "d", "type": "string", "value": null}]}]\n',
            ('""', '""', "1", '"2"', "null"),
        ),
        _wrong(
            '[{"op": "A", "attr": [{"name": "a", "type": "list_int", "value": 1}, {"name": "b", "type": "list_list_int", "value": [1]}]}]\n',
            ("1", "1"),
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        if context.parsed.damaged or is_of_other_tool(block):
            return
        for setting in block.settings:
            if setting.name == "op" and text_of(setting.value) == "":
                yield self.finding(context, setting.value.span, "typeless", option="op", surface=Surface.SINGLE_OP)
        for part in parts(block):
            for name in _NEEDED[part.list]:
                if name not in part.fields:
                    what = _PARTS[part.list].to(context.language)
                    yield self._tell(context, part, name, "lacks", what=what)
            yield from self._attribute(part, context) if part.list == "attr" else self._tensor(part, context)

    def _tensor(self, part: OperatorPart, context: Context) -> Iterator[Finding]:
        unused = {"type": part.word("type") == "undefined", "format": part.word("format") in _NO_FORMAT}
        if part.list == "output_desc":
            for name in (name for name, off in unused.items() if off):
                yield self._tell(context, part, name, "output", given=str(part.word(name)).upper())
        elif {"type", "format"} <= set(part.fields) and len(set(unused.values())) > 1:
            yield self._tell(context, part, "format" if unused["type"] else "type", "unused")
        shape = part.value("shape")
        if shape is None or shape.kind is not ValueKind.LIST:
            return
        odd = _first_but(_NUMBERS, 0, shape.items)
        if odd is not None:
            yield self._tell(context, part, "shape", "numbers", value=odd)
        elif shape.known:
            yield from self._ranges(part, shape, context)

    def _ranges(self, part: OperatorPart, shape: Value, context: Context) -> Iterator[Finding]:
        ranges = part.value("shape_range")
        if ranges is not None and ranges.kind is not ValueKind.LIST:
            return
        pairs = ranges.items if ranges is not None else ()
        if _RANKLESS in shape.data:
            if len(shape.data) > 1:
                yield self._tell(context, part, "shape", "rank")
            elif pairs:
                setting = part.fields["shape_range"]
                yield self.finding(context, setting.key, "rank_range", option=setting.name, surface=Surface.SINGLE_OP)
            return
        dynamic = sum(size < 0 for size in shape.data)
        if dynamic != len(pairs):
            yield self._tell(context, part, "shape", "ranges", dynamic=dynamic, pairs=len(pairs))
            return
        for pair in pairs:
            if pair.kind is ValueKind.LIST and len(pair.items) != 2:
                yield self._tell(context, part, "shape_range", "pair", value=pair)

    def _attribute(self, part: OperatorPart, context: Context) -> Iterator[Finding]:
        if part.word("name") == "":
            yield self._tell(context, part, "name", "nameless")
        setting, value = part.fields.get("type"), part.value("value")
        known = _VALUES.get(str(setting.value.data)) if setting is not None and setting.value.known else None
        if known is None or setting is None or value is None:
            return
        kinds, depth, needed = known
        odd = _first_but(kinds, depth, (value,))
        if odd is not None:
            said = needed.to(context.language)
            yield self._tell(context, part, "value", "value", value=odd, type=setting.value.data, needed=said)

    def _tell(
        self, context: Context, part: OperatorPart, name: str, message: str, value: Value | None = None, **said: Any
    ) -> Finding:
        """Return a finding about a field: at `value`, else where the field's value is, else at the part's brace."""
        there = value or part.value(name)
        return self.finding(
            context,
            there.span if there is not None else part.head,
            message,
            option=f"{part.list}.{name}",
            surface=Surface.SINGLE_OP,
            **said,
        )


def _first_but(kinds: frozenset[ValueKind], depth: int, values: tuple[Value, ...]) -> Value | None:
    """Return the first value that is not a list of lists, `depth` deep, of something of `kinds`."""
    for value in values:
        if depth and value.kind is ValueKind.LIST:
            odd = _first_but(kinds, depth - 1, value.items)
        else:
            odd = value if depth or value.kind not in kinds else None
        if odd is not None:
            return odd
    return None
