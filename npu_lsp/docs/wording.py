"""Facts in words: how an option is named, what its values are narrowed to, how it relates to others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Condition, Option, Relation, Scalar, Surface
from npu_lsp.catalog.products import Products
from npu_lsp.docs.markdown import code, prose
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text

_BLANK = re.compile(r"(?<=[\u4e00-\u9fff）]) (?=[\u4e00-\u9fff])")
"""A blank that a form leaves between two Chinese characters."""

_WORD = re.compile(r"[a-z]+(?![\w.])")
"""An ordinary word, not a name such as `torch_npu` or `acl.json`."""

_SCENARIOS = {"training": Text("training", "训练"), "inference": Text("inference", "推理")}

_DOCUMENTED = Text(" (as the docs say)", "（以文档为据）")
_NARROWED = Text("With {values}: ", "取值为 {values} 时：")
_WHILE = Text("While {conditions}: ", "{conditions} 时：")
_KINDS: dict[str, Text] = {
    "conflicts": Text("not together with {other}", "不能与 {other} 同时使用"),
    "requires": Text("needs {other}", "须同时配置 {other}"),
    "together": Text("only together with {other}", "须与 {other} 配合使用"),
    "ignored_when": Text("no effect while {other}", "{other} 时不生效"),
    "overrides": Text("ignores {other}", "使 {other} 不生效"),
    "must_equal": Text("must equal {other}", "须与 {other} 取值一致"),
    "must_differ": Text("must not equal {other}", "不能与 {other} 取值相同"),
    "greater_than": Text("must be greater than {other}", "须大于 {other}"),
    "at_least": Text("must not be less than {other}", "不能小于 {other}"),
}
_PARTLY: dict[str, Text] = {
    "requires": Text("has its full effect only with {other}", "须配置 {other} 才完全生效"),
    "together": Text("has its full effect only together with {other}", "须与 {other} 配合使用才完全生效"),
    "ignored_when": Text("partly without effect while {other}", "{other} 时部分不生效"),
    "overrides": Text("wins over {other} in part", "部分优先于 {other}"),
}
_ANY = frozenset({"conflicts", "ignored_when"})
"""Kinds of which one of several others is enough."""
_OR = Text(" or ", " 或 ")
_AND = Text(" and ", "、")
_MORE = Text(" … and {count} more", "，以及另外 {count} 项")
_IS = Text("{name} is {values}", "{name} 为 {values}")
_IS_NOT = Text("{name} is anything but {values}", "{name} 不为 {values}")
_IS_SET = Text("{name} is set", "已配置 {name}")
_WITH = Text("{name} = {values}", "{name}（取值 {values}）")
_WITHOUT = Text("{name} other than {values}", "{name}（取值 {values} 除外）")
_ENVIRONMENT = Text("environment variable {name}", "环境变量 {name}")
_ENVIRONMENTS = Text("Environment variables", "环境变量")
_ALWAYS = Text("Required.", "必选。")
_ALWAYS_SINCE = Text("Required since {component} {version}.", "自 {component} {version} 起必选。")
_REQUIRED = Text("Required when {conditions}.", "{conditions} 时必选。")
_ONLY = Text("Has an effect only when {conditions}.", "仅当 {conditions} 时生效。")


def shown(surface: Surface, name: str) -> str:
    """Return an option's name as people write it: flags with their dashes, of which a spelling like `-tp` has its own."""
    flag = (surface.row.commands or surface.row.beside) and not name.startswith("-")
    return f"--{name}" if flag else name


def listed(values: Iterable[Scalar], language: Language) -> str:
    """Return values as code, with "or" before the last."""
    return _joined([code(value) for value in values], _OR.to(language), language)


def scenario(name: str, language: Language) -> str:
    """Return the name of a scenario."""
    return _SCENARIOS[name].to(language)


def families(ids: Sequence[str], products: Products, language: Language) -> str:
    """Return the short names of product families."""
    separator = "、" if language == "zh" else ", "
    return separator.join(products.short(product).to(language) for product in ids)


def relations(catalog: Catalog, option: Option, language: Language, most: int | None = None) -> list[str]:
    """Return a line of Markdown for each relation and condition of `option`; of more than `most` names, the first ones."""
    lines = [_condition(condition, option, _REQUIRED, language) for condition in option.required]
    lines += [_condition(condition, option, _ONLY, language) for condition in option.only_when]
    said: set[Text] = set()
    for alike in _grouped(option.relations):
        texts = [text for text in (alike[0].result, alike[0].stays) if text is not None and text not in said]
        said.update(texts)
        lines.append(_relation(catalog, option, alike, texts, language, most))
    return lines


