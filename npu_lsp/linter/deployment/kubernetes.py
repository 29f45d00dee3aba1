"""What Kubernetes says of the fields of a file: the types of `catalog/data/kubernetes.toml`, followed along the keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.near import alike, nearest
from npu_lsp.languages.placeholders import is_placeholder
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
_SWITCH = re.compile(r"(?i:true|false|yes|no|on|off|y|n)")
_NO_TEXT = re.compile(r"[-+]?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|(?i:true|false)")
_NOTHING = frozenset({"null", "~", ""})
_OPEN = re.compile(r"[$<%]|\Ax+\Z")
"""What somebody fills in."""
_PUT_IN = re.compile(r"[A-Z][A-Z0-9_]*")
"""What a script puts a number or a switch in the place of."""
_OF_WHOLE = frozenset({"selector", "template", "containers", "image"})
"""What is missing together where a file is a part that is laid over another one."""
_RESOURCES = re.compile(r"cpu|memory|storage|pods|ephemeral-storage|hugepages-\w+|.*/.*")
"""What `requests` and `limits` name: others have the domain of their vendor (kubernetes: `pkg/apis/core/helper`)."""
_FRAMEWORKS = ("pytorch", "mindspore", "tensorflow")
_ROLES = ("Master", "Worker", "Scheduler", "Chief")
_CONTAINER = "ascend"
"""What an AscendJob is labelled with, what its pods are, and how the container of each must be called."""
_AMOUNTS = ("cpu", "memory", "ephemeral-storage")
_TOP = ("apiVersion", "kind", "metadata", "spec")
_SINGLE = frozenset({"text", "number", "switch"})
_BRACKETS = "[]\"' "
_PLACED_LATER = frozenset({"EnvVar.value"})
"""Texts that other rules look at."""


class FieldMistake(NamedTuple):
    """A field that Kubernetes refuses, and why."""

    kind: str
    """`field`, `text`, `number`, `switch`, `quote`, `range`, `mode`, `word`, `list`, `no-list`, `single`,
    `missing`, `again` or `glued`."""
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


def kind_of(entries: Sequence[ManifestEntry], catalog: Catalog) -> str | None:
    """Return the type of what one text describes, `None` where it isn't known."""
    head = _head(entries)
    kind, version = (head[key].text.strip(_BRACKETS) if key in head else "" for key in ("kind", "apiVersion"))
    return _schema(catalog).kinds.get(f"{kind} {version}")


def _head(entries: Sequence[ManifestEntry]) -> Mapping[str, ManifestEntry]:
    """Return the top-level entries of one Kubernetes document, by key."""
    return {entry.path[0]: entry for entry in entries if len(entry.path) == 1}


# branches: one arm for each kind of entry.
def mistakes(entries: Sequence[ManifestEntry], catalog: Catalog, *, whole: bool) -> Iterator[FieldMistake]:
    """Yield what Kubernetes refuses of one text; a file that is not `whole` lacks nothing."""
    schema = _schema(catalog)
    root = kind_of(entries, catalog)
    if root is None:
        yield from _version(entries, schema)
        return
    types: dict[Path, str] = {(): root}
    children: dict[Path, list[ManifestEntry]] = {}
    seen: set[Path] = set()
    again: set[Path] = set()
    meant: dict[Path, set[str]] = {}
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
                meant.setdefault(entry.path[:-1], set()).add(mistake.near)
                yield mistake
        elif entry.kind in VALUES and not around.startswith("{"):
            yield from _value(entry, f"{around}.{entry.path[-1]}", told, schema)
        if entry.kind == "other":
            if told in _SINGLE and entry.text[:1] == "[":
                yield FieldMistake("single", entry.key, entry.path[-1])
            # What is in braces may go on for lines.
            types[entry.path] = ""
    if whole:
        yield from _missing(children, meant, types, schema)


