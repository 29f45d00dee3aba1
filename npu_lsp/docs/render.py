"""What a person sees of an option: the Markdown of a hover, of a completion and of `npu-lsp options show`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from npu_lsp.catalog.availability import defaults_on, standing, values_on
from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Allowed, Default, FusionRule, Option, Scalar
from npu_lsp.catalog.products import Products, products
from npu_lsp.catalog.target import Target
from npu_lsp.docs import labels
from npu_lsp.docs.example import example
from npu_lsp.docs.markdown import code, link, plain, prose
from npu_lsp.docs.wording import families, listed, relations, scenario, shown
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text

_CHINESE = re.compile(r"/zh(?:/|-cn/)")
_FOLDED = 6
"""Names of a relation that are shown where somebody only glances."""
_BUDGET = 6000
"""How many characters a hover may have."""


@dataclass(frozen=True, slots=True)
class _OptionFor:
    """Renders one option in one language, for one target."""

    catalog: Catalog
    option: Option
    language: Language
    target: Target
    products: Products

    def say(self, text: Text, **parts: object) -> str:
        return text.to(self.language).format(component=self.component, **parts)

    @property
    def component(self) -> str:
        return title_of(self.option.component)

    def head(self, text: Text) -> str:
        return f"**{text.to(self.language)}**" + ("：" if self.language == "zh" else ": ")

    def joined(self, parts: list[str]) -> str:
        return ("；" if self.language == "zh" else "; ").join(parts)

    def aside(self, parts: list[str]) -> str:
        if not parts:
            return ""
        return f"（{'，'.join(parts)}）" if self.language == "zh" else f" ({', '.join(parts)})"


def render(
    catalog: Catalog,
    option: Option,
    language: Language,
    target: Target | None = None,
    budget: int = _BUDGET,
    *,
    folded: bool = False,
) -> str:
    """Return the Markdown for `option`, in at most `budget` characters; `folded`: of many names, the first ones alone.

    What is least needed at a glance goes first when the budget is short: where else the option is, its versions, its
    relations, the longer text, then the values.
    """
    kept = _sections(_OptionFor(catalog, option, language, target or Target(), products(catalog)), budget, folded)
    while len(kept) > 1 and sum(len(each.text) + 2 for each in kept) > budget:
        kept.remove(max(kept, key=lambda section: section.rank))
    return _joined(kept)[:budget]


def render_all(
    catalog: Catalog, options: Sequence[Option], language: Language, target: Target | None = None, budget: int = _BUDGET
) -> str:
    """Return the Markdown for options that belong together, such as one key on all surfaces that have it.

    What holds for several of them stands once, under the names of those; what holds for most comes first.
    """
    if len(options) < 2:
        return "".join(render(catalog, option, language, target, budget) for option in options)
    views = [_OptionFor(catalog, option, language, target or Target(), products(catalog)) for option in options]
    holders: dict[_Section, list[int]] = {}
    for at, view in enumerate(views):
        for section in _sections(view, budget, folded=False)[1:]:
            if section.rank != _ELSEWHERE:
                holders.setdefault(section, []).append(at)
    groups: dict[tuple[int, ...], list[_Section]] = {}
    for section, held in holders.items():
        groups.setdefault(tuple(held), []).append(section)
    pages = []
    for group in sorted(groups, key=lambda each: (-len(each), each)):
        head = "  \n".join(_title(views[at]) for at in group)
        pages.append(_joined([_Section(0, head), *groups[group]]))
    return "\n\n---\n\n".join(pages)


class _Section(NamedTuple):
    """One part of what is said of an option."""

    rank: int
    """How soon it goes where there is little room: the highest first."""
    text: str
    line: bool = False
    """True: it is one line of several that stand together, not a paragraph of its own."""


_ELSEWHERE = 8


def _sections(view: _OptionFor, budget: int, folded: bool) -> list[_Section]:
    """Return all that there is to say, title first."""
    docs = view.catalog.docs(view.option.surface, view.option.name)
    sections = [
        _Section(0, _title(view)),
        _Section(1, "\n>\n".join(f"> {line}" for line in _banners(view))),
        _Section(2, prose(docs.summary.to(view.language))),
        _Section(5, prose(docs.text.to(view.language)) if docs.text is not None else ""),
        _Section(4, _values(view, budget // 2)),
        *(_Section(3, line, line=True) for line in _facts(view)),
        _Section(6, _bullets(view.say(labels.RELATIONS), _relations(view, folded))),
        _Section(6, view.head(labels.NOTE) + prose(docs.note.to(view.language)) if docs.note is not None else ""),
        _Section(7, _errors(view)),
        _Section(7, _changes(view)),
        _Section(_ELSEWHERE, _elsewhere(view)),
        _Section(3, _footer(view, docs.page)),
    ]
    return [each for each in sections if each.text]


def _relations(view: _OptionFor, folded: bool) -> list[str]:
    return relations(view.catalog, view.option, view.language, _FOLDED if folded else None)


def _joined(sections: Sequence[_Section]) -> str:
    """Put sections below each other: lines that stand together as one paragraph, all else apart."""
    text = ""
    for before, section in zip((None, *sections), sections, strict=False):
        gap = "" if before is None else "  \n" if before.line and section.line else "\n\n"
        text += gap + section.text
    return text


def render_value(
    catalog: Catalog, option: Option, value: Scalar, language: Language, target: Target | None = None
) -> str | None:
    """Return the Markdown for one value of `option`, or `None` where nothing is known about it."""
    view = _OptionFor(catalog, option, language, target or Target(), products(catalog))
    allowed = next((each for each in option.values if each.value == value), None)
    text = catalog.value_text(option.surface, option.name, value)
    if allowed is None or text is None:
        return None
    name = shown(option.surface, option.name)
    return f"**{code(name)} = {code(value)}**{view.aside(_narrowed(view, allowed))}\n\n{prose(text.to(language))}"


def render_rule(catalog: Catalog, rule: FusionRule, language: Language) -> str:
    """Return the Markdown for a fusion rule."""
    kind = labels.RULE_KINDS[rule.kind].to(language)
    lines = [f"**{code(rule.name)}** · {kind}"]
    if rule.stability in labels.STABILITY:
        lines.append(f"> **{labels.STABILITY[rule.stability].to(language)}**")
    lines.append(prose(rule.docs.summary.to(language)))
    if rule.docs.text is not None:
        lines.append(prose(rule.docs.text.to(language)))
    facts = [labels.SWITCHABLE[rule.switchable].to(language)] if rule.switchable is not None else []
    separator = "：" if language == "zh" else ": "
    if rule.products:
        names = families(rule.products, products(catalog), language)
        facts.append(f"**{labels.PRODUCTS.to(language)}**{separator}{names}")
    if rule.since is not None:
        facts.append(f"**{labels.SINCE.to(language)}**{separator}CANN {rule.since}")
    lines.append("  \n".join(facts))
    if rule.docs.note is not None:
        lines.append(f"**{labels.NOTE.to(language)}**{separator}{prose(rule.docs.note.to(language))}")
    if rule.docs.page is not None:
        lines.append(link(_page_label(rule.docs.page).to(language), rule.docs.page.to(language)))
    return "\n\n".join(line for line in lines if line)


def _title(view: _OptionFor) -> str:
    option = view.option
    parts = [
        f"**{code(shown(option.surface, option.name))}**",
        plain(view.catalog.title(option.surface).to(view.language)),
    ]
    if option.slot is not None:
        parts.append(f"{view.say(labels.SLOT)} {code('.' + option.slot.value)}")
    parts.append(option.type)
    return " · ".join(parts)


def _banners(view: _OptionFor) -> Iterator[str]:
    option, target = view.option, view.target
    stands = standing(option, target)
    if option.removed is not None and stands.removed:
        yield _gone(
            view,
            labels.REMOVED,
            labels.REMOVED_IN,
            option.removed.version,
            option.removed.why,
            option.removed.replacement,
        )
    if option.deprecated is not None and stands.deprecated:
        gone = option.deprecated
        said = option.removed is not None and stands.removed and option.removed.replacement == gone.replacement
        other = None if said else gone.replacement
        yield _gone(view, labels.DEPRECATED, labels.DEPRECATED_IN, gone.version, gone.why, other)
    if stands.missing:
        yield f"**{view.say(labels.MISSING, target=target.newest(option.component), since=option.since)}**"
    if stands.unsupported:
        yield f"**{view.say(labels.UNSUPPORTED, products=families(stands.unsupported, view.products, view.language))}**"
    # What goes or is gone says itself what becomes of it: nothing, or an error.
    if option.status in labels.STATUS and not (option.status == "no_effect" and (stands.deprecated or stands.removed)):
        yield f"**{view.say(labels.STATUS[option.status])}**"
    if option.stability in labels.STABILITY:
        yield f"**{view.say(labels.STABILITY[option.stability])}**"


def _gone(
    view: _OptionFor, plain_title: Text, dated: Text, version: str | None, why: Text, replacement: str | None
) -> str:
    title = view.say(dated, version=version) if version else view.say(plain_title)
    line = f"**{title}**{'：' if view.language == 'zh' else ': '}{prose(why.to(view.language))}"
    if replacement is None or replacement in why.to(view.language):
        return line
    instead = view.say(labels.INSTEAD, name=code(shown(view.option.surface, replacement)))
    return f"{line}{instead}" if view.language == "zh" else f"{line} {instead}"


def _values(view: _OptionFor, budget: int) -> str:
    option = view.option
    values = values_on(option, view.target)
    if not values:
        return ""
    alike: dict[str, list[str]] = {}
    for number, allowed in enumerate(values):
        # What several values mean is said once.
        meant = view.catalog.value_text(option.surface, option.name, allowed.value)
        said = prose(meant.to(view.language)).replace("\n", " ") if meant is not None else ""
        alike.setdefault(said or str(number), []).append(code(allowed.value) + view.aside(_narrowed(view, allowed)))
    lines: list[str] = []
    size = shown_ = 0
    for said, names in alike.items():
        line = ("、" if view.language == "zh" else ", ").join(names) + ("" if said.isdecimal() else f" — {said}")
        size += len(line)
        if size > budget and lines:
            lines.append(view.say(labels.MORE, count=len(values) - shown_))
            break
        shown_ += len(names)
        lines.append(line)
    return _bullets(_heading(view), lines)


def _heading(view: _OptionFor) -> str:
    """Return the heading of the values: where others are possible, it says which, or what they count as."""
    option = view.option
    if option.otherwise is not None and not option.enforced and not option.open:
        return view.say(labels.COUNTED_VALUES, otherwise=code(option.otherwise))
    return view.say(_kind_of_values(option))


def _kind_of_values(option: Option) -> Text:
    if not option.open:
        return labels.CLOSED_VALUES if option.enforced else labels.VALUES
    return labels.FORMED_VALUES if option.grammar is not None and option.enforced else labels.KNOWN_VALUES


def _narrowed(view: _OptionFor, allowed: Allowed) -> list[str]:
    parts: list[str] = []
    if allowed.products:
        parts.append(view.say(labels.ONLY_ON, products=families(allowed.products, view.products, view.language)))
    if allowed.scenario is not None:
        parts.append(view.say(labels.ONLY_FOR, scenario=scenario(allowed.scenario, view.language)))
    if allowed.since is not None:
        parts.append(view.say(labels.SINCE_VALUE, version=allowed.since))
    if allowed.deprecated:
        parts.append(view.say(labels.DEPRECATED) if view.language == "zh" else view.say(labels.DEPRECATED).lower())
    if not allowed.supported:
        parts.append(view.say(labels.NOT_YET))
    return parts


def _facts(view: _OptionFor) -> Iterator[str]:
    option = view.option
    bounds = [view.say(labels.FROM, low=code(option.minimum))] if option.minimum is not None else []
    bounds += [view.say(labels.ABOVE, low=code(option.above))] if option.above is not None else []
    bounds += [view.say(labels.TO, high=code(option.maximum))] if option.maximum is not None else []
    if len(bounds) == 2 and option.above is None:
        bounds = [f"{code(option.minimum)} – {code(option.maximum)}"]
    if bounds:
        yield view.head(labels.RANGE) + view.joined(bounds)
    if option.unit is not None:
        yield view.head(labels.UNIT) + option.unit
    defaults = defaults_on(option, view.target)
    if defaults:
        yield view.head(labels.DEFAULT) + view.joined([_default(view, default) for default in defaults])
    if option.products:
        yield view.head(labels.PRODUCTS) + families(option.products, view.products, view.language)
    if option.scenario is not None:
        yield view.head(labels.SCENARIO) + scenario(option.scenario, view.language)
    came = _came(view)
    if came is not None:
        yield view.head(labels.SINCE) + came
    if option.removed is not None and option.removed.version is not None:
        yield view.head(labels.UNTIL) + view.say(labels.BEFORE, version=option.removed.version)
    if option.aliases:
        yield view.head(labels.ALIASES) + ", ".join(code(shown(option.surface, alias)) for alias in option.aliases)
    written = example(option)
    if written is not None:
        yield view.head(labels.EXAMPLE) + code(written)


def _came(view: _OptionFor) -> str | None:
    """Return since when the option is there, as far as a source tells."""
    option = view.option
    if option.since is not None:
        return f"{view.component} {option.since}"
    if option.undated == "unreleased":
        return view.say(labels.UNRELEASED)
    if option.seen is None:
        return None
    told = labels.OR_OLDER if option.unseen is None else labels.NEWLY_DOCUMENTED
    return view.say(told, version=option.seen, before=option.unseen)


def _default(view: _OptionFor, default: Default) -> str:
    parts = [scenario(default.scenario, view.language)] if default.scenario is not None else []
    if default.products:
        parts.append(view.say(labels.ON, products=families(default.products, view.products, view.language)))
    return _value(default.value) + view.aside(parts)


def _value(value: Scalar) -> str:
    return code('""' if value == "" else value)


def _changes(view: _OptionFor) -> str:
    lines: list[str] = []
    for change in view.option.changes:
        parts = []
        if change.default is not None:
            label = labels.NEW_DEFAULT if change.was is None else labels.OTHER_DEFAULT
            parts = [view.say(label, value=_value(change.default), was=_value(change.was))]
        parts += [view.say(labels.ADDED, values=listed(change.added, view.language))] if change.added else []
        parts += [view.say(labels.DROPPED, values=listed(change.dropped, view.language))] if change.dropped else []
        if parts:
            lines.append(
                f"{view.component} {change.version}{'：' if view.language == 'zh' else ': '}{view.joined(parts)}"
            )
    return _bullets(view.say(labels.CHANGES), lines)


def _elsewhere(view: _OptionFor) -> str:
    option = view.option
    parts = [
        f"{plain(view.catalog.title(surface).to(view.language))} {code(shown(surface, name))}"
        for surface, name in view.catalog.topic(option.topic).items()
        if surface is not option.surface
    ]
    return view.head(labels.ELSEWHERE) + " · ".join(parts) if parts else ""


def _errors(view: _OptionFor) -> str:
    found = view.catalog.error_codes.of(view.option.surface, view.option.name)
    return view.head(labels.ERRORS) + ", ".join(code(each) for each in found) if found else ""


def _footer(view: _OptionFor, page: Text | None) -> str:
    version = view.target.newest(view.option.component)
    said = view.say(labels.FOR, version=version) if version is not None else view.say(labels.FOR_NEWEST)
    # A project whose releases the catalog doesn't list has no target, and CANN says nothing about it.
    parts = [] if view.option.undated == "elsewhere" else [said]
    if view.target.products:
        parts.append(families(view.target.products, view.products, view.language))
    if page is not None:
        parts.insert(0, link(view.say(_page_label(page)), page.to(view.language)))
    return " · ".join(parts)


def _page_label(page: Text) -> Text:
    """Return what a link says: whoever reads no Chinese should know before the click."""
    return labels.PAGE_IN_CHINESE if _CHINESE.search(page.en) else labels.PAGE


def _bullets(title: str, lines: list[str]) -> str:
    if not lines:
        return ""
    return f"**{title}**\n\n" + "\n".join(f"- {line}" for line in lines)
