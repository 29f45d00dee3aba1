"""How often people set an option, next to the others of its surface."""

from __future__ import annotations

from collections.abc import Mapping

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Surface


def ranks(catalog: Catalog, surface: Surface) -> Mapping[str, int]:
    """Return the place of each option that is set now and then, from 0: the most frequent one.

    A group (`dump_config`) stands where the first of its members does.
    """
    found: dict[str, int] = {}
    for place, name in enumerate(catalog.plain("usage").get(surface.value, ())):
        group = name
        while group:
            found.setdefault(group, place)
            group = group.rpartition(".")[0]
    return found