def _grouped(relations: Iterable[Relation]) -> list[list[Relation]]:
    """Join relations that say the same about several others, so that it is said once."""
    found: dict[Relation, list[Relation]] = {}
    for relation in relations:
        said = relation._replace(other="", other_surface=None, other_values=(), other_not=(), source="", mirrored=False)
        found.setdefault(said, []).append(relation)
    return list(found.values())


def _relation(
    catalog: Catalog,
    option: Option,
    alike: Sequence[Relation],
    texts: Iterable[Text],
    language: Language,
    most: int | None,
) -> str:
    relation = alike[0]
    narrowed: dict[tuple[Sequence[Scalar], Sequence[Scalar]], list[Relation]] = {}
    for each in alike:
        narrowed.setdefault((each.other_values, each.other_not), []).append(each)
    some = (_OR if relation.kind in _ANY else _AND).to(language)
    other = _joined([_others(catalog, option, each, language, most) for each in narrowed.values()], some, language)
    kinds = _PARTLY if relation.extent == "partial" else _KINDS
    line = kinds[relation.kind].to(language).format(other=other)
    if relation.values:
        line = _NARROWED.to(language).format(values=listed(relation.values, language)) + line
    elif relation.when:
        line = _WHILE.to(language).format(conditions=_conditions(relation.when, option, language)) + line
    elif language == "en":
        line = line[0].upper() + line[1:]
    if relation.extent == "documented":
        line += _DOCUMENTED.to(language)
    told = [prose(text.to(language)) for text in texts]
    line += "。" + "".join(told) if language == "zh" else " ".join([".", *told])
    return _BLANK.sub("", line)


def _others(catalog: Catalog, option: Option, alike: Sequence[Relation], language: Language, most: int | None) -> str:
    """Return the names of others that are narrowed in the same way, with what narrows them."""
    relation = alike[0]
    some = (_OR if relation.kind in _ANY else _AND).to(language)
    names = [_name(catalog, option, each.other_surface, each.other, language) for each in alike]
    if most is not None and len(names) > most:
        more = _MORE.to(language).format(count=len(names) - most + 1)
        name = ("、" if language == "zh" else ", ").join(names[: most - 1]) + more
    else:
        name = _joined(names, some, language)
    asks = relation.kind == "ignored_when"
    if relation.other_values:
        return (_IS if asks else _WITH).to(language).format(name=name, values=listed(relation.other_values, language))
    if relation.other_not:
        form = (_IS_NOT if asks else _WITHOUT).to(language)
        return form.format(name=name, values=listed(relation.other_not, language))
    return _IS_SET.to(language).format(name=name) if asks else name


def heading(surface: Surface, catalog: Catalog, language: Language) -> str:
    """Return the title of a surface as it stands alone, in a list or above its options."""
    if surface.row.environment:
        return _ENVIRONMENTS.to(language)
    title = catalog.title(surface).to(language)
    return title[:1].upper() + title[1:] if _WORD.match(title) else title


def _joined(words: Sequence[str], last: str, language: Language) -> str:
    if len(words) < 2:
        return "".join(words)
    return ("、" if language == "zh" else ", ").join(words[:-1]) + last + words[-1]


def _name(catalog: Catalog, option: Option, surface: Surface | None, other: str, language: Language) -> str:
    span = code(shown(surface or option.surface, other))
    if surface is None or surface is option.surface:
        return span
    if surface.row.environment:
        return _ENVIRONMENT.to(language).format(name=span)
    title = catalog.title(surface).to(language)
    return f"{span}（{title}）" if language == "zh" else f"{span} ({title})"


def _condition(condition: Condition, option: Option, form: Text, language: Language) -> str:
    if not condition.when:
        said = _ALWAYS if condition.since is None else _ALWAYS_SINCE
        return said.to(language).format(component=title_of(option.component), version=condition.since)
    return form.to(language).format(conditions=_conditions(condition.when, option, language))


def _conditions(when: Iterable[tuple[str, tuple[Scalar, ...]]], option: Option, language: Language) -> str:
    parts: list[str] = []
    for name, values in when:
        span = code(shown(option.surface, name))
        text = _IS if values else _IS_SET
        parts.append(text.to(language).format(name=span, values=listed(values, language) if values else ""))
    return (" 且 " if language == "zh" else " and ").join(parts)
