"""The options of a session written as an `NPURunConfig`, and the other way round: added beside what is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.catalog.usage import class_of, holders
from npu_lsp.languages import read
from npu_lsp.languages.hosts.writer import Write, where_it_stands
from npu_lsp.languages.model import Block, Setting, Value, ValueKind
from npu_lsp.languages.python.writer import literals
from npu_lsp.languages.python.writer.carrying import carried
from npu_lsp.languages.python.writer.session import CallArgument, DictItem, last_statement, run_config, session_function
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Edit, Span, apply_edits

TITLES = {
    Surface.SESSION: Text("Add an NPURunConfig with these options", "新增包含这些配置的 NPURunConfig"),
    Surface.RUN_CONFIG: Text("Add a session config with these options", "新增包含这些配置的 Session 配置"),
}
_ABSENT = {
    Surface.SESSION: Text("NPURunConfig doesn't have: {names}", "NPURunConfig 不支持：{names}"),
    Surface.RUN_CONFIG: Text("A session doesn't have: {names}", "Session 配置不支持：{names}"),
}
_CONDITIONAL = Text("Set under a condition, not taken over: {names}", "仅在条件分支中设置，未迁移：{names}")
_DEFAULT = Text("Another default here: {names}", "默认值不同：{names}")
_UNCLEAR = Text("Not taken over, look at the value: {names}", "取值无法直接迁移，请自行确认：{names}")
_TRIALS = 5
_UNSTABLE = "unstable-option"
"""The rule on options that are for trying out: they are that on both sides, and where the name says so, it doesn't."""


OTHER = {Surface.SESSION: Surface.RUN_CONFIG, Surface.RUN_CONFIG: Surface.SESSION}
_ITSELF = {"use_off_line": True, "min_group_size": True}
"""What an Estimator sets itself, and to what."""
_AS_BYTES = "insert_op_file"
"""The only text that an Estimator puts into its field without `tf.compat.as_bytes`: what is right on one side raises on the other."""
_TEXTS = frozenset({ValueKind.STRING, ValueKind.BYTES})


class Counterpart(NamedTuple):
    """One option on the other surface, and what it must be there."""

    option: Option
    setting: Setting | None
    """What says so in the block; `None`: a default, which must be written there."""
    value: Scalar = None
    """`None`: what it is can't be told; it is what the setting's expression says."""


class Counterparts(NamedTuple):
    """What becomes of a block on the other surface."""

    found: tuple[Counterpart, ...] = ()
    absent: tuple[str, ...] = ()
    """Names that the other surface doesn't have."""
    conditional: tuple[str, ...] = ()
    """Names that are set where it isn't known whether that runs."""
    unclear: tuple[str, ...] = ()
    """Names of options whose value has no form there."""
    defaults: tuple[Option, ...] = ()
    """Options that nothing sets, and that have another default on the other surface."""


def _counterparts(block: Block, context: Context) -> Counterparts:
    """Return what the settings of a session or an `NPURunConfig` are on the other of the two; nothing for other blocks."""
    surface = OTHER.get(block.surface)
    if surface is None or not block.settings:
        return Counterparts()
    always = min((setting.branch for setting in block.settings), key=len)
    found, absent, unclear = _one_by_one([s for s in block.settings if s.branch == always], surface, context)
    if not found:
        return Counterparts()
    named = {context.option(setting) for setting in block.settings}
    left = [option for option in context.catalog.options(block.surface) if option not in named]
    pairs = [(option, other) for option in left if (other := _on(surface, option, context)) is not None]
    whole, alone = _whole([*found.values(), *_needed(pairs, [each.option for each in found.values()])])
    unclear |= dict.fromkeys(each.setting.name for each in alone if each.setting is not None)
    return Counterparts(
        tuple(whole),
        tuple(absent),
        tuple(dict.fromkeys(setting.name for setting in block.settings if setting.branch != always)),
        tuple(unclear),
        tuple(other for option, other in pairs if _differ(option.default, other.default)),
    )


