"""Turns the catalog's TOML files into what the loader reads.

TOML is for people; reading hundreds of files of it takes a second. The result is one file (see `store.py`) that is
built with a wheel, and in a checkout again whenever a file under `data/` has changed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.files import DATA, PLAIN, SIGNATURES, option_files, signature_files
from npu_lsp.catalog.fit import taken
from npu_lsp.catalog.merge import Facts, merged
from npu_lsp.catalog.relations import joined, mirrored, other_topic, spread
from npu_lsp.catalog.topics import FileOption, entries
from npu_lsp.catalog.value_texts import told
from npu_lsp.catalog.vocabulary import MOVES
from npu_lsp.text.toml import TomlError, read

_log = logging.getLogger(__name__)

IN_DOCS = ("text", "note", "page")
"""What a surface says to people alone."""


@dataclass(slots=True)
class Compiled:
    """The catalog as plain data, ready for JSON."""

    names: dict[str, dict[str, str]] = field(default_factory=dict)
    """Surface to name to topic."""
    aliases: dict[str, dict[str, str]] = field(default_factory=dict)
    """Surface to other spelling to name."""
    facts: dict[str, dict[str, Facts]] = field(default_factory=dict)
    """Surface to name to facts."""
    written: dict[str, dict[str, list[Facts]]] = field(default_factory=dict)
    """Surface to name to relations as the files have them, for catalogs that are extended later."""
    docs: dict[str, Facts] = field(default_factory=dict)
    """Topic to docs."""
    rules: dict[str, Facts] = field(default_factory=dict)
    """Fusion rule to facts and docs."""
    plain: dict[str, Facts] = field(default_factory=dict)
    """The files that facts refer to, by name without suffix."""

    def each(self) -> Iterator[tuple[str, str, Facts]]:
        """Yield (surface, name, facts) of every option."""
        for surface, options in self.facts.items():
            for name, facts in options.items():
                yield surface, name, facts


def compile_folder(folder: Path = DATA, *, strict: bool = True) -> Compiled:
    """Return the catalog that the files below `folder` hold.

    Raises `CatalogError` for a file that can't be read or used; unless `strict`, leaves it out and logs that: in a
    checkout somebody is writing one.
    """
    found: dict[str, FileOption] = {}
    rules: dict[str, Facts] = {}
    for path in option_files(folder):
        try:
            data = read(path)
            for entry in entries(path, data, folder):
                merged(entry.name, entry.data)
                _docs(entry.data)
                found[entry.topic] = entry
            for name, rule in data.get("rules", {}).items():
                rules[name] = {**rule, "kind": path.stem}
        except (OSError, TomlError, AttributeError, KeyError, TypeError, ValueError) as error:
            if strict:
                raise CatalogError(path, getattr(error, "line", None), str(error)) from error
            _log.warning("%s is left out of the catalog: %s", path, error)
    compiled = _compile_entries(found.values())
    compiled.rules = rules
    for name in PLAIN:
        if (folder / name).exists():
            compiled.plain[Path(name).stem] = read(folder / name)
    compiled.plain[SIGNATURES] = {path.stem: read(path) for path in signature_files(folder)}
    return compiled


def _compile_entries(found: Iterable[FileOption]) -> Compiled:
    """Return the catalog with these options, each topic standing for itself."""
    compiled = Compiled()
    for entry in found:
        compiled.docs[entry.topic] = _docs(entry.data)
        for surface, facts in merged(entry.name, entry.data).items():
            facts["group"] = entry.data.get("group", "")
            add(compiled, surface, entry.topic, facts, entry.data.get("values", {}))
    relate(compiled)
    return compiled


def add(compiled: Compiled, surface: str, topic: str, facts: Facts, texts: Mapping[str, Any]) -> None:
    """Add what one surface has of one option, with its relations as they are written."""
    name = facts["name"]
    own = {key: value for key, value in facts.items() if key not in (*IN_DOCS, "name")}
    own["values"] = [told(value, texts) for value in facts["values"]]
    own["topic"] = topic
    compiled.names.setdefault(surface, {})[name] = topic
    compiled.facts.setdefault(surface, {})[name] = {key: value for key, value in own.items() if value != []}
    for alias in facts.get("aliases", ()):
        compiled.aliases.setdefault(surface, {})[alias] = name


def relate(compiled: Compiled) -> None:
    """Replace the relations as written by those that hold, on both sides; topics become names."""
    names: dict[str, dict[str, str]] = {}
    for surface, name, facts in compiled.each():
        names.setdefault(facts["topic"], {})[surface] = name
    stated: dict[tuple[str, str], list[Facts]] = {}
    back: dict[tuple[str, str], list[Facts]] = {}
    for surface, name, facts in compiled.each():
        for other, relation in spread(facts["topic"], surface, facts.get("relations", ()), names):
            there = relation.get("other_surface", surface)
            narrowed = _narrowed(relation, surface, facts, there, compiled.facts[there][relation["other"]])
            if narrowed is None:
                continue
            stated.setdefault((surface, name), []).append(narrowed)
            mirror = mirrored(surface, name, there, narrowed)
            if mirror is not None:
                back.setdefault((there, names[other][there]), []).append(mirror)
        _rename(facts, surface, names)
    for surface, name, facts in compiled.each():
        written = facts.pop("relations", None)
        if written:
            compiled.written.setdefault(surface, {})[name] = written
        both = joined(stated.get((surface, name), ()), back.get((surface, name), ()), name)
        if both:
            facts["relations"] = both


def _narrowed(relation: Facts, surface: str, facts: Facts, there: str, other: Facts) -> Facts | None:
    """Return the relation with the values that the two surfaces take, or `None` where none of a list is left.

    A file writes one relation for surfaces that spell a value differently (`true`, `"1"`).
    """
    made = dict(relation)
    for key, where, what in (("values", surface, facts), ("other_values", there, other), ("other_not", there, other)):
        if relation.get(key):
            made[key] = taken(where, what, relation[key])
            if not made[key]:
                return None
    return made


def _rename(facts: Facts, surface: str, names: Mapping[str, Mapping[str, str]]) -> None:
    """Turn topics into names in replacements and conditions."""

    def name_of(other: str) -> str:
        topic = other_topic(facts["topic"], surface, other, names)
        return names[topic].get(surface, other) if topic is not None else other

    for key in MOVES:
        if facts.get(key) and "replacement" in facts[key]:
            facts[key] = {**facts[key], "replacement": name_of(facts[key]["replacement"])}
    for key in ("required", "only_when"):
        if facts.get(key):
            facts[key] = [
                {**each, "when": {name_of(other): values for other, values in each["when"].items()}}
                for each in facts[key]
            ]


def _docs(data: Mapping[str, Any]) -> Facts:
    """Return what a person reads, apart from the facts."""
    docs: Facts = {key: data[key] for key in ("summary", "text") if key in data}
    values = {key: {"en": each["en"], "zh": each["zh"]} for key, each in data.get("values", {}).items()}
    if values:
        docs["values"] = values
    for surface, facts in merged("", data).items():
        own = {key: facts[key] for key in IN_DOCS if key in facts}
        if own:
            docs.setdefault("on", {})[surface] = own
    return docs
