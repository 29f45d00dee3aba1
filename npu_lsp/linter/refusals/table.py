"""The table of refusals: what `refusals.toml` says, and where its rows hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.products import products
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.context import Context
from npu_lsp.linter.launch.programs import programs
from npu_lsp.linter.names.meant import is_another_release
from npu_lsp.linter.refusals.conditions import RefusalCondition, condition, holds, names
from npu_lsp.linter.refusals.told import LaunchAnswer, Told, defaults
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text

_SAYS = {
    "needs": Text(
        en='"<a>" needs "<b>", which isn\'t set: <title> stops with an error. Set it, or leave "<a>" out.',
        zh="“<a>”须与“<b>”配合使用，但后者未设置，<title> 会报错退出。请设置“<b>”，或删除“<a>”。",
    ),
    "excludes": Text(
        en='"<a>" and "<b>" exclude each other: <title> stops with an error. Leave one of them out.',
        zh="“<a>”与“<b>”互斥，<title> 会报错退出。请删除其中之一。",
    ),
    "excludes-value": Text(
        en='"<a>" ({<a>}) doesn\'t go with "<b>" ({<b>}): <title> stops with an error. Change one of them.',
        zh="“<a>”（{<a>}）与“<b>”（{<b>}）不能同时使用，<title> 会报错退出。请修改其中之一。",
    ),
    "excludes-with": Text(
        en='"<a>" doesn\'t go with "<b>" ({<b>}): <title> stops with an error. Change one of them.',
        zh="“<a>”不能与“<b>”（{<b>}）同时使用，<title> 会报错退出。请修改其中之一。",
    ),
    "too-large": Text(
        en='"<a>" ({<a>}) is larger than "<b>" ({<b>}) allows: <title> stops with an error. Lower it, or raise "<b>".',
        zh="“<a>”（{<a>}）超出“<b>”（{<b>}）允许的范围，<title> 会报错退出。请调小该值，或调大“<b>”。",
    ),
    "too-small": Text(
        en='"<a>" ({<a>}) is less than "<b>" ({<b>}) asks for: <title> stops with an error. Raise it, or lower "<b>".',
        zh="“<a>”（{<a>}）小于“<b>”（{<b>}）的要求，<title> 会报错退出。请调大该值，或调小“<b>”。",
    ),
    "no-multiple": Text(
        en='"<a>" ({<a>}) is no multiple of "<b>" ({<b>}): <title> stops with an error.',
        zh="“<a>”（{<a>}）不是“<b>”（{<b>}）的整数倍，<title> 会报错退出。",
    ),
    "ignored": Text(
        en='vLLM-Ascend sets "<a>" back, since it is for GPUs: it has no effect here. Leave it out.',
        zh="“<a>”仅适用于 GPU，vLLM-Ascend 会将其重置，此处无效。请删除。",
    ),
    "refused": Text(
        en='<title> takes no "<a>" of {<a>} here, and stops with an error.',
        zh="<title> 不支持“<a>”取值 {<a>}，会报错退出。",
    ),
    "one-of": Text(
        en='<title> knows no "<a>" of {<a>}, and stops with an error. It takes: <values>.',
        zh="<title> 的“<a>”不支持取值 {<a>}，会报错退出。可选值：<values>。",
    ),
}
"""What rows of the common kinds say, of the first two names that their conditions ask for, and the values of the first condition."""


class Refusal(NamedTuple):
    """One thing that a program refuses, or that fails with it."""

    name: str
    program: str
    conditions: tuple[RefusalCondition, ...]
    at: str
    """The name at whose setting it is told."""
    says: Text
    """What is wrong and what to do; `{name}` is the value of a name."""
    component: str = ""
    since: str | None = None
    until: str | None = None
    """The first version that no longer refuses it."""
    products: tuple[str, ...] = ()
    """By id: it holds where one of these is named and no other; none: everywhere."""
    severity: Severity = Severity.ERROR
    named: bool = False
    """True: it is told only where something names a version of the component. Elsewhere the program runs on other machines, too."""

    def severity_in(self, context: Context, surface: Surface) -> Severity | None:
        """Return how it is told in a file of a launch's options: `None` where another version or another product is meant."""
        target = context.target
        if self.products and not (context.products and set(context.products) <= self._families(context)):
            return None
        if self.since is not None and target.at_least(self.since, self.component) is False:
            return None
        if self.until is not None and not target.precedes(self.until, self.component):
            return None
        assumed = context.is_assumed(self.since, self.component)
        if self.named and (not target.knows(self.component) or is_another_release(context, surface)):
            return None
        return max(self.severity, Severity.INFO, key=lambda each: each.rank) if assumed else self.severity

    def is_met(self, told: Told) -> bool:
        """Return whether all of its conditions hold for sure."""
        return all(holds(each, told) is True for each in self.conditions)

    def _families(self, context: Context) -> set[str]:
        known = products(context.catalog)
        return {found for each in self.products if (found := known.resolve(each)) is not None}


