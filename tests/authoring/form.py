"""The strict form of the catalog's own files: both languages, sources, and all that an option needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from npu_lsp.catalog.form import Forms
from npu_lsp.text.toml_shape import Choice, Plain, Shape, ShapeProblem, TableShape, WordShape


@dataclass(frozen=True, slots=True)
class Pair:
    """A table with a text in English and one in Chinese, perhaps among other keys."""

    table: Shape

    def problems(self, value: object, at: str) -> Iterator[ShapeProblem]:
        """Check the table, then the languages."""
        told = list(self.table.problems(value, at))
        yield from told
        if told or not isinstance(value, dict):
            return
        en, zh = value["en"], value["zh"]
        if en.strip() == zh.strip():
            yield ShapeProblem(at, "the English and the Chinese text are the same")
        elif not any("\u4e00" <= char <= "\u9fff" for char in zh):
            yield ShapeProblem(f"{at}.zh", "the Chinese text has no Chinese in it")
        if any("\u4e00" <= char <= "\u9fff" for char in en):
            yield ShapeProblem(f"{at}.en", "the English text has Chinese in it")


class Strict(Forms):
    """The form in which nothing may be left out."""

    prefix = ""
    relation_needs = ("kind", "other", "source")
    source = WordShape(r"([a-z][a-z0-9_-]*:[^\s:][^\s]*|https://\S+)", "a source: prefix:path or an https address")
    address = WordShape(
        r"([a-z][a-z0-9_-]*:[^\s:#]+\.(md|rst|html|txt|py|cc|h|cpp)(@[\w.-]+)?(#\S+)?|https://\S+)",
        "a page: prefix:path.md#anchor or an https address",
    )

    def __init__(self) -> None:
        super().__init__()
        self.rules = TableShape({"rules": TableShape(rest=self.define("rule", self._rule()))}, needs=("rules",))

    def table(self, keys: dict[str, Shape], *needs: str, some_of: tuple[str, ...] = ()) -> TableShape:
        """Return a table that must have what it needs."""
        return TableShape(keys, needs=needs, some_of=some_of)

    def pair(self, facts: dict[str, Shape]) -> Shape:
        """Return a table with a text in each language that is of that language."""
        return Pair(super().pair(facts))

    def texts(self) -> Shape:
        """Return the form of what people read: both languages."""
        return self.pair({})

    def _rule(self) -> TableShape:
        taken = ("stability", "products", "since", "note", "page", "sources")
        return self.table(
            {
                "summary": self.text,
                "text": self.text,
                "switchable": Plain(("boolean",)),
                "default": Choice(("on", "off")),
                **{key: self.inherited[key] for key in taken},
            },
            "summary",
            "sources",
        )


STRICT = Strict()
