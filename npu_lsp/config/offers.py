"""What can stand at a place of a configuration file, with what it means: for completion and for hover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from npu_lsp.catalog.components import COMPONENTS
from npu_lsp.config.house_rules import KEYS as HOUSE_KEYS
from npu_lsp.config.keys import FORM, KEYS
from npu_lsp.config.outline import Path
from npu_lsp.text.bilingual import Text
from npu_lsp.text.toml_shape import Choice, Items, Plain, Shape, TableShape

_SELECTORS = ("select", "extend-select", "ignore", "extend-safe-fixes", "extend-unsafe-fixes", "per-file-ignores")
_FIRST = ("target", "select", "extend-select", "ignore", "per-file-ignores", "severity", "known")
"""What most projects set."""
_OTHERS = ("equals", "only-with", "never-with")
"""The keys of a house rule that name other options."""
_ALL = Text("Every rule, also those that don't run by default.", "所有规则，包括默认不启用的规则。")
_GROUP = Text("The rules whose code starts with {prefix}.", "编号以 {prefix} 开头的规则。")
_IN_TARGET = {
    **{name: component.about for name, component in COMPONENTS.items()},
    "products": Text("The products that the code must run on.", "代码要运行的产品。"),
}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One name or one value."""

    text: str
    """Without quotes."""
    about: Text
    title: str | Text = ""
    """What else it is called: the name of a rule, of a product."""
    is_string: bool = True
    form: str = ""
    """What is typed behind the name of a key; `$0` is where its value goes."""


def names(path: Path) -> Iterator[Suggestion]:
    """Yield the keys that the table at `path` takes."""
    if not path:
        for key in sorted(KEYS, key=lambda each: each.name not in _FIRST):
            yield Suggestion(key.name, key.about, form=_form(key.shape))
            if isinstance(key.shape, TableShape):
                for name, shape in key.shape.keys.items():
                    yield Suggestion(f"{key.name}.{name}", _IN_TARGET[name], form=_form(shape))
    elif path == ("target",):
        for name, about in _IN_TARGET.items():
            yield Suggestion(name, about, form=_form(_shape((*path, name))))
    elif path[0] == "house-rules":
        yield from _of_house_rule(path)
    elif path == ("severity",):
        yield from (Suggestion(each.text, each.about, each.title, form=' = "$0"') for each in _rules())


def values(path: Path) -> Iterator[Suggestion]:
    """Yield what can be the value at `path`: of a key, or in its list."""
    if path[0] in _SELECTORS and isinstance(path[-1], int):
        yield from _rules()
        yield Suggestion("ALL", _ALL)
        for prefix in dict.fromkeys(each.text[:4] for each in _rules()):
            yield Suggestion(prefix, Text(_GROUP.en.format(prefix=prefix), _GROUP.zh.format(prefix=prefix)))
    elif path[0] == "house-rules" and path[-1] in ("setting", *_OTHERS):
        yield from _options()
    elif path[0] == "house-rules" and path[-2:-1] and path[-2] in ("products", "programs", *_OTHERS):
        yield from products() if path[-2] == "products" else _programs() if path[-2] == "programs" else _options()
    elif path[0] == "target" and path[-1] in COMPONENTS:
        yield from versions(str(path[-1]))
    elif path[:2] == ("target", "products") and len(path) == 3:
        yield from products()
    else:
        yield from _words(_shape(path))


def _of_house_rule(path: Path) -> Iterator[Suggestion]:
    """Yield the keys of a house rule, of one of its examples, and of what narrows it."""
    if len(path) == 2:
        yield from (Suggestion(name, key.about, form=_form(key.shape)) for name, key in HOUSE_KEYS.items())
        return
    shape = _shape(path)
    tables = [each for each in (*getattr(shape, "shapes", ()), shape) if isinstance(each, TableShape)]
    for table in tables[:1]:
        for name, inner in table.keys.items():
            known = _IN_TARGET.get(name) or (HOUSE_KEYS[name].about if name in HOUSE_KEYS else Text("", ""))
            yield Suggestion(name, known, form=_form(inner))


def _options() -> Iterator[Suggestion]:
    """Yield the names that a house rule may be about; those of variables first."""
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.model import Surface

    catalog = load()
    found: dict[str, str] = {}
    for surface in sorted(Surface, key=lambda each: each is not Surface.ENV):
        for name in sorted(catalog.names(surface)):
            found.setdefault(name, surface.value)
    for name, title in found.items():
        yield Suggestion(name, Text("", ""), title)


def _programs() -> Iterator[Suggestion]:
    from npu_lsp.catalog.load import load
    from npu_lsp.linter.launch.programs import programs

    for row in {row.name: row for row in programs(load()).values() if not row.within}.values():
        yield Suggestion(row.name, row.title)


def _form(shape: Shape | None) -> str:
    if isinstance(shape, Items):
        return " = [$0]"
    if isinstance(shape, TableShape):
        return ".$0" if shape.keys else '.$1 = "$0"' if isinstance(shape.rest, Choice) else '."$1" = [$0]'
    return " = $0" if isinstance(shape, Plain) else ' = "$0"'


def _shape(path: Path) -> Shape | None:
    shape: Shape | None = FORM
    for part in path:
        if isinstance(shape, TableShape):
            shape = shape.keys.get(str(part), shape.rest)
        else:
            shape = shape.of if isinstance(shape, Items) else None
    return shape


def _words(shape: Shape | None) -> Iterator[Suggestion]:
    if isinstance(shape, Choice):
        yield from (Suggestion(word, Text("", "")) for word in shape.words)
    elif isinstance(shape, Plain) and shape.types == ("boolean",):
        yield from (Suggestion(word, Text("", ""), is_string=False) for word in ("true", "false"))


def _rules() -> Iterator[Suggestion]:
    from npu_lsp.rules import all_rules

    for rule in all_rules():
        yield Suggestion(rule.code, rule.title, rule.name)


def versions(component: str) -> Iterator[Suggestion]:
    """Yield the versions of a component, the newest first: each line, then its releases where they are more than the line."""
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.target import Version

    lines = load().plain("versions")[component]
    for line in sorted(lines, key=Version.parse, reverse=True):
        yield Suggestion(line, Text("", ""))
        releases = lines[line]["releases"]
        if releases not in ([line], [f"{line}.0"]):
            yield from (Suggestion(each, Text("", "")) for each in reversed(releases))


def products() -> Iterator[Suggestion]:
    """Yield the product families, which have a title, then the chips."""
    from npu_lsp.catalog import products as catalog
    from npu_lsp.catalog.load import load

    known = catalog.products(load())
    for name in known.ids:
        yield Suggestion(name, known.text(name), known.short(name))
    for chip in known.soc_versions:
        yield Suggestion(chip, known.text(known.of_soc(chip) or chip))
