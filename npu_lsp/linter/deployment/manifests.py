"""Kubernetes files: the entries of each text in them, and what the containers of one get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from npu_lsp.linter.context import Context
from npu_lsp.linter.launch.launch import whole
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

if TYPE_CHECKING:
    from npu_lsp.languages.hosts.manifest import ManifestEntry

VALUES = ("value", "quoted")
Path = tuple[str, ...]
"""The keys that lead to an entry."""


_UNITS = {"m": 0.001, "": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15} | {
    f"{unit}i": 1 << (10 * power) for power, unit in enumerate("KMGTP", 1)
}
_OBJECT = re.compile(r"a(?:piVersion:|(?<![^\n]a)(?:pi|ip|p|i|ppi|pii)[Vv]\w{4,8}:)")
"""What a Kubernetes file has in front of each object, with a slip or without."""
_QUANTITY = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?)(?P<unit>[mkMGTP]|[KMGTP]i)?")


class ManifestContainer(NamedTuple):
    """What a container of a file gets."""

    pod: Path
    variables: Mapping[str, ManifestEntry]
    """The values that the file tells, by the names of the variables."""
    names: Mapping[str, ManifestEntry]
    """All variables."""
    mounts: tuple[ManifestEntry, ...]
    """The paths at which something is mounted."""
    npus: int | None
    """How many it asks for, where that is told."""
    twice: tuple[tuple[ManifestEntry, ManifestEntry], ...]
    """Variables with more than one value: the name where it stands first, and the last value."""


def manifests(context: Context) -> Sequence[Sequence[ManifestEntry]]:
    """Return the values of each text of a Kubernetes file; nothing for other files, and for templates."""
    return _VALUES(context.document)


def texts(document: Document) -> Sequence[Sequence[ManifestEntry]]:
    """Return the same of any document."""
    return _VALUES(document)


def keys(context: Context) -> Sequence[Sequence[ManifestEntry]]:
    """Return all entries of each text, those without a value on their line, too."""
    return _KEYS(context.document)


def every_key(document: Document) -> Sequence[Sequence[ManifestEntry]]:
    """Return the same of any document."""
    return _KEYS(document)


def _cut(document: Document) -> Sequence[Sequence[ManifestEntry]]:
    text = document.text
    if document.kind is not Kind.YAML or not _OBJECT.search(text) or "{{" in text or "{%" in text:
        return ()
    from npu_lsp.languages.hosts.manifest import entries

    parts: dict[int, list[ManifestEntry]] = {}
    for entry in entries(document):
        parts.setdefault(entry.part, []).append(entry)
    return tuple(parts.values())


_KEYS = Memoized(_cut)


def _valued(document: Document) -> Sequence[Sequence[ManifestEntry]]:
    return tuple(tuple(entry for entry in part if entry.kind in VALUES) for part in _KEYS(document))


_VALUES = Memoized(_valued)


def containers(found: Sequence[ManifestEntry]) -> list[ManifestContainer]:
    """Return the containers of one text."""
    pods: dict[Path, dict[Path, ManifestEntry]] = {}
    for entry in found:
        place = next((at for at, key in enumerate(entry.path) if key == "containers"), None)
        if place is not None and len(entry.path) > place + 2:
            pods.setdefault(entry.path[: place + 2], {})[entry.path[place + 2 :]] = entry
    return [_container(path, inner) for path, inner in pods.items()]


def _container(path: Path, inner: Mapping[Path, ManifestEntry]) -> ManifestContainer:
    values = {way[:-1]: entry for way, entry in inner.items() if way[0] == "env" and way[-1] == "value"}
    given = [
        (entry, values[way[:-1]])
        for way, entry in inner.items()
        if way[0] == "env" and way[-1] == "name" and way[:-1] in values
    ]
    variables = {name.text: value for name, value in given}
    names = {
        entry.text: entry for way, entry in inner.items() if way[0] == "env" and way[-1] == "name" and len(way) == 3
    }
    mounts = tuple(entry for way, entry in inner.items() if way[0] == "volumeMounts" and way[-1] == "mountPath")
    npus = [
        entry.text
        for way, entry in inner.items()
        if way[:2] == ("resources", "requests") and way[-1].startswith("huawei.com/")
    ]
    firsts = {name.text: (name, value) for name, value in reversed(given)}
    twice = tuple((name, variables[text]) for text, (name, value) in firsts.items() if variables[text] is not value)
    count = whole(npus[0]) if len(npus) == 1 else None
    return ManifestContainer(path, variables, names, mounts, count, twice)


def quantity(text: str) -> float | None:
    """Return how much a quantity of Kubernetes is, `None` where it is none."""
    match = _QUANTITY.fullmatch(text)
    return float(match["number"]) * _UNITS[match["unit"] or ""] if match is not None else None
