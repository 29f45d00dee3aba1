"""Mappings of YAML whose keys are options, in block style or in braces: a text is one entry, with all that stands in it.

A value is what PyYAML makes of it. What isn't written on one line, or is a reference, can't be known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats.entries import block, comments, entry, stripped
from npu_lsp.languages.config_formats.json_files import cursor_of
from npu_lsp.languages.hosts.scalars import Scalar, flow_scalar
from npu_lsp.languages.hosts.yaml_flow import Flow, parse
from npu_lsp.languages.hosts.yaml_lines import ENTRY, ITEM
from npu_lsp.languages.json.cursor import spot_at
from npu_lsp.languages.model import ParseResult, Setting, Value, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_BOOLS = {word: word in ("true", "yes", "on") for word in ("true", "yes", "on", "false", "no", "off")}
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9_]{0,18})")
_FLOAT = re.compile(r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?")
# Octal, hexadecimal and binary numbers, sexagesimal ones, dates, infinity.
_ODD = re.compile(r"[-+]?(?:[0-9]|\.[0-9in]).*", re.IGNORECASE)
_NUMBERED = re.compile(r"[-+]?[0-9.]+[A-Za-z].*")
_DEEPEST = 8
_TYPED = re.compile(
    r"(?P<indent>[ ]*)(?:(?P<key>[\w.-]+|\"[\w.-]+\"|'[\w.-]+')[ ]*:[ ]+)?(?P<quote>\"|')?(?P<typed>[\w./-]*)"
)
_REST = re.compile(r"[\w./-]*")
_SIGN = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'[^']*'?|[{}]")


class Mapping(NamedTuple):
    """Whose options the keys of a mapping are."""

    surface: Surface
    lead: str | None = None
    """What their names begin with in place of the entry's own key; `None`: they begin with that, and it is one itself."""
    others: str = ""
    """The key below which the options of others stand."""

    def name(self, path: tuple[str, ...]) -> str:
        """Return what the entry that a path of keys leads to is called."""
        return ".".join(path if self.lead is None else (*filter(None, (self.lead,)), *path[1:]))


class _Row(NamedTuple):
    """An entry on a line of its own."""

    indent: int
    match: re.Match[str]
    line: int


class _Tree(NamedTuple):
    """The entries of the mappings, in order."""

    rows: list[_Row]
    ends: list[int]
    """Where each ends, with all that stands below it; what is behind its value on its line belongs to it."""
    parents: list[int]
    """Which entry each stands in; -1 for the first one."""
    children: list[int]
    """How many entries stand right in each."""


def parsed(document: Document, mapping: Mapping) -> ParseResult:
    """Return one block with what the mapping holds, in whatever depth."""
    settings = list(_settings(document, _tree(document), mapping))
    if not settings:
        return ParseResult()
    found = block(0, mapping.surface, settings[0].key, settings)._replace(open="<<" in document.text)
    return ParseResult((found,), comments=comments(document))


def _tree(document: Document) -> _Tree:
    """Return the entries of mappings, but for those that stand in lists and texts."""
    text, hidden, last = document.text, -1, 0
    tree = _Tree([], [], [], [])
    around: list[int] = []
    for number in range(document.line_count):
        line = document.line_span(number)
        said = stripped(text, line)
        if said.start == said.end or text[said.start] == "#":
            continue
        indent = said.start - line.start
        while around and tree.rows[around[-1]].indent >= indent + text.startswith("- ", said.start):
            tree.ends[around.pop()] = last
        if tree.rows and not around:
            break
        last = said.end
        if 0 <= hidden < indent:
            continue
        hidden = -1
        match = ENTRY.fullmatch(text, *line)
        if match is None or match["dashes"]:
            hidden = indent
            continue
        tree.parents.append(around[-1] if around else -1)
        if around:
            tree.children[around[-1]] += 1
        around.append(len(tree.rows))
        tree.rows.append(_Row(indent, match, number))
        tree.ends.append(said.end)
        tree.children.append(0)
        hidden = indent if match["rest"][:1] in ("|", ">", "{", "[") else -1
    for row in around:
        tree.ends[row] = last
    return tree


