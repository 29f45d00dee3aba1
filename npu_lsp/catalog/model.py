"""What the catalog knows about an option: the types behind the TOML files under `data/`.

Everything here is a fact with a source, and holds no prose of any vendor page. How the files are
written is told in `data/README.md`; how they become these types, in `load.py`.

They are NamedTuples, as other small records are that a server makes before its first diagnostics: to define a frozen
dataclass takes 0.5 ms, ten times as long, and there would be eighty of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Literal, NamedTuple

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.surfaces import Surface as Surface
from npu_lsp.text.bilingual import Text

Scalar = str | int | float | bool | None
"""A value as the surface takes it. `None` means "not set"."""


def as_text(value: object) -> str:
    """Return a value as files and command lines write it: `true`, not `True`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Slot(str, Enum):
    """The field of TensorFlow's `AttrValue` that a `parameter_map` entry is stored in."""

    STRING = "s"
    INT = "i"
    FLOAT = "f"
    BOOL = "b"


ValueType = Literal["string", "bool", "int", "float", "path", "list", "dict", "object", "member", "none"]
Scenario = Literal["training", "inference"]
Status = Literal["documented", "undocumented", "internal", "no_effect"]
Stability = Literal["stable", "experimental", "debug"]
RelationKind = Literal[
    "conflicts",
    "requires",
    "together",
    "ignored_when",
    "overrides",
    "must_equal",
    "must_differ",
    "greater_than",
    "at_least",
]
Extent = Literal["total", "partial", "documented"]
Nargs = Literal["0", "?", "*", "+"]
Undated = Literal["unreleased", "elsewhere", "unversioned"]
"""No release has it; it belongs to a project whose versions the catalog doesn't have; its sources have no versions."""


class Allowed(NamedTuple):
    """One allowed value of an option. The line that explains it is `Catalog.value_text`."""

    value: Scalar
    products: tuple[str, ...] = ()
    """Product ids that take the value; empty means all."""
    scenario: Scenario | None = None
    since: str | None = None
    deprecated: bool | str = False
    """True, or the first version of the option's component known to deprecate it."""
    supported: bool = True
    """False: the docs name the value and say that it does not work yet."""


class Default(NamedTuple):
    """What holds when the option is not set, in one scenario on some products."""

    value: Scalar
    scenario: Scenario | None = None
    products: tuple[str, ...] = ()
    source: str = ""


class Deprecation(NamedTuple):
    """Why an option should go, and what takes its place."""

    why: Text
    source: str
    version: str | None = None
    """The first version of the component known to deprecate it; `None` where no page shows it."""
    replacement: str | None = None
    """The name on the same surface to use instead."""
    fix: str | None = None
    """The mechanical move, by name (`op-precision-file`, `rename`, `remove`, `map-values`, `strip-brackets`, `to-key`)."""
    mapping: tuple[tuple[str, str], ...] = ()
    """For `map-values`: old value to new value, only where a page states the correspondence."""
    keys: tuple[str, ...] = ()
    """For `to-key`: what takes the variable's place in vLLM-Ascend's `additional_config`, by name, the newest place first."""


class Removal(NamedTuple):
    """Since which version of its component an option is gone, and why."""

    why: Text
    source: str
    version: str | None = None
    replacement: str | None = None
    rejected: bool = False
    """True: the tool stops with an error when it meets it, on a surface that ignores what it doesn't know."""
    readers: tuple[str, ...] = ()
    """Other products that read it still."""


class Change(NamedTuple):
    """A difference that one version of its component made to an option."""

    version: str
    source: str
    default: Scalar = None
    added: tuple[Scalar, ...] = ()
    dropped: tuple[Scalar, ...] = ()
    was: Scalar = None
    """The default until then; `None`: not known, or there was none."""


class Relation(NamedTuple):
    """How an option depends on another one in the same block.

    `values` and `other_values` narrow the relation; empty means "whatever the value".
    """

    kind: RelationKind
    other: str
    """The other's name as its surface writes it."""
    source: str
    values: tuple[Scalar, ...] = ()
    """The relation holds only while this option has one of these values."""
    other_values: tuple[Scalar, ...] = ()
    """`requires`: what the other must be. Else: the relation holds only for these values of it."""
    other_not: tuple[Scalar, ...] = ()
    """The relation holds for every known value of the other except these."""
    when: tuple[tuple[str, tuple[Scalar, ...]], ...] = ()
    """Of numbers and values that are compared: what else must be set, and to which values, for the relation to hold."""
    rejected: bool = False
    """True: the tool stops with an error. False: it silently does something else."""
    result: Text | None = None
    """What happens at run time, in words that are right from both sides."""
    other_surface: Surface | None = None
    """Where the other is written, if not on this option's own surface: `env`, or seen from there, another."""
    extent: Extent = "total"
    """Of a relation that takes an effect away: whether all of it goes, as the tool's source shows. Only then is it a finding."""
    stays: Text | None = None
    """Where it is partial: what keeps its effect."""
    mirrored: bool = False
    """True: the other option says the same of this one, and a rule that looks at both needs only that."""


