"""What only the catalog can tell of a house rule: whether the things exist that it names, and whether it can hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Scalar, Surface, as_text
from npu_lsp.catalog.products import products
from npu_lsp.languages.model import Value, ValueKind
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.fixing.gate import proven
from npu_lsp.linter.house.rows import CONSTRAINTS, Example, HouseRow, row
from npu_lsp.linter.house.rule import house_rules
from npu_lsp.linter.house.settings import fits, number, specs
from npu_lsp.linter.launch.programs import programs
from npu_lsp.linter.values import allows, nearest
from npu_lsp.rules import all_rules, rule_for
from npu_lsp.text.bilingual import Said, Text, did_you_mean
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span, apply_edits

_NO_NUMBERS = ("bool", "list", "dict", "object", "path")
NAME = r"[a-z0-9]+(?:-[a-z0-9]+)*"
"""What a house rule may be called: as the built-in ones are."""


class Wrong(NamedTuple):
    """One mistake in a house rule that has the right form."""

    rule: str
    key: str
    message: Text
    suggestion: Said | None = None
    word: str | None = None


def wrong(tables: Mapping[str, Mapping[str, Any]], catalog: Catalog) -> Iterator[Wrong]:
    """Yield what house rules name that isn't there, and what doesn't go together in them; they have the right form."""
    for name, table in tables.items():
        found = [*_name(name), *_constraint(name, table), *_form(name, table)]
        yield from found
        if not found:
            each = row(name, table)
            missing = [*_references(name, each, catalog)]
            yield from missing or _values(name, each, catalog)
            yield from _condition(name, each, catalog)


def _name(name: str) -> Iterator[Wrong]:
    if not re.fullmatch(NAME, name) or name.upper() in ("ALL", "HOUSE"):
        message = Text(f"{name!r} is no name for a rule", f"{name!r} 不能用作规则名")
        yield Wrong(name, "", message, Text("write it as in `long-timeout`", "写法如 `long-timeout`"), name)
    elif rule_for(name) is not None:
        message = Text(f"npu-lsp has a rule called {name!r} already", f"npu-lsp 已有名为 {name!r} 的规则")
        yield Wrong(name, "", message, None, name)


def _constraint(name: str, table: Mapping[str, Any]) -> Iterator[Wrong]:
    given = [key for key in CONSTRAINTS if key in table]
    listed = ", ".join(("require", *CONSTRAINTS))
    if len(given) > 1:
        message = Text(f"{' and '.join(given)} are two rules", f"{'、'.join(given)} 应分为多条规则")
        yield Wrong(name, given[1], message, Text("one of them in each", "每条规则只写其一"))
    elif not given and "require" not in table:
        message = Text("says nothing that must hold", "未写明约束")
        yield Wrong(name, "", message, Text(f"one of {listed}", f"可选 {listed}"))
    elif "forbid" in given and "require" in table:
        yield Wrong(name, "forbid", Text("contradicts require", "与 require 矛盾"))


def _form(name: str, table: Mapping[str, Any]) -> Iterator[Wrong]:
    bounds = table.get("between")
    if bounds is not None and (len(bounds) != 2 or bounds[0] > bounds[1]):
        message = Text("must be the least and the greatest number", "应依次为最小值和最大值")
        yield Wrong(name, "between", message)
    for at, each in enumerate(table.get("examples", ())):
        if "good" in each and ("bad" in each or "fixed" in each):
            message = Text("is either good or bad", "只能写 good 或 bad 之一")
            yield Wrong(name, f"examples[{at}]", message)


def _references(name: str, each: HouseRow, catalog: Catalog) -> Iterator[Wrong]:
    for key, ref in (("setting", each.setting), *((each.constraint, other) for other in each.others)):
        if ref.names(catalog):
            continue
        where = f" on {ref.surface.value}" if ref.surface is not None else ""
        zh = f"（{ref.surface.value}）" if ref.surface is not None else ""
        surfaces = (ref.surface,) if ref.surface is not None else Surface
        near = next((found for surface in surfaces if (found := catalog.near(surface, ref.name)) is not None), None)
        message = Text(f"there is no option {ref.name!r}{where}", f"没有配置项 {ref.name!r}{zh}")
        yield Wrong(name, key, message, did_you_mean(near) if near else None, ref.name)


def _values(name: str, each: HouseRow, catalog: Catalog) -> Iterator[Wrong]:
    """Yield values that the option doesn't take, and a fix that the rule itself would not let through."""
    options = [catalog.option(surface, found) for surface, found in each.setting.names(catalog).items()]
    known = [option for option in options if option is not None]
    if any(bound is not None for bound in each.bounds) and all(option.type in _NO_NUMBERS for option in known):
        message = Text(f"{each.setting.name!r} is no number", f"{each.setting.name!r} 不是数值")
        yield Wrong(name, each.constraint, message)
    for value in each.values if each.constraint == "one-of" else ():
        if all(option.values and not option.open and not allows(option, _word(value)) for option in known):
            message = Text(
                f"{each.setting.name!r} doesn't take {value!r}", f"{each.setting.name!r} 不支持取值 {value!r}"
            )
            meant = next((near for option in known if (near := nearest(option, _word(value))) is not None), None)
            yield Wrong(name, "one-of", message, did_you_mean(str(meant)) if meant is not None else None, str(value))
    if each.fix is not None and not _lets_through(each, each.fix):
        message = Text(f"the rule itself doesn't allow {each.fix!r}", f"规则本身不允许取值 {each.fix!r}")
        yield Wrong(name, "fix", message)


