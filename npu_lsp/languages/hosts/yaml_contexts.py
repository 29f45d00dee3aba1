"""The mappings `context` and `parallel` in YAML of MindFormers, known by what stands in them."""

from __future__ import annotations

from npu_lsp.languages.hosts.yaml_lines import ENTRY, Walker
from npu_lsp.languages.injections import Injection
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import SourceMap

_NAMES = frozenset({"context", "parallel"})
_TELLING = re.compile(rf"^[ ]+[\"']?(?:{'|'.join(BY_KIND[Kind.MINDFORMERS].keys)})[\"']?[ ]*:", re.MULTILINE)


def may_hold_context(text: str) -> bool:
    """Tell whether one of the keys is there that such a mapping has."""
    return _TELLING.search(text) is not None


def context(walker: Walker, entry: re.Match[str], key: str, column: int) -> Injection | None:
    """Return such a mapping and go behind it; `None`, and nothing done, where it isn't one."""
    if key not in _NAMES or entry["dashes"] or entry["rest"].split("#")[0].strip():
        return None
    first = walker.line
    walker.skip(column)
    start, end = entry.start(), walker.document.line_span(walker.line - 1).end
    for match in _TELLING.finditer(walker.text, entry.end(), end):
        inner = ENTRY.match(walker.text, match.start())
        below = walker.document.line_span(first)
        if inner is not None and inner.start() >= below.start:
            return Injection(Kind.MINDFORMERS, walker.text[start:end], SourceMap(start))
    walker.line = first
    return None
