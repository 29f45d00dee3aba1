"""Product families, and the family of a chip."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from npu_lsp.catalog.near import distance
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text

if TYPE_CHECKING:
    from npu_lsp.catalog.load import Catalog

_MAKER = "ascend"
_CHIP = re.compile(r"(?P<maker>[A-Za-z_ -]*?)[_ -]?(?P<model>\d[\w-]*)")


class Products:
    """What the catalog knows about products. Ids are those of `products.toml`."""

    def __init__(self, families: Mapping[str, Any], socs: Mapping[str, Any]) -> None:
        self.families = families
        self.socs = socs

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all families, newest first."""
        return tuple(self.families)

    @property
    def soc_versions(self) -> tuple[str, ...]:
        """Every known name that `--soc_version` takes."""
        return tuple(self.socs)

    def of_soc(self, soc_version: str) -> str | None:
        """Return the family of a `--soc_version` name, or `None` where it isn't known."""
        known = self.socs.get(soc_version)
        if known is not None:
            family: str | None = known.get("product")
            return family
        return next((family for start, family in self._prefixes if soc_version.startswith(start)), None)

    def first(self, soc_versions: Iterable[str], wanted: Collection[str]) -> list[str]:
        """Return chips, those of the families that are `wanted` before the others."""
        return sorted(soc_versions, key=lambda name: self.of_soc(name) not in wanted)

    def resolve(self, name: str) -> str | None:
        """Return the id that `name` means: an id, a `--soc_version` name, a name from the docs or one of people's, in any case."""
        return self._names.get(_plain(name)) or self.called(name) or self.of_soc(name)

    def called(self, name: str) -> str | None:
        """Return the id of a family that people call so."""
        return self._called.get(_short(name))

    def chips(self, family: str) -> list[str]:
        """Return the `--soc_version` names of a family."""
        return [name for name, known in self.socs.items() if known.get("product") == family]

    def former(self, soc_version: str) -> str | None:
        """Return what a chip is called whose name older releases of CANN had."""
        for family in self.families.values():
            name: str | None = family.get("former", {}).get(soc_version)
            if name is not None:
                return name
        return None

    def meant(self, soc_version: str, known: Collection[str]) -> str | None:
        """Return the one of the `known` names whose chip a mistyped one certainly names: never another one's.

        Letters may be wrong or missing in front of the number; it and what is behind it are the chip.
        """
        wanted = _CHIP.fullmatch(soc_version)
        if wanted is None or (wanted["maker"] and distance(wanted["maker"].casefold(), _MAKER, 2) is None):
            return None
        found = [
            name
            for name in known
            if (chip := _CHIP.fullmatch(name))
            and chip["maker"].casefold() == _MAKER
            and chip["model"].casefold() == wanted["model"].casefold()
        ]
        return found[0] if len(found) == 1 else None

    def text(self, product: str) -> Text:
        """Return a family's name as the docs have it, or the id of one that isn't known."""
        family = self.families.get(product)
        return Text(family["en"], family["zh"]) if family else Text(product, product)

    def short(self, product: str) -> Text:
        """Return what people call a family for short, or the id of one that isn't known."""
        family = self.families.get(product, {}).get("short")
        return Text(family["en"], family["zh"]) if family else self.text(product)

    @cached_property
    def _prefixes(self) -> tuple[tuple[str, str], ...]:
        found = [(start, name) for name, family in self.families.items() for start in family.get("soc_prefixes", ())]
        return tuple(sorted(found, key=lambda pair: -len(pair[0])))

    @cached_property
    def _called(self) -> dict[str, str]:
        return {_short(name): family for family, facts in self.families.items() for name in facts.get("called", ())}

    @cached_property
    def _names(self) -> dict[str, str]:
        found = {_plain(name): known["product"] for name, known in self.socs.items() if "product" in known}
        for family, facts in self.families.items():
            parts = (facts["en"], facts["zh"], *facts.get("also", ()))
            found |= {_plain(name): family for name in parts}
        return found | {family: family for family in self.families}


def products(catalog: Catalog) -> Products:
    """Return the products that `catalog` knows."""
    return Products(catalog.plain("products"), catalog.plain("soc_versions"))


def _plain(name: str) -> str:
    return "".join(name.split()).casefold()


def _short(name: str) -> str:
    """Return a name without what people leave out."""
    plain = _plain(name).replace("-", "").replace("_", "")
    return plain.removeprefix("atlas").removeprefix("ascend")
