"""The settings that a house rule is about, in a block or in what a launch gets, and what their values are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from npu_lsp.catalog.model import Scalar, as_text
from npu_lsp.catalog.target import Version
from npu_lsp.languages.branches import exclusive
from npu_lsp.languages.config_formats.json_files import tree
from npu_lsp.languages.model import Block, Setting, Value
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.house.rows import HouseCondition, Ref
from npu_lsp.linter.launch.launch import Launch
from npu_lsp.linter.launch.programs import plain
from npu_lsp.linter.values import same, text_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_NUMBER = re.compile(r"[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?\Z")
_SPEC = re.compile(r"[ \t]{0,20}(?P<sign>>=|<=|==|>|<|)[ \t]{0,20}(?P<version>v?\d[\w.+-]*)[ \t]*\Z")
_MODELS = frozenset(
    {"model", "model-path", "served-model-name", "model-name", "modelname", "modelweightpath", "model-name-or-path"}
)
_SERVED = re.compile(r"\bvllm[ \t]+serve[ \t]+(?P<model>[^\s\"'$`;&|<>-][^\s\"'$`;&|<>]{0,400})")


def in_block(ref: Ref, block: Block, context: Context) -> Sequence[Setting]:
    """Return the settings of what `ref` names in one block, whatever they give it."""
    name = ref.names(context.catalog).get(block.surface)
    if ref.part and ref.part != part_of(block, context):
        return ()
    found = _options(context).get(block.id, {}).get(name, ()) if name is not None else ()
    # One that sets a thing a thousand times was made to be slow.
    return found if len(found) <= MOST_OF_ONE else ()


def part_of(block: Block, context: Context) -> str:
    """Return the key of the file's own that a block stands under; empty where it stands under none."""
    if block.receiver or context.document.kind is not Kind.JSON:
        return block.receiver
    return next((key for key, span in _parts(context) if block.span.within(span)), "")


@Memoized
def _parts(context: Context) -> Sequence[tuple[str, Span]]:
    """Return the keys of a JSON file with the place of what stands under each."""
    node, mistakes = tree(context.document)
    if node is None or mistakes:
        return ()
    return tuple((each.key, each.node.span) for each in node.members)


def in_launch(ref: Ref, launch: Launch, context: Context) -> list[Setting]:
    """Return the settings of what `ref` names that a launch gets for sure: its own, and a variable that is in force."""
    found = [setting for block in _blocks_of(launch, context) for setting in in_block(ref, block, context)]
    for surface, name in ref.names(context.catalog).items():
        if surface.row.environment:
            value = launch.environment.value(name)
            found += [value] if value is not None else []
    return found


def may_be_set(ref: Ref, launch: Launch, context: Context) -> bool:
    """Return whether a launch may get what `ref` names, by whatever way."""
    names = ref.names(context.catalog)
    if any(block.open or in_block(ref, block, context) for block in _blocks_of(launch, context)):
        return True
    variables = [name for surface, name in names.items() if surface.row.environment]
    return bool(variables) and (launch.sources_before() or any(map(launch.environment.is_set, variables)))


def share_a_block(one: Setting, other: Setting, context: Context) -> bool:
    """Return whether one block has both settings."""
    places = _places(context)
    return not places.get(one.own, frozenset()).isdisjoint(places.get(other.own, frozenset()))


def _blocks_of(launch: Launch, context: Context) -> Sequence[Block]:
    """Return the blocks of what a launch is told: its options, those of what it starts, and the JSON inside of them."""
    known = _told(context)
    found = known.get(launch.block.id)
    if found is None:
        ids = {launch.block.id} | ({launch.inner.id} if launch.inner is not None else set())
        found = known[launch.block.id] = [
            block
            for block in context.parsed.blocks
            if not block.surface.row.environment
            and (block.id in ids or (block.command is None and block.span.within(launch.span)))
        ]
    return found


def meant(ref: Ref, setting: Setting) -> bool:
    """Return whether a setting surely has one of the values that `ref` means; without any, it always has."""
    return not ref.values or any(fits(setting.value, each) for each in ref.values)


def surely_not(ref: Ref, setting: Setting) -> bool:
    """Return whether a setting surely has none of the values that `ref` means."""
    return bool(ref.values) and setting.value.known and not meant(ref, setting)


def beside(one: Setting, other: Setting) -> bool:
    """Return whether both can hold in one run."""
    return not exclusive(one.branch, other.branch)


