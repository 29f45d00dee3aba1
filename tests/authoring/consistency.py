"""What a catalog file may say by its form and still get wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from npu_lsp.catalog.compile import FileOption, Names, has_type, other_topic, spread, takes
from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.merge import Facts, key_of, merged
from npu_lsp.catalog.target import Version
from npu_lsp.text.toml_shape import ShapeProblem
from tests.authoring import effects
from tests.authoring.leaks import leaks

_COMPARED = ("must_equal", "must_differ", "greater_than", "at_least")
"""Kinds of relations that compare two values."""
_DATED = ("since", "seen", "undated")
"""What tells when an option came, or that nothing does."""
NAMED = frozenset({"vllm", "vllm_args", "sglang", "sglang_args"})
"""Surfaces whose values a script reads from parsers: names of backends, parsers and types, which say what there is to say."""
_LOWER = re.compile(r"[a-z]+\b(?![-_.])")
"""A word in lower case; `torch_npu` is a name."""
_NAMES_RELEASE = re.compile(r"@.|/(?:tree|blob|commit)/|/r?\d+(?:\.\w+)+/")
"""A tag behind a path, an address of one commit, or a page of one release."""


def option_problems(topic: str, data: Mapping[str, Any], known: Mapping[str, frozenset[str]]) -> Iterator[ShapeProblem]:
    """Yield what is wrong inside one option whose form is right.

    `known` holds the ids of `products`, `versions` and `sources` that exist.
    """
    yield from _sentences(data)
    yield from _references(data, "", known)
    texts: Mapping[str, Any] = data.get("values", {})
    used: set[str] = set()
    surfaces = merged(topic, data)
    for surface, facts in surfaces.items():
        yield from _surface(surface, facts, texts, used)
    yield from leaks(data, surfaces)
    for key in texts:
        if key not in used:
            yield ShapeProblem(f"values.{key}", "no surface allows this value")
    for own, number, relation in _stated(data, surfaces):
        place = f"{own + '.' if own else ''}relations[{number}]"
        yield from effects.problems(relation, place)
        for surface in relation.get("surfaces", ()):
            if surface not in surfaces:
                yield ShapeProblem(place, f"the file has no table {surface!r}")


def _stated(data: Mapping[str, Any], surfaces: Iterable[str]) -> Iterator[tuple[str, int, Facts]]:
    """Yield (surface whose table states it, or "", number, relation) as the file has them."""
    for own, table in (("", data), *((surface, data[surface]) for surface in surfaces)):
        yield from ((own, *each) for each in enumerate(table.get("relations", ())))


def _sentences(data: Mapping[str, Any]) -> Iterator[ShapeProblem]:
    summary = data["summary"]
    if not summary["en"].rstrip().endswith("."):
        yield ShapeProblem("summary.en", "must end with a full stop")
    if not summary["zh"].rstrip().endswith("。"):
        yield ShapeProblem("summary.zh", "must end with 。")
    for language in ("en", "zh"):
        if "\n" in summary[language].strip():
            yield ShapeProblem(f"summary.{language}", "must be one line")


def _surface(surface: str, facts: Facts, texts: Mapping[str, Any], used: set[str]) -> Iterator[ShapeProblem]:
    if "slot" in facts and surface != "session":
        yield ShapeProblem(f"{surface}.slot", "only session has slots")
    for key in ("deprecated", "removed", "preferred"):
        why = facts.get(key, {}).get("why", {}).get("en", "")
        if _LOWER.match(why):
            yield ShapeProblem(f"{surface}.{key}.why.en", "is a sentence: it begins with a capital letter")
    looked_at = facts.get("removed", {}).get("source", "") if facts.get("removed") else ""
    if looked_at and not _NAMES_RELEASE.search(looked_at):
        yield ShapeProblem(f"{surface}.removed.source", "must say in which release it is gone: end it with `@TAG`")
    for key in ("type", "sources"):
        if key not in facts:
            yield ShapeProblem(surface, f"{key!r} is missing")
    dated = [key for key in _DATED if key in facts]
    if len(dated) != 1 and (dated or surface == "env"):
        told = " and ".join(dated) if dated else "none"
        yield ShapeProblem(surface, f"needs one of {', '.join(_DATED)}, and has {told}: when did it come?")
    if "unseen" in facts and not Version.parse(facts["unseen"]) < Version.parse(facts.get("seen", "0.0")):
        yield ShapeProblem(f"{surface}.unseen", "is a version before 'seen'")
    if "unseen" in facts and facts.get("status") == "undocumented":
        yield ShapeProblem(f"{surface}.unseen", "is about documentation, and this option is in none")
    if facts.get("status") == "no_effect" and all(map(_is_no_reader, facts.get("sources", ()))):
        yield ShapeProblem(f"{surface}.sources", "scripts, pages and formats don't show that no program reads it")
    if "default" in facts and "defaults" in facts:
        yield ShapeProblem(surface, "has both 'default' and 'defaults'")
    values = facts["values"]
    yield from _twice(f"{surface}.values", values)
    changed = [
        value for change in facts.get("changes", ()) for value in (*change.get("added", ()), *change.get("dropped", ()))
    ]
    for value in (*values, *changed):
        text = key_of(value, texts)
        if text is None and surface not in NAMED:
            yield ShapeProblem(f"{surface}.values", f"{value!r} has no table [values.{value}]")
        elif text is not None:
            used.add(text)
        yield from _typed(surface, facts, value, f"{surface}.values")
    yield from _taken(surface, facts)


def _is_no_reader(source: str) -> bool:
    """Tell of a script that sets it, a page that keeps it for later, or a format that has it: a program may read it all the same."""
    return source.startswith("zoo") or source.endswith((".md", ".proto"))


def _taken(surface: str, facts: Facts) -> Iterator[ShapeProblem]:
    """Check that defaults and examples are values that the surface takes."""
    told = [("default", facts["default"])] if "default" in facts else []
    told += [("defaults", each["value"]) for each in facts.get("defaults", ())]
    told += [("examples", value) for value in facts.get("examples", ())]
    if "otherwise" in facts:
        told.append(("otherwise", facts["otherwise"]))
        if facts.get("enforced", True):
            yield ShapeProblem(f"{surface}.otherwise", "is for an option with `enforced = false`")
    for key, value in told:
        place = f"{surface}.{key}"
        wrong = list(_typed(surface, facts, value, place))
        yield from wrong
        if not wrong and not takes(surface, facts, value):
            yield ShapeProblem(place, f"{value!r} is not allowed by the values or the range")


def _typed(surface: str, facts: Facts, value: object, place: str) -> Iterator[ShapeProblem]:
    if not has_type(surface, facts, value):
        slot, kind = facts.get("slot"), facts.get("type", "")
        what = f"slot {slot!r}" if slot else f"type {kind!r}"
        yield ShapeProblem(place, f"{value!r} does not fit {what}")


def _twice(place: str, values: list[object]) -> Iterator[ShapeProblem]:
    seen: set[tuple[type, object]] = set()
    for value in values:
        if (type(value), value) in seen:
            yield ShapeProblem(place, f"{value!r} stands twice")
        seen.add((type(value), value))


def _unknown_versions(
    versions: Iterable[str], component: str, at: str, known: frozenset[str]
) -> Iterator[ShapeProblem]:
    for each in versions:
        if known and f"{component} {each}" not in known:
            yield ShapeProblem(at, f"no version {each!r} of {component} in versions.toml")


def _references(
    value: object, at: str, known: Mapping[str, frozenset[str]], component: str = CANN
) -> Iterator[ShapeProblem]:
    """Check every product, version (of `component`), source prefix and page in the tree below `value`."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _references(item, f"{at}[{number}]", known, component)
    if not isinstance(value, dict):
        return
    component = value.get("component", component)
    for key, inner in value.items():
        place = f"{at}.{key}" if at else key
        if key == "products" and isinstance(inner, list):
            unknown = (name for name in inner if name not in known["products"])
            yield from (ShapeProblem(place, f"no product {name!r} in products.toml") for name in unknown)
        elif key in ("version", "since", "seen", "unseen", "refuses", "deprecated") and isinstance(inner, str):
            yield from _unknown_versions(inner.split(", "), component, place, known["versions"])
        elif key in ("source", "sources", "page"):
            yield from chain.from_iterable(_source(source, place, known) for source in strings_in(inner))
        else:
            yield from _references(inner, place, known, component)


