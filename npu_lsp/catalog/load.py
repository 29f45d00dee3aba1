"""The catalog as the rest of the program sees it."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Mapping
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from npu_lsp.catalog import build, links
from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.merge import Facts, key_of
from npu_lsp.catalog.model import Docs, FusionRule, Option, Scalar, Surface
from npu_lsp.catalog.store import PATH, Store, packed, stamp_of, write
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text

if TYPE_CHECKING:
    from npu_lsp.catalog.error_codes import ErrorCodes
    from npu_lsp.catalog.near import NearNames
    from npu_lsp.catalog.spelling import Guess, Spelling

_MOST_NEAR = 4096
_SWITCHED = re.compile(r"\A(?:no|disable)-")
"""What Megatron puts in front of a field that is on, where it makes a flag of it."""
"""Mistyped names that are remembered: an editor asks for the same ones after each key stroke."""


class Catalog:
    """Every option that is known, by surface and name. Parts are read when they are asked for, and kept."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._names: dict[Surface, frozenset[str]] = {}
        self._ordered: dict[Surface, list[str]] = {}
        self._facts: dict[Surface, dict[str, Facts]] = {}
        self._options: dict[tuple[Surface, str], Option] = {}
        self._all: dict[Surface, tuple[Option, ...]] = {}
        self._topics: dict[str, dict[Surface, str]] | None = None
        self._docs: dict[str, Facts] = {}
        self._known: dict[Surface, NearNames] = {}
        self._others: dict[Surface, tuple[frozenset[str], frozenset[str]]] = {}
        self._near: dict[tuple[Surface, str, bool], Guess | None] = {}
        self._spelling: Spelling | None = None
        self._plain: dict[str, dict[str, Any]] = {}
        self._rules: dict[str, FusionRule] | None = None
        self._error_codes: ErrorCodes | None = None

    def names(self, surface: Surface) -> frozenset[str]:
        """Return the names on `surface`, other spellings left out. Costs no more than that."""
        found = self._names.get(surface)
        if found is None:
            found = self._names[surface] = frozenset(self.store.names.get(surface.value, ()))
        return found

    def beginning(self, surface: Surface, start: str) -> list[str]:
        """Return the names on `surface` that begin so, in the order of the alphabet."""
        ordered = self._ordered.get(surface)
        if ordered is None:
            ordered = self._ordered[surface] = sorted(self.names(surface))
        first = bisect_left(ordered, start)
        return list(takewhile(lambda name: name.startswith(start), islice(ordered, first, None)))

    def option(self, surface: Surface, name: str) -> Option | None:
        """Return the option called `name`, or known by that other spelling, on `surface`."""
        found = self._options.get((surface, name))
        if found is not None:
            return found
        true = self.store.aliases.get(surface.value, {}).get(name, name)
        facts = self.facts(surface).get(true) if true in self.names(surface) else None
        if facts is None:
            return None
        found = self._options[surface, name] = build.option(surface, true, facts)
        return found

    def options(self, surface: Surface) -> tuple[Option, ...]:
        """Return all options of `surface`, by name."""
        options = self._all.get(surface)
        if options is None:
            found = (self.option(surface, name) for name in sorted(self.names(surface)))
            options = self._all[surface] = tuple(option for option in found if option is not None)
        return options

    def complete(self, surface: Surface) -> bool:
        """Return whether a name that `surface` doesn't have is wrong for sure."""
        return surface.value in self.store.complete

    def near(self, surface: Surface, name: str, *, wrong: bool = False) -> str | None:
        """Return the name on `surface` that a mistyped one was meant to be, or `None` where that isn't clear.

        `wrong` says that the name is none for sure, also where not every name is known.
        """
        guess = self.guess(surface, name, wrong=wrong)
        return guess.names[0] if guess is not None and len(guess.names) == 1 else None

    def guess(self, surface: Surface, name: str, *, wrong: bool = False) -> Guess | None:
        """Return what a mistyped name on `surface` is close to, and how sure that is."""
        asked = surface, name, wrong
        if asked not in self._near:
            if len(self._near) >= _MOST_NEAR:
                self._near.clear()
            self._near[asked] = self._guess(surface, name, wrong=wrong)
        return self._near[asked]

    def of_others(self, surface: Surface, name: str) -> bool:
        """Return whether a name that `surface` doesn't have is one of a library whose flags the same command takes."""
        if surface not in self._others:
            told = self.plain("other_flags").get(surface.value, {})
            self._others[surface] = (frozenset(told.get("flags", ())), frozenset(told.get("fields", ())))
        flags, fields = self._others[surface]
        # Where fields of classes are flags, either sign stands between their words.
        return name in flags or name.replace("-", "_") in flags or _SWITCHED.sub("", name) in fields

    def _guess(self, surface: Surface, name: str, *, wrong: bool) -> Guess | None:
        from npu_lsp.catalog.near import NearNames
        from npu_lsp.catalog.spelling import Guess

        aliases = self.store.aliases.get(surface.value, {})
        if surface.row.environment:
            found = (
                Guess((name,), sure=True)
                if name in aliases or name in self.names(surface)
                else self.spelling.guess(name)
            )
            return found and Guess(tuple(dict.fromkeys(aliases.get(each, each) for each in found.names)), found.sure)
        known = self._known.get(surface)
        if known is None:
            switches = (
                (each.name for each in self.options(surface) if each.negatable)
                if surface.row.flags == "argparse"
                else ()
            )
            negated = (f"no-{name}" for name in switches)
            taken = surface.row.beside or surface.row.flags in ("lists", "overrides")
            beside = self.plain("other_flags").get(surface.value, {}).get("flags", ()) if taken else ()
            known = self._known[surface] = NearNames((*self.names(surface), *aliases, *negated, *beside))
        # What stands behind a tool's name is its own, and in another version at most something else.
        wrong = wrong or self.complete(surface)
        near = known.nearest(name, careful=not (wrong or surface.row.commands), wrong=wrong)
        return Guess((aliases.get(near, near),), sure=True) if near is not None else None

    @property
    def spelling(self) -> Spelling:
        """What tells which environment variable was meant."""
        if self._spelling is None:
            from npu_lsp.catalog.spelling import spelling

            names = self.names(Surface.ENV).union(self.store.aliases.get(Surface.ENV.value, ()))
            self._spelling = spelling(names, self.plain("other_variables"))
        return self._spelling

    def topic(self, topic: str) -> Mapping[Surface, str]:
        """Return the names that one option has, by surface."""
        if self._topics is None:
            self._topics = {}
            for surface in Surface:
                for name, each in self.store.names.get(surface.value, {}).items():
                    self._topics.setdefault(each, {})[surface] = name
        return self._topics.get(topic, {})

    def docs(self, surface: Surface, name: str) -> Docs:
        """Return what a person reads about an option; raise `KeyError` for an unknown one."""
        topic = self._topic_of(surface, name)
        docs = self._docs_of(topic)
        own = docs.get("on", {}).get(surface.value, {})
        return Docs(
            summary=build.text(docs.get("summary")) or Text("", ""),
            text=build.joined(docs.get("text"), own.get("text")),
            note=build.text(own.get("note")),
            page=links.page(own.get("page"), self.plain("sources")),
        )

    def value_text(self, surface: Surface, name: str, value: Scalar) -> Text | None:
        """Return the line that explains a value; raise `KeyError` for an unknown option."""
        texts = self._docs_of(self._topic_of(surface, name)).get("values", {})
        key = key_of(value, texts)
        return build.text(texts[key]) if key is not None else None

    def fusion_rules(self) -> tuple[FusionRule, ...]:
        """Return all fusion rules, by name."""
        return tuple(self._fusion().values())

    def fusion_rule(self, name: str) -> FusionRule | None:
        """Return the fusion rule of that name; upper and lower case count."""
        return self._fusion().get(name)

    def _fusion(self) -> dict[str, FusionRule]:
        if self._rules is None:
            self._rules = {rule.name: rule for rule in rules(self.store.part("rules") or {}, self.plain("sources"))}
        return self._rules

    @property
    def error_codes(self) -> ErrorCodes:
        """The codes of errors."""
        if self._error_codes is None:
            from npu_lsp.catalog.error_codes import ErrorCodes

            self._error_codes = ErrorCodes(self.plain("error_codes"), self.plain("signatures"), self.plain("sources"))
        return self._error_codes

    def plain(self, name: str) -> Mapping[str, Any]:
        """Return the tables of one of the files that facts refer to: `products`, `sources`, `versions`, ..."""
        found = self._plain.get(name)
        if found is None:
            found = self._plain[name] = self.store.part(f"plain:{name}") or {}
        return found

    def title(self, surface: Surface) -> Text:
        """Return what people call a surface."""
        facts = self.plain("surfaces").get(surface.value)
        return Text(facts["en"], facts["zh"]) if facts else Text(surface.value, surface.value)

    def checked(self, surface: Surface) -> str | None:
        """Return the version since which a tool checks all of a dict: other names stop it, and texts are turned into the type of a key."""
        version: str | None = self.plain("surfaces").get(surface.value, {}).get("checked")
        return version

    def about(self, surface: Surface) -> Text | None:
        """Return what people read about what takes the options of a surface; `None` for files and variables."""
        said = self.plain("surfaces").get(surface.value, {}).get("about")
        return Text(**said) if said is not None else None

    @property
    def date(self) -> str:
        """The day, in ISO form, on which the facts were last compared with their sources."""
        return self.store.date

    def link(self, source: str) -> Text:
        """Return the web address of a source."""
        sources = self.plain("sources")
        return Text(links.address(source, sources, "en"), links.address(source, sources, "zh"))

    def facts(self, surface: Surface) -> Mapping[str, Facts]:
        """Return the raw facts of a surface by name. Callers leave them as they are."""
        found = self._facts.get(surface)
        if found is None:
            found = self._facts[surface] = self.store.part(f"facts:{surface.value}") or {}
        return found

    def _topic_of(self, surface: Surface, name: str) -> str:
        true = self.store.aliases.get(surface.value, {}).get(name, name)
        return self.store.names[surface.value][true]

    def _docs_of(self, topic: str) -> Facts:
        found = self._docs.get(topic)
        if found is None:
            found = self._docs[topic] = self.store.part(f"docs:{topic}") or {}
        return found


