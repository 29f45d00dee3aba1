"""The form of the catalog's files, as told in `data/README.md`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from npu_lsp.catalog.shape import (
    Choice,
    Either,
    Items,
    Json,
    Named,
    Only,
    Plain,
    Problem,
    Shape,
    Table,
    Word,
)
from npu_lsp.catalog.vocabulary import (
    FIXES,
    GROUPS,
    RELATION_KINDS,
    SCENARIOS,
    SLOTS,
    STABILITIES,
    STATUSES,
    SURFACES,
    TYPES,
    UNITS,
)


@dataclass(frozen=True, slots=True)
class Both:
    """A text in English and in Chinese; other `keys` may stand beside it."""

    def problems(self, value: object, at: str) -> Iterator[Problem]:
        told = list(_LANGUAGES.problems(value, at))
        yield from told
        if told or not isinstance(value, dict):
            return
        yield from same_or_foreign(value["en"], value["zh"], at)

    def schema(self) -> Json:
        return _LANGUAGES.schema()


def same_or_foreign(en: str, zh: str, at: str) -> Iterator[Problem]:
    """Yield what is wrong with a pair of texts that should be English and Chinese."""
    if en.strip() == zh.strip():
        yield Problem(at, "the English and the Chinese text are the same")
    elif not any("\u4e00" <= char <= "\u9fff" for char in zh):
        yield Problem(f"{at}.zh", "the Chinese text has no Chinese in it")
    if any("\u4e00" <= char <= "\u9fff" for char in en):
        yield Problem(f"{at}.en", "the English text has Chinese in it")


_LINE = Word(says="a text")
_LANGUAGES = Table({"en": _LINE, "zh": _LINE}, needs=("en", "zh"))
_TEXT = Named("text", Both())
_FLAG = Plain(("boolean",))
_NUMBER = Plain(("number",))
_SCALAR = Named("value", Plain(("string", "integer", "number", "boolean")))
_SCALARS = Items(_SCALAR)
_PRODUCTS = Items(Word(r"[a-z0-9]+", "a product id of products.toml"), least=1)
_VERSION = Named(
    "version", Word(r"\d+\.\d+(\.(RC|beta|alpha)?\d+)*", 'a CANN version such as "8.0"')
)
_SOURCE = Named(
    "source",
    Word(
        r"([a-z][a-z0-9_]*:[^\s:][^\s]*|https://\S+)", "a source: prefix:path or an https address"
    ),
)
_ADDRESS = Word(
    r"([a-z][a-z0-9_]*:[^\s:#]+\.(md|rst|html|txt|py|cc|h|cpp)(#\S+)?|https://\S+)",
    "a page: prefix:path.md#anchor or an https address",
)
_PAGE = Either((_ADDRESS, Table({"en": _ADDRESS, "zh": _ADDRESS}, needs=("en", "zh"))))

_DEPRECATION = Table(
    {
        "why": _TEXT,
        "source": _SOURCE,
        "cann": _VERSION,
        "replacement": Word(),
        "fix": Choice(FIXES),
        "mapping": Table(rest=Plain(("string", "integer"))),
    },
    needs=("why", "source"),
)
_REMOVAL = Table(
    {"why": _TEXT, "source": _SOURCE, "cann": _VERSION, "replacement": Word()},
    needs=("why", "source"),
)
_DEFAULT = Table(
    {
        "value": _SCALAR,
        "scenario": Choice(SCENARIOS),
        "products": _PRODUCTS,
        "source": _SOURCE,
    },
    needs=("value",),
)
_CHANGE = Table(
    {
        "cann": _VERSION,
        "source": _SOURCE,
        "default": _SCALAR,
        "added": _SCALARS,
        "dropped": _SCALARS,
    },
    needs=("cann", "source"),
)
_CONDITION = Table({"when": Table(rest=_SCALARS), "source": _SOURCE}, needs=("when", "source"))
RELATION = Table(
    {
        "kind": Choice(RELATION_KINDS),
        "other": Word(),
        "source": _SOURCE,
        "values": _SCALARS,
        "other_values": _SCALARS,
        "other_not": _SCALARS,
        "rejected": _FLAG,
        "result": _TEXT,
        "surfaces": Items(Choice(SURFACES), least=1),
    },
    needs=("kind", "other", "source"),
)
_VALUE_KEYS: dict[str, Shape] = {
    "en": _LINE,
    "zh": _LINE,
    "products": _PRODUCTS,
    "scenario": Choice(SCENARIOS),
    "since": _VERSION,
    "deprecated": _FLAG,
    "supported": _FLAG,
}


@dataclass(frozen=True, slots=True)
class ValueText:
    """The table of one value: its line in both languages, and what narrows it."""

    def problems(self, value: object, at: str) -> Iterator[Problem]:
        told = list(_VALUE.problems(value, at))
        yield from told
        if not told and isinstance(value, dict):
            yield from same_or_foreign(value["en"], value["zh"], at)

    def schema(self) -> Json:
        return _VALUE.schema()


_VALUE = Table(_VALUE_KEYS, needs=("en", "zh"))

INHERITED: dict[str, Shape] = {
    "status": Choice(STATUSES),
    "stability": Choice(STABILITIES),
    "unit": Choice(UNITS),
    "deprecated": Either((Only(False), Named("deprecation", _DEPRECATION))),
    "removed": Either((Only(False), Named("removal", _REMOVAL))),
    "type": Choice(TYPES),
    "open": _FLAG,
    "grammar": Word(r"[a-z][a-z0-9-]*", "the kebab-case name of a grammar"),
    "minimum": _NUMBER,
    "maximum": _NUMBER,
    "default": _SCALAR,
    "defaults": Items(_DEFAULT, least=1),
    "since": _VERSION,
    "scenario": Choice(SCENARIOS),
    "products": _PRODUCTS,
    "enforced": _FLAG,
    "case_sensitive": _FLAG,
    "examples": _SCALARS,
    "note": _TEXT,
    "page": _PAGE,
    "sources": Items(_SOURCE, least=1),
    "changes": Items(Named("change", _CHANGE), least=1),
    "required": Items(Named("condition", _CONDITION), least=1),
    "only_when": Items(Named("condition", _CONDITION), least=1),
    "relations": Items(Named("relation", RELATION)),
}
"""What a surface takes from the top of its file when it does not say otherwise."""

SURFACE = Table(
    {
        "name": Word(r"\S+", "a name without blanks"),
        "values": _SCALARS,
        "aliases": Items(Word(r"\S+", "a name without blanks"), least=1),
        **INHERITED,
    },
)
SESSION = Table({**SURFACE.keys, "slot": Choice(SLOTS)}, needs=("slot",))
OPTION = Table(
    {
        "group": Choice(GROUPS),
        "summary": _TEXT,
        "text": _TEXT,
        "values": Table(rest=Named("value_text", ValueText())),
        **INHERITED,
        **{
            surface: Named("session" if surface == "session" else "surface", shape)
            for surface, shape in ((s, SESSION if s == "session" else SURFACE) for s in SURFACES)
        },
    },
    needs=("group", "summary"),
    some_of=SURFACES,
)
MANY = Table({"options": Table(rest=Named("option", OPTION))}, needs=("options",))
"""A file with many options, as users write it."""

RULE = Table(
    {
        "summary": _TEXT,
        "text": _TEXT,
        "switchable": _FLAG,
        "default": Choice(("on", "off")),
        "stability": Choice(STABILITIES),
        "products": _PRODUCTS,
        "since": _VERSION,
        "note": _TEXT,
        "page": _PAGE,
        "sources": Items(_SOURCE, least=1),
    },
    needs=("summary", "sources"),
)
RULES = Table({"rules": Table(rest=Named("rule", RULE))}, needs=("rules",))
"""A file with fusion rules of one kind."""

DEFINITIONS: dict[str, Shape] = {
    "text": _LANGUAGES,
    "value": Plain(("string", "integer", "number", "boolean")),
    "value_text": _VALUE,
    "version": _VERSION.shape,
    "source": _SOURCE.shape,
    "deprecation": _DEPRECATION,
    "removal": _REMOVAL,
    "change": _CHANGE,
    "condition": _CONDITION,
    "relation": RELATION,
    "surface": SURFACE,
    "session": SESSION,
    "option": OPTION,
    "rule": RULE,
}
