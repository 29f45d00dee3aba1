"""Profiles: sets of switches that belong together for one purpose, such as a deterministic run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from npu_lsp.catalog import links
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.text.bilingual import Text


class Warned(NamedTuple):
    """Products on which an official page advises against a switch, and why."""

    products: tuple[str, ...]
    why: Text
    source: Text
    """The web address."""


class Switch(NamedTuple):
    """An option and the values that serve the purpose."""

    surface: Surface
    option: str
    values: tuple[str, ...]
    """As they are written; the first one is the one to write. Empty: it takes none, and being there is enough."""
    needs: tuple[str, ...] = ()
    """Globs of `surface.name`: a folder that sets none of these lacks nothing without the switch."""
    not_on: Warned | None = None
    """Where it isn't recommended."""
    why: Text | None = None
    source: Text | None = None
    """The web address."""

    @property
    def value(self) -> str:
        """The value to write, empty for a switch that takes none."""
        return self.values[0] if self.values else ""

    @property
    def reason(self) -> Text | None:
        """Why to set it, and where not to."""
        if self.why is None or self.not_on is None:
            return self.why
        return Text(f"{self.why.en} {self.not_on.why.en}", f"{self.why.zh}{self.not_on.why.zh}")


class Profile(NamedTuple):
    """A set of switches that an official page sets together for one purpose."""

    name: str
    title: Text
    what: Text
    switches: tuple[Switch, ...]


def profiles(catalog: Catalog, own: Mapping[str, Mapping[str, str]]) -> dict[str, Profile]:
    """Return the profiles of the catalog and those of a configuration, which win, by name.

    Raises `KeyError` with the option's name where a configuration names one that no surface has.
    """
    found = {name: _made(name, facts, catalog) for name, facts in catalog.plain("profiles").items()}
    for name, values in own.items():
        switches = tuple(switch for option, value in values.items() for switch in _own(option, value, catalog))
        found[name] = Profile(name, Text(name, name), Text("", ""), switches)
    return found


def _made(name: str, facts: Mapping[str, Any], catalog: Catalog) -> Profile:
    sources = catalog.plain("sources")
    switches = []
    for each in facts["switches"]:
        surface, _, option = each["option"].partition(".")
        told = each.get("not_on")
        not_on = Warned(tuple(told["products"]), *_told(told, sources)) if told is not None else None
        needs, values = tuple(each.get("with", ())), tuple(each["values"])
        switches.append(Switch(Surface(surface), option, values, needs, not_on, *_told(each, sources)))
    return Profile(name, Text(**facts["title"]), Text(**facts["what"]), tuple(switches))


def _told(facts: Mapping[str, Any], sources: Any) -> tuple[Text, Text]:
    """Return the reason that `facts` give, and the address of their source."""
    return Text(**facts["why"]), Text(*(links.address(facts["source"], sources, language) for language in ("en", "zh")))


def _own(option: str, value: str, catalog: Catalog) -> Iterator[Switch]:
    """Yield a switch for each surface that has the option; `surface.name` means one of them."""
    surface, _, name = option.partition(".")
    if surface in {each.value for each in Surface} and catalog.option(Surface(surface), name) is not None:
        yield Switch(Surface(surface), name, (value,))
        return
    having = [each for each in Surface if catalog.option(each, option) is not None]
    if not having:
        raise KeyError(option)
    yield from (Switch(each, option, (value,), (f"{each.value}.*",)) for each in having)
