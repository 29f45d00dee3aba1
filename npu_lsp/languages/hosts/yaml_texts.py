"""Values of variables that must be texts and that YAML reads as numbers or as true and false: in Pods, and in what Ray gets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from npu_lsp.languages.hosts.scalars import flow_scalar
from npu_lsp.languages.hosts.yaml_flow import parse
from npu_lsp.languages.hosts.yaml_lines import BLOCK, ENTRY, ITEM, Walker
from npu_lsp.languages.model import SyntaxFinding
from npu_lsp.languages.variable_texts import no_text
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_NO_TEXT = re.compile(
    # What the readers of YAML for Go and for Python agree on.
    r"[-+]?(?:0|[1-9]\d*)(?:\.\d+)?|0x[\da-fA-F]+|true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF"
)
_CONTAINERS = frozenset({"containers", "initContainers", "ephemeralContainers"})
_OF_RAY = frozenset({"working_dir", "py_modules", "pip", "conda", "uv", "excludes", "container", "image_uri"})
"""What stands beside `env_vars` in a file that says what Ray's workers get."""
_TOP = re.compile(r"(?m)^(?P<key>[A-Za-z_]\w*)[ ]*:")
_NEXT = re.compile(r"(?m)^---(?=\s|\Z)")


class _Key(NamedTuple):
    """A key around a line."""

    column: int
    name: str


class _Given(NamedTuple):
    """A variable in a list of names and values, as far as its item has been read."""

    name: str = ""
    value: Span | None = None


def no_texts(document: Document) -> Iterator[SyntaxFinding]:
    """Yield the values of variables that their taker refuses, since they have no quotes."""
    text = document.text
    if "env_vars" not in text and not ("apiVersion" in text and "ontainers" in text):
        return
    walker, lines = Walker(document), _Lines(text)
    while walker.line < document.line_count:
        span = document.line_span(walker.line)
        following = _NEXT.match(text, span.start) is not None
        if following or walker.line == 0:
            lines.begin(span.end if following else span.start)
        walker.line += 1
        entry = ENTRY.fullmatch(text, *span)
        yield from lines.entry(entry) if entry is not None else lines.item(span)
        if entry is not None and BLOCK.fullmatch(entry["rest"]):
            walker.skip(len(entry["indent"]) + len(entry["dashes"]))


class _Lines:
    """What stands around a line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._around: list[_Key] = []
        self._given = _Given()
        self._top: frozenset[str] = frozenset()

    def begin(self, start: int) -> None:
        """Go to another document of the same file, whose lines begin at `start`."""
        self._around, self._given, self._top = [], _Given(), _top(self._text, start)

    def entry(self, entry: re.Match[str]) -> Iterator[SyntaxFinding]:
        """Yield what is wrong with `key: value`."""
        column = len(entry["indent"]) + len(entry["dashes"])
        while self._around and self._around[-1].column >= column:
            self._around.pop()
        key = entry["key"].strip("\"'")
        if _is_env(self._around, self._top):
            yield from self._named(entry, key)
        elif _is_ray(self._around, self._top) and (value := _no_text(self._text, entry)) is not None:
            yield from _finding(self._text, key, value, "ray")
        self._around.append(_Key(column, key))

    def item(self, span: Span) -> Iterator[SyntaxFinding]:
        """Yield what is wrong with a line that is no `key: value`."""
        if _is_env(self._around, self._top):
            yield from _in_braces(self._text, span)

    def _named(self, entry: re.Match[str], key: str) -> Iterator[SyntaxFinding]:
        """Take a line of `- name: X` with `value: 1`, in whatever order."""
        given = _Given() if entry["dashes"] else self._given
        given = given._replace(name=entry["rest"].strip("\"' ")) if key == "name" else given
        self._given = given = given._replace(value=_no_text(self._text, entry)) if key == "value" else given
        if key in ("name", "value") and given.value is not None and given.name:
            yield from _finding(self._text, given.name, given.value, "kubernetes")


def _top(text: str, start: int) -> frozenset[str]:
    """Return the keys that stand furthest out in the document that begins at `start`."""
    following = _NEXT.search(text, start)
    return frozenset(m["key"] for m in _TOP.finditer(text, start, following.start() if following else len(text)))


def _is_env(around: list[_Key], top: frozenset[str]) -> bool:
    """Return whether a line is one of the variables of a container in an object of Kubernetes."""
    named = len(around) > 1 and around[-1].name == "env" and around[-2].name in _CONTAINERS
    return named and {"apiVersion", "kind"} <= top


def _is_ray(around: list[_Key], top: frozenset[str]) -> bool:
    """Return whether a line is one of the variables that Ray gives its workers."""
    if not around or around[-1].name != "env_vars":
        return False
    return around[-2].name == "runtime_env" if len(around) > 1 else not top.isdisjoint(_OF_RAY)


def _no_text(text: str, entry: re.Match[str]) -> Span | None:
    """Return the place of a plain value that YAML reads as a number, a truth or null; `None` where it reads a text."""
    scalar = flow_scalar(text, Span(*entry.span("rest"))) if not entry["tag"].strip() else None
    return scalar.span if scalar is not None and _NO_TEXT.fullmatch(text, *scalar.span) else None


def _in_braces(text: str, line: Span) -> Iterator[SyntaxFinding]:
    """Yield what is wrong with `- {name: X, value: 1}`."""
    item = ITEM.fullmatch(text, *line)
    node = parse(text, item.start("rest"), line.end) if item is not None and item["rest"].startswith("{") else None
    if node is None:
        return
    found = {text[slice(*key)].strip("\"'"): each for key, each in zip(node.keys, node.items, strict=True) if key}
    name, value = found.get("name"), found.get("value")
    if name is not None and value is not None and not value.kind and _NO_TEXT.fullmatch(text, *value.span):
        yield from _finding(text, text[slice(*name.span)].strip("\"'"), value.span, "kubernetes")


def _finding(text: str, name: str, value: Span, taker: Literal["kubernetes", "ray"]) -> Iterator[SyntaxFinding]:
    said = text[slice(*value)]
    return no_text(name, value, said, f'"{said}"', taker)
