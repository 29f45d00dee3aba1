"""What fits at a place: the names, slots and values of the catalog, the best first."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Literal, NamedTuple

from lsprotocol.types import CompletionItemKind

from npu_lsp.catalog.availability import foreign, standing, values_on
from npu_lsp.catalog.grammar.keyed import keyed
from npu_lsp.catalog.model import Allowed, Option, Scalar, Slot, Surface
from npu_lsp.catalog.products import products
from npu_lsp.catalog.programs import OPTIMIZER
from npu_lsp.catalog.usage import class_of, ranks
from npu_lsp.docs.meaning import named
from npu_lsp.docs.wording import shown
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.config_formats.fusion_switch import RULES
from npu_lsp.languages.config_formats.op_precision import OPERATORS
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.lsp.features.files import listed
from npu_lsp.lsp.features.option_text import CHIPS
from npu_lsp.lsp.session import DocumentView

_SLOT_TYPES = {Slot.STRING: "bytes", Slot.INT: "int", Slot.FLOAT: "float", Slot.BOOL: "bool"}
_HIDDEN = frozenset({"internal", "no_effect"})
_TELLING = 2
"""Letters of a name that tell enough of it to choose among thousands."""


class Rank(IntEnum):
    """In which order proposals are listed."""

    RIGHT = 0
    NEEDED = 1
    """What a command doesn't run without, unless another option says so."""
    NORMAL = 2
    PRESENT = 3
    """Set already in the same block."""
    UNFIT = 4
    """Not for the target that the code must run on, or the wrong slot."""
    DEPRECATED = 5


class Proposal(NamedTuple):
    """One thing that can be typed."""

    label: str
    name: str
    """What it is compared with: a flag without dashes."""
    text: str
    """What is inserted, without what the place asks for around it."""
    kind: CompletionItemKind
    rank: Rank = Rank.NORMAL
    detail: str = ""
    beside: str = ""
    """Shown beside the label where the client can."""
    option: Option | None = None
    value: Scalar = None
    is_value: bool = False
    struck: bool = False
    alone: bool = False
    """Nothing comes after it: a flag without a value, a group of options with its dot."""
    snippet: str = ""
    """What is inserted where the client takes snippets, `$0` where the cursor goes."""
    leads_on: bool = False
    """What comes next can be listed, too: the slot of a key, the values of a flag."""
    frame: Literal["place", "module", "none"] = "place"
    """What it stands in: the quotes or the call that the place asks for; as a constant of a class, the module of the call;
    as a number, nothing."""


def proposals(analyzer: Analyzer, at: CompletionContext) -> list[Proposal]:
    """Return what fits at `at`: names as often as people use them, values in the catalog's order."""
    if at.wanted is CompletionKind.NAME:
        return [Proposal(OPTIMIZER, OPTIMIZER, OPTIMIZER, CompletionItemKind.Value, Rank.RIGHT)]
    if at.wanted in (CompletionKind.KEY, CompletionKind.FLAG):
        if at.surface.row.named == "rules" and at.prefix == RULES:
            return list(_fusion_rules(analyzer))
        if at.surface.row.named == "operators" and at.prefix == OPERATORS:
            return list(_operators(analyzer))
        return list(_names(analyzer, at))
    option = analyzer.catalog.option(at.surface, at.option) if at.option else None
    if at.wanted is CompletionKind.SLOT:
        return list(_slots(analyzer, option))
    if option is None:
        return []
    return list(_values(analyzer, option, at) if at.part is None else _parts(option, at.part))


def _names(analyzer: Analyzer, at: CompletionContext) -> Iterator[Proposal]:
    kind = CompletionItemKind.Variable if at.surface.row.environment else CompletionItemKind.Property
    usage = ranks(analyzer.catalog, at.surface)
    # Files of Compose and Kubernetes set more of a container than a command.
    flags = _docker(analyzer) if at.wanted is CompletionKind.FLAG and at.surface is Surface.CONTAINER else None
    for option in sorted(analyzer.catalog.options(at.surface), key=lambda each: usage.get(each.name, len(usage))):
        name = _rest(option.name, at)
        if name is None or (flags is not None and name not in flags):
            continue
        stands = standing(option, analyzer.target)
        if stands.removed or option.status in _HIDDEN:
            continue
        label = shown(at.surface, name) if at.wanted is CompletionKind.FLAG else shown(at.surface, name).lstrip("-")
        rank = Rank.UNFIT if not stands.usable else Rank.NEEDED if _needed(analyzer, option) else Rank.NORMAL
        group = _is_group(analyzer, option)
        yield Proposal(
            label,
            name,
            f"{name}." if group else label if at.wanted is CompletionKind.FLAG else name,
            kind,
            Rank.DEPRECATED if stands.deprecated else rank,
            detail=f".{option.slot.value} · {option.type}" if option.slot is not None else option.type,
            beside=f".{option.slot.value}" if option.slot is not None else option.type,
            option=option,
            struck=stands.deprecated,
            alone=group or _is_switch(option, at),
            leads_on=_leads_on(analyzer, option),
        )


