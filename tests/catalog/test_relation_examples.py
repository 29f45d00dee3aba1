"""Each relation in the smallest text that has it: what stops the tool or has no effect at all is told, a part never is."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Relation, Scalar, Surface
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.rules.ignored_option import IgnoredOption
from npu_lsp.text.document import Document
from tests.catalog.both_set import WITHOUT, any_value, as_written, document
from tests.together import together

CODES = ("NPU201", "NPU202", "NPU204", "NPU602")
_OFF = ("false", "0", "off")
_BROKEN = {"at_least": (2, 9), "greater_than": (2, 2), "must_equal": (2, 9), "must_differ": (2, 2)}
"""By a kind of relation, two values that don't go together."""

Case = tuple[Option, Relation, Option]


def cases(*kinds: str) -> Iterator[Case]:
    """Yield (option, relation, other) for each relation of these kinds."""
    catalog = load()
    for surface in Surface:
        for option in catalog.options(surface):
            for relation in option.relations:
                other = catalog.option(relation.other_surface or surface, relation.other)
                if relation.kind in kinds and other is not None and all(map(can_stand_alone, (option, other))):
                    yield option, relation, other


def can_stand_alone(option: Option) -> bool:
    """Return whether a text shows the option for what it is: a key of GE is known by its start only."""
    return option.surface is not Surface.GE or option.name.startswith("ge.")


def name_of(case: Case) -> str:
    option, relation, other = case
    return f"{option.surface.value}-{option.name}-{relation.kind}-{other.surface.value}-{other.name}"


def values(case: Case) -> tuple[Scalar, Scalar]:
    """Return values of the option and of the other with which the relation holds."""
    option, relation, other = case
    mine = relation.values[0] if relation.values else any_value(option)
    its = relation.other_values[0] if relation.other_values else any_value(other, relation.other_not)
    return as_written(mine), as_written(its)


def told(text: Document, *codes: str) -> list[tuple[str, str]]:
    """Return the code and the underlined text of each finding."""
    found = Analyzer(Config(select=codes), all_rules).findings(text)
    return [(f.code, text.text[f.span.start : f.span.end].lstrip("-")) for f in found]


NO_LINES = (Surface.ENV, Surface.SINGLE_OP, Surface.COMPRESSION)
"""Variables may come from whoever starts a script, and nested files have no lines."""
IGNORED = [case for case in cases("ignored_when") if case[1].other_surface is None]
TOTAL = [case for case in IGNORED if case[1].extent == "total" and case[0].surface in IgnoredOption.surfaces]
PARTIAL = [case for case in cases("ignored_when", "overrides") if case[1].extent == "partial"]
VARIABLES = [
    case
    for case in cases("ignored_when", "overrides")
    if case[0].surface is Surface.ENV and case[1].other_surface not in (None, Surface.GE) and case[1].extent == "total"
]
"""Keys of GE stand in files of their own, where no variable is set."""
NEEDS = [case for case in cases("requires", "together") if case[0].surface not in NO_LINES]
CONFLICTS = [case for case in cases("conflicts") if case[1].other_surface is None and not case[1].mirrored]
DOCUMENTED = [
    case for case in cases("ignored_when", "overrides", "conflicts", "requires") if case[1].extent == "documented"
]


COMPARED = [case for case in cases(*_BROKEN) if case[1].other_surface is None and not case[1].mirrored]
UNSAID = [
    case
    for case in cases("ignored_when", "conflicts", "requires", "together", *_BROKEN)
    if case not in [*TOTAL, *PARTIAL, *VARIABLES, *NEEDS, *CONFLICTS, *DOCUMENTED, *COMPARED] and not case[1].mirrored
]


def test_each_relation_is_in_an_example_or_is_one_that_is_only_shown() -> None:
    """What can't be known from one file is no finding; people read of it where an option is explained."""
    assert {
        case[1].kind
        for case in UNSAID
        # A file of its own lists all keys as its template has them, those that are switched off too.
        if not (case[1].kind == "ignored_when" and case[0].surface.row.file)
        # Variables may come from whoever starts a script, and flags and keys of other surfaces from other places.
        and case[0].surface not in NO_LINES
        and case[1].other_surface is None
    } == set()
    assert all(map(len, (TOTAL, PARTIAL, VARIABLES, NEEDS, CONFLICTS, DOCUMENTED, COMPARED, UNSAID)))


