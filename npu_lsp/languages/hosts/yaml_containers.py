"""What a YAML file starts and installs: the mappings of Compose and Kubernetes that have an `image`, and lists of packages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.hosts.scalars import flow_scalar
from npu_lsp.languages.hosts.yaml_lines import ENTRY, ITEM
from npu_lsp.languages.model import Block, Form, Setting, Value, ValueKind
from npu_lsp.languages.requirements import known, may_require, requirement
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_NPU = re.compile(r"davinci|[aA]scend/|vllm[-_]ascend|torch[-_]npu|huawei\.com/")
"""The words of `triggers` that tell: without one of them no such file is read."""
_LISTS = {"devices": "device", "volumes": "volume", "cap_drop": "cap-drop", "cap_add": "cap-add", "group_add": "user"}
_RIGHTS = {"drop": "cap-drop", "add": "cap-add"}
_ALONE = {**{name: name for name in ("privileged", "runtime", "user", "ipc")}, "shm_size": "shm-size"}
_CONTEXT = {"privileged": "privileged", "runAsUser": "user", "runAsGroup": "user", "fsGroup": "user"}
_RESOURCE = re.compile(r"(?P<name>huawei\.com/[\w.-]+)|(?<=[:-] )\*\w|\{\{|\bclaims:|\$\{?\w")
_FLOW_ITEM = re.compile(r"[^\[\],\s]+")
_MOST = 200
"""Lines of one container, above and below its image."""

_PIP = re.compile(r"^(?P<indent>[ ]*)-[ ]+pip:[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_MOST_PACKAGES = 500
"""Packages of one list."""


class _Line(NamedTuple):
    number: int
    column: int
    """Where its key or its item's content stands."""
    indent: int
    key: str
    rest: Span


def containers(document: Document) -> Iterator[Block]:
    """Yield a block for each container that has to do with NPUs."""
    text = document.text
    if "image" not in text or not _NPU.search(text):
        return
    done: dict[int, int] = {}
    for number in range(document.line_count):
        start, end = document.line_span(number)
        entry = ENTRY.fullmatch(text, start, end) if text.find("image", start, end) >= 0 else None
        if (
            entry is None
            or entry["key"].strip("\"'") != "image"
            or entry["rest"].split("#")[0].strip() in ("", "|", ">")
        ):
            continue
        column = len(entry["indent"]) + len(entry["dashes"])
        if number <= done.get(column, -1):
            continue  # A second image of one mapping is a slip.
        around = _around(document, number, column)
        done[column] = around[-1]
        lines = [line for each in around if (line := _line(document, each)) is not None]
        span = Span(document.line_span(lines[0].number).start, document.line_span(lines[-1].number).end)
        if not _NPU.search(text, *span):
            continue
        settings = tuple(_settings(document, lines, column))
        if settings:
            image = next((each.key for each in settings if each.name == "image"), settings[0].key)
            yield Block(0, Surface.CONTAINER, image, span, settings)


def _around(document: Document, number: int, column: int) -> range:
    """Return the lines of the mapping whose key stands at a line, and column."""
    first, last = number, number
    if not _is_item(document, number, column):
        for above in range(number - 1, max(-1, number - _MOST), -1):
            said = document.line_text(above)
            if said.strip() and len(said) - len(said.lstrip()) < column:
                first = above if _is_item(document, above, column) else first
                break
            first = above
    for below in range(number + 1, min(document.line_count, number + _MOST)):
        said = document.line_text(below)
        if said.strip() and len(said) - len(said.lstrip()) < column:
            break
        last = below
    return range(first, last + 1)


def _is_item(document: Document, number: int, column: int) -> bool:
    said = document.line_text(number)
    return said.lstrip().startswith("- ") and len(said) - len(said.lstrip(" -")) == column


