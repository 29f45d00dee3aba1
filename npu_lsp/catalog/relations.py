"""Spreads relations over surfaces and to the other side.

A file states a relation once, between two topics. A reader of one option needs it on each surface, under the name
that the other has there, and whichever of the two files states it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from npu_lsp.catalog.merge import Facts

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
    for where in (surface, *_BESIDE):
        found = next((each for each, there in names.items() if there.get(where) == other), None)
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
