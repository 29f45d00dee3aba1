"""How often people set an option, next to the others of its surface."""

from __future__ import annotations

from collections.abc import Mapping

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, Surface


def ranks(catalog: Catalog, surface: Surface) -> Mapping[str, int]:
    """Return the rank of options of `surface` by how often public code sets them, 0 for the most frequent one; those never seen have none.

    A group (`dump_config`) stands where the first of its members does.
    """
    found: dict[str, int] = {}
    for place, name in enumerate(catalog.plain("usage").get(surface.value, ())):
        group = name
        while group:
            found.setdefault(group, place)
            group = group.rpartition(".")[0]
    return found


def class_of(option: Option) -> str:
    """Return the class whose object an argument takes, by its name: `DumpConfig` for `dump_config`."""
    return "".join(part.capitalize() for part in option.name.rpartition(".")[2].split("_"))


def holders(catalog: Catalog, option: Option) -> tuple[Option, ...]:
    """Return the arguments that lead to an option, outermost first: `dump_config` for `DumpConfig.enable_dump`."""
    found: tuple[Option, ...] = ()
    owner = option.name.rpartition(".")[0]
    while owner:
        objects = (each for each in catalog.options(option.surface) if each.type == "object")
        holder = next((each for each in objects if class_of(each) == owner), None)
        if holder is None or holder in found:
            break
        found = (holder, *found)
        owner = holder.name.rpartition(".")[0]
    return found
