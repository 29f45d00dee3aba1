"""What the parts of a deployment must have in common: the rows of `catalog/data/deployment.toml`, and which of them don't hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

from npu_lsp.catalog.grammar import check
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Setting, Value
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.parts import Deployment, Placed, deployment_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_MODEL = "BackendConfig.ModelDeployConfig.ModelConfig."
_ANY = "*"
_PRODUCTS = ("product", "fits")


class Broken(NamedTuple):
    """A constraint that doesn't hold, and the place that is told so."""

    name: str
    kind: str
    """`value`, `equal`, `least`, `product`, `fits`, or `most`: `least` seen from the other; `other`: any value but this one; `form`: not
    written as it must be; `differ`: the same as the other; `sum`: less in all than it must be; `missing`: it isn't set."""
    option: str
    surface: Surface
    span: Span
    others: tuple[Placed, ...]
    """The settings that it rests on."""
    severity: str
    why: Text
    expected: Text
    found: str
    """The value; of what is missing the key that its part stands under."""


def broken(context: Context, kinds: frozenset[str]) -> Iterator[Broken]:
    """Yield what doesn't hold of the deployment that the file belongs to, where a setting of this file is told."""
    return (each for each in _BROKEN(context) if each.kind in kinds)


def _all(context: Context) -> tuple[Broken, ...]:
    """Return what doesn't hold: of a setting one thing alone, and of sizes nothing where one of them is told to be wrong."""
    deployment = deployment_of(context)
    if deployment is None:
        return ()
    found: dict[int, Broken] = {}
    for name, row in _rows(context.catalog):
        for each, setting in _look(name, row, deployment):
            concerned = (setting, *(other.setting for other in each.others if each.kind in _PRODUCTS))
            if not any(id(told) in found for told in concerned) and not _is_told(setting, context):
                found[id(setting or each)] = each
    return tuple(found.values())


_BROKEN = Memoized(_all)


@lru_cache(maxsize=20)
def terms(role: str, catalog: Catalog) -> frozenset[str]:
    """Return the names that a part called `role` may set, as far as the rows and the known variables of deployments tell."""
    facts = catalog.plain("deployment")
    names = {_full(name) for name in facts.get("variables" if role.startswith("env_") else role, {}).get("names", ())}
    for _, row in _rows(catalog):
        whose, _, name = _full(row["of"]).partition(":")
        if whose == role:
            names.add(name)
    return frozenset(names)


@lru_cache(maxsize=2)
def _rows(catalog: Catalog) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """Return the rows, products last: one for each word that `{}` stands for."""
    found = catalog.plain("deployment").get("constraints", {}).items()
    rows = [(name, _filled(row, word) if word else row) for name, row in found for word in row.get("each", ("",))]
    return sorted(rows, key=lambda each: each[1]["kind"] in _PRODUCTS)


def _filled(data: Any, word: str) -> Any:
    if isinstance(data, Mapping):
        return {_filled(key, word): _filled(value, word) for key, value in data.items()}
    if isinstance(data, list):
        return [_filled(each, word) for each in data]
    return data.replace("{}", word) if isinstance(data, str) else data


def _is_told(setting: Setting | None, context: Context) -> bool:
    """Return whether a value is wrong by itself, which other rules tell."""
    option = context.option(setting) if setting is not None else None
    if option is None or setting is None:
        return False
    data = plain(setting.value)
    if data == "" and option.nonempty:
        return True
    if option.values and not option.open and str(data) not in {str(allowed.value) for allowed in option.values}:
        return not isinstance(data, bool)
    if _is_beyond(data, option):
        return True
    return bool(option.grammar) and any(check(option.grammar or "", str(data), setting.surface))


def _is_beyond(data: object, option: Option) -> bool:
    """Return whether a number is less or more than an option takes."""
    low, high = option.minimum, option.maximum
    return isinstance(data, (int, float)) and ((low is not None and data < low) or (high is not None and data > high))


