"""Pairs of lists of nodes."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import Part, Problem, whole
from npu_lsp.catalog.model import Surface


def in_out_pair(text: str, surface: Surface) -> Iterator[Problem]:
    """`[[['in1'],['out1']]]`: pairs of lists, read sign by sign (tf: `tf_adapter/optimizers/om_partition_subgraphs_pass.cc`).

    Yield brackets that don't close, or that no pair is found.
    """
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "[") - (char == "]")
        if depth < 0 or depth > 3:
            yield Part(char, at).problem("this bracket is one too many", "多余的方括号", certain=False)
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