def fits(value: Value, wanted: Scalar) -> bool:
    """Return whether a known value is what a configuration writes: as a text, a number, or a glob such as `*a:True*`."""
    if not value.known:
        return False
    if same(value, wanted):
        return True
    text = text_of(value)
    if text is None:
        return isinstance(wanted, str) and as_text(value.data) == wanted
    if isinstance(wanted, str) and "*" in wanted:
        return len(text) < 10_000 and fnmatchcase(text, wanted)
    return text == as_text(wanted) or (isinstance(wanted, bool) and text.lower() == as_text(wanted))


def number(value: Value) -> int | float | None:
    """Return the number that a known value is, or that its text says, as variables have them."""
    if not value.known or isinstance(value.data, bool):
        return None
    if isinstance(value.data, (int, float)):
        return value.data
    text = str(value.data).strip()
    if not _NUMBER.match(text):
        return None
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def equal(one: Value, other: Value) -> bool | None:
    """Return whether two values are the same; `None` where one isn't known."""
    if not one.known or not other.known:
        return None
    first, second = number(one), number(other)
    if first is not None and second is not None:
        return first == second
    return as_text(one.data) == as_text(other.data)


def holds(condition: HouseCondition, context: Context, launch: Launch | None, block: Block | None) -> bool:
    """Return whether programs, products, versions and models are those that a house rule is for; unknown ones aren't."""
    if condition.programs and (launch is None or launch.program.name not in condition.programs):
        return False
    if condition.products and not (
        context.products and set(context.products) <= set(_products(context, condition.products))
    ):
        return False
    if not all(_reaches(context, component, spec) for component, spec in condition.versions):
        return False
    return not condition.models or _is_model(condition.models, context, launch, block)


def specs(written: str) -> list[tuple[str, Version]] | None:
    """Return the parts of `>=8.0, <9`; `None` where it can't be read."""
    found: list[tuple[str, Version]] = []
    for part in written.split(","):
        match = _SPEC.match(part)
        try:
            found.append((match["sign"], Version.parse(match["version"]))) if match else None
        except ValueError:
            return None
        if match is None:
            return None
    return found


def _reaches(context: Context, component: str, written: str) -> bool:
    version = context.target.version(component)
    if version is None:
        said = next((each for each in context.target.stated if each.component == component), None)
        version = said.oldest if said is not None and said.oldest == said.newest else None
    return version is not None and all(_compared(version, sign, each) for sign, each in specs(written) or ())


def _compared(version: Version, sign: str, other: Version) -> bool:
    same_line = (other.is_line or version.is_line) and version.key[0] == other.key[0]
    if sign in ("", "=="):
        return same_line or version == other
    if same_line:
        return sign in (">=", "<=")
    return {">=": version >= other, "<=": version <= other, ">": version > other, "<": version < other}[sign]


def _products(context: Context, wanted: Sequence[str]) -> Iterator[str]:
    from npu_lsp.catalog.products import products

    known = products(context.catalog)
    yield from (found for each in wanted if (found := known.resolve(each)) is not None)


def _is_model(wanted: Sequence[str], context: Context, launch: Launch | None, block: Block | None) -> bool:
    around = [*_blocks_of(launch, context)] if launch is not None else [block] if block is not None else []
    names = [
        str(setting.value.data)
        for each in around
        for setting in each.settings
        if plain(setting.name).rpartition(".")[2].lower() in _MODELS and setting.value.known
    ]
    if launch is not None and (served := _SERVED.search(context.text(launch.span))) is not None:
        names.append(served["model"])
    last = [name.rstrip("/").rpartition("/")[2].lower() for name in names]
    return any(fnmatchcase(name, each) for name in last if len(name) < 200 for each in wanted)


@Memoized
def _options(context: Context) -> Mapping[int, Mapping[str, list[Setting]]]:
    """Return the settings of each block, by its number, by the names that the catalog has for them."""
    found: dict[int, dict[str, list[Setting]]] = {}
    for block in context.parsed.blocks:
        for setting, option in context.settings(block):
            found.setdefault(block.id, {}).setdefault(option.name, []).append(setting)
    return found


@Memoized
def _told(_: Context) -> dict[int, Sequence[Block]]:
    """Return what is kept of launches, by the number of their block: every rule asks."""
    return {}


@Memoized
def _places(context: Context) -> Mapping[Span, frozenset[int]]:
    """Return the numbers of the blocks that a setting is in, by its place."""
    found: dict[Span, set[int]] = {}
    for block in context.parsed.blocks:
        for setting in block.settings:
            found.setdefault(setting.own, set()).add(block.id)
    return {own: frozenset(ids) for own, ids in found.items()}
