"""What a rule is. A rule knows options and nothing about syntax; the catalog drives it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.model import Option, Scalar, Surface
from npu_lsp.languages.model import Block, Setting, SyntaxFault
from npu_lsp.languages.writers import writer_for
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Related, Safety, Severity, Tag
from npu_lsp.linter.values import shown
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

if TYPE_CHECKING:
    from npu_lsp.linter.launch.launch import Launch
    from npu_lsp.linter.suppressions.comments import Suppression


_TITLES = {
    "remove": Text(en='Remove "{option}"', zh="删除“{option}”"),
    "rename": Text(en='Change to "{near}"', zh="改为“{near}”"),
    "change": Text(en="Change to {value}", zh="改为 {value}"),
    "since": Text(en=" since {component} {version}", zh="自 {component} {version} 起"),
    "assumed": Text(en=" if you run {component} {version} or later", zh="在 {component} {version} 及以后版本中"),
}
"""What several rules say in the same words: each may say it in its own."""
_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])")
_SET_HERE = Text(en='"{other}" is set here', zh="“{other}”在此处设置")


class Fixable(str, Enum):
    """Whether a rule's findings come with a fix."""

    NEVER = "never"
    SOMETIMES = "sometimes"
    ALWAYS = "always"


class Valid(NamedTuple):
    """A file on which the rule stays silent."""

    text: str
    kind: Kind = Kind.PYTHON
    target: Mapping[str, object] = {}
    """`target` of the configuration: `{"cann": "9.0", "products": ["a2"]}`, or another component."""
    files: Mapping[str, str] = {}
    """Files beside it, by relative path; `my-options.toml` adds options to the catalog."""
    others: tuple[str, ...] = ()
    """Codes of rules that run besides."""


class Invalid(NamedTuple):
    """A file on which the rule speaks, with what it underlines and what its first fix makes of it: `MarkedExample` makes most of them."""

    text: str
    marks: tuple[str, ...]
    """The underlined texts, in order."""
    says: tuple[str, ...]
    """Of each finding its severity, and the safety of each of its fixes, the first one first: `warning safe unsafe`; empty: as the rule says."""
    fixed: str | None = None
    """The file after every finding's first fix; `None` where there is none."""
    kind: Kind = Kind.PYTHON
    creates: Mapping[str, str] = {}
    """The files that the fixes create."""
    target: Mapping[str, object] = {}
    files: Mapping[str, str] = {}
    others: tuple[str, ...] = ()
    """Codes of rules that run besides."""
    starts: tuple[int, ...] | None = None
    """Where the underlined texts begin; `None` where an example doesn't show it."""


class MarkedExample(NamedTuple):
    """A file on which a rule speaks, shown with what is underlined, `«x»`, and what the first fixes make of it.

    `«x→y»` is underlined, and becomes `y`; `‹x→y›` becomes `y`, and may hold what is underlined.
    """

    shown: str
    says: str | tuple[str, ...] = ()
    """That of each finding; without it, what the rule's examples say."""
    kind: Kind = Kind.SHELL
    creates: Mapping[str, str] = {}
    target: Mapping[str, object] = {}
    files: Mapping[str, str] = {}
    others: tuple[str, ...] = ()

    def whole(self) -> Invalid:
        """Return it as tests and pages want it; who only runs rules never asks."""
        marks = tuple(_MARK.findall(self.shown))
        fixed = _unmarked(_EDIT.sub(r"\2", self.shown)) if "→" in self.shown else None
        before = _EDIT.sub(lambda edit: f"«{edit[1]}»" if edit[0][0] == "«" else edit[1], self.shown)
        starts = tuple(len(_unmarked(before[: mark.start()])) for mark in _MARK.finditer(before))
        says = (self.says,) * len(marks) if isinstance(self.says, str) else self.says
        return Invalid(_unmarked(before), marks, says, fixed, *self[2:], starts)


told = MarkedExample
_MARK = re.compile("«([^«»→]*)")
_EDIT = re.compile("[«‹]([^«»‹›→]*(?:«[^«»→]*»[^«»‹›→]*)*)→([^«»‹›→]*)[»›]")


def _unmarked(shown: str) -> str:
    return shown.replace("«", "").replace("»", "")


