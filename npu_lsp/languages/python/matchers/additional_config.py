"""`LLM(..., additional_config={...})`, the same as an entry of a dict, and `["--additional-config", "{...}"]`."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from npu_lsp.catalog.calls import VLLM_CALLS
from npu_lsp.catalog.model import Surface
from npu_lsp.languages.injections import Injection, region_of
from npu_lsp.languages.json.flags import FLAG, WORDS, is_flag
from npu_lsp.languages.model import Form, Value, ValueKind
from npu_lsp.languages.python.concrete import cst
from npu_lsp.languages.python.dataflow.elements import Entries
from npu_lsp.languages.python.dataflow.entries import entries_of, keyword_entry
from npu_lsp.languages.python.dataflow.names import Place
from npu_lsp.languages.python.matchers.calls import is_meant
from npu_lsp.languages.python.source import LogicalLine
from npu_lsp.languages.python.tree.constants import text_of
from npu_lsp.languages.python.tree.located_text import located
from npu_lsp.languages.python.tree.nodes import index_of, is_name, keyword, last, parts, path, positional, walk
from npu_lsp.languages.python.view import SourceView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.source_map import HOLE
from npu_lsp.text.spans import Span

NAME = "additional_config"
_BEFORE = re.compile(FLAG.pattern + r"(?:=|[ \t]+)[\"']?\Z")
_DEEPEST = 4
_SERVERS = frozenset({"LLM", "EngineArgs", "AsyncEngineArgs"})
"""vLLM's own calls, where an argument that isn't there has its default."""
Given = tuple[cst.BaseExpression, Place]
"""A dict, and where it is given."""


def find(view: SourceView) -> None:
    """Add a block for each dict that is given under this name, and what the JSON in lists of words sets."""
    lines = view.lines_with(*WORDS)
    # A dict that is handed on by its name is read with all that is done to it, before the statement that makes it.
    for given in (*_handed(view, lines), *_assigned(view, lines)):
        _mapping(view, *given)
    for stmt, place in view.statements(lines):
        for node in walk(stmt, suites=False):
            for word in _in_list(node):
                _word(view, word, place)
    for stmt, place in view.statements(lines):
        for node in walk(stmt, suites=False):
            for word in _in_text(node):
                _word(view, word, place, texts=False)


def _handed(view: SourceView, lines: list[LogicalLine]) -> Iterator[Given]:
    for stmt, place in view.statements(lines):
        for node in walk(stmt, suites=False):
            if isinstance(node, cst.Call):
                given = keyword(node, NAME)
                if given is not None:
                    yield given, place
                    if not any(is_meant(view, node, place.line, each) for each in VLLM_CALLS):
                        _beside(view, node, given, place)
            elif isinstance(node, cst.Dict):
                for each in node.elements:
                    if isinstance(each, cst.DictElement) and text_of(each.key) == NAME:
                        yield each.value, place


def _beside(view: SourceView, call: cst.Call, given: cst.BaseExpression, place: Place) -> None:
    """Add what the call sets of vLLM's own arguments, which keys of the dict `given` must go with."""
    from npu_lsp.languages.shell.vllm import known, name_of

    key = Surface.VLLM, place.line.start, place.line.span(call)
    node, at = view.evaluate.container(given, place) or (given, place)
    view.blocks.begin(key, Surface.VLLM, at.line.span(node))
    view.blocks.keep(key)
    if last(call.func) not in _SERVERS:
        view.blocks.leave_open(key)
    for argument in call.args:
        entry = keyword_entry(view, argument, place, Form.KEYWORD)
        if argument.star:
            view.blocks.leave_open(key)
        elif entry is not None and name_of(entry.name) in known():
            view.blocks.add(key, entry.setting(Surface.VLLM, name_of(entry.name)))


def _assigned(view: SourceView, lines: list[LogicalLine]) -> Iterator[Given]:
    for assignment, place in view.assignments(lines):
        target, value = assignment.target, assignment.value
        index = index_of(target) if isinstance(target, cst.Subscript) else None
        named = last(target) == NAME or (index is not None and text_of(index) == NAME)
        if isinstance(value, cst.Tuple) and len(value.elements) == 1:
            # `additional_config={...},`: what a page shows of a call keeps its comma.
            value = value.elements[0].value
        if named and isinstance(value, cst.Dict):
            yield value, place