def _leads_on(analyzer: Analyzer, option: Option) -> bool:
    """Return whether what comes behind the name can be listed, too."""
    follows = option.slot is not None or _is_group(analyzer, option) or _own_class(analyzer, option) is not None
    return follows or bool(_listed(analyzer, option))


def _is_group(analyzer: Analyzer, option: Option) -> bool:
    """Return whether what is set are the option's own attributes: `options.dump_config.enable_dump`."""
    if option.surface.row.nested != "attributes" or option.type != "object":
        return False
    return any(name.startswith(f"{option.name}.") for name in analyzer.catalog.names(option.surface))


def _own_class(analyzer: Analyzer, option: Option) -> str | None:
    """Return the class whose arguments an object's options are: `DumpConfig` for `dump_config`."""
    if option.surface.row.nested != "calls" or option.type != "object":
        return None
    name = class_of(option)
    known = any(each.startswith(f"{name}.") for each in analyzer.catalog.names(option.surface))
    return name if known else None


def _needed(analyzer: Analyzer, option: Option) -> bool:
    """Return whether `option` must be set where the others have their defaults."""

    def holds(name: str, values: tuple[Scalar, ...]) -> bool:
        other = analyzer.catalog.option(option.surface, name)
        return not values or (other is not None and str(other.default) in map(str, values))

    return any(all(holds(name, values) for name, values in condition.when) for condition in option.required)


def _fusion_rules(analyzer: Analyzer) -> Iterator[Proposal]:
    """Yield what a fusion switch file can switch: all rules at once, and each of them; last those that stay on."""
    every = analyzer.catalog.option(Surface.FUSION_SWITCH, "ALL")
    yield Proposal("ALL", "ALL", "ALL", CompletionItemKind.Property, Rank.RIGHT, option=every)
    for rule in analyzer.catalog.fusion_rules():
        yield Proposal(
            rule.name,
            rule.name,
            rule.name,
            CompletionItemKind.Property,
            Rank.UNFIT if rule.switchable is False else Rank.NORMAL,
            detail=rule.docs.summary.to(analyzer.language),
            beside="UB" if rule.kind == "ub" else "",
        )


def _operators(analyzer: Analyzer) -> Iterator[Proposal]:
    """Yield the operators that have modes, as the installed toolkit lists them."""
    modes = analyzer.toolkit.modes if analyzer.toolkit is not None else {}
    for name in sorted(modes):
        yield Proposal(name, name, name, CompletionItemKind.Property, detail=", ".join(sorted(modes[name])))


def _is_switch(option: Option, at: CompletionContext) -> bool:
    """Return whether a flag stands alone, as `--help` does."""
    return option.type == "none" or (at.wanted is CompletionKind.FLAG and option.type == "bool" and not option.values)


def _rest(name: str, at: CompletionContext) -> str | None:
    """Return what is left to type of a name, `None` where another one stands: `DumpConfig(` takes its own only."""
    if at.surface.row.nested is None:
        return name
    if not name.startswith(at.prefix):
        return None
    rest = name[len(at.prefix) :]
    return rest if rest and "." not in rest else None


def _slots(analyzer: Analyzer, option: Option | None) -> Iterator[Proposal]:
    right = option.slot if option is not None else None
    listed = option is not None and bool(_listed(analyzer, option))
    for slot in sorted(Slot, key=lambda each: each is not right):
        rank = Rank.RIGHT if slot is right else Rank.NORMAL if right is None else Rank.UNFIT
        name = slot.value
        leads_on = listed and slot is right
        detail = _SLOT_TYPES[slot]
        yield Proposal(name, name, name, CompletionItemKind.Field, rank, detail, option=option, leads_on=leads_on)


def _values(analyzer: Analyzer, option: Option, at: CompletionContext) -> Iterator[Proposal]:
    owner = _own_class(analyzer, option)
    if owner is not None:
        called = f"{owner}("
        yield Proposal(
            called,
            owner,
            called,
            CompletionItemKind.Class,
            Rank.RIGHT,
            option=option,
            leads_on=True,
            frame="none",
            snippet=f"{called}$0)",
        )
        return
    for allowed in _listed(analyzer, option):
        text = str(allowed.value).lower() if at.json and isinstance(allowed.value, bool) else str(allowed.value)
        fits = allowed.supported and not foreign(allowed.products, analyzer.target)
        default = option.default is not None and allowed.value == option.default
        yield Proposal(
            text,
            text,
            text,
            CompletionItemKind.Value,
            Rank.DEPRECATED if allowed.deprecated else Rank.NORMAL if fits else Rank.UNFIT,
            detail=shown(option.surface, option.name),
            beside=" · ".join(
                filter(
                    None,
                    (named(analyzer.catalog, option, allowed.value, analyzer.language), "default" if default else ""),
                )
            ),
            option=option,
            value=allowed.value,
            is_value=True,
            struck=bool(allowed.deprecated),
            frame="module" if _is_member(option, text) else "place" if isinstance(allowed.value, str) else "none",
        )


