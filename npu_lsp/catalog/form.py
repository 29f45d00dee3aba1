"""The form of the catalog's files, as told in `data/README.md`.

It comes twice: strict for the catalog's own files, and lenient for those of users, who may write in one language,
name no sources, and say only what they change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from npu_lsp.catalog.vocabulary import (
    COMPONENTS,
    EXTENTS,
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
from npu_lsp.text.toml_shape import Choice, Either, Items, Named, Only, Plain, Problem, Shape, Table, Word

_LINE = Word(says="a text")
_LANGUAGES: dict[str, Shape] = {"en": _LINE, "zh": _LINE}
_FLAG = Plain(("boolean",))
_NUMBER = Plain(("number",))
_SCALAR = Named("value", Plain(("string", "integer", "number", "boolean")))
_SCALARS = Items(_SCALAR)
_PRODUCTS = Items(Word(r"[a-z0-9]+", "a product id of products.toml"), least=1)
_ONE = r"\d+\.\d+(\.?(RC|beta|alpha|rc|post)\.?\d+|\.\d+)*"
_VERSION = Named("version", Word(rf"{_ONE}(, {_ONE})*", 'a version such as "8.0", or one of each line'))
_NAME = Word(r"\S+", "a name without blanks")
_SOURCE = Word(r"([a-z][a-z0-9_-]*:[^\s:][^\s]*|https://\S+)", "a source: prefix:path or an https address")
_ADDRESS = Word(
    r"([a-z][a-z0-9_-]*:[^\s:#]+\.(md|rst|html|txt|py|cc|h|cpp)(@[\w.-]+)?(#\S+)?|https://\S+)",
    "a page: prefix:path.md#anchor or an https address",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A table with a text in English and one in Chinese, perhaps among other keys."""

    table: Table

    def problems(self, value: object, at: str) -> Iterator[Problem]:
        """Check the table, then the languages."""
        told = list(self.table.problems(value, at))
        yield from told
        if told or not isinstance(value, dict):
            return
        en, zh = value["en"], value["zh"]
        if en.strip() == zh.strip():
            yield Problem(at, "the English and the Chinese text are the same")
        elif not any("\u4e00" <= char <= "\u9fff" for char in zh):
            yield Problem(f"{at}.zh", "the Chinese text has no Chinese in it")
        if any("\u4e00" <= char <= "\u9fff" for char in en):
            yield Problem(f"{at}.en", "the English text has Chinese in it")


