"""The form of the catalog's files, as told in `data/README.md`.

This is the lenient one for users' own, who may write in one language, name no sources, and say only what they change.
The catalog's own files have a strict one, which is checked where they are written: `tests/authoring/form.py`.
"""

from __future__ import annotations

from npu_lsp.catalog.vocabulary import (
    COMPONENTS,
    EXTENTS,
    FIXES,
    GROUPS,
    NARGS,
    RELATION_KINDS,
    SCENARIOS,
    SLOTS,
    STABILITIES,
    STATUSES,
    SURFACES,
    TYPES,
    UNDATED,
    UNITS,
)
from npu_lsp.text.toml_shape import Choice, Either, Items, NamedTable, Only, Plain, Shape, TableShape, WordShape

_LINE = WordShape(says="a text")
_FLAG = Plain(("boolean",))
_NUMBER = Plain(("number",))
_SCALAR = NamedTable("value", Plain(("string", "integer", "number", "boolean")))
_SCALARS = Items(_SCALAR)
_PRODUCTS = Items(WordShape(r"[a-z0-9]+", "a product id of products.toml"), least=1)
_ONE = r"\d+\.\d+(\.?(RC|beta|alpha|rc|post)\.?\d+|\.\d+)*"
_VERSION = NamedTable("version", WordShape(rf"{_ONE}(, {_ONE})*", 'a version such as "8.0", or one of each line'))
_NAME = WordShape(r"\S+", "a name without blanks")


class Forms:
    """The shapes of all tables, by the names that the schema gives them."""

    prefix = "own_"
    relation_needs: tuple[str, ...] = ("kind", "other")
    source: Shape = WordShape()
    address: Shape = WordShape()

    def __init__(self) -> None:
        self.definitions: dict[str, Shape] = {"version": _VERSION.shape, "value": _SCALAR.shape}
        self._source = self.define("source", self.source)
        self.text = self.define("text", self.texts())
        self._define_parts()
        self.inherited = self._inherited()
        surface: dict[str, Shape] = {
            "name": _NAME,
            "values": _SCALARS,
            "aliases": Items(_NAME, least=1),
            "text": self.text,
        }
        plain = self.define("surface", TableShape({**surface, **self.inherited}))
        session = self.define("session", self.table({"slot": Choice(SLOTS), **surface, **self.inherited}, "slot"))
        self.option = self.table(
            {
                "group": Choice(GROUPS),
                "summary": self.text,
                "text": self.text,
                "values": TableShape(rest=self.define("value_text", self.pair(_value_facts()))),
                **self.inherited,
                **{name: session if name == "session" else plain for name in SURFACES},
            },
            "group",
            "summary",
            some_of=SURFACES,
        )
        self.many = TableShape({"options": TableShape(rest=self.define("option", self.option))}, needs=("options",))

    def define(self, name: str, shape: Shape) -> NamedTable:
        """Return `shape` under a name of the schema."""
        name = self.prefix + name
        self.definitions[name] = shape
        return NamedTable(name, shape)

    def table(self, keys: dict[str, Shape], *_needs: str, some_of: tuple[str, ...] = ()) -> TableShape:
        """Return a table; a strict one must have what it needs."""
        return TableShape(keys)

    def pair(self, facts: dict[str, Shape]) -> Shape:
        """Return a table with a text in each language, and perhaps facts."""
        return self.table({"en": _LINE, "zh": _LINE, **facts}, "en", "zh")

    def texts(self) -> Shape:
        """Return the form of what people read."""
        return Either((_LINE, self.pair({})))

    def _define_parts(self) -> None:
        why: dict[str, Shape] = {
            "why": self.text,
            "source": self._source,
            "version": _VERSION,
            "replacement": WordShape(),
        }
        mapping = TableShape(rest=Plain(("string", "integer")))
        self._deprecation = self.define(
            "deprecation",
            self.table({**why, "fix": Choice(FIXES), "mapping": mapping, "keys": Items(WordShape())}, "why", "source"),
        )
        self._removal = self.define(
            "removal", self.table({**why, "rejected": _FLAG, "readers": Items(WordShape())}, "why", "source")
        )
        self._default = self.define(
            "default",
            TableShape(
                {"value": _SCALAR, "scenario": Choice(SCENARIOS), "products": _PRODUCTS, "source": self._source},
                needs=("value",),
            ),
        )
        self._change = self.define(
            "change",
            self.table(
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
        self._condition = self.define(
            "condition",
            self.table(
                {"when": TableShape(rest=_SCALARS), "rejected": _FLAG, "since": _VERSION, "source": self._source},
                "when",
                "source",
            ),
        )
        self._relation = self.define(
            "relation",
            TableShape(
                {
                    "kind": Choice(RELATION_KINDS),
                    "other": WordShape(),
                    "source": self._source,
                    "values": _SCALARS,
                    "other_values": _SCALARS,
                    "other_not": _SCALARS,
                    "when": TableShape(rest=_SCALARS),
                    "rejected": _FLAG,
                    "result": self.text,
                    "extent": Choice(EXTENTS),
                    "stays": self.text,
                    "surfaces": Items(Choice(SURFACES), least=1),
                },
                needs=self.relation_needs,
            ),
        )

    def _inherited(self) -> dict[str, Shape]:
        address = self.address
        return {
            "status": Choice(STATUSES),
            "stability": Choice(STABILITIES),
            "unit": Choice(UNITS),
            "deprecated": Either((Only(False), self._deprecation)),
            "preferred": Either((Only(False), self._deprecation)),
            "removed": Either((Only(False), self._removal)),
            "type": Choice(TYPES),
            "open": _FLAG,
            "extended_by": Items(WordShape(), least=1),
            "grammar": WordShape(r"[a-z][a-z0-9-]*", "the kebab-case name of a grammar"),
            "minimum": _NUMBER,
            "maximum": _NUMBER,
            "above": _NUMBER,
            "default": _SCALAR,
            "defaults": Items(self._default, least=1),
            "component": Choice(COMPONENTS),
            "refuses": _VERSION,
            "since": _VERSION,
            "seen": _VERSION,
            "unseen": _VERSION,
            "undated": Choice(UNDATED),
            "nargs": Choice(NARGS),
            "negatable": _FLAG,
            "scenario": Choice(SCENARIOS),
            "products": _PRODUCTS,
            "clamped": _FLAG,
            "shared": _FLAG,
            "exact_type": _FLAG,
            "nullable": _FLAG,
            "nonempty": _FLAG,
            "enforced": _FLAG,
            "otherwise": _SCALAR,
            "case_sensitive": _FLAG,
            "examples": _SCALARS,
            "note": self.text,
            "page": Either((address, TableShape({"en": address, "zh": address}, needs=("en", "zh")))),
            "sources": Items(self._source, least=1),
            "changes": Items(self._change, least=1),
            "required": Items(self._condition, least=1),
            "only_when": Items(self._condition, least=1),
            "relations": Items(self._relation),
        }


def _value_facts() -> dict[str, Shape]:
    return {
        "products": _PRODUCTS,
        "scenario": Choice(SCENARIOS),
        "since": _VERSION,
        "deprecated": Either((Only(True), _VERSION)),
        "supported": _FLAG,
    }


LENIENT = Forms()