def _look(name: str, row: Mapping[str, Any], deployment: Deployment) -> Iterator[tuple[Broken, Setting | None]]:
    """Yield what doesn't hold, and the setting that is told so; `None` where it isn't set."""
    if not _holds(row, deployment) or (row.get("alone") and deployment.laid_over):
        return
    of = _placed(row["of"], deployment)
    role, _, option = _full(row["of"]).partition(":")
    part = deployment.parts.get(role)
    why = Text(row["why"]["en"], row["why"]["zh"])
    needed = row.get("needed") and not (row["needed"] == "alone" and deployment.laid_over)
    if of is None and needed and part is not None and part.own and part.settings:
        used = tuple(_conditions(row, deployment))
        wanted = "" if row["kind"] == "form" else _shown_values(row["values"])
        surface = next(iter(part.settings.values())).setting.surface
        missing = Broken(
            name, "missing", option, surface, part.head, used, row["severity"], why, _text(wanted), part.called
        )
        yield missing, None
    if of is None:
        return
    marked = _placed(row["other"], deployment) if row.get("mark") == "other" else of
    if marked is None or not marked.own:
        return
    found = _CHECKS[row["kind"]](row, of, deployment)
    if found is not None:
        expected, others = found
        used = tuple(each for each in (*others, *_conditions(row, deployment)) if each is not marked)
        setting = marked.setting
        kind = "most" if row.get("mark") == "other" else row["kind"] if expected else "other"
        span = setting.value.inside if setting.value.inside.start < setting.value.inside.end else setting.key
        said = shown(plain(setting.value))
        yield (
            Broken(name, kind, setting.name, setting.surface, span, used, row["severity"], why, _text(expected), said),
            setting,
        )


def _text(said: Text | str) -> Text:
    return said if isinstance(said, Text) else Text(said, said)


_Found = tuple[Text | str, tuple[Placed, ...]] | None


def _value(row: Mapping[str, Any], of: Placed, deployment: Deployment) -> _Found:
    """Compare a setting with the values that a row allows; "server:~tp" among them stands for the value of another setting."""
    data = plain(of.setting.value)
    if data is None:
        return None
    values: list[Any] = []
    others: list[Placed] = []
    for each in row["values"]:
        other = _placed(each, deployment) if isinstance(each, str) and ":" in each and "~" in each else None
        if other is not None:
            others.append(other)
            each = plain(other.setting.value)
            if each is None:
                return None
        values.append(each)
    if any(fits(data, each) for each in values):
        return None
    return _shown_values(values), tuple(others)


def _shown_values(values: Sequence[Any]) -> str:
    shows = [
        shown(each) for each in values if not (isinstance(each, str) and each[:1] in ("!", "?", _ANY)) and each != -1
    ]
    if len(shows) > 4:
        shows = [f"{shows[0]} – {shows[-1]}"]
    return " / ".join(dict.fromkeys(shows))


def _form(row: Mapping[str, Any], of: Placed, _deployment: Deployment) -> _Found:
    """Compare the way in which a text is written; of a list that of each item."""
    data = plain(of.setting.value)
    written = data if isinstance(data, list) else [data]
    empty = row.get("items") and not written
    if not empty and all(each is None or isinstance(each, (bool, list)) or _is_like(row, each) for each in written):
        return None
    return Text(**row["like"]), ()


def _is_like(row: Mapping[str, Any], data: Any) -> bool:
    return re.fullmatch(row["form"], str(data), re.IGNORECASE) is not None


def _differ(row: Mapping[str, Any], of: Placed, deployment: Deployment) -> _Found:
    other = _placed(row["other"], deployment)
    one, two = plain(of.setting.value), plain(other.setting.value) if other is not None else None
    if other is None or one in (None, "") or str(one) != str(two):
        return None
    return shown(two), (other,)


def _sum(row: Mapping[str, Any], of: Placed, deployment: Deployment) -> _Found:
    other = _placed(row["other"], deployment)
    one, two = _number(of), _number(other)
    if other is None or one is None or two is None or one + two >= row["minimum"]:
        return None
    return str(row["minimum"]), (other,)