def _source(source: str, place: str, known: Mapping[str, frozenset[str]]) -> Iterator[ShapeProblem]:
    prefix = source.split(":", 1)[0]
    if prefix != "https" and prefix not in known["sources"]:
        yield ShapeProblem(place, f"no source {prefix!r} in sources.toml", source)


def strings_in(value: object) -> list[str]:
    """Return the texts in a tree of TOML values."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in inner for text in strings_in(item)]


def catalog_problems(options: Mapping[str, FileOption]) -> Iterator[tuple[str, ShapeProblem]]:
    """Yield (topic, problem) for what is wrong between options, given all of them by topic."""
    tables = {topic: merged(entry.name, entry.data) for topic, entry in options.items()}
    names = {topic: {surface: facts["name"] for surface, facts in tables[topic].items()} for topic in tables}
    yield from _owners(tables)
    seen: set[tuple[str, ShapeProblem]] = set()
    for topic, surfaces in tables.items():
        for surface, facts in surfaces.items():
            for each, other in _named(facts):
                if other.startswith("--") and any(other[2:] == name for on in names.values() for name in on.values()):
                    continue  # A variable that became a program's flag.
                if surface not in names.get(other_topic(topic, surface, other, names) or "", {}):
                    seen.add((topic, ShapeProblem(f"{surface}.{each}", f"no option {other!r} on this surface")))
            for key in facts.get("deprecated", {}).get("keys", ()):
                if not any(key == named.get("additional_config") for named in names.values()):
                    seen.add((topic, ShapeProblem(f"{surface}.deprecated", f"no key {key!r} of additional_config")))
        told = list(_meetings(topic, options[topic].data, tables, names))
        seen.update((topic, problem) for problem in told)
    yield from sorted(seen, key=lambda each: (each[0], str(each[1])))


def _named(facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the options that facts name beside their relations, each with the fact."""
    for each in ("deprecated", "removed", "preferred"):
        other = facts.get(each, {}).get("replacement")
        if other:
            yield each, other
    for each in ("required", "only_when"):
        for condition in facts.get(each, ()):
            yield from ((each, other) for other in condition["when"])


