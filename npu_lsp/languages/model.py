"""What a reader finds in a file. A reader knows a syntax and nothing about options.

All spans are offsets in code points from 0 in the document's text. These are NamedTuples, like other small records here:
a version of a text has hundreds of them, and they take half the time of a dataclass to make, a tenth to define.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.branches import Branch, moved
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memo
from npu_lsp.text.source_map import PlaceMap
from npu_lsp.text.spans import Edit, Span


class ValueKind(str, Enum):
    """What sort of thing a value is, as far as its text tells."""

    STRING = "string"
    BYTES = "bytes"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    NONE = "none"
    LIST = "list"
    DICT = "dict"
    OBJECT = "object"
    MEMBER = "member"
    """A constant of a class, by that class: `AiCMetrics.Memory`. Its data is that text."""
    WORD = "word"
    """A word of a shell or a configuration file: it has no type of its own."""
    UNKNOWN = "unknown"


class Value(NamedTuple):
    """What a setting gives an option.

    `kind` can be known while the value is not: `tf.compat.as_bytes(flag)` is bytes whatever `flag` is.
    """

    kind: ValueKind
    span: Span
    """The whole expression or word, quotes and wrapping call included."""
    known: bool = False
    data: Any = None
    """The value where `known`: str for strings, bytes and words (bytes decoded as UTF-8), else the Python value."""
    content: Span | None = None
    """Where the text of a string stands one to one (between its quotes, no escapes, one literal): `content.start + i`
    is the place of `data[i]`. `None` where there is no such place."""
    wrapper: str | None = None
    """The call around a literal, such as `tf.compat.as_bytes`."""
    origin: Span | None = None
    """Where the literal stands when the setting takes it from a name."""
    items: tuple[Value, ...] = ()
    """The elements of a list, where each can be told."""

    @property
    def inside(self) -> Span:
        """Where the text stands, without quotes where that can be told; else the whole value."""
        return self.content or self.span

    def part(self, start: int, end: int) -> Span:
        """Return where a part of the text stands: the whole value where it isn't written there letter by letter."""
        return self.span if self.content is None else Span(self.content.start + start, self.content.start + end)

    def mapped(self, places: PlaceMap) -> Value:
        """Return the value with its places in another text."""
        span, content = places.span(self.span), None if self.content is None else places.content(self.content)
        origin = None if self.origin is None else places.span(self.origin)
        items = tuple(item.mapped(places) for item in self.items) if self.items else ()
        return Value(self.kind, span, self.known, self.data, content, self.wrapper, origin, items)


class Form(str, Enum):
    """How a setting is written."""

    PARAMETER_MAP = "parameter_map"
    """`op.parameter_map["key"].slot = value`"""
    KEYWORD = "keyword"
    """`Call(key=value)`"""
    ITEM = "item"
    """An entry of a literal dict or of `dict(...)`, or a key and a value that a loop or a call takes from elsewhere."""
    ATTRIBUTE = "attribute"
    """`options.key = value`"""
    FLAG = "flag"
    """`--key=value`, `--key value`, `--key` on a command line"""
    ASSIGNMENT = "assignment"
    """`KEY=value` in a shell, with or without `export`"""
    SUBSCRIPT = "subscript"
    """`environ["KEY"] = value`"""
    ENTRY = "entry"
    """A line or a field of a configuration file"""


class Setting(NamedTuple):
    """One place in one file that gives an option a value."""

    surface: Surface
    name: str
    """The key as the tool gets it: a flag without dashes and with `_`, a nested argument as `DumpConfig.enable_dump`."""
    key: Span
    """The key as written: between the quotes, a flag with its dashes, a keyword, the last attribute."""
    value: Value
    form: Form
    statement: Span
    """The whole statement or command that holds the setting, without its line end."""
    own: Span
    """What belongs to this setting alone and goes when it is removed: the whole statement of an assignment, the
    keyword with its value, the flag with its value."""
    slot: str | None = None
    """`parameter_map` only: the field that is assigned, as written."""
    slot_span: Span | None = None
    branch: Branch = ()
    receiver: str = ""
    """`parameter_map` and attributes: the expression before `.parameter_map` or before the option's name. Entries: whose
    it is where many things have an entry of this name: the operator of a mode, the list that an item stands in."""
    abbreviated: bool = False
    """A flag that may be a prefix of the real one: rules look it up as getopt does."""
    separator: str = "="
    """Flags: what stands between the flag and its value: `=`, blanks, or nothing where there is no value."""

    def mapped(self, places: PlaceMap, around: Branch = ()) -> Setting:
        """Return the setting with its places in another text, which stands in `around` there."""
        return Setting(
            self.surface,
            self.name,
            places.span(self.key),
            self.value.mapped(places),
            self.form,
            places.span(self.statement),
            places.span(self.own),
            self.slot,
            None if self.slot_span is None else places.span(self.slot_span),
            around + moved(self.branch, places),
            self.receiver,
            self.abbreviated,
            self.separator,
        )


