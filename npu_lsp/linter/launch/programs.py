"""The programs that start processes, as the catalog's table `programs.toml` describes them: one row each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.text.bilingual import Text


class PortRow(NamedTuple):
    """One option that names a port that the program listens at."""

    option: str
    purpose: Text
    default: int | None = None
    """The port that is taken where none is set."""
    given: tuple[str, ...] = ()
    """Options of which one must be set for the port to be taken, each to the value behind `=` if there is one."""
    unless: tuple[str, ...] = ()
    """Options with any of which it isn't."""
    joint: bool = False
    """True: those who belong together name the same one, and the first of them takes it."""


class Program(NamedTuple):
    """Which options of a program, or variables (`$X`), say how many processes it starts, where, and at which ports."""

    name: str
    title: Text
    surface: Surface
    called: bool = False
    """True: a call starts it within the process, with the same options as keywords; it listens at no port."""
    processes: str | None = None
    """How many processes it starts on this node."""
    total: str | None = None
    """How many all nodes start together."""
    multiplied: Mapping[str, str] = MappingProxyType({})
    """The parallel sizes, by what is split, whose product is the number of processes of one copy of the model."""
    copies: str | None = None
    """How many copies there are."""
    local: str | None = None
    """How many of them run on this node."""
    first: str | None = None
    """The number of the first one here."""
    alone: tuple[str, ...] = ()
    """Options with any of which that is one."""
    nodes: str | None = None
    rank: str | None = None
    default: Mapping[str, int] = MappingProxyType({})
    elsewhere: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Options by which others decide where processes run: with one of these values, or with any."""
    devices: Literal["each", "first"] | None = None
    """Whether every process takes a visible device of its own, or those that the program is told, whatever is visible."""
    inner: tuple[Surface, ...] = ()
    """The surfaces of what it starts, whose parallel sizes must go with its processes."""
    within: bool = False
    """True: others start it, and it starts nothing."""
    ports: tuple[PortRow, ...] = ()
    addresses: tuple[str, ...] = ()
    """Options whose value is an address, alone or in front of a port."""
    sources: tuple[str, ...] = ()


@lru_cache(maxsize=4)
def programs(catalog: Catalog) -> Mapping[Surface, Program]:
    """Return all programs, by the surface of their options."""
    return {row.surface: row for name, facts in catalog.plain("programs").items() for row in _rows(name, facts)}


def _rows(name: str, facts: Mapping[str, Any]) -> Iterator[Program]:
    row = _row(name, facts)
    yield row
    if "calls" in facts:
        yield row._replace(surface=Surface(facts["calls"]), called=True, ports=(), addresses=())


def _row(name: str, facts: Mapping[str, Any]) -> Program:
    copies = facts.get("copies", {})
    return Program(
        name,
        Text(**facts["title"]),
        Surface(facts["surface"]),
        processes=facts.get("processes"),
        total=facts.get("total"),
        multiplied=facts.get("multiplied", {}),
        copies=copies.get("option"),
        local=copies.get("local"),
        first=copies.get("first"),
        alone=tuple(copies.get("alone", ())),
        nodes=facts.get("nodes"),
        rank=facts.get("rank"),
        default=facts.get("default", {}),
        elsewhere={option: tuple(values) for option, values in facts.get("elsewhere", {}).items()},
        devices=facts.get("devices"),
        inner=tuple(map(Surface, facts.get("inner", ()))),
        within=facts.get("within", False),
        ports=tuple(_port(each) for each in facts.get("ports", ())),
        addresses=tuple(facts.get("addresses", ())),
        sources=tuple(facts["sources"]),
    )


def _port(facts: Mapping[str, Any]) -> PortRow:
    purpose = Text(facts["en"], facts["zh"])
    given, unless = tuple(facts.get("with", ())), tuple(facts.get("unless", ()))
    return PortRow(facts["option"], purpose, facts.get("default"), given, unless, facts.get("joint", False))


def variable(name: str) -> str | None:
    """Return the environment variable that a name of the table stands for; `None` for an option."""
    return name[1:] if name.startswith("$") else None


def plain(name: str) -> str:
    """Return the name of an option in the one form in which what is written is compared with the table."""
    return name.replace("_", "-")