@lru_cache(maxsize=64)
def refusals(catalog: Catalog, program: str) -> tuple[Refusal, ...]:
    """Return what a program refuses, in the order of the table."""
    title = next(each.title for each in programs(catalog).values() if each.name == program)
    return tuple(_row(name, row, title) for name, row in catalog.plain("refusals").items() if row["program"] == program)


def _row(name: str, row: Mapping[str, Any], title: Text) -> Refusal:
    conditions = tuple(map(condition, row["when"]))
    return Refusal(
        name,
        row["program"],
        conditions,
        row.get("at", conditions[0].left[0]),
        _said(row["says"], conditions, title) if "says" in row else Text(row["en"], row["zh"]),
        row.get("component", ""),
        row.get("since"),
        row.get("until"),
        tuple(row.get("products", ())),
        Severity(row.get("severity", "error")),
        row.get("named", False),
    )


def met(told: Told, catalog: Catalog) -> Iterator[Refusal]:
    """Yield what the program of a launch, and that which it starts, refuse of it."""
    launch = told.launch
    blocks = (launch.block,) if launch.inner is None else (launch.block, launch.inner)
    started = launch.program.name, *(programs(catalog)[each.surface].name for each in blocks[1:])
    surfaces = frozenset(each.surface for each in blocks)
    for program in started:
        for needed, rows in _by_need(catalog, program, surfaces):
            if needed is None or told.may_be_set(needed):
                yield from (row for row, more in rows if all(map(told.may_be_set, more)) and row.is_met(told))


class _Default(NamedTuple):
    """A launch that is told nothing: what is asked for has one default."""

    answer: LaunchAnswer
    model: str | None = None

    def ask(self, name: str) -> LaunchAnswer:
        return self.answer


@lru_cache(maxsize=64)
def _by_need(
    catalog: Catalog, program: str, surfaces: frozenset[Surface]
) -> Sequence[tuple[str | None, Sequence[tuple[Refusal, Sequence[str]]]]]:
    """Return what a program refuses, by a name that must be set for it, each with what else must be: most launches set few of hundreds.

    `surfaces` are those of the options.
    """
    found: dict[str | None, list[tuple[Refusal, Sequence[str]]]] = {}
    for row in refusals(catalog, program):
        needs = [*dict.fromkeys(_needs(row.conditions, catalog, surfaces))]
        found.setdefault(needs[0] if needs else None, []).append((row, needs[1:]))
    return [*found.items()]


def _needs(conditions: Iterable[RefusalCondition], catalog: Catalog, surfaces: Collection[Surface]) -> Iterator[str]:
    """Yield the names of conditions about one name which no default meets."""
    for each in conditions:
        asked = [*names(each)]
        if len(asked) == 1 and not asked[0].startswith("@"):
            answers = defaults(asked[0], catalog, surfaces)
            if not any(holds(each, _Default(answer)) for answer in answers):
                yield asked[0]


def _said(kind: str, conditions: Sequence[RefusalCondition], title: Text) -> Text:
    asked = [*dict.fromkeys(name for each in conditions for name in names(each)), ""]
    said = _SAYS[kind]
    for place, name in zip(("<a>", "<b>"), asked, strict=False):
        value, shown = f"{{{place}}}", name.lstrip("$")
        said = Text(*(text.replace(value, f"{{{name}}}").replace(place, shown) for text in said))
    values = conditions[0].right
    return Text(
        said.en.replace("<title>", title.en).replace("<values>", ", ".join(values)),
        said.zh.replace("<title>", title.zh).replace("<values>", "、".join(values)),
    )