def _parts(option: Option, key: str) -> Iterator[Proposal]:
    """Yield the keys of a value that is keys with values, or the values of `key`."""
    known = keyed(option.grammar)
    if known is None:
        return
    detail = shown(option.surface, option.name)
    for value in known.values.get(key, ()) if key else ():
        yield Proposal(value, value, value, CompletionItemKind.Value, Rank.NORMAL, f"{key} · {detail}", option=option)
    for name, values in known.values.items() if not key else ():
        yield Proposal(
            name,
            name,
            f"{name}:",
            CompletionItemKind.Property,
            detail=detail,
            beside=" ".join(values),
            option=option,
            leads_on=bool(values),
            alone=True,
        )


def _is_member(option: Option, value: str) -> bool:
    """Return whether a value is a constant of a class: what such an option takes may be written as a text, too."""
    return option.type == "member" and "." in value


def _listed(analyzer: Analyzer, option: Option) -> list[Allowed]:
    """Return the values that can be offered, without what they mean: to tell whether there are any costs little."""
    listed = values_on(option, analyzer.target)
    if not listed and (option.type == "bool" or option.slot is Slot.BOOL):
        listed = (Allowed(True), Allowed(False))
    elif not listed and option.type != "path":
        samples = [option.default, *option.examples, *_chips(analyzer, option)]
        listed = tuple(Allowed(value) for value in dict.fromkeys(samples) if value not in (None, ""))
    return [allowed for allowed in listed if allowed.value is not None]


def _chips(analyzer: Analyzer, option: Option) -> Iterator[str]:
    """Yield the chips that one can ask for, those of the target's products first."""
    if option.name not in CHIPS:
        return
    known = products(analyzer.catalog)
    names = analyzer.toolkit.soc_versions if analyzer.toolkit is not None else ()
    yield from known.first(dict.fromkeys((*sorted(names), *known.soc_versions)), analyzer.target.products)


def names_beside(analyzer: Analyzer, at: CompletionContext) -> list[Proposal] | None:
    """Return what goes on as it was typed and the catalog doesn't explain: a trainer takes thousands of flags of other libraries.

    So do variables of other tools, options of `docker run`, and the words that such a flag takes. `None` where too little was typed
    to choose among flags.
    """
    told = analyzer.catalog.plain("other_flags").get(at.surface.value)
    if at.wanted is CompletionKind.VALUE:
        words = {**told.get("choices", {}), **told.get("open", {})}.get(at.option, ()) if told is not None else ()
        return [Proposal(word, word, word, CompletionItemKind.Value, detail=str(at.option)) for word in words]
    names = _others(analyzer, at)
    if not names and told is not None and at.wanted in (CompletionKind.FLAG, CompletionKind.KEY):
        typed = at.typed.lstrip("-").replace("-", "_")
        if len(typed) < _TELLING:
            return None
        every = {*told["flags"], *told.get("fields", ())}
        names = [name for name in every if name.replace("-", "_").startswith(typed)]
    found = sorted(set(names) - analyzer.catalog.names(at.surface))
    labels = {name: shown(at.surface, name) if at.wanted is CompletionKind.FLAG else name for name in found}
    return [Proposal(label, name, label, CompletionItemKind.Property) for name, label in labels.items()]


def _others(analyzer: Analyzer, at: CompletionContext) -> list[str]:
    """Return the names of other tools that are typed in the places of those of a surface."""
    surface, tables = at.surface, analyzer.catalog.plain("well_known")
    if at.wanted is CompletionKind.KEY and surface is Surface.ENV and len(at.typed) >= _TELLING:
        return [name for name in tables["variables"] if name.startswith(at.typed)]
    if at.wanted is not CompletionKind.FLAG or not at.typed.startswith("--"):
        return []
    if surface is Surface.CONTAINER:
        return _docker(analyzer)
    negated = at.typed.startswith("--no-") and surface.row.flags == "argparse"
    return [f"no-{each.name}" for each in analyzer.catalog.options(surface) if each.negatable] if negated else []


def _docker(analyzer: Analyzer) -> list[str]:
    """Return the options of `docker run`."""
    return list(analyzer.catalog.plain("well_known")["options"]["docker"])


def files(view: DocumentView, at: CompletionContext) -> Iterator[Proposal]:
    """Yield the files that can be named from here, for an option that takes one."""
    option = view.project.analyzer.catalog.option(at.surface, at.option) if at.option else None
    if option is None or option.type != "path" or "$" in at.typed:
        return
    head = at.typed[: at.typed.rfind("/") + 1]
    for name, is_folder in listed(view, head):
        kind = CompletionItemKind.Folder if is_folder else CompletionItemKind.File
        path = head + name
        yield Proposal(path, path, path, kind, detail=shown(option.surface, option.name), option=option)
