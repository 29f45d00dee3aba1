"""What a script did before a place in it that a variable or a process comes too late for: it used the NPU, or imported a module."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from npu_lsp.languages.branches import dominates
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.lines.scopes import MODULE
from npu_lsp.languages.python.source import Source, source_of
from npu_lsp.languages.python.tree.nodes import path
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_MODULES = ("torch.npu.", "torch_npu.npu.")
_CALLS = frozenset(
    {
        *("current_device", "current_stream", "get_device_name", "get_device_properties", "get_soc_version"),
        *("manual_seed_all", "mem_get_info", "set_device", "synchronize"),
    }
)
"""What initializes the device, by `_lazy_init`: https://github.com/Ascend/pytorch/blob/master/torch_npu/npu/utils.py"""
_PLACES = {"to": "device", "from_pretrained": "device_map"}
"""Methods that put something on a device, and the keyword that says which."""
_ON_NPU = re.compile(r"[\"']npu(?::\d+)?[\"']\Z")
_MOST = 50
"""Lines above a place that are looked at: a script has few, and one that was made to be slow thousands."""
_IMPORT = r"(?:import|from)[ \t]+{}(?![\w])"


def npu_used_before(document: Document, offset: int) -> Span | None:
    """Return the name of the first call above `offset` that initializes the NPU and surely runs before; `None` where none does."""
    source = source_of(document)
    for index in _lines_before(source, "npu", offset):
        line = source.line(index)
        for call in line.statement.calls if line is not None else ():
            if line is not None and _uses_npu(call.node):
                return line.span(call.node.func)
    return None


def _uses_npu(call: cst.Call) -> bool:
    """Return whether a call initializes the device: one of torch_npu's, or one that puts something on it."""
    name, method = path(call.func) or "", call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
    if (name.startswith(_MODULES) and method in _CALLS) or (method == "npu" and len(call.args) < 2):
        return True
    where = "device" if name.startswith("torch.") else _PLACES.get(method, "")
    return any(
        isinstance(each.value, cst.SimpleString)
        and _ON_NPU.match(each.value.value) is not None
        and (each.keyword.value == where if each.keyword is not None else method == "to")
        for each in call.args[:_MOST]
    )


def imported_before(document: Document, offset: int, module: str) -> Span | None:
    """Return where the text above `offset` imports `module` for sure; `None` where it doesn't."""
    source = source_of(document)
    pattern = re.compile(_IMPORT.format(re.escape(module)))
    for index in _lines_before(source, module, offset):
        match = pattern.match(source.text, source.logical_lines.starts[index])
        if match is not None:
            return Span(*match.span())
    return None


def _lines_before(source: Source, word: str, offset: int) -> Iterator[int]:
    """Yield the lines above `offset` that hold `word` and surely run before it: in no function, or in the same one."""
    here = source.logical_lines.at(offset)
    if here is None:
        return
    own, around = source.scopes.function(here), source.scopes.branch(here)
    lines = source.lines_with(word)
    end = bisect_left(lines, here)
    for index in lines[max(0, end - _MOST) : end]:
        if source.scopes.function(index) in (own, MODULE) and dominates(source.scopes.branch(index), around):
            yield index
