"""The lists that `npu-lsp options` prints: a table, JSON, a page to search, and a reference in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from npu_lsp.catalog.availability import defaults_on, standing, values_on
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Condition, Option, Relation, Scalar
from npu_lsp.catalog.target import Target
from npu_lsp.catalog.usage import ranks
from npu_lsp.docs import labels
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.terminal import aligned, as_json, cells

_HEADS = (
    Text("name", "名称"),
    Text("surface", "入口"),
    Text("type", "类型"),
    Text("default", "默认值"),
    Text("state", "状态"),
    Text("summary", "说明"),
)
_STATES = {
    "removed": Text("removed", "已删除"),
    "deprecated": Text("deprecated", "已废弃"),
    "undocumented": Text("undocumented", "文档未说明"),
    "internal": Text("internal", "内部使用"),
    "no_effect": Text("no effect", "不生效"),
    "experimental": Text("experimental", "试验"),
    "debug": Text("debug", "调试"),
}
_TAKES = Text("takes", "取值")
_REFERENCE = Text("Ascend NPU options", "昇腾 NPU 配置参考")
_DEFAULT = 3
"""The column of the defaults, each on a line of its own where there are several."""
_WIDEST = 44


def written(options: Sequence[Option], catalog: Catalog, target: Target, form: str, language: Language) -> str:
    """Return the list of `options` in one of the forms."""
    if form == "json":
        return as_json([facts(option, catalog, target) for option in options])
    if form == "markdown":
        return _reference(options, catalog, target, language)
    if form == "html":
        return _page(options, catalog, target, language)
    return _table(options, catalog, target, language)


def facts(option: Option, catalog: Catalog, target: Target) -> dict[str, Any]:
    """Return all that is known about an option as it stands on `target`."""
    option = _known(option, target)
    docs = catalog.docs(option.surface, option.name)
    stands = standing(option, target)
    values = values_on(option, target)
    gone = option.removed or option.deprecated
    return {
        "name": option.name,
        "surface": option.surface.value,
        "topic": option.topic,
        "slot": option.slot.value if option.slot is not None else None,
        "type": option.type,
        "values": [allowed.value for allowed in values] or None,
        "value_details": [
            {
                "value": allowed.value,
                "doc": _text(catalog.value_text(option.surface, option.name, allowed.value)),
                "products": list(allowed.products),
                "scenario": allowed.scenario,
                "since": allowed.since,
                "deprecated": bool(allowed.deprecated),
                "supported": allowed.supported,
            }
            for allowed in values
        ],
        "open": option.open,
        "grammar": option.grammar,
        "minimum": option.minimum,
        "maximum": option.maximum,
        "above": option.above,
        "nullable": option.nullable,
        "nonempty": option.nonempty,
        "unit": option.unit,
        "enforced": option.enforced,
        "default": option.default,
        "defaults": [
            {"value": each.value, "scenario": each.scenario, "products": list(each.products), "source": each.source}
            for each in option.defaults
        ],
        "deprecated": stands.deprecated,
        "removed": stands.removed,
        "replacement": gone.replacement if gone is not None else None,
        "deprecation": {
            "version": option.deprecated.version,
            "why": _text(option.deprecated.why),
            "fix": option.deprecated.fix,
            "source": option.deprecated.source,
        }
        if option.deprecated is not None
        else None,
        "status": option.status,
        "stability": option.stability,
        "group": option.group,
        "scenario": option.scenario,
        "products": list(option.products),
        "component": option.component,
        "since": option.since,
        "seen": option.seen,
        "unseen": option.unseen,
        "undated": option.undated,
        "removed_in": option.removed.version if option.removed is not None else None,
        "relations": [_relation(relation) for relation in option.relations],
        "required": [_condition(condition) for condition in option.required],
        "only_when": [_condition(condition) for condition in option.only_when],
        "aliases": list(option.aliases),
        "same_as": {
            surface.value: name
            for surface, name in catalog.topic(option.topic).items()
            if surface is not option.surface
        },
        "doc": _text(docs.summary),
        "text": _text(docs.text),
        "note": _text(docs.note),
        "page": _text(docs.page),
        "sources": list(option.sources),
    }


def _known(option: Option, target: Target) -> Option:
    """Return the option with the defaults that it has on `target`."""
    defaults = defaults_on(option, target)
    return option if defaults == option.defaults else option._replace(defaults=defaults)


def _relation(relation: Relation) -> dict[str, Any]:
    return {
        "kind": relation.kind,
        "other": relation.other,
        "other_surface": relation.other_surface.value if relation.other_surface is not None else None,
        "values": list(relation.values),
        "other_values": list(relation.other_values),
        "other_not": list(relation.other_not),
        "when": {name: list(values) for name, values in relation.when},
        "rejected": relation.rejected,
        "extent": relation.extent,
        "result": _text(relation.result),
        "stays": _text(relation.stays),
        "source": relation.source,
    }


def _condition(condition: Condition) -> dict[str, Any]:
    return {"when": {name: list(values) for name, values in condition.when}, "source": condition.source}


def _text(text: Text | None) -> dict[str, str] | None:
    return {"en": text.en, "zh": text.zh} if text is not None else None


def _table(options: Sequence[Option], catalog: Catalog, target: Target, language: Language) -> str:
    rows = [[head.to(language) for head in _HEADS]]
    for row in _rows(options, catalog, target, language):
        first, *more = row[_DEFAULT].split("\n")
        rows.append([*row[:_DEFAULT], first, *row[_DEFAULT + 1 :]])
        rows += [[each if column == _DEFAULT else "" for column in range(len(row))] for each in more]
    return "".join(aligned(rows, _WIDEST))


def _rows(options: Sequence[Option], catalog: Catalog, target: Target, language: Language) -> Iterator[list[str]]:
    for option in (_known(each, target) for each in options):
        yield [
            option.name,
            option.surface.value,
            f".{option.slot.value} {option.type}" if option.slot is not None else option.type,
            "\n".join(_defaults(option)),
            _state(option, target, language),
            catalog.docs(option.surface, option.name).summary.to(language),
        ]


def _defaults(option: Option) -> Iterator[str]:
    """Yield the default, or each with the scenario and the products that it holds for."""
    differ = len({(type(each.value), each.value) for each in option.defaults}) > 1
    for each in option.defaults if differ else option.defaults[:1]:
        value = "" if each.value is None else _cut(json.dumps(each.value, ensure_ascii=False), 24)
        holds = ", ".join([*([each.scenario] if each.scenario else []), *each.products]) if differ else ""
        yield f"{value} ({holds})" if holds else value


def _page(options: Sequence[Option], catalog: Catalog, target: Target, language: Language) -> str:
    from npu_lsp.reports.table import Column, Table, html

    filtered, written = {"surface", "type", "state"}, {"name", "takes", "default"}
    heads = [*_HEADS[:_DEFAULT], _TAKES, *_HEADS[_DEFAULT:]]
    columns = [
        Column(
            head,
            filter=head.en in filtered,
            code=head.en in written,
            anchor=head.en == "name",
            prose=head.en == "summary",
        )
        for head in heads
    ]
    # What people set most stands first, whatever sets it.
    order = {surface: ranks(catalog, surface) for surface in {option.surface for option in options}}
    places = {surface: place for place, surface in enumerate(catalog.plain("usage"))}
    options = sorted(
        options,
        key=lambda each: (
            order[each.surface].get(each.name, len(options)),
            places.get(each.surface.value, len(places)),
        ),
    )
    rows = [
        [*row[:_DEFAULT], _taken(option, target, language), *(cell.replace("\n", ", ") for cell in row[_DEFAULT:])]
        for option, row in zip(options, _rows(options, catalog, target, language), strict=True)
    ]
    return "".join(html(Table(_REFERENCE, columns, rows), language))


def _taken(option: Option, target: Target, language: Language) -> str:
    """Return the values that an option takes, or the range of its numbers."""
    parts = [str(allowed.value) for allowed in values_on(option, target)]
    span = _span(option, language)
    return ", ".join([*parts, f"{span} {option.unit or ''}".rstrip()] if span else parts)


def _span(option: Option, language: Language) -> str:
    low, above, high = option.minimum, option.above, option.maximum
    if low is not None and high is not None:
        return f"{low} – {high}"
    bounds = ((labels.FROM, low), (labels.ABOVE, above), (labels.TO, high))
    return ", ".join(text.to(language).format(low=each, high=each) for text, each in bounds if each is not None)


def _state(option: Option, target: Target, language: Language) -> str:
    stands = standing(option, target)
    if stands.removed:
        return _STATES["removed"].to(language)
    if stands.deprecated:
        return _STATES["deprecated"].to(language)
    for each in (option.status, option.stability):
        if each in _STATES:
            return _STATES[each].to(language)
    return ""


def _cut(text: Scalar, width: int) -> str:
    shown = str(text)
    return shown if cells(shown) <= width else shown[: width - 1] + "…"


def _reference(options: Sequence[Option], catalog: Catalog, target: Target, language: Language) -> str:
    from npu_lsp.docs.markdown import code, plain
    from npu_lsp.docs.render import render
    from npu_lsp.docs.wording import heading, shown

    lines = [f"# {_REFERENCE.to(language)}"]
    surface = None
    for option in options:
        if option.surface is not surface:
            surface = option.surface
            lines.append(f"## {plain(heading(surface, catalog, language))}")
        lines.append(f"### {code(shown(option.surface, option.name))}")
        lines.append(render(catalog, option, language, target, budget=20_000))
    return "\n\n".join(lines) + "\n"
