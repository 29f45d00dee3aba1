"""Objects that options stand in: `DumpConfig(...)` is what `dump_config` takes, and has arguments of its own."""

from __future__ import annotations

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option


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