def _settings(document: Document, tree: _Tree, mapping: Mapping) -> Iterator[Setting]:
    paths: list[tuple[str, ...]] = []
    owns: list[Span] = []
    for row, end, parent in zip(tree.rows, tree.ends, tree.parents, strict=True):
        path = paths[parent] if parent >= 0 else ()
        key_name, key = _key(document, row)
        # Nobody can read a mapping with nothing in it: the last entry takes it along.
        alone = parent >= 0 and tree.children[parent] == 1
        owns.append(owns[parent] if alone else Span(row.match.start() + row.indent, end))
        paths.append((*path, key_name)[-_DEEPEST:])
        if mapping.others and mapping.others in path:
            continue
        if path or mapping.lead is None:
            value = _value(document, row, below=end > stripped(document.text, document.line_span(row.line)).end)
            yield entry(mapping.surface, mapping.name((*path, key_name)), key, value, owns[-1])
        if row.match["rest"].startswith("{") and key_name != mapping.others:
            flow = parse(document.text, row.match.start("rest"))
            yield from _flow(document.text, flow, (*path, key_name), mapping) if flow is not None else ()


def _key(document: Document, row: _Row) -> tuple[str, Span]:
    start, end = row.match.span("key")
    quoted = document.text[start] in "\"'"
    span = Span(start + 1, end - 1) if quoted else Span(start, end)
    return document.text[slice(*span)], span


def _value(document: Document, row: _Row, *, below: bool) -> Value:
    """Return the value of an entry; `below`: something stands below its line that belongs to it."""
    text, match = document.text, row.match
    at = match.start("rest")
    rest = match["rest"]
    if not rest or rest.startswith("#"):
        span = Span(match.end("key"), match.end("key"))
        if not below:
            return Value(ValueKind.UNKNOWN if match["tag"] else ValueKind.NONE, span, not match["tag"])
        first = next(n for n in range(row.line + 1, document.line_count) if not _is_blank(text, document.line_span(n)))
        inner = document.line_span(first)
        if ITEM.fullmatch(text, *inner):
            return Value(ValueKind.LIST, span)
        return Value(ValueKind.DICT if ENTRY.fullmatch(text, *inner) else ValueKind.UNKNOWN, span)
    flow = parse(text, at) if rest[0] in "{[" else None
    if flow is not None:
        return Value(ValueKind.DICT if flow.kind == "{" else ValueKind.LIST, flow.span)
    written = Span(at, match.end("rest"))
    scalar = flow_scalar(text, written) if not (below or match["tag"]) else None
    return _scalar(text, scalar, written) if scalar is not None else Value(ValueKind.UNKNOWN, Span(at, at))


def _is_blank(text: str, span: Span) -> bool:
    said = text[span.start : span.end].strip()
    return not said or said.startswith("#")


def _scalar(text: str, scalar: Scalar, span: Span) -> Value:
    """Return what PyYAML makes of a scalar on one line, which is written in `span`."""
    if "${" in scalar.text or "{{" in scalar.text:
        return Value(ValueKind.UNKNOWN, span)
    said = scalar.text
    kind, data = _resolved(said) if text[scalar.span.start] not in "\"'" else (ValueKind.STRING, said)
    content = scalar.content if kind is ValueKind.STRING else None
    return Value(kind, scalar.span, kind is not ValueKind.UNKNOWN, data, content)


def _resolved(said: str) -> tuple[ValueKind, Any]:
    if said in _NOTHING:
        return ValueKind.NONE, None
    if said.lower() in _BOOLS and said in (said.lower(), said.upper(), said.capitalize()):
        return ValueKind.BOOL, _BOOLS[said.lower()]
    if _INT.fullmatch(said):
        return ValueKind.INT, int(said.replace("_", ""))
    if _FLOAT.fullmatch(said):
        return ValueKind.FLOAT, float(said.replace("_", ""))
    if _ODD.fullmatch(said) and not _NUMBERED.fullmatch(said):
        return ValueKind.UNKNOWN, None
    return ValueKind.STRING, said