class FactKind(str, Enum):
    """What a fact says."""

    OPTIMIZER_NAME = "optimizer_name"
    """`custom_op.name = ...`"""
    REMAPPING = "remapping"
    MEMORY_OPTIMIZATION = "memory_optimization"
    """`rewrite_options.remapping = RewriterConfig.OFF`, or that of memory; the value's data is the last name, `OFF`"""
    OPTIMIZER_ADDED = "optimizer_added"
    """`custom_optimizers.add()`"""
    CONFIG_USED = "config_used"
    """The config reaches a session, or may do so."""
    CONFIG_HANDED_ON = "config_handed_on"
    """Others than a session get the config, or may do so, and may change it."""
    NPU_CONFIG_PROTO = "npu_config_proto"
    """The config goes through `npu_config_proto(...)` or a run configuration, which switch remapping off."""
    ITERATION_LOOP = "iteration_loop"
    """`set_iteration_per_loop(...)`; the value is the count"""
    STRAY_WORD = "stray_word"
    """A word of a command that no option takes."""
    GLUED_WORD = "glued_word"
    """The blank between a flag and its value that are one word of a list, or behind a flag."""
    UNSET = "unset"
    UNSET_APART = "unset_apart"
    """A variable is taken out of the environment, apart in another branch than that which sets it; the value is its name."""
    SHARED_TEXT = "shared_text"
    """Settings of a command stand in a variable there that goes elsewhere, too."""
    PYTHON2 = "python2"
    """The file is Python 2."""
    SCRIPT = "script"
    """A Python script that a command starts, by its path; the items of the value are the words that it is given."""


class Fact(NamedTuple):
    """Something around the settings that is no option. One that belongs to no block for sure is one of the file's."""

    kind: FactKind
    span: Span
    value: Value | None = None
    branch: Branch = ()

    def mapped(self, places: PlaceMap, around: Branch = ()) -> Fact:
        """Return the fact with its places in another text."""
        value = None if self.value is None else self.value.mapped(places)
        return Fact(self.kind, places.span(self.span), value, around + moved(self.branch, places))


class Declared(NamedTuple):
    """What a Python script says of one of its flags."""

    takes: bool
    """Whether a value must follow."""
    choices: tuple[str, ...] = ()
    """What is allowed; empty: anything."""
    number: bool = False
    """Whether it is turned into a number."""

    def beside(self, other: Declared | None) -> Declared:
        """Return what is taken where one or the other may be what is declared."""
        if other is None:
            return self
        both = self.choices + other.choices if self.choices and other.choices else ()
        return Declared(self.takes and other.takes, tuple(dict.fromkeys(both)), self.number and other.number)


class Block(NamedTuple):
    """The settings that take effect together: one optimizer, one call, one command, the exports of a script."""

    id: int
    """Unique within the file; counts from 0 in the order of the text."""
    surface: Surface
    head: Span
    """The word that the block hangs on: the command's name, the called name, the receiver of the first setting."""
    span: Span
    settings: tuple[Setting, ...] = ()
    open: bool = False
    """True: there may be settings that can't be seen (`**kwargs`, `"$@"`, an object that is handed on). Nothing is
    missing for sure."""
    facts: tuple[Fact, ...] = ()
    receiver: str = ""
    command: Span | None = None
    """Commands: the whole command with its words."""
    branch: Branch = ()
    """Commands: the arms of branchings that the command stands in."""
    background: bool = False
    """Commands: whether the next one starts without waiting for it (`&`)."""
    text: tuple[int, ...] = ()
    """Which text inside of the file it stands in: the numbers of the regions around it, outermost first."""

    def mapped(self, places: PlaceMap, around: Branch = ()) -> Block:
        """Return the block with its places in another text."""
        return Block(
            self.id,
            self.surface,
            places.span(self.head),
            places.span(self.span),
            tuple(setting.mapped(places, around) for setting in self.settings),
            self.open,
            tuple(fact.mapped(places, around) for fact in self.facts),
            self.receiver,
            None if self.command is None else places.span(self.command),
            around + moved(self.branch, places),
            self.background,
            self.text if places.region is None else (places.region, *self.text),
        )