class Rule:
    """One check. The docstring of a subclass is the rule's page; its examples are run as tests.

    A subclass overrides one of `check_setting`, `check_block`, `check_launch` and `check_file`; with the first two `concerns`,
    too, where that spares asking.
    """

    code: ClassVar[str]
    """`NPU` and three digits; a code never changes its meaning."""
    name: ClassVar[str]
    """That of the class, in kebab case, unless the class says another: `UnknownMode` is `unknown-mode`, and configurations call it so."""
    title: ClassVar[Text]
    """What the rule finds, in a few words."""
    severity: ClassVar[Severity]
    fixable: ClassVar[Fixable] = Fixable.NEVER
    messages: ClassVar[Mapping[str, Text]]
    """By a name of their own, with named placeholders: what is wrong, what happens at run time, what to do."""
    surfaces: ClassVar[frozenset[Surface] | None] = None
    """The surfaces that the rule looks at; `None` for all."""
    default: ClassVar[bool] = True
    """Whether the rule runs unless the configuration says otherwise."""
    in_editor: ClassVar[bool] = False
    """Whether a rule that doesn't run by default does so in an editor, where its fix is at hand and nothing fails."""
    of_text: ClassVar[bool] = True
    """False: about the file, not its text. The finding is made where files are read, and no example can show it."""
    of_suppressions: ClassVar[bool] = False
    """True: about the comments that silence findings. Such a comment is of use when it silences this rule."""
    of_whole: ClassVar[bool] = False
    """True: about what a command holds as a whole. Nothing is said of one that a slip cuts in two or runs into another."""
    fault: ClassVar[SyntaxFault | None] = None
    """The slips in the syntax that the rule is about; without one of them nobody asks it."""
    weak: ClassVar[bool] = False
    """True: nothing is said where another rule says anything."""
    tried: ClassVar[bool] = False
    """True: about values; nothing is said of those in a test, which may try one that is wrong, or several."""
    VALID: ClassVar[Sequence[str | Valid]] = ()
    INVALID: ClassVar[Sequence[str | MarkedExample | Invalid]] = ()
    """Examples: a mere text is one in `examples_in`, and a wrong one is shown as `MarkedExample` takes it."""
    examples_in: ClassVar[Kind] = Kind.SHELL
    examples_say: ClassVar[Severity | None] = None
    """What is found in a wrong example that doesn't say it; `None` for the rule's severity."""
    examples_fixed: ClassVar[str] = "unsafe"
    """The safety of the fix that such an example shows."""
    checks_files: ClassVar[bool] = False
    checks_blocks: ClassVar[bool] = False
    checks_settings: ClassVar[bool] = False
    checks_launches: ClassVar[bool] = False
    chooses: ClassVar[bool] = False
    """Which of the methods below there are (the last one is `concerns`): to call one that does nothing takes its time."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in vars(cls):
            cls.name = _HUMP.sub("-", cls.__name__).lower()
        cls.checks_files = cls.check_file is not Rule.check_file
        cls.checks_blocks = cls.check_block is not Rule.check_block
        cls.checks_settings = cls.check_setting is not Rule.check_setting
        cls.checks_launches = cls.check_launch is not Rule.check_launch
        cls.chooses = cls.concerns is not Rule.concerns

    @property
    def valid(self) -> tuple[Valid, ...]:
        """The files on which the rule stays silent."""
        return tuple(Valid(each, self.examples_in) if isinstance(each, str) else each for each in self.VALID)

    @property
    def invalid(self) -> tuple[Invalid, ...]:
        """The files on which the rule speaks."""
        return tuple(
            self._complete(each if isinstance(each, Invalid) else each.whole())
            for each in (
                MarkedExample(each, kind=self.examples_in) if isinstance(each, str) else each for each in self.INVALID
            )
        )

    def _complete(self, example: Invalid) -> Invalid:
        if example.says:
            return example
        severity = (self.examples_say or self.severity).value
        says = severity if example.fixed is None else f"{severity} {self.examples_fixed}"
        return example._replace(says=(says,) * len(example.marks))

    def prose(self, language: Language) -> str:
        """Return what the rule's page says; empty where the docstring says it."""
        return ""

    def concerns(self, option: Option) -> bool:
        """Return whether the rule may have a word for a setting of `option`: most rules look at one thing that few have.

        Where a rule that looks at blocks says so, it is asked about a block that sets such an option, and no other.
        """
        return True

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Look at one setting of an option that the catalog knows."""
        return iter(())

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at the settings that take effect together."""
        return iter(())

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        """Look at what one command starts, in the environment that it gets."""
        return iter(())

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at the whole file."""
        return iter(())

    def check_suppressions(
        self, written: Sequence[Suppression], running: frozenset[str], context: Context
    ) -> Iterator[Finding]:
        """Look at the comments that silence findings, when it is known which of them were of use.

        `running` has the codes that could have been found in the file.
        """
        return iter(())

    def finding(
        self,
        context: Context,
        span: Span,
        message: str,
        *,
        of: Option | Setting | None = None,
        option: str | None = None,
        surface: Surface | None = None,
        severity: Severity | None = None,
        fixes: Sequence[Fix] = (),
        tags: Sequence[Tag] = (),
        related: Sequence[Related] = (),
        holds_since: str | None = None,
        **arguments: object,
    ) -> Finding:
        """Return a finding with the rule's `message` of that name, filled from `arguments` and `option`.

        `of` is the option that it is about; `option` and `surface` name one that the catalog may not have. `holds_since` is
        the version of the option's component that made it true; the message says so where it has the place `since`. Where
        nobody says which version runs, and supported ones are older, it is information at most, and no fix of it is safe.
        """
        severity = severity or self.severity
        if of is not None:
            option, surface = of.name, of.surface
        if isinstance(of, Option):
            arguments.setdefault("since", self.since(context, of, holds_since))
            if context.is_assumed(holds_since, of.component):
                severity = max(severity, Severity.INFO, key=lambda each: each.rank)
                fixes = [fix._replace(safety=Safety.UNSAFE) for fix in fixes]
        if self.fault is None:
            fixes = [_for_all(fix, context) for fix in fixes]
        return Finding(
            code=self.code,
            name=self.name,
            severity=severity,
            span=span,
            message=self.say(context, message, option=option, **arguments),
            option=option,
            surface=surface,
            fixes=tuple(fixes),
            tags=tuple(tags),
            related=tuple(related),
        )

    def changed(self, context: Context, setting: Setting, new: Scalar, safety: Safety = Safety.UNSAFE) -> list[Fix]:
        """Return the fix that gives a setting a new value; none for no value, and where that can't be done for sure."""
        writer = writer_for(setting)
        edits = writer.set_value(context.document, setting, new, slot=setting.slot) if new is not None else ()
        return self.fix(context, "change", edits, safety, value=shown(new, setting.form))

    def renamed(self, context: Context, setting: Setting, name: str) -> list[Fix]:
        """Return the fix that gives a setting another name, titled by the rule's message `rename`, which says it as `near`."""
        edits = writer_for(setting).rename(context.document, setting, name)
        return self.fix(context, "rename", edits, Safety.UNSAFE, near=name)

    def renamed_at(self, context: Context, span: Span, name: str) -> list[Fix]:
        """Return the fix that writes another name at `span`, which is no setting's, titled as that of `renamed`."""
        return self.fix(context, "rename", (Edit(span, name),), Safety.UNSAFE, near=name)

    def fix(
        self, context: Context, title: str, edits: Sequence[Edit], safety: Safety, /, **arguments: object
    ) -> list[Fix]:
        """Return the fix that makes `edits`, titled by the rule's message of that name; none where there is nothing to do."""
        return [Fix(self.say(context, title, **arguments), tuple(edits), safety)] if edits else []

    def set_here(self, context: Context, other: Setting | None, name: str | None = None) -> list[Related]:
        """Return the place of another setting, to show beside a finding; `name` is what the finding calls its option."""
        return [Related(other.key, _SET_HERE.to(context.language).format(other=name or other.name))] if other else []

    def since(self, context: Context, option: Option, version: str | None) -> str:
        """Return the words about the version that something of `option` holds from; empty without one."""
        message = "assumed" if context.is_assumed(version, option.component) else "since"
        return self.say(context, message, component=title_of(option.component), version=version) if version else ""

    def say(self, context: Context, message: str, **arguments: object) -> str:
        """Return the rule's `message` of that name in the context's language; it also titles fixes."""
        text = self.messages.get(message) or _TITLES[message]
        return text.to(context.language).format_map(arguments)


def _for_all(fix: Fix, context: Context) -> Fix:
    """Return a fix that is not safe where it changes what others get, too. A slip in the syntax is one for all of them."""
    if fix.safety is Safety.SAFE and any(context.goes_elsewhere(edit.span) for edit in fix.edits):
        return fix._replace(safety=Safety.UNSAFE)
    return fix