def _one_by_one(
    settings: Sequence[Setting], surface: Surface, context: Context
) -> tuple[dict[str, Counterpart], dict[str, None], dict[str, None]]:
    """Return what becomes of settings that all run, the last of each name, and the names that are absent or unclear there."""
    found: dict[str, Counterpart] = {}
    absent: dict[str, None] = {}
    unclear: dict[str, None] = {}
    for setting in settings:
        option = context.option(setting)
        other = _on(surface, option, context) if option is not None else None
        made = None
        if option is not None and other is not None:
            found.pop(option.name, None)
            unclear.pop(setting.name, None)
            made = _counterpart(setting, option, other)
        if option is not None and made is not None:
            found[option.name] = made
        elif setting.value.kind not in (ValueKind.NONE, ValueKind.OBJECT) and not _is_done_itself(setting):
            (absent if other is None else unclear)[setting.name] = None
    return found, absent, unclear


def _on(surface: Surface, option: Option, context: Context) -> Option | None:
    name = context.catalog.topic(option.topic).get(surface)
    return context.catalog.option(surface, name) if name is not None else None


def _is_done_itself(setting: Setting) -> bool:
    is_session = setting.surface is Surface.SESSION
    return is_session and setting.value.known and _ITSELF.get(setting.name) == setting.value.data


def _counterpart(setting: Setting, option: Option, other: Option) -> Counterpart | None:
    stored = option.slot.value if option.slot is not None else None
    if other.removed is not None or option.topic == _AS_BYTES:
        return None
    if setting.slot != stored or setting.value.kind is ValueKind.NONE:
        return None
    if not setting.value.known:
        return Counterpart(other, setting)
    value = _as(setting.value, other)
    return Counterpart(other, setting, value) if value is not None else None


def _as(value: Value, option: Option) -> Scalar:
    """Return a known value in the type that `option` takes, `None` where it is none of its values in another form."""
    data: Scalar = value.data if isinstance(value.data, (str, int, float, bool)) else None
    if option.type in ("string", "path"):
        return data if value.kind in _TEXTS else None
    if not isinstance(data, (bool, int, float)):
        return None
    if option.type == "bool":
        return bool(data) if data in (0, 1) else None
    if option.type == "int":
        return int(data) if not isinstance(data, float) else None
    return data if option.type == "float" else None


def _needed(pairs: Sequence[tuple[Option, Option]], found: Sequence[Option]) -> Iterator[Counterpart]:
    """Yield the defaults that must be written: what other arguments never go without there."""
    needed = {
        each.other for option in found for each in option.total("requires") if not (each.values or each.other_values)
    }
    for option, other in pairs:
        if option.default is not None and other.default is None and other.name in needed:
            yield Counterpart(other, None, option.default)


def _differ(one: Scalar, other: Scalar) -> bool:
    return one is not None and other is not None and one != other


def _whole(found: Sequence[Counterpart]) -> tuple[list[Counterpart], list[Counterpart]]:
    """Return those that have all with them that the tool insists on, and the others."""
    whole, alone = list(found), list[Counterpart]()
    while True:
        names = {each.option.name for each in whole}
        lacking = [each for each in whole if not _insists_on(each.option) <= names]
        if not lacking:
            return whole, alone
        alone += lacking
        whole = [each for each in whole if each not in lacking]


def _insists_on(option: Option) -> set[str]:
    relations = option.total("requires", "together")
    return {each.other for each in relations if each.rejected and not each.values and not each.other_values}


def block_at(analyzer: Analyzer, document: Document, span: Span) -> Block | None:
    """Return the session or the `NPURunConfig` that `span` stands in a statement of, where the other has some of its options."""
    for block in read(document).blocks:
        if block.surface in OTHER and any(span.within(setting.statement) for setting in block.settings):
            # The call of a class whose objects an `NPURunConfig` takes has names with a dot only.
            whole = any("." not in setting.name for setting in block.settings)
            return block if whole and _counterparts(block, analyzer.context(document)).found else None
    return None


def migrated(analyzer: Analyzer, document: Document, block: Block) -> tuple[Edit, ...]:
    """Return the edits that add the block's options for the other way to train; nothing where none can go there.

    What they write is read before anybody gets it: an option that something is said about there, and not where it stands
    now, is left out.
    """
    left_out: set[str] = set()
    for _ in range(_TRIALS):
        edits = where_it_stands(document, block, _writer(analyzer, left_out))
        brought = _brought(analyzer, document, block, edits) if edits else set()
        if not brought:
            return edits
        if brought <= left_out:
            break
        left_out |= brought
    return ()