def renumbered(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return `blocks` in the order of the text, with ids that count from 0."""
    ordered = sorted(blocks, key=lambda block: (block.span.start, block.head.start))
    return tuple(block if block.id == index else block._replace(id=index) for index, block in enumerate(ordered))


class SyntaxFault(str, Enum):
    """A slip in the syntax, named as the rule that speaks of it."""

    BLANK_AFTER_BACKSLASH = "blank-after-backslash"
    BROKEN_EXPANSION = "broken-expansion"
    CRLF = "crlf"
    DOUBLE_EQUALS = "double-equals"
    EXPORT_SPACE = "export-space"
    FULLWIDTH = "fullwidth"
    GLUED_LINES = "glued-lines"
    HALF_CONDITION = "half-condition"
    JSON_SYNTAX = "json-syntax"
    LARGE_STATEMENT = "large-statement"
    LONELY_ASSIGNMENT = "lonely-assignment"
    LOST_BACKSLASH = "lost-backslash"
    LOST_EQUALS = "lost-equals"
    LOST_EXPORT = "lost-export"
    MALFORMED_ENTRY = "malformed-entry"
    MISSING_SECTION = "missing-section"
    POSITIONAL_ARGUMENT = "positional-argument"
    REPEATED_COMMAND = "repeated-command"
    SET_BEHIND_INIT = "set-behind-init"
    SPACE_AFTER_EQUALS = "space-after-equals"
    SPACE_BEFORE_EQUALS = "space-before-equals"
    TRAILING_BACKSLASH = "trailing-backslash"
    UNBALANCED_QUOTE = "unbalanced-quote"
    UNQUOTED_LIST = "unquoted-list"
    UNQUOTED_SEPARATOR = "unquoted-separator"
    UNSET_AT_ONCE = "unset-at-once"
    WRONG_TYPE = "wrong-type"


class SyntaxFinding(NamedTuple):
    """A slip in the syntax that the language takes in silence, and that breaks a setting."""

    kind: SyntaxFault
    span: Span
    arguments: Mapping[str, str] = MappingProxyType({})
    edits: tuple[Edit, ...] = ()
    """What mends it, where that is certain."""

    def mapped(self, places: PlaceMap) -> SyntaxFinding:
        """Return the finding with its places in another text."""
        return SyntaxFinding(self.kind, places.span(self.span), self.arguments, places.edits(self.edits))


class Comment(NamedTuple):
    """A comment that speaks to npu-lsp."""

    span: Span
    """From the comment's sign to the end of its text."""
    own_line: bool
    """Nothing but blanks stands before it on its line."""


class ParseResult(NamedTuple):
    """All that a reader found in one version of one file."""

    blocks: tuple[Block, ...] = ()
    syntax: tuple[SyntaxFinding, ...] = ()
    comments: tuple[Comment, ...] = ()
    facts: tuple[Fact, ...] = ()
    """Facts about the whole file."""
    damaged: bool = False
    """Part of the text could not be read: nothing is missing for sure."""

    @property
    def settings(self) -> Iterator[Setting]:
        """The settings of all blocks, block by block."""
        return (setting for block in self.blocks for setting in block.settings)

    def statements(self) -> Iterator[Span]:
        """Yield the places of the commands and statements that set something."""
        for block in self.blocks:
            if block.command is not None:
                yield block.command
            for setting in block.settings:
                yield setting.statement

    def mapped(self, places: PlaceMap, around: Branch = ()) -> ParseResult:
        """Return the reading with its places in another text, which stands in the branches `around` there."""
        return ParseResult(
            tuple(block.mapped(places, around) for block in self.blocks),
            tuple(mistake.mapped(places) for mistake in self.syntax),
            # What stands in a variable there is no comment of that text.
            tuple(c._replace(span=places.span(c.span)) for c in self.comments if places.edits((Edit(c.span, ""),))),
            tuple(fact.mapped(places, around) for fact in self.facts),
            self.damaged,
        )


PARSE_RESULT: Memo[Document, ParseResult] = Memo()
"""What a version of a file sets, where it has been read."""
