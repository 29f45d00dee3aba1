"""YAML of pipelines and deployments: the scripts, commands and variables in it.

They stand under the keys that GitHub, GitLab, Kubernetes, Compose, Azure and Ansible use. Reads line by line what can be
told so: block scalars, plain and quoted scalars, lists of them. Where that isn't sure, nothing is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.document import Document
from npu_lsp.kinds import Kind
from npu_lsp.readers.embedded.region import Found, cursor_in_regions, hash_comments, read_regions
from npu_lsp.readers.embedded.scalars import Scalar, flow_scalar
from npu_lsp.readers.embedded.variables import Lines
from npu_lsp.readers.embedded.words import careful, items_of, listed
from npu_lsp.readers.embedded.yaml_lines import BLOCK, ENTRY, ITEM, Walker
from npu_lsp.readers.embedded.yaml_variables import variables
from npu_lsp.readers.model import Cursor, Reading
from npu_lsp.readers.shell.triggers import may_hold
from npu_lsp.spans import Span

_SCRIPTS = frozenset(
    {"run", "script", "before_script", "after_script", "bash", "sh", "shell", "commands", "install", "before_install"}
)
_COMMANDS = frozenset({"command", "args", "cmd", "entrypoint"})
_VARIABLES = frozenset({"env", "environment", "variables"})
_VARIABLE_KEY = re.compile(r"^[ -]*(?:env|environment|variables)[ ]*:", re.MULTILINE)


def read(document: Document) -> Reading:
    """Return what the scripts and variables in a file set."""
    return read_regions(document, _find, comments=hash_comments(document))


def cursor(document: Document, offset: int) -> Cursor | None:
    """Return what can be completed at `offset`."""
    return cursor_in_regions(document, offset, _find)


def _find(document: Document) -> Iterator[Found]:
    if not may_hold(document.text) and not _VARIABLE_KEY.search(document.text):
        return
    walker = Walker(document)
    while walker.line < document.line_count:
        span = document.line_span(walker.line)
        entry = ENTRY.fullmatch(document.text, span.start, span.end)
        walker.line += 1
        if entry is None:
            continue
        key = entry["key"].strip("\"'")
        # A key in a list's item stands where the item's content does.
        column = len(entry["indent"]) + len(entry["dashes"])
        if key in _SCRIPTS or key in _COMMANDS:
            yield from _scripts(walker, entry, column, words=key in _COMMANDS)
        elif key in _VARIABLES and not entry["rest"].split("#")[0].strip():
            yield from variables(walker, column)
        elif BLOCK.fullmatch(entry["rest"]):
            # Text of another kind: what looks like keys in it is none.
            walker.skip(column)


def _scripts(walker: Walker, entry: re.Match[str], column: int, *, words: bool) -> Iterator[Found]:
    rest = entry["rest"]
    if rest.startswith("["):
        yield from _flow_list(walker, entry.start("rest"), words=words)
    elif not rest or rest.startswith("#"):
        yield from _items(walker, column, words=words)
    else:
        scalar = walker.scalar(entry.start("rest"), rest, column)
        if scalar is not None:
            yield scalar.found()


def _items(walker: Walker, column: int, *, words: bool) -> Iterator[Found]:
    """Yield the commands of a list; `words`: where all items are words, they are those of one command."""
    found: list[Scalar] = []
    indent: int | None = None
    while (line := walker.next()) is not None:
        item = ITEM.fullmatch(walker.text, line.span.start, line.span.end)
        if item is None or line.indent < column or line.indent != (line.indent if indent is None else indent):
            break
        indent = line.indent
        rest = item["rest"]
        if ENTRY.fullmatch(walker.text, item.start("rest"), item.end("rest")):
            # A mapping: its keys are looked at in their turn.
            break
        walker.line = line.number + 1
        scalar = walker.scalar(item.start("rest"), rest, line.indent)
        if scalar is not None:
            found.append(scalar)
    if words and found and not any(" " in scalar.text.strip() or "\n" in scalar.text for scalar in found):
        yield _joined(found)
        return
    for scalar in found:
        yield scalar.found()


def _joined(scalars: list[Scalar]) -> Found:
    """Return the command whose words are the items of a list."""
    lines = Lines()
    for scalar in scalars:
        for char, start, end in zip(scalar.text, scalar.starts, scalar.ends, strict=True):
            lines.put(char, start, end)
        lines.put(" ", scalar.span.end)
    inner, places = lines.done()
    return Found(Kind.SHELL, inner, places, careful)


def _flow_list(walker: Walker, start: int, *, words: bool) -> Iterator[Found]:
    """Yield the command, or the commands, of `[...]`; it may take several lines."""
    end = walker.text.find("]", start)
    if end < 0:
        return
    last = walker.document.line_of(end)
    walker.line = max(walker.line, last + 1)
    span = Span(start, walker.document.line_span(last).end)
    items = list(items_of(walker.text, Span(start + 1, walker.text.rfind("]", start, span.end))))
    if words and len(items) != 1:
        yield from listed(walker.text, span)
        return
    for item in items:
        scalar = flow_scalar(walker.text, item)
        if scalar is not None:
            yield scalar.found()