class Condition(NamedTuple):
    """A condition on other options of the block: all of `when` must hold."""

    when: tuple[tuple[str, tuple[Scalar, ...]], ...]
    """Names on the same surface, and the values that they must have; no values: must be set."""
    source: str
    rejected: bool = False
    """`only_when`: the tool stops with an error where none of the conditions holds; else it ignores the option."""
    since: str | None = None
    """`required`: the version that asks for it, where older ones may do without."""

    @property
    def always(self) -> bool:
        """Whether it holds in every version, whatever else is set."""
        return not (self.when or self.since)


class Option(NamedTuple):
    """One documented key on one surface, and the whole truth about it."""

    name: str
    """As it is written on the surface: key, keyword, dotted attribute, flag without dashes."""
    surface: Surface
    topic: str
    """The same option's name across surfaces: the name of its file in the catalog."""
    type: ValueType
    slot: Slot | None = None
    values: tuple[Allowed, ...] = ()
    open: bool = False
    """True: other values than those in `values` work too."""
    extended_by: tuple[str, ...] = ()
    """Options of the same surface that name code which may add values; `*`: an installed package may, too, so that only near misses are wrong."""
    grammar: str | None = None
    """The name of a grammar in `npu_lsp.catalog.grammar`."""
    minimum: int | float | None = None
    maximum: int | float | None = None
    above: int | float | None = None
    """A number must be greater than this, however little."""
    nargs: Nargs | None = None
    """Flags that argparse reads: how many words are the value, as it writes them; `None`: one."""
    negatable: bool = False
    """True: `--no-` before the flag's name says false."""
    unit: str | None = None
    case_sensitive: bool = True
    shared: bool = False
    """True: other programs read a variable of this name, too, and it is theirs in a text that tells of no NPU."""
    clamped: bool = False
    """True: a number beyond the range counts as the nearest one in it."""
    exact_type: bool = False
    """True: the tool tells True from 1, which Python takes for the same."""
    nullable: bool = True
    """False: the tool rejects None, which elsewhere in Python means "not set"."""
    nonempty: bool = False
    """True: the tool rejects an empty text."""
    enforced: bool = True
    """True: the tool rejects a bad value. False: it takes it and does something else."""
    otherwise: Scalar | None = None
    """What every value outside the list counts as, where the tool takes them all."""
    defaults: tuple[Default, ...] = ()
    group: str = ""
    scenario: Scenario | None = None
    products: tuple[str, ...] = ()
    status: Status = "documented"
    stability: Stability = "stable"
    component: str = CANN
    """Whose versions `since`, `deprecated`, `removed`, `changes` and those of `values` are."""
    refuses: str | None = None
    """For a dict of keys: since which version another key stops the tool; before that, and without it, it is ignored.

    For others: since which version a wrong value does; without it, in each."""
    since: str | None = None
    seen: str | None = None
    """The oldest version in which a source shows the option, where none tells when it came: older ones may have it, too."""
    unseen: str | None = None
    """The newest version before `seen` whose list of such options doesn't have it."""
    undated: Undated | None = None
    """Why no version is known."""
    deprecated: Deprecation | None = None
    removed: Removal | None = None
    preferred: Deprecation | None = None
    """The option that the docs recommend instead of this one, which stays all the same."""
    changes: tuple[Change, ...] = ()
    relations: tuple[Relation, ...] = ()
    required: tuple[Condition, ...] = ()
    """The option must be set when one of these holds."""
    only_when: tuple[Condition, ...] = ()
    """The option has an effect only when one of these holds."""
    aliases: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    def total(self, *kinds: str) -> Iterator[Relation]:
        """Yield the relations of these kinds that hold altogether: of the other one nothing is left."""
        return (each for each in self.relations if each.kind in kinds and each.extent == "total")

    @property
    def default(self) -> Scalar:
        """The default without regard to scenario and product, or the first one that is known."""
        plain = [d for d in self.defaults if d.scenario is None and not d.products]
        chosen = plain or list(self.defaults)
        return chosen[0].value if chosen else None


class Docs(NamedTuple):
    """What a person reads about an option."""

    summary: Text
    text: Text | None = None
    note: Text | None = None
    """Where the docs and the tool disagree."""
    page: Text | None = None
    """Links to the official page, in the reader's language."""


class FusionRule(NamedTuple):
    """A fusion rule that a fusion switch file can name."""

    name: str
    kind: Literal["graph", "ub"]
    docs: Docs
    switchable: bool | None = None
    """Whether the switch file can turn it off; `None` where no page tells."""
    default: Literal["on", "off"] | None = None
    stability: Stability = "stable"
    products: tuple[str, ...] = ()
    since: str | None = None
    sources: tuple[str, ...] = ()