def _owners(tables: Mapping[str, Mapping[str, Facts]]) -> Iterator[tuple[str, ShapeProblem]]:
    """Check that a name belongs to one option of its surface."""
    owners: dict[tuple[str, str], str] = {}
    for topic, surfaces in tables.items():
        for surface, facts in surfaces.items():
            for name in (facts["name"], *facts.get("aliases", ())):
                owner = owners.setdefault((surface, name), topic)
                if owner != topic:
                    yield topic, ShapeProblem(surface, f"{name!r} is an option of {owner!r} already")


def _meetings(
    topic: str, data: Mapping[str, Any], tables: Mapping[str, Mapping[str, Facts]], names: Names
) -> Iterator[ShapeProblem]:
    """Check that every relation has another option, on a surface where both are, with values that it takes."""
    for own, number, relation in _stated(data, tables[topic]):
        place = f"{own + '.' if own else ''}relations[{number}]"
        surfaces = [own] if own else list(tables[topic])
        others = [
            (other, found.get("other_surface", surface))
            for surface in surfaces
            for other, found in spread(topic, surface, [relation], names)
        ]
        if not others:
            known = any(other_topic(topic, surface, relation["other"], names) for surface in surfaces)
            what = "shares no surface with this option" if known else "is no option"
            yield ShapeProblem(place, f"{relation['other']!r} {what}")
        elif any(other == topic for other, _ in others):
            yield ShapeProblem(place, "an option has no relation to itself")
        for value in relation.get("values", ()):
            if not any(takes(surface, tables[topic][surface], value) for surface in surfaces):
                yield ShapeProblem(place, f"{value!r} is not an allowed value")
        if relation.get("when") and relation["kind"] not in _COMPARED:
            yield ShapeProblem(place, f"'when' goes with {', '.join(_COMPARED)} only")
        for name in relation.get("when", ()):
            if not all(any(there.get(surface) == name for there in names.values()) for surface in surfaces):
                yield ShapeProblem(place, f"{name!r} is no option")
        for value in (*relation.get("other_values", ()), *relation.get("other_not", ())):
            if others and not any(takes(surface, tables[other][surface], value) for other, surface in others):
                yield ShapeProblem(place, f"{relation['other']!r} does not take {value!r}")
