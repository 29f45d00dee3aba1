"""The table of programs that start processes: whatever it names is an option of the program's surface."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.launch.programs import Program, plain, programs, variable

_ROWS = programs(load())


@pytest.mark.parametrize("row", _ROWS.values(), ids=lambda row: row.name)
def test_every_option_is_one_of_the_surface(row: Program) -> None:
    catalog = load()
    named = {
        *filter(None, (row.processes, row.total, row.copies, row.local, row.first, row.nodes, row.rank)),
        *row.multiplied.values(),
        *row.default,
        *row.elsewhere,
        *row.alone,
        *row.addresses,
        *(
            name
            for port in row.ports
            for name in (port.option, *(each.partition("=")[0] for each in port.given), *port.unless)
        ),
    }
    names = frozenset(map(plain, catalog.names(row.surface))) if row.called else catalog.names(row.surface)
    # Megatron's own flags are no options of MindSpeed.
    options = {name for name in named if variable(name) is None}
    variables = {variable(name) for name in named - options}
    assert row.surface is Surface.MINDSPEED or options <= names
    assert variables <= catalog.names(Surface.ENV)


@pytest.mark.parametrize("row", _ROWS.values(), ids=lambda row: row.name)
def test_a_row_says_where_it_is_from_and_what_holds_without_an_option(row: Program) -> None:
    catalog = load()
    assert all(catalog.link(source).en.startswith("https://") for source in row.sources)
    for surface in row.inner:
        assert _ROWS[surface].within
    for name, number in row.default.items():
        option = catalog.option(row.surface, name)
        told = [str(default.value).partition(":")[0] for default in option.defaults] if option is not None else []
        assert not told or str(number) in told, (name, told)