def _flow(text: str, flow: Flow, path: tuple[str, ...], mapping: Mapping) -> Iterator[Setting]:
    """Yield the entries of a mapping in braces."""
    for span, item in zip(flow.keys, flow.items, strict=True):
        if span is None:
            continue
        key = Span(span.start + 1, span.end - 1) if text[span.start] in "\"'" else span
        inner = (*path, text[slice(*key)])
        if item.kind:
            kind = {"{": ValueKind.DICT, "[": ValueKind.LIST}.get(item.kind, ValueKind.UNKNOWN)
            value = Value(kind, item.span)
        else:
            scalar = flow_scalar(text, item.span)
            value = _scalar(text, scalar, item.span) if scalar is not None else Value(ValueKind.UNKNOWN, item.span)
        yield entry(mapping.surface, mapping.name(inner), key, value, Span(span.start, item.span.end))
        if item.kind == "{" and inner[-1] != mapping.others:
            yield from _flow(text, item, inner, mapping)


def typed_at(document: Document, offset: int, mapping: Mapping) -> CompletionContext | None:
    """Return what can be completed at `offset`: a key of the mapping around it, or a value behind its colon."""
    braces = _braces(document, offset)
    if braces is not None:
        return _typed_in_braces(document, offset, *braces, mapping)
    line = document.line_of(offset)
    start, end = document.line_span(line)
    typed = _TYPED.fullmatch(document.text, start, offset)
    path = _path(document, line, len(typed["indent"])) if typed is not None else ()
    if typed is None or (not path and (line or mapping.lead is not None)):
        return None
    word = typed["typed"]
    rest = _REST.match(document.text, offset, end)
    replace = Span(offset - len(word), rest.end() if rest is not None else offset)
    quote = typed["quote"] or ""
    closed = bool(quote) and document.text.startswith(quote, replace.end)
    if typed["key"] is None:
        behind = document.text[replace.end + closed : end].lstrip()
        after = ("" if closed else quote) + ("" if behind.startswith(":") else ": ")
        prefix = mapping.name((*path, ""))
        return CompletionContext(CompletionKind.KEY, mapping.surface, replace, word, after=after, prefix=prefix)
    option = mapping.name((*path, typed["key"].strip("\"'")))
    before, after = "" if quote else '"', "" if closed else quote or '"'
    return CompletionContext(CompletionKind.VALUE, mapping.surface, replace, word, option, before=before, after=after)


def _braces(document: Document, offset: int) -> tuple[int, tuple[str, ...]] | None:
    """Return where the braces begin that `offset` stands in, and the keys that lead to them."""
    for number in range(document.line_of(offset), -1, -1):
        match = ENTRY.fullmatch(document.text, *document.line_span(number))
        if match is None or not match["rest"].startswith("{") or match.start("rest") >= offset:
            continue
        signs = [each.group() for each in _SIGN.finditer(document.text, match.start("rest"), offset)]
        if signs.count("{") <= signs.count("}"):
            return None
        path = _path(document, number, len(match["indent"]))
        return match.start("rest"), (*path, match["key"].strip("\"'"))
    return None


def _typed_in_braces(
    document: Document, offset: int, start: int, path: tuple[str, ...], mapping: Mapping
) -> CompletionContext | None:
    spot = spot_at(document.text[start:], offset - start)
    if spot is None:
        return None
    outer = (*path, *(key.strip("'") for key in spot.path))
    spot = spot._replace(replace=spot.replace.shifted(start))
    if spot.key is None:
        found = cursor_of(document, spot, offset, mapping.surface, prefix=mapping.name((*outer, "")))
        # A key needs no quotes there.
        return found if spot.quoted else found._replace(before="", after=found.after.replace('"', ""))
    return cursor_of(document, spot, offset, mapping.surface, option=mapping.name((*outer, spot.key.strip("'"))))


def _path(document: Document, line: int, indent: int) -> tuple[str, ...]:
    """Return the keys around a line that stands at `indent`."""
    found: list[str] = []
    for number in range(line - 1, -1, -1):
        match = ENTRY.fullmatch(document.text, *document.line_span(number))
        if match is not None and not match["dashes"] and len(match["indent"]) < indent:
            indent = len(match["indent"])
            found.append(match["key"].strip("\"'"))
    return tuple(reversed(found))
