"""`conv1:0;conv2:1`, or names of tensors alone (ge: `api/atc/omg.cc`, `ParseOutNodes`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part, is_digits, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield what is wrong with the outputs."""
    parts = whole(text).split(";")
    if len(parts) > 1 and not parts[-1].text.strip():
        yield Part(";", parts[-1].start - 1).problem(
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