def _writer(analyzer: Analyzer, left_out: AbstractSet[str]) -> Write:
    def write(document: Document, block: Block) -> tuple[Edit, ...]:
        made = _counterparts(block, analyzer.context(document))
        session = block.surface is Surface.SESSION
        until = last_statement(block).end if session else len(document.text)
        coded: list[tuple[Counterpart, str]] = []
        unclear = list(made.unclear)
        for each in made.found:
            code = _code(document, each, until) if each.option.topic not in left_out else None
            if code is not None:
                coded.append((each, code))
            elif each.setting is not None:
                unclear.append(each.setting.name)
        notes = _notes(analyzer, block.surface, made, unclear)
        if not any(each.setting is not None for each, _ in coded):
            return ()
        if session:
            return run_config(document, block, _arguments(analyzer, coded), notes)
        entries = [DictItem(e.option.name, e.option.slot.value, code) for e, code in coded if e.option.slot is not None]
        return session_function(document, block, entries, notes)

    return write


def _code(document: Document, each: Counterpart, until: int) -> str | None:
    """Return the code of a value: the setting's own expression where it means the same at `until`, else a literal; `None` without either."""
    setting, value = each.setting, each.value
    if setting is None:
        return literals.plain(value)
    same = value is None or (setting.value.data == value and type(setting.value.data) is type(value))
    if same and setting.value.content is None:
        source = carried(document, setting, until, text=setting.slot == "s")
        if source is not None:
            return source
    if value is None:
        return None
    return literals.text(value, document, setting, as_bytes=False) if isinstance(value, str) else literals.plain(value)


def _arguments(analyzer: Analyzer, coded: Sequence[tuple[Counterpart, str]]) -> tuple[CallArgument, ...]:
    """Return the arguments of an `NPURunConfig`, those of one class together."""
    catalog = analyzer.catalog
    placed = [(holders(catalog, each.option), each.option.name.rpartition(".")[2], code) for each, code in coded]
    return tuple(_grouped(placed))


def _grouped(placed: Sequence[tuple[tuple[Option, ...], str, str]]) -> Iterator[CallArgument]:
    groups: dict[Option, list[tuple[tuple[Option, ...], str, str]]] = {}
    for holding, name, code in placed:
        if not holding:
            yield CallArgument(name, code)
        else:
            groups.setdefault(holding[0], []).append((holding[1:], name, code))
    for holder, inner in groups.items():
        yield CallArgument(holder.name.rpartition(".")[2], "", class_of(holder), tuple(_grouped(inner)))


def _notes(analyzer: Analyzer, surface: Surface, made: Counterparts, unclear: Sequence[str]) -> list[str]:
    told = (
        (_ABSENT[surface], made.absent),
        (_CONDITIONAL, made.conditional),
        (_UNCLEAR, unclear),
        (_DEFAULT, [f"{option.name} ({literals.plain(option.default)})" for option in made.defaults]),
    )
    between = "、" if analyzer.language == "zh" else ", "
    return [
        text.to(analyzer.language).format(names=between.join(dict.fromkeys(names))) for text, names in told if names
    ]


def _brought(analyzer: Analyzer, document: Document, block: Block, edits: Sequence[Edit]) -> set[str]:
    """Return the topics of the options that more is said about after `edits` than what the block has said of it once more."""
    after = document.with_text(apply_edits(document.text, tuple(edits)))
    found = analyzer.findings(document)
    own = [each for each in found if any(each.span.within(setting.statement) for setting in block.settings)]
    more = Counter(_about(analyzer, each) for each in analyzer.findings(after) if each.name != _UNSTABLE)
    more.subtract(_about(analyzer, each) for each in (*found, *own))
    return {topic for (_, topic), count in more.items() if count > 0}


def _about(analyzer: Analyzer, finding: Finding) -> tuple[str, str]:
    catalog, name = analyzer.catalog, finding.option or ""
    option = catalog.option(finding.surface, name) if finding.surface is not None and name else None
    return finding.code, option.topic if option is not None else name
