"""Nodes of a model, and the passes that change them."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, is_digits, whole
from npu_lsp.catalog.model import Surface


def node_list(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`conv1:0;conv2:1`, or names of tensors alone (ge: `api/atc/omg.cc`, `ParseOutNodes`)."""
    parts = whole(text).split(";")
    if len(parts) > 1 and not parts[-1].text.strip():
        yield ValuePart(";", parts[-1].start - 1).problem(
            'the ";" at the end opens another output', "末尾的“;”会被当作另一个输出", instead=""
        )
        parts = parts[:-1]
    numbered = ":" in parts[0].text
    for part in parts:
        fields = part.split(":")
        if len(fields) > 2:
            yield part.problem(
                f'"{part.text}" is not of the form node:index', f"“{part.text}”格式错误，应为“节点:序号”"
            )
        elif (len(fields) == 2) is not numbered:
            yield part.problem("names with and without an index don't go together", "带序号与不带序号的写法不能混用")
        elif not fields[0].text.strip():
            yield part.problem("the name of a node is missing", "缺少节点名")
        elif numbered and not is_digits(fields[1].text):
            yield fields[1].problem(
                f'the index "{fields[1].text}" is no number from 0', f"序号“{fields[1].text}”不是非负整数"
            )


def node_names(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`data;mask`: names of nodes, each looked up in the model as it stands (ge: `api/atc/omg.cc`)."""
    for part in whole(text).split(";"):
        bare = part.text.strip()
        if not bare:
            at = max(part.start - 1, 0)
            yield ValuePart(text[at : at + 1], at).problem("a name is missing", "缺少节点名", instead="")
        elif bare != part.text:
            yield part.problem(
                f'the blanks around "{bare}" belong to the name',
                f"“{bare}”前后的空格会被当作节点名的一部分",
                instead=bare,
            )


def pass_switch(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`ConstantFoldingPass:off;EinsumPass:on`: passes and their switches."""
    for part in whole(text).lines(";"):
        name, colon, switch = part.text.partition(":")
        if not colon or not name.strip():
            yield part.problem(
                f'"{part.text}" is not of the form pass:on or pass:off',
                f"“{part.text}”格式错误，应为“规则名:on”或“规则名:off”",
            )
        elif switch not in ("on", "off"):
            last = part.split(":")[-1]
            meant = switch.strip().lower()
            yield last.problem(
                f'a pass is "on" or "off", not "{switch}"',
                f"开关只能为 on 或 off，不能为“{switch}”",
                instead=meant if meant in ("on", "off") and len(part.split(":")) == 2 else None,
            )


def in_out_pair(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`[[['in1'],['out1']]]`: pairs of lists, read sign by sign (tf: `tf_adapter/optimizers/om_partition_subgraphs_pass.cc`).

    Yield brackets that don't close, or that no pair is found.
    """
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "[") - (char == "]")
        if depth < 0 or depth > 3:
            yield ValuePart(char, at).problem("this bracket is one too many", "多余的方括号", certain=False)
            return
    if depth:
        yield whole(text).problem("a bracket isn't closed", "方括号未闭合", certain=False)
    elif _pairs(text) == 0:
        yield whole(text).problem(
            "no pair of inputs and outputs is found, as in [[['in1'],['out1']]]",
            "未找到“输入、输出”节点对，应形如 [[['in1'],['out1']]]",
        )


def _pairs(text: str) -> int:
    """Return how many inputs with outputs TF Adapter finds."""
    depth = found = 0
    name = ""
    names: list[str] = []
    pair: list[list[str]] = []
    for char in text:
        if char == "[":
            depth += 1
        elif char in "],":
            if depth == 1 and pair:
                found += len(pair[0]) if len(pair) > 1 else 0
                pair = []
            elif depth == 2 and names:
                pair.append(names)
                names = []
            elif depth == 3 and name:
                names.append(name)
                name = ""
            depth -= char == "]"
        elif char not in " \t'":
            name += char
    return found