# branches: one arm for each place whose words are known.
def words_at(entries: Sequence[ManifestEntry], entry: ManifestEntry, catalog: Catalog, *, value: bool) -> Sequence[str]:
    """Return the keys that may stand in the place of an entry's key, or the words that its key may have as a `value`."""
    schema, told = _schema(catalog), catalog.plain("deployment")
    key, around = entry.path[-1], entry.path[-2] if len(entry.path) > 1 else ""
    if value and len(entry.path) == 1 and key in ("kind", "apiVersion"):
        other = _head(entries).get("apiVersion" if key == "kind" else "kind")
        pairs = [said.split(" ") for said in schema.kinds]
        mine = {pair[key == "apiVersion"] for pair in pairs if other is not None and other.text in pair}
        return sorted(mine or {pair[key == "apiVersion"] for pair in pairs})
    if not value and around in ("requests", "limits"):
        return [*_AMOUNTS, *told["resources"]["names"]]
    if not value and around in ("labels", "matchLabels", "annotations", "nodeSelector"):
        return [*told["labels"]["names"]]
    root = kind_of(entries, catalog)
    if root == "AscendJob" and entry.path[:-1] == ("spec", "replicaSpecs"):
        return _ROLES
    types: dict[Path, str] = {(): root or ""}
    inside = _type_at(entry.path[:-1], types, schema)
    if not value:
        there = {each.path[-1] for each in entries if each.path[:-1] == entry.path[:-1] and each is not entry}
        fields = schema.types.get(inside, () if len(entry.path) > 1 or root else _TOP)
        return [name for name in fields if name not in there]
    if key == "framework" and around == "labels":
        return _FRAMEWORKS
    if root == "AscendJob" and inside == "Container" and key == "name":
        return (_CONTAINER,)
    words = [*filter(None, schema.words.get(f"{inside}.{key}", ())), *told["words"]["of"].get(key, ())]
    return words or (("true", "false") if _type_at(entry.path, types, schema) == "switch" else ())


def _version(entries: Sequence[ManifestEntry], schema: _Schema) -> Iterator[FieldMistake]:
    """Yield a misspelt `apiVersion`, told by those that the object's kind has, or one of the two keys misspelt, told by both values."""
    head = _head(entries)
    kind, version = head.get("kind"), head.get("apiVersion")
    if kind is None or version is None:
        lacking = "kind" if kind is None else "apiVersion"
        for key, entry in head.items():
            said = f"{(kind or entry).text} {(version or entry).text}"
            if said in schema.kinds and alike(key, (lacking,), _CLOSE):
                yield FieldMistake("field", entry.key, key, near=lacking)
        return
    known = {said.partition(" ")[2] for said in schema.kinds if said.partition(" ")[0] == kind.text}
    near = nearest(version.text, known)
    if near is not None:
        yield FieldMistake("word", version.span, "apiVersion", version.text, ", ".join(sorted(known)), near)


def _missing(
    children: Mapping[Path, Sequence[ManifestEntry]],
    meant: Mapping[Path, set[str]],
    types: Mapping[Path, str],
    schema: _Schema,
) -> Iterator[FieldMistake]:
    """Tell what must be there and isn't; nothing of a text that is laid over another one."""
    found: list[FieldMistake] = []
    lacking: set[str] = set()
    has_image = False
    for path, inside in children.items():
        fields = schema.types.get(types[path], {})
        here = {entry.path[-1] for entry in inside} | meant.get(path, set())
        lacks = [name for name, said in fields.items() if said.endswith("!") and name not in here]
        has_image |= "image" in here
        if lacks and here & fields.keys():
            last = next((key for key in reversed(path) if not key.startswith("[")), "")
            found.append(FieldMistake("missing", inside[0].key, last, expected=", ".join(lacks)))
            lacking.update(lacks)
    if len(lacking & _OF_WHOLE) < 2 and ("selector" not in lacking or has_image):
        yield from found


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
        # What belongs into a field beside it is no other name for that.
        inner = any(key in schema.types.get(said.rstrip("!"), ()) for said in fields.values())
        near = plain.get(_plain(key)) or (None if inner else alike(key, fields, _CLOSE)) or ""
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
    if _OPEN.search(text) or is_placeholder(text) or (text in _NOTHING and not quoted):
        return
    kind = expected = near = ""
    if told in ("number", "any"):
        if _NUMBER.fullmatch(text) is None:
            kind = "number" if told == "number" and not _PUT_IN.fullmatch(text) else ""
        elif quoted:
            kind = "quote" if told == "number" else ""
        elif name in schema.ranges:
            low, high = schema.ranges[name]
            kind = "" if low <= _int(text) <= high else "range"
            expected = f">= {low}" if high == _UNBOUNDED else f"{low}–{high}"
            if kind and name == "defaultMode" and _DECIMAL.fullmatch(text):
                kind, near = "mode", f"0{text}"
    elif told == "switch":
        kind = (
            ("" if _PUT_IN.fullmatch(text) else "switch") if not _SWITCH.fullmatch(text) else "quote" if quoted else ""
        )
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
    digits = text.lstrip("+-").lower()
    # Of `08` nobody makes an octal number, and what is so long is in no range.
    number = int(digits[:40], 16 if digits.startswith("0x") else 8 if _OCTAL.fullmatch(digits) else 10)
    return -number if text.startswith("-") else number