def _line(document: Document, number: int) -> _Line | None:
    span = document.line_span(number)
    entry = ENTRY.fullmatch(document.text, *span)
    if entry is not None:
        indent = len(entry["indent"])
        return _Line(
            number, indent + len(entry["dashes"]), indent, entry["key"].strip("\"'"), Span(*entry.span("rest"))
        )
    item = ITEM.fullmatch(document.text, *span)
    if item is not None:
        indent = len(item["indent"])
        return _Line(number, indent + 1 + len(item["gap"]), indent, "", Span(*item.span("rest")))
    said = document.line_text(number)
    indent = len(said) - len(said.lstrip())
    return _Line(number, indent, indent, said.split("#")[0].strip(), Span(span.end, span.end)) if said.strip() else None


# branches: one arm for each key that matters.
def _settings(document: Document, lines: list[_Line], column: int) -> Iterator[Setting]:
    key, inner = "", ""
    for line in lines:
        if line.column == column and line.key and not line.key.startswith("#"):
            key, inner = line.key, ""
            if key == "image" or key in _ALONE:
                yield from _setting(document, _ALONE.get(key, "image"), line, line.rest)
            elif key in _LISTS:
                yield from _flow(document, _LISTS[key], line)
        elif key in _LISTS and not line.key:
            yield from _setting(document, _LISTS[key], line, line.rest)
        elif key == "securityContext":
            inner = line.key or inner
            if line.key in _CONTEXT:
                yield from _setting(document, _CONTEXT[line.key], line, line.rest)
            elif line.key in _RIGHTS:
                yield from _flow(document, _RIGHTS[line.key], line)
            elif not line.key and inner in _RIGHTS:
                yield from _setting(document, _RIGHTS[inner], line, line.rest)
        elif key == "volumeMounts" and line.key == "mountPath":
            yield from _setting(document, "volume", line, line.rest)
        if key in ("resources", "deploy"):
            yield from _resources(document, line)


def _resources(document: Document, line: _Line) -> Iterator[Setting]:
    """Yield what a line of a container asks for, and what may be anything: an alias, a template, a claim."""
    start, end = document.line_span(line.number)
    said = document.text[start:end].partition("#")[0]
    for found in _RESOURCE.finditer(document.text, start, start + len(said)):
        where = Span(*found.span())
        known = found["name"] is not None
        value = Value(ValueKind.WORD, where, known, found["name"], where if known else None)
        yield _made("resource", where, value, document, line)


def _flow(document: Document, name: str, line: _Line) -> Iterator[Setting]:
    """Yield the items of a list on one line."""
    said = document.text[slice(*line.rest)]
    if said.startswith("["):
        for item in _FLOW_ITEM.finditer(document.text, *line.rest):
            yield from _setting(document, name, line, Span(*item.span()))


def _setting(document: Document, name: str, line: _Line, span: Span) -> Iterator[Setting]:
    scalar = flow_scalar(document.text, span)
    if scalar is not None:
        known = not set(scalar.text) & set("${")
        value = Value(
            ValueKind.WORD, scalar.span, known, scalar.text if known else None, scalar.content if known else None
        )
        yield _made(name, scalar.content or scalar.span, value, document, line)


def _made(name: str, key: Span, value: Value, document: Document, line: _Line) -> Setting:
    whole = document.line_span(line.number)
    return Setting(Surface.CONTAINER, name, key, value, Form.ENTRY, whole, whole, receiver=name)


def packages(document: Document) -> Iterator[Block]:
    """Yield a block for each list that an environment of conda installs with pip, below `- pip:`: one command installs all of it."""
    text = document.text
    if "pip:" not in text or "dependencies:" not in text or not may_require(text):
        return
    for found in _PIP.finditer(text):
        first = document.line_of(found.start()) + 1
        settings = []
        for number in range(first, min(first + _MOST_PACKAGES, document.line_count)):
            span = document.line_span(number)
            item = ITEM.fullmatch(text, *span)
            if item is None or len(item["indent"]) <= len(found["indent"]):
                if document.line_text(number).strip() and not document.line_text(number).lstrip().startswith("#"):
                    break
                continue
            scalar = flow_scalar(text, Span(*item.span("rest")))
            if scalar is not None and scalar.content is not None:
                settings.append(requirement(scalar.text, scalar.content, span, span))
        if one := known(settings):
            yield Block(0, Surface.PACKAGE, one[0].key, Span(one[0].own.start, one[-1].own.end), one)
