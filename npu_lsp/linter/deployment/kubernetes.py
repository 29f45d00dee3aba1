"""What Kubernetes says of the fields of a file: the types of `catalog/data/kubernetes.toml`, followed along the keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.near import alike
from npu_lsp.linter.deployment.manifests import VALUES, Path
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

if TYPE_CHECKING:
    from npu_lsp.languages.hosts.manifest import ManifestEntry

_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0o?[0-7]+|[0-9]+)")
_UNBOUNDED = 2**31 - 1
_CLOSE = 0.6
_OCTAL = re.compile(r"0o?[0-7]+")
_DECIMAL = re.compile(r"[1-7][0-7]{2}")
_SWITCH = re.compile(r"(?i:true|false|yes|no|on|off)")
_NO_TEXT = re.compile(r"[-+]?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|(?i:true|false)")
_NOTHING = frozenset({"null", "~", ""})
_OPEN = re.compile(r"[$<%]|\Ax+\Z")
"""What somebody fills in."""
_RESOURCES = re.compile(r"cpu|memory|storage|pods|ephemeral-storage|hugepages-\w+|.*/.*")
"""What `requests` and `limits` name: others have the domain of their vendor (kubernetes: `pkg/apis/core/helper`)."""
_PLACED_LATER = frozenset({"EnvVar.value"})
"""Texts that other rules look at."""


class FieldMistake(NamedTuple):
    """A field that Kubernetes refuses, and why."""

    kind: str
    """`field`, `text`, `number`, `switch`, `quote`, `range`, `mode`, `word`, `list`, `no-list`, `missing`, `again` or `glued`."""
    span: Span
    name: str
    value: str = ""
    expected: str = ""
    """What may stand there."""
    near: str = ""
    """What was probably meant."""


class _Schema(NamedTuple):
    kinds: Mapping[str, str]
    types: Mapping[str, Mapping[str, str]]
    ranges: Mapping[str, Sequence[int]]
    words: Mapping[str, Sequence[str]]


@lru_cache(maxsize=2)
def _schema(catalog: Catalog) -> _Schema:
    facts = catalog.plain("kubernetes")
    types = {
        name: dict(field.partition(":")[::2] for field in said.split()) for name, said in facts.get("types", {}).items()
    }
    return _Schema(facts.get("kinds", {}), types, facts.get("ranges", {}), facts.get("words", {}))


# branches: one arm for each kind of entry.
def mistakes(entries: Sequence[ManifestEntry], catalog: Catalog, *, whole: bool) -> Iterator[FieldMistake]:
    """Yield what Kubernetes refuses of one text; a file that is not `whole` lacks nothing."""
    schema = _schema(catalog)
    head = {entry.path[0]: entry.text for entry in entries if len(entry.path) == 1}
    root = schema.kinds.get(f"{head.get('kind')} {head.get('apiVersion')}")
    if root is None:
        return
    types: dict[Path, str] = {(): root}
    children: dict[Path, list[ManifestEntry]] = {}
    seen: set[Path] = set()
    again: set[Path] = set()
    meant: set[tuple[Path, str]] = set()
    for entry in entries:
        around = _type_at(entry.path[:-1], types, schema)
        if around in schema.types:
            children.setdefault(entry.path[:-1], []).append(entry)
        if entry.kind == "glued":
            if entry.path[-1] in schema.types.get(around, ()):
                yield FieldMistake("glued", entry.key, entry.path[-1], entry.text)
            continue
        if entry.path in seen and around:
            if entry.path[:-1] not in again:
                yield FieldMistake("again", entry.key, entry.path[-1])
            again.add(entry.path)
        seen.add(entry.path)
        told = _type_at(entry.path, types, schema)
        if around == "any" and entry.path[-2] in ("requests", "limits"):
            if not _RESOURCES.fullmatch(entry.path[-1]):
                yield FieldMistake("field", entry.key, entry.path[-1])
        elif not told:
            for mistake in _unknown(entry, types, schema):
                meant.add((entry.path[:-1], mistake.near))
                yield mistake
        elif entry.kind in VALUES and not around.startswith("{"):
            yield from _value(entry, f"{around}.{entry.path[-1]}", told, schema)
        if entry.kind == "other":
            # What is in braces may go on for lines.
            types[entry.path] = ""
    if whole:
        for path, inside in children.items():
            here = {entry.path[-1] for entry in inside} | {name for around, name in meant if around == path}
            lacks = [
                name for name, said in schema.types[types[path]].items() if said.endswith("!") and name not in here
            ]
            if lacks and here & schema.types[types[path]].keys():
                last = next((key for key in reversed(path) if not key.startswith("[")), "")
                yield FieldMistake("missing", inside[0].key, last, expected=", ".join(lacks))


def _type_at(path: Path, types: dict[Path, str], schema: _Schema) -> str:
    """Return what stands at a path: a type, `[T]`, `{T}`, or nothing where nobody knows."""
    found = types.get(path)
    if found is None:
        around, key = _type_at(path[:-1], types, schema), path[-1]
        if around.startswith("["):
            found = around[1:-1] if key.startswith("[") else ""
        elif around.startswith("{"):
            found = around[1:-1]
        else:
            found = schema.types.get(around, {}).get(key, "").rstrip("!")
        types[path] = found
    return found


def _unknown(entry: ManifestEntry, types: dict[Path, str], schema: _Schema) -> Iterator[FieldMistake]:
    """Tell a key that its type has not, and a `-` too many or too few."""
    key, around = entry.path[-1], types[entry.path[:-1]]
    fields = schema.types.get(around)
    if fields is not None:
        plain = {_plain(name): name for name in fields}
        near = plain.get(_plain(key)) or alike(key, fields, _CLOSE) or ""
        yield FieldMistake("field", entry.key, key, near=near)
    elif around.startswith("["):
        types[entry.path[:-1]] = ""
        yield FieldMistake("list", entry.key, entry.path[-2])
    elif len(entry.path) > 2 and entry.path[-2] == "[0]" and types[entry.path[:-2]] in schema.types:
        yield FieldMistake("no-list", entry.key, entry.path[-3])


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


# branches: one arm for each type.
def _value(entry: ManifestEntry, full: str, told: str, schema: _Schema) -> Iterator[FieldMistake]:
    text, name, quoted = entry.text, entry.path[-1], entry.kind == "quoted"
    if _OPEN.search(text) or (text in _NOTHING and not quoted):
        return
    kind = expected = near = ""
    if told in ("number", "any"):
        if _NUMBER.fullmatch(text) is None:
            kind = "number" if told == "number" else ""
        elif quoted:
            kind = "quote" if told == "number" else ""
        elif name in schema.ranges:
            low, high = schema.ranges[name]
            kind = "" if low <= _int(text) <= high else "range"
            expected = f">= {low}" if high == _UNBOUNDED else f"{low}–{high}"
            if kind and name == "defaultMode" and _DECIMAL.fullmatch(text):
                kind, near = "mode", f"0{text}"
    elif told == "switch":
        kind = "switch" if not _SWITCH.fullmatch(text) else "quote" if quoted else ""
    elif told == "text":
        words = schema.words.get(full)
        if words is not None and text.partition("[")[0] not in words:
            kind, expected = "word", ", ".join(filter(None, words))
            near = alike(text, words, 0.5) or ""
        elif not quoted and full not in _PLACED_LATER and _NO_TEXT.fullmatch(text):
            kind = "text"
    elif told.startswith("["):
        kind = "list"
    if kind:
        yield FieldMistake(kind, entry.span, name, text, expected, near)


def _int(text: str) -> int:
    return int(text.lstrip("0o") or "0", 8) if _OCTAL.fullmatch(text) else int(text, 0)