def _lets_through(each: HouseRow, fix: Scalar) -> bool:
    value = _word(fix)
    found, (low, high) = number(value), each.bounds
    if each.constraint == "one-of":
        return any(fits(value, allowed) for allowed in each.values)
    if each.constraint == "forbid":
        return bool(each.values) and not any(fits(value, forbidden) for forbidden in each.values)
    return (low is None or (found is not None and found >= low)) and (
        high is None or (found is not None and found <= high)
    )


def _word(value: Scalar) -> Value:
    return Value(ValueKind.WORD, Span(0, 0), known=True, data=as_text(value))


def _condition(name: str, each: HouseRow, catalog: Catalog) -> Iterator[Wrong]:
    condition = each.condition
    for component, spec in condition.versions:
        if specs(spec) is None:
            message = Text(f"{spec!r} names no versions", f"{spec!r} 不是版本范围")
            yield Wrong(
                name, f"for.{component}", message, Text('write it as in ">=8.5, <9"', '写法如 ">=8.5, <9"'), spec
            )
    for product in condition.products:
        if products(catalog).resolve(product) is None:
            near = products(catalog).meant(product, products(catalog).soc_versions)
            message = Text(f"there is no product {product!r}", f"没有产品 {product!r}")
            yield Wrong(name, "for.products", message, did_you_mean(near) if near else None, product)
    there = [row.name for row in programs(catalog).values() if not row.within]
    for program in condition.programs:
        if program not in there:
            message = Text(f"there is no program {program!r}", f"没有程序 {program!r}")
            listed = ", ".join(dict.fromkeys(there))
            yield Wrong(name, "for.programs", message, Text(f"one of {listed}", f"可选 {listed}"), program)


class Failure(NamedTuple):
    """An example on which a house rule does something else than the example says."""

    rule: str
    number: int
    """From 1."""
    said: Text


class Trial(NamedTuple):
    """What became of one house rule's examples."""

    rule: str
    examples: int
    failures: tuple[Failure, ...]


def trials(config: Config) -> Iterator[Trial]:
    """Yield what became of the examples of each house rule; comments, globs and other rules have no say in it."""
    for rule in house_rules(config):
        table = {key: value for key, value in config.house_rules[rule.name].items() if key != "in-files"}
        alone = config._replace(
            house_rules={rule.name: table}, select=(rule.name,), extend_select=(), ignore=(), per_file_ignores=()
        )
        analyzer = Analyzer(alone, all_rules)
        failures = (
            Failure(rule.name, number, said)
            for number, example in enumerate(rule.row.examples, 1)
            for said in _tried(rule.row, example, analyzer)
        )
        yield Trial(rule.name, len(rule.row.examples), tuple(failures))


def _tried(row: HouseRow, example: Example, analyzer: Analyzer) -> Iterator[Text]:
    document = Document(example.text, kind=example.kind)
    found = [each for each in analyzer.findings(document) if each.code == row.name]
    if example.bad and not found:
        yield Text("nothing is said of this bad example", "未报告该错误示例")
    for each in found if not example.bad else ():
        yield Text(f"something is said of this good example: {each.message}", f"报告了该正确示例：{each.message}")
    if example.bad and found and example.fixed is not None:
        mended = _mended(document, found, analyzer)
        if mended.rstrip() != example.fixed.rstrip():
            yield Text(f"its fix makes {mended!r} of it", f"修复结果为 {mended!r}")


def _mended(document: Document, found: list[Finding], analyzer: Analyzer) -> str:
    edits = [edit for each in found for edit in (each.fixes[0].edits if each.fixes else ())]
    through = proven(document, dict.fromkeys(edits), analyzer.findings_of, found)
    return apply_edits(document.text, through.edits) if through is not None else document.text