_lock = threading.Lock()
_loaded: list[Catalog] = []


def load() -> Catalog:
    """Return the catalog that comes with the program, the same one each time.

    Raises `CatalogError` when there is none, or a broken one.
    """
    with _lock:
        if not _loaded:
            _loaded.append(Catalog(open_store()))
        return _loaded[0]


def open_store(path: Path = PATH, folder: Path = DATA) -> Store:
    """Return the compiled catalog at `path`, made anew when the files below `folder` say something else by now.

    In a wheel the compiled catalog has no stamp and is taken as it is.
    """
    store: Store | None = None
    try:
        store = Store(path.read_bytes())
    except (OSError, ValueError, KeyError):
        store = None
    if store is not None and store.stamp is None:
        return store
    if not folder.is_dir():
        raise CatalogError(path, None, "the compiled catalog is missing or broken", "install npu-lsp again")
    stamp = stamp_of(folder)
    if store is None or store.stamp != stamp:
        from npu_lsp.catalog.compile import compile_folder

        content = packed(compile_folder(folder, strict=False), stamp)
        write(path, content)
        store = Store(content)
    return store


def rules(data: Mapping[str, Mapping[str, Any]], sources: Mapping[str, Any]) -> tuple[FusionRule, ...]:
    """Return the rules by name."""
    return tuple(_rule(name, data[name], sources) for name in sorted(data))


def _rule(name: str, data: Mapping[str, Any], sources: Mapping[str, Any]) -> FusionRule:
    docs = Docs(
        summary=build.text(data["summary"]) or Text("", ""),
        text=build.text(data.get("text")),
        note=build.text(data.get("note")),
        page=links.page(data.get("page"), sources),
    )
    return FusionRule(
        name=name,
        kind=data["kind"],
        docs=docs,
        switchable=data.get("switchable"),
        default=data.get("default"),
        stability=data.get("stability", "stable"),
        products=tuple(data.get("products", ())),
        since=data.get("since"),
        sources=tuple(data.get("sources", ())),
    )