def _equal(row: Mapping[str, Any], of: Placed, deployment: Deployment) -> _Found:
    other = _placed(row["other"], deployment)
    one, two = plain(of.setting.value), plain(other.setting.value) if other is not None else None
    if isinstance(one, list) or isinstance(two, list):
        # Of several names of one thing, one that both have is enough.
        sides = [{str(each) for each in (said if isinstance(said, list) else [said])} for said in (one, two)]
        if sides[0] & sides[1]:
            return None
    if other is None or one is None or two is None or str(one) == str(two):
        return None
    return shown(two), (other,)


def _least(row: Mapping[str, Any], of: Placed, deployment: Deployment) -> _Found:
    other = _placed(row["other"], deployment)
    one, two = _number(of), _number(other)
    if other is None or one is None or two is None or one >= two:
        return None
    return str(one if row.get("mark") == "other" else two), (of if row.get("mark") == "other" else other,)


def _product(row: Mapping[str, Any], _of: Placed, deployment: Deployment) -> _Found:
    """Compare two products, which must be the same; of a row that `fits`, the first one may be less."""
    sides: list[int] = []
    used: list[Placed] = []
    for terms in (row["factors"], row["equals"]):
        numbers = []
        for term in terms:
            placed = _placed(term, deployment)
            number = _number(placed) if placed is not None else 1 if term.endswith("?") else None
            if number is None or number < 1:
                return None
            numbers.append(number)
            if placed is not None:
                used.append(placed)
        sides.append(prod(numbers))
    if sides[0] == sides[1] or (row["kind"] == "fits" and sides[0] < sides[1]):
        return None
    left, right = (
        " × ".join(term.partition(":")[2].strip("~?").rpartition(".")[2] for term in terms)
        for terms in (row["factors"], row["equals"])
    )
    return f"{left} = {sides[0]}, {right} = {sides[1]}", tuple(used)


_CHECKS = {
    "value": _value,
    "equal": _equal,
    "least": _least,
    "product": _product,
    "fits": _product,
    "form": _form,
    "differ": _differ,
    "sum": _sum,
}


def _holds(row: Mapping[str, Any], deployment: Deployment) -> bool:
    """Return whether a row is about this deployment for sure."""
    if any(_placed(term, deployment) is not None for term in row.get("absent", ())):
        return False
    for term, values in row.get("when", {}).items():
        placed = _placed(term, deployment)
        data = plain(placed.setting.value) if placed is not None else None
        if data is None or not any(fits(data, each) for each in values):
            return False
    for term, values in row.get("unless", {}).items():
        placed = _placed(term, deployment)
        data = plain(placed.setting.value) if placed is not None else None
        if placed is not None and (data is None or any(fits(data, each) for each in values)):
            return False
        if placed is None and any(fits(1, each) for each in values):
            return False
    return True


def _conditions(row: Mapping[str, Any], deployment: Deployment) -> Iterator[Placed]:
    for term in (*row.get("when", {}), *row.get("unless", {})):
        placed = _placed(term, deployment)
        if placed is not None:
            yield placed


def _placed(term: str, deployment: Deployment) -> Placed | None:
    role, _, name = _full(term).partition(":")
    return deployment.get(role, name)


def _full(term: str) -> str:
    return term.rstrip("?").replace("~", _MODEL)


def _number(placed: Placed | None) -> int | None:
    data = plain(placed.setting.value) if placed is not None else None
    return data if isinstance(data, int) and not isinstance(data, bool) else None


def plain(value: Value) -> Any:
    """Return what a value is, lists with all that is in them; `None` for what can't be known."""
    if value.items:
        items = [plain(item) for item in value.items]
        return None if None in items else items
    return value.data if value.known else None


def fits(data: Any, allowed: Any) -> bool:
    """Return whether a value is one that a row allows."""
    if isinstance(allowed, str):
        pattern = allowed.removeprefix("!")
        return fnmatchcase(str(data), pattern) is (pattern == allowed)
    if isinstance(data, Sequence) and not isinstance(data, str):
        return bool(data == allowed)
    return str(data) == str(allowed)


def shown(data: Any) -> str:
    """Return a value as JSON has it, but without quotes."""
    if isinstance(data, bool):
        return "true" if data else "false"
    return str(data) if data != "" else '""'
