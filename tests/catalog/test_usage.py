"""Which options people set most."""

from __future__ import annotations

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.usage import ranks


def test_what_was_counted_are_options() -> None:
    catalog = load()
    counted = catalog.plain("usage")
    assert set(counted) <= {surface.value for surface in Surface}
    for surface, names in counted.items():
        assert len(names) == len(set(names))
        assert set(names) <= catalog.names(Surface(surface)), surface


def test_what_people_set_by_hand_was_counted() -> None:
    assert {"atc", "env", "additional_config", "mindie", "mindspeed", "mindspore", "profiler"} <= set(
        load().plain("usage")
    )


def test_a_group_stands_where_its_first_member_does() -> None:
    found = ranks(load(), Surface.GLOBAL_OPTIONS)
    members = [place for name, place in found.items() if name.startswith("dump_config.")]
    assert found["dump_config"] == min(members)
    assert found["precision_mode"] == 0