@together("case", [case for case in UNSAID if case[0].surface not in WITHOUT], ids=name_of)
def test_what_is_only_shown_is_no_finding(case: Case) -> None:
    option, _, other = case
    text = document((option, values(case)[0]), (other, values(case)[1]))
    assert option.name not in {name for _, name in told(text, "NPU201", "NPU202", "NPU203", "NPU204")}, text.text


@together("case", COMPARED, ids=name_of)
def test_values_that_do_not_go_together_are_told(case: Case) -> None:
    option, relation, other = case
    names = [*relation.when, *(pair for each in (*option.only_when, *other.only_when) for pair in each.when)]
    found = [(load().option(option.surface, name), wanted[0]) for name, wanted in names]
    given = [(each, value) for each, value in found if each is not None]
    mine, its = _BROKEN[relation.kind]
    text = document((option, mine), (other, its), *given)
    assert told(text, "NPU205") == [("NPU205", str(mine))], text.text
    assert told(document((option, 1_000_000), (other, its), *given), "NPU205") == []
    if relation.when:
        assert told(document((option, mine), (other, its)), "NPU205") == []


@together("case", TOTAL, ids=name_of)
def test_what_has_no_effect_is_told(case: Case) -> None:
    option, _, other = case
    mine, its = values(case)
    text = document((option, mine), (other, its))
    if other.only_when and ("NPU209", option.name.rpartition(".")[2]) in told(text, "NPU209"):
        return  # Neither of them does anything without a third, which is told.
    assert ("NPU204", option.name.rpartition(".")[2]) in {
        (code, name.rpartition(".")[2]) for code, name in told(text, "NPU204")
    }, text.text


@together("case", VARIABLES, ids=name_of)
def test_a_variable_or_an_option_without_effect_is_told(case: Case) -> None:
    variable, _, option = case
    mine, its = values(case)
    text = document((variable, mine), (option, its))
    assert [code for code, _ in told(text, "NPU602")] == ["NPU602"], text.text


@together("case", PARTIAL, ids=name_of)
def test_what_keeps_a_part_of_its_effect_is_no_finding(case: Case) -> None:
    option, _, other = case
    mine, its = values(case)
    text = document((option, mine), (other, its))
    assert told(text, "NPU204", "NPU602") == [], text.text


@together("case", DOCUMENTED, ids=name_of)
def test_what_only_docs_show_is_no_finding(case: Case) -> None:
    option, relation, other = case
    mine, its = values(case)
    text = document((option, mine)) if relation.kind == "requires" else document((option, mine), (other, its))
    codes = {"requires": ("NPU201",), "conflicts": ("NPU203",)}.get(relation.kind, ("NPU204", "NPU602"))
    assert not {name for _, name in told(text, *codes) if name == option.name}, text.text


@together("case", [case for case in CONFLICTS if case[1].extent == "total"], ids=name_of)
def test_what_excludes_another_is_told(case: Case) -> None:
    option, _, other = case
    mine, its = values(case)
    text = document((option, mine), (other, its))
    assert told(text, "NPU203"), text.text


@together("case", NEEDS, ids=name_of)
def test_what_needs_another_is_told_only_where_nothing_of_it_works_alone(case: Case) -> None:
    option, relation, other = case
    mine, _ = values(case)
    alone = document((option, mine))
    found = told(alone, "NPU201", "NPU202")
    if relation.extent != "total":
        assert found == [], alone.text
        return
    wrong = [each.value for each in other.values if each.value not in relation.other_values]
    wrong = [value for value in wrong if str(value).lower() not in _OFF]
    if relation.other_values and wrong and not other.open:
        text = document((option, mine), (other, wrong[0]))
        assert told(text, "NPU201"), text.text


def test_a_value_that_is_told_of_leads_to_nothing_else() -> None:
    """A mistyped value may have been meant as any that the relation spares."""
    relations = ("NPU201", "NPU203", "NPU204", "NPU206", "NPU602")
    both = []
    for case in cases("conflicts", "requires", "ignored_when"):
        option, relation, other = case
        if not (relation.other_values or relation.other_not) or not isinstance(
            other.values[0].value if other.values else 0, str
        ):
            continue
        mine, its = values(case)
        text = document((option, mine), (other, f"{its}x"))
        more = set(told(text, *relations)) - set(told(document((option, mine)), *relations))
        if told(text, "NPU104") and more:
            both.append((name_of(case), text.text))
    assert both == []