def _in_list(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """Yield what stands behind the flag in a list of words."""
    words = parts(node) if isinstance(node, (cst.List, cst.Tuple)) else []
    if isinstance(node, cst.Call):
        words = [argument.value for argument in positional(node) if not argument.star]
    return (value for flag, value in itertools.pairwise(words) if is_flag(text_of(flag)))


def _in_text(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """Yield what is put into a text behind the flag: `f"--additional-config={json.dumps(config)}"`, and in sums."""
    both: Iterable[tuple[cst.CSTNode, cst.CSTNode]] = ()
    if isinstance(node, cst.FormattedString):
        both = itertools.pairwise(node.parts)
    elif isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        before = node.left.right if isinstance(node.left, cst.BinaryOperation) else node.left
        both = ((before, node.right),)
    for text, value in both:
        given = _plain(value)
        if given is not None and _BEFORE.search(_text_of(text)):
            yield given


def _text_of(node: cst.CSTNode) -> str:
    if isinstance(node, cst.FormattedStringText):
        return node.value
    return text_of(node) or "" if isinstance(node, cst.BaseExpression) else ""


def _plain(node: cst.CSTNode) -> cst.BaseExpression | None:
    """Return an expression whose text is put in as it is."""
    if isinstance(node, cst.FormattedStringExpression):
        return node.expression if node.conversion is None and node.format_spec is None else None
    return node if isinstance(node, cst.BaseExpression) else None


def _word(view: SourceView, node: cst.BaseExpression, place: Place, depth: int = 0, *, texts: bool = True) -> None:
    """Add what the JSON of a word sets: a text, a dict that is written as one, or a name that stands for either for sure.

    Without `texts` only a dict: a text that stands in another one is read with the command around it.
    """
    if is_name(node):
        given = view.evaluate.definition(node, place) if depth < _DEEPEST else None
        if given is not None:
            _word(view, *given, depth + 1, texts=texts)
        return
    if isinstance(node, cst.Call) and path(node.func) in ("json.dumps", "dumps") and len(positional(node)) == 1:
        _mapping(view, positional(node)[0].value, place)
        return
    said = located(node, place.line.statement, lambda _: HOLE) if texts else None
    if said is None or not said.starts:
        return
    said = said.moved(place.line.start)
    if not view.first_sight(NAME, said.starts[0]):
        return
    text = said.said
    # Few scripts start anything, and none waits for what commands are put together with.
    from npu_lsp.languages.python.matchers.command_blocks import in_any_literal

    found = Injection(Kind.ADDITIONAL_CONFIG, text, said.places(), in_any_literal, branch=place.branch)
    region = region_of(found, view.nest)
    if region is not None:
        parsed = region.parsed()
        view.blocks.ready += parsed.blocks
        view.syntax += parsed.syntax
        view.regions.append(region)


def _mapping(view: SourceView, node: cst.BaseExpression, place: Place) -> None:
    entries = entries_of(view, node, place)
    if not entries.found:
        return
    key = NAME, place.line.start, place.line.span(node)
    view.blocks.begin(key, Surface.ADDITIONAL_CONFIG, entries.found[0].key)
    if not _settings(view, key, entries, "", 0):
        view.blocks.leave_open(key)


def _settings(view: SourceView, key: tuple[str, int, Span], entries: Entries, prefix: str, depth: int) -> bool:
    """Add what a dict sets, and the dicts within it; tell whether all of it could be seen."""
    complete = entries.complete
    for entry in entries.found:
        if not view.first_sight(NAME, entry.key):
            continue
        value, inner = entry.value, None
        if value.kind is ValueKind.DICT:
            inner = entries_of(view, entry.node, entry.place) if depth < _DEEPEST else None
            if isinstance(entry.node, cst.Dict):
                # Of what holds entries only the bracket is its own.
                start = entry.place.line.span(entry.node).start
                value = Value(ValueKind.DICT, Span(start, start + 1))
        own = entry.own if entry.form is Form.ITEM else entry.statement
        whole = entry._replace(value=value, own=own)
        view.blocks.add(key, whole.setting(Surface.ADDITIONAL_CONFIG, prefix + entry.name))
        if inner is not None:
            complete = _settings(view, key, inner, f"{prefix}{entry.name}.", depth + 1) and complete
        elif value.kind is ValueKind.UNKNOWN:
            complete = False
    return complete
