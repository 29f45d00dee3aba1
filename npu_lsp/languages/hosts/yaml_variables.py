"""The environment variables of a YAML file: a mapping, a list of `X=v`, or a list of names and values."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.hosts.scalars import Scalar, flow_scalar
from npu_lsp.languages.hosts.template_actions import Actions
from npu_lsp.languages.hosts.variables import VariableLines
from npu_lsp.languages.hosts.yaml_flow import Flow, parse
from npu_lsp.languages.hosts.yaml_lines import BLOCK, ENTRY, ITEM, Walker, YamlLine
from npu_lsp.languages.injections import Injection, Write, careful
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

_NAME = re.compile(r"[A-Za-z_]\w*")
_PAIR = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<value>.*)", re.DOTALL)
_GIVEN = frozenset({"value", "valueFrom"})
_MOST_LINES = 20
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
# `A=1 B=2`: several variables in one text, as Travis has them.
_AND_MORE = re.compile(r"[ \t][A-Za-z_]\w*=")
_EXPORT = re.compile(r"\bexport[ \t]+(?P<name>\w+)=(?P<value>\"[^\"\n]*\"|[^\s\"]*)")


def variables(walker: Walker, column: int) -> Iterator[Injection]:
    """Yield the variables below a key that stands at `column`, and go behind them."""
    actions = Actions(walker.document, walker.line)
    first = walker.next()
    if first is None:
        return
    lines = VariableLines()
    write: Write
    item = ITEM.fullmatch(walker.text, first.span.start, first.span.end)
    if item is None:
        if first.indent <= column:
            return
        write = _mapping_written
        _mapping(walker, column, lines, actions)
    elif item["rest"].startswith("{") or ENTRY.fullmatch(walker.text, item.start("rest"), item.end("rest")):
        write = _value_written
        _names_and_values(walker, column, lines, actions)
    else:
        write = _pair_written
        _pairs(walker, column, lines, actions)
    actions.close(lines, walker.document.line_span(max(walker.line - 1, 0)))
    yield from lines.script(write)


def _mapping(walker: Walker, column: int, lines: VariableLines, actions: Actions) -> None:
    """Take `X: v`."""
    text = walker.text
    while (line := walker.next()) is not None and line.indent > column:
        walker.line = line.number + 1
        actions.reach(line.number, lines)
        entry = ENTRY.fullmatch(text, line.span.start, line.span.end)
        if entry is None or entry["dashes"] or BLOCK.fullmatch(entry["rest"]):
            walker.skip(line.indent)
            continue
        value = flow_scalar(text, Span(*entry.span("rest"))) if entry["rest"] else _described(walker, line.indent)
        name = entry["key"].strip("\"'")
        if value is None or not _NAME.fullmatch(name) or text[slice(*value.span)] in _NOTHING:
            continue
        at = entry.start("key") + entry["key"].index(name)
        lines.export(text, line.lead, Span(at, at + len(name)), value.span, walker.document.line_end(line.number))


def _described(walker: Walker, indent: int) -> Scalar | None:
    """Return the value of a variable that GitLab shows to people: `X:` with `value:` and `description:` below."""
    text = walker.text
    own: int | None = None
    for number in range(walker.line, min(walker.line + _MOST_LINES, walker.document.line_count)):
        entry = ENTRY.fullmatch(text, *walker.document.line_span(number))
        if entry is None or len(entry["indent"]) <= indent:
            return None
        own = len(entry["indent"]) if own is None else own
        # What lies deeper is another program's description of the variable.
        if entry["key"] == "value" and len(entry["indent"]) == own:
            return flow_scalar(text, Span(*entry.span("rest")))
    return None


def _named_in_braces(walker: Walker, line: YamlLine, lines: VariableLines) -> None:
    """Take `- {name: X, value: v}`."""
    item = ITEM.fullmatch(walker.text, *line.span)
    node = parse(walker.text, item.start("rest"), line.span.end) if item and item["rest"].startswith("{") else None
    if node is not None:
        _named(walker.text, node, lines, Span(line.span.start, walker.document.line_end(line.number)))


def _names_and_values(walker: Walker, column: int, lines: VariableLines, actions: Actions) -> None:
    """Take `- name: X` with `value: v` below, as Kubernetes has it."""
    text = walker.text
    name: Span | None = None
    item = None
    while (line := walker.next()) is not None and line.indent >= column:
        is_item = text.startswith("- ", line.span.start + line.indent)
        if line.indent == column and not is_item:
            return
        walker.line = line.number + 1
        actions.reach(line.number, lines)
        entry = ENTRY.fullmatch(text, line.span.start, line.span.end)
        if is_item:
            _named_in_braces(walker, line, lines)
        if entry is None or BLOCK.fullmatch(entry["rest"]):
            walker.skip(line.indent)
            continue
        value = flow_scalar(text, Span(*entry.span("rest")))
        key = entry["key"].strip("\"'")
        if is_item:
            name, item = None, line
        if key == "name" and value is not None:
            name = value.content
        elif key in _GIVEN and item is not None and name and _NAME.fullmatch(text, *name):
            # The lines of an item are one: where the variable goes, all of them do.
            lead, span = (
                Span(item.span.start, item.span.start),
                Span(*entry.span("key")) if value is None else value.span,
            )
            lines.export(text, lead, name, span, walker.end_of_item(item), known=_is_something(text, value))
            name = None


def _is_something(text: str, value: Scalar | None) -> bool:
    return value is not None and text[slice(*value.span)] not in _NOTHING


def _pairs(walker: Walker, column: int, lines: VariableLines, actions: Actions) -> None:
    """Take `- X=v`, as Compose has it."""
    text = walker.text
    while (line := walker.next()) is not None and line.indent >= column:
        item = ITEM.fullmatch(text, line.span.start, line.span.end)
        if item is None:
            return
        walker.line = line.number + 1
        actions.reach(line.number, lines)
        pair = _pair(flow_scalar(text, Span(*item.span("rest"))))
        if pair is not None:
            lines.export(text, line.lead, *pair, walker.document.line_end(line.number))


def _pair(scalar: Scalar | None) -> tuple[Span, Span] | None:
    """Return where the name and the value of `X=v` stand; `None` for what is no such text, or several of them."""
    pair = _PAIR.fullmatch(scalar.text) if scalar is not None else None
    if scalar is None or scalar.content is None or pair is None or _AND_MORE.search(pair["value"]):
        return None
    at = scalar.content.start
    return Span(at, at + pair.end("name")), Span(at + pair.start("value"), at + pair.end("value"))


def flow_variables(text: str, node: Flow) -> Iterator[Injection]:
    """Yield the variables of a collection in flow style."""
    lines = VariableLines()
    if node.kind == "{":
        for key, item in zip(node.keys, node.items, strict=True):
            if key is not None and not item.kind:
                _assign(text, lines, _within_quotes(text, key), flow_scalar(text, item.span))
    for item in node.items if node.kind == "[" else ():
        if item.kind == "{":
            _named(text, item, lines)
            continue
        pair = _pair(flow_scalar(text, item.span)) if not item.kind else None
        if pair is not None:
            _put(text, lines, *pair)
    yield from lines.script(careful)


def _named(text: str, node: Flow, lines: VariableLines, item: Span | None = None) -> None:
    """Take `{name: X, value: v}`; it goes with the lines of `item` where it has them to itself."""
    found = {
        text[slice(*key)].strip("\"'"): (key, each) for key, each in zip(node.keys, node.items, strict=True) if key
    }
    _, name = found.get("name", (None, None))
    if name is None or name.kind:
        return
    at = _within_quotes(text, name.span)
    if "value" in found and not found["value"][1].kind:
        _assign(text, lines, at, flow_scalar(text, found["value"][1].span), item)
    elif "valueFrom" in found and at.end <= found["valueFrom"][0].start:
        _put(text, lines, at, found["valueFrom"][0], item, known=False)


def _assign(text: str, lines: VariableLines, name: Span, value: Scalar | None, item: Span | None = None) -> None:
    if value is not None and name.end <= value.span.start and text[slice(*value.span)] not in _NOTHING:
        _put(text, lines, name, value.span, item)


def _put(
    text: str, lines: VariableLines, name: Span, value: Span, item: Span | None = None, *, known: bool = True
) -> None:
    if not _NAME.fullmatch(text, *name):
        return
    start, end = item if item is not None else (name.start, value.end)
    lines.export(text, Span(start, start), name, value, end, known=known)


def _within_quotes(text: str, span: Span) -> Span:
    return Span(span.start + 1, span.end - 1) if text[span.start] in "\"'" else span


def _mapping_written(text: str) -> str | None:
    """Return what is put into a mapping: a new variable as a line of its own, or a value."""
    if "\n" in text or "export" in text:
        return _EXPORT.sub(lambda match: f"{match['name']}: {_quoted(match['value'])}", text)
    return _value_written(text)


def _value_written(text: str) -> str | None:
    return careful(text) if text else text


def _pair_written(text: str) -> str | None:
    if "\n" in text or "export" in text:
        return _EXPORT.sub(lambda match: f"- {match['name']}={match['value']}", text)
    return _value_written(text)


def _quoted(value: str) -> str:
    return value if value.startswith('"') else f'"{value}"'