class Forms:
    """The shapes of all tables, by the names that the schema gives them."""

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict
        self.definitions: dict[str, Shape] = {"version": _VERSION.shape, "value": _SCALAR.shape}
        self._source = self._define("source", _SOURCE if strict else Word())
        self._text = self._define("text", self._pair({}) if strict else Either((_LINE, self._pair({}))))
        self._define_parts()
        self.inherited = self._inherited()
        surface: dict[str, Shape] = {
            "name": _NAME,
            "values": _SCALARS,
            "aliases": Items(_NAME, least=1),
            "text": self._text,
        }
        plain = self._define("surface", Table({**surface, **self.inherited}))
        session = self._define("session", self._table({"slot": Choice(SLOTS), **surface, **self.inherited}, "slot"))
        self.option = Table(
            {
                "group": Choice(GROUPS),
                "summary": self._text,
                "text": self._text,
                "values": Table(rest=self._define("value_text", self._pair(_value_facts()))),
                **self.inherited,
                **{name: session if name == "session" else plain for name in SURFACES},
            },
            needs=("group", "summary") if strict else (),
            some_of=SURFACES if strict else (),
        )
        self.many = Table({"options": Table(rest=self._define("option", self.option))}, needs=("options",))
        self.rules = Table({"rules": Table(rest=self._define("rule", self._rule()))}, needs=("rules",))

    def _define(self, name: str, shape: Shape) -> Named:
        name = name if self._strict else f"own_{name}"
        self.definitions[name] = shape
        return Named(name, shape)

    def _table(self, keys: dict[str, Shape], *needs: str) -> Table:
        return Table(keys, needs=needs if self._strict else ())

    def _pair(self, facts: dict[str, Shape]) -> Shape:
        table = self._table({**_LANGUAGES, **facts}, "en", "zh")
        return Pair(table) if self._strict else table

    def _define_parts(self) -> None:
        why: dict[str, Shape] = {"why": self._text, "source": self._source, "version": _VERSION, "replacement": Word()}
        mapping = Table(rest=Plain(("string", "integer")))
        self._deprecation = self._define(
            "deprecation",
            self._table({**why, "fix": Choice(FIXES), "mapping": mapping, "keys": Items(Word())}, "why", "source"),
        )
        self._removal = self._define("removal", self._table({**why, "rejected": _FLAG}, "why", "source"))
        self._default = self._define(
            "default",
            Table(
                {"value": _SCALAR, "scenario": Choice(SCENARIOS), "products": _PRODUCTS, "source": self._source},
                needs=("value",),
            ),
        )
        self._change = self._define(
            "change",
            self._table(
                {
                    "version": _VERSION,
                    "source": self._source,
                    "default": _SCALAR,
                    "was": _SCALAR,
                    "added": _SCALARS,
                    "dropped": _SCALARS,
                },
                "version",
                "source",
            ),
        )
        self._condition = self._define(
            "condition",
            self._table({"when": Table(rest=_SCALARS), "rejected": _FLAG, "source": self._source}, "when", "source"),
        )
        self._relation = self._define(
            "relation",
            Table(
                {
                    "kind": Choice(RELATION_KINDS),
                    "other": Word(),
                    "source": self._source,
                    "values": _SCALARS,
                    "other_values": _SCALARS,
                    "other_not": _SCALARS,
                    "when": Table(rest=_SCALARS),
                    "rejected": _FLAG,
                    "result": self._text,
                    "extent": Choice(EXTENTS),
                    "stays": self._text,
                    "surfaces": Items(Choice(SURFACES), least=1),
                },
                needs=("kind", "other", "source") if self._strict else ("kind", "other"),
            ),
        )

    def _inherited(self) -> dict[str, Shape]:
        address = _ADDRESS if self._strict else Word()
        return {
            "status": Choice(STATUSES),
            "stability": Choice(STABILITIES),
            "unit": Choice(UNITS),
            "deprecated": Either((Only(False), self._deprecation)),
            "preferred": Either((Only(False), self._deprecation)),
            "removed": Either((Only(False), self._removal)),
            "type": Choice(TYPES),
            "open": _FLAG,
            "grammar": Word(r"[a-z][a-z0-9-]*", "the kebab-case name of a grammar"),
            "minimum": _NUMBER,
            "maximum": _NUMBER,
            "above": _NUMBER,
            "default": _SCALAR,
            "defaults": Items(self._default, least=1),
            "component": Choice(COMPONENTS),
            "refuses": _VERSION,
            "since": _VERSION,
            "scenario": Choice(SCENARIOS),
            "products": _PRODUCTS,
            "clamped": _FLAG,
            "exact_type": _FLAG,
            "nullable": _FLAG,
            "nonempty": _FLAG,
            "enforced": _FLAG,
            "otherwise": _SCALAR,
            "case_sensitive": _FLAG,
            "examples": _SCALARS,
            "note": self._text,
            "page": Either((address, Table({"en": address, "zh": address}, needs=("en", "zh")))),
            "sources": Items(self._source, least=1),
            "changes": Items(self._change, least=1),
            "required": Items(self._condition, least=1),
            "only_when": Items(self._condition, least=1),
            "relations": Items(self._relation),
        }

    def _rule(self) -> Table:
        taken = ("stability", "products", "since", "note", "page", "sources")
        return self._table(
            {
                "summary": self._text,
                "text": self._text,
                "switchable": _FLAG,
                "default": Choice(("on", "off")),
                **{key: self.inherited[key] for key in taken},
            },
            "summary",
            "sources",
        )


def _value_facts() -> dict[str, Shape]:
    return {
        "products": _PRODUCTS,
        "scenario": Choice(SCENARIOS),
        "since": _VERSION,
        "deprecated": Either((Only(True), _VERSION)),
        "supported": _FLAG,
    }


STRICT = Forms(strict=True)
LENIENT = Forms(strict=False)
