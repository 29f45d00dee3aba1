"""The options of a session written as an `NPURunConfig`, and the other way round: added beside what is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.usage import class_of, holders
from npu_lsp.languages import read
from npu_lsp.languages.hosts.writer import Write, where_it_stands
from npu_lsp.languages.model import Block
from npu_lsp.languages.python.writer import literals
from npu_lsp.languages.python.writer.carrying import carried
from npu_lsp.languages.python.writer.session import Argument, Entry, last_statement, run_config, session_function
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.tensorflow.counterparts import OTHER, Counterpart, Counterparts, counterparts
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


def block_at(analyzer: Analyzer, document: Document, span: Span) -> Block | None:
    """Return the session or the `NPURunConfig` that `span` stands in a statement of, where the other has some of its options."""
    for block in read(document).blocks:
        if block.surface in OTHER and any(span.within(setting.statement) for setting in block.settings):
            # The call of a class whose objects an `NPURunConfig` takes has names with a dot only.
            whole = any("." not in setting.name for setting in block.settings)
            return block if whole and counterparts(block, analyzer.context(document)).found else None
    return None


def restated(analyzer: Analyzer, document: Document, block: Block) -> tuple[Edit, ...]:
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
        made = counterparts(block, analyzer.context(document))
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
        entries = [Entry(e.option.name, e.option.slot.value, code) for e, code in coded if e.option.slot is not None]
        return session_function(document, block, entries, notes)

    return write


def _code(document: Document, each: Counterpart, until: int) -> str | None:
    """Return the source of a value: that of the setting where it says the same there, else what it is known to be."""
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


def _arguments(analyzer: Analyzer, coded: Sequence[tuple[Counterpart, str]]) -> tuple[Argument, ...]:
    """Return the arguments of an `NPURunConfig`, those of one class together."""
    catalog = analyzer.catalog
    placed = [(holders(catalog, each.option), each.option.name.rpartition(".")[2], code) for each, code in coded]
    return tuple(_grouped(placed))


def _grouped(placed: Sequence[tuple[tuple[Option, ...], str, str]]) -> Iterator[Argument]:
    groups: dict[Option, list[tuple[tuple[Option, ...], str, str]]] = {}
    for holding, name, code in placed:
        if not holding:
            yield Argument(name, code)
        else:
            groups.setdefault(holding[0], []).append((holding[1:], name, code))
    for holder, inner in groups.items():
        yield Argument(holder.name.rpartition(".")[2], "", class_of(holder), tuple(_grouped(inner)))


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
