"""Turns the catalog's TOML files into what the loader reads.

TOML is for people; reading hundreds of files of it takes a second. The result is one file (see `store.py`) that is
built with a wheel, and in a checkout again whenever a file under `data/` has changed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.files import DATA, PLAIN, RECIPES, SIGNATURES, kept_in, option_files
from npu_lsp.catalog.merge import Facts, merged, told
from npu_lsp.catalog.model import as_text
from npu_lsp.catalog.surface_row import Typing
from npu_lsp.catalog.surfaces import where
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


Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FileOption:
    """One option as a file has it."""

    topic: str
    name: str
    """What it is called on a surface that gives no `name`."""
    data: Table


def entries(path: Path, data: Table, root: Path | None = None) -> list[FileOption]:
    """Return the options in the file at `path`, which holds `data`.

    Below `root`/files the topic starts with the format, since different formats use the same key: the file
    `files/aipp/input_format.toml`, or `[options.input_format]` in `files/aipp.toml`, is `aipp/input_format`.
    """
    if "rules" in data:
        return []
    prefix = ""
    if root is not None and path.is_relative_to(root / "files"):
        inside = path.relative_to(root / "files")
        prefix = f"{inside.with_suffix('').parts[0]}/"
    if "options" in data:
        return [FileOption(prefix + name, name, option) for name, option in data["options"].items()]
    return [FileOption(prefix + path.stem, path.stem, data)]


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
    for name in (SIGNATURES, RECIPES):
        compiled.plain[name] = {path.stem: read(path) for path in kept_in(name, folder)}
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


Names = Mapping[str, Mapping[str, str]]
"""Topic to surface to name."""

_MIRROR = {
    "conflicts": "conflicts",
    "together": "together",
    "must_equal": "must_equal",
    "must_differ": "must_differ",
    "overrides": "ignored_when",
    "ignored_when": "overrides",
}
_BESIDE = ("env", "vllm")
"""Where the other of a relation may be written: the environment, and the command that gets this one."""
_EVEN = frozenset(("conflicts", "together", "must_equal", "must_differ"))


def spread(topic: str, surface: str, relations: Iterable[Facts], names: Names) -> Iterator[tuple[str, Facts]]:
    """Yield (topic of the other, relation as it holds for `topic` on `surface`).

    The other is sought on the same surface, then among the environment variables and vLLM's own arguments; the option of the
    environment is related to the other on every surface that it has.
    """
    for relation in relations:
        only = relation.get("surfaces")
        other = other_topic(topic, surface, relation["other"], names)
        if other is None:
            continue
        there = names[other]
        plain = {key: value for key, value in relation.items() if key != "surfaces"}
        holds = only is None or surface in only
        where = next((each for each in (surface, *_BESIDE) if each in there), None)
        if where is not None:
            if holds:
                beside = {} if where == surface else {"other_surface": where}
                yield other, {**plain, "other": there[where], **beside}
        elif surface == "env":
            for elsewhere, name in there.items():
                if only is None or elsewhere in only or "env" in only:
                    yield other, {**plain, "other": name, "other_surface": elsewhere}


def other_topic(topic: str, surface: str, other: str, names: Names) -> str | None:
    """Return the topic that `other` means when the file of `topic` says it: a topic, or a name on `surface`."""
    if "/" in topic:
        sibling = f"{topic.split('/')[0]}/{other}"
        if sibling in names:
            return sibling
    if other in names:
        return other
    for side in (surface, *_BESIDE):
        found = next((each for each, there in names.items() if there.get(side) == other), None)
        if found is not None:
            return found
    return None


def mirrored(surface: str, name: str, other_surface: str, relation: Facts) -> Facts | None:
    """Return what `relation` of the option `name` on `surface` says about the other, or `None`."""
    kind = _MIRROR.get(relation["kind"])
    if kind is None or relation.get("other_not"):
        return None
    back: Facts = {"kind": kind, "other": name, "source": relation["source"], "mirrored": True}
    for here, there in (("values", "other_values"), ("other_values", "values")):
        if relation.get(here):
            back[there] = relation[here]
    for key in ("rejected", "result", "extent", "stays", "when"):
        if key in relation:
            back[key] = relation[key]
    if surface != other_surface:
        back["other_surface"] = surface
    return back


def joined(stated: Sequence[Facts], back: Iterable[Facts], name: str) -> list[Facts]:
    """Return the relations that an option states, and those from the other side that it doesn't state itself.

    Where both sides state the same, one of them counts as mirrored: of an even relation that of the later name, else
    the one that wins.
    """
    found = list(stated)
    place = {_key(relation): number for number, relation in enumerate(found)}
    for relation in back:
        number = place.setdefault(_key(relation), len(found))
        if number == len(found):
            found.append(relation)
        elif relation["kind"] == "overrides" or (relation["kind"] in _EVEN and name > relation["other"]):
            found[number] = {**found[number], "mirrored": True}
    return found


def _key(relation: Facts) -> tuple[Any, ...]:
    narrow = tuple(tuple(map(repr, relation.get(key, ()))) for key in ("values", "other_values", "other_not"))
    return (relation["kind"], relation["other"], relation.get("other_surface"), *narrow)


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


_QUOTED = "{quoted}"
_TEXTS = frozenset(
    surface.value
    for surface in where(lambda row: row.typing in (Typing.WORDS, Typing.TEXTS) or _QUOTED in (row.example or ""))
)
"""Surfaces that take every value as text, so that `1` and `"1"` say the same there."""
_PYTHON: dict[str, tuple[type, ...]] = {
    "s": (str,),
    "i": (int,),
    "f": (float, int),
    "b": (bool,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "string": (str,),
    "path": (str,),
    "member": (str,),
}


def has_type(surface: str, facts: Facts, value: object) -> bool:
    """Return whether `value` has the type that the surface, or the slot, takes. Text is right on text surfaces."""
    wanted = _PYTHON.get(facts.get("slot") or facts.get("type", ""))
    if wanted is None or surface in _TEXTS:
        return True
    return isinstance(value, wanted) and (bool in wanted or not isinstance(value, bool))


def takes(surface: str, facts: Facts, value: object) -> bool:
    """Return whether `facts` let the surface have `value`; grammars are not asked."""
    if not has_type(surface, facts, value):
        return False
    values = [each["value"] if isinstance(each, dict) else each for each in facts.get("values", ())]
    if values and not facts.get("open"):
        return any(_same(surface, facts, value, other) for other in values)
    number = _number(value) if facts.get("type") in ("int", "float") else None
    if number is None:
        return True
    low, high = facts.get("minimum"), facts.get("maximum")
    above = facts.get("above")
    return (low is None or number >= low) and (high is None or number <= high) and (above is None or number > above)


def taken(surface: str, facts: Facts, values: Iterable[object]) -> list[object]:
    """Return those of `values` that fit, each once: where every value is text, `true` says what `"true"` says."""
    found: list[object] = []
    for value in values:
        if takes(surface, facts, value) and not any(_same(surface, facts, value, other) for other in found):
            found.append(value)
    return found


def _same(surface: str, facts: Facts, one: object, other: object) -> bool:
    if surface in _TEXTS:
        one, other = as_text(one), as_text(other)
    if isinstance(one, str) and isinstance(other, str) and facts.get("case_sensitive") is False:
        return one.lower() == other.lower()
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _number(value: object) -> float | None:
    if not isinstance(value, (str, int, float)):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _narrowed(relation: Facts, surface: str, facts: Facts, there: str, other: Facts) -> Facts | None:
    """Return the relation with the values that the two surfaces take, or `None` where none of a list is left.

    A file writes one relation for surfaces that spell a value differently (`true`, `"1"`).
    """
    made = dict(relation)
    for key, side, what in (("values", surface, facts), ("other_values", there, other), ("other_not", there, other)):
        if relation.get(key):
            made[key] = taken(side, what, relation[key])
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
