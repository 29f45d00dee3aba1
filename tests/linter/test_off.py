"""Which values switch an option off that another one asks for: a rank 0 doesn't, nor does what is asked for."""

from __future__ import annotations

from typing import Literal

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Allowed, Default, Option, Relation, Scalar
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.relations import off_by_default, says_off
from tests.together import together


def pair(surface: Surface, name: str, other: str) -> tuple[Option, Relation]:
    """Return an option that one called `name` speaks of, and what that says of it."""
    option = load().option(surface, name)
    assert option is not None
    relation = next(relation for relation in option.relations if relation.other == other)
    needed = load().option(relation.other_surface or surface, other)
    assert needed is not None
    return needed, relation


def test_what_is_asked_for_is_not_off() -> None:
    option, relation = pair(Surface.ADDITIONAL_CONFIG, "enable_shared_expert_dp", "enable-expert-parallel")
    assert relation.other_values == (False,)
    assert not says_off(False, option, relation)
    assert not off_by_default(option, relation)
    anything = relation._replace(other_values=())
    assert says_off(False, option, anything)
    assert off_by_default(option, anything)


@together(
    ("type_", "listed", "default", "value", "off"),
    [
        ("bool", (), None, False, True),
        ("bool", (), None, True, False),
        ("string", ("on", "off"), None, "off", True),
        ("string", ("on", "auto"), None, "off", False),
        ("int", (), None, 0, False),
        ("int", (0, 1), None, 0, False),
        ("int", (), 0, 0, True),
        ("int", (), 1, 0, False),
    ],
)
def test_off_is_what_the_option_lists_or_has_alone(
    type_: Literal["string", "bool", "int"], listed: tuple[Scalar, ...], default: Scalar, value: Scalar, off: bool
) -> None:
    option, relation = pair(Surface.ADDITIONAL_CONFIG, "enable_shared_expert_dp", "enable-expert-parallel")
    option = option._replace(
        type=type_,
        values=tuple(Allowed(each) for each in listed),
        defaults=(Default(default),) if default is not None else (),
    )
    assert says_off(value, option, relation._replace(other_values=())) is off
