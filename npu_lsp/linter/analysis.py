"""Document → blocks and findings, for the editor and for CI alike."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from npu_lsp.catalog.components import CANN
from npu_lsp.catalog.install_paths import misplaced
from npu_lsp.languages import read
from npu_lsp.languages.model import ParseResult, SyntaxFault
from npu_lsp.languages.unread import PARTLY
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.deliberate import is_in_test, is_meant_to_fail, is_of_tool
from npu_lsp.linter.findings import Finding, Severity, Tag, in_order, without_weak
from npu_lsp.linter.gpu_habits import gpu_habits
from npu_lsp.linter.names.in_pages import misnamed
from npu_lsp.linter.names.miscalled import called_of_torch, miscalled, well_known
from npu_lsp.linter.names.misspelt_words import misspelt_words
from npu_lsp.linter.variable_uses import misread, runs_in_pod, slips
from npu_lsp.linter.versions.required import required
from npu_lsp.linter.versions.stated import stated
from npu_lsp.text.bilingual import Language
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memo

if TYPE_CHECKING:
    from npu_lsp.catalog.load import Catalog
    from npu_lsp.catalog.target import Target
    from npu_lsp.catalog.toolkit import Toolkit
    from npu_lsp.linter.context import Context
    from npu_lsp.linter.rule import Rule
    from npu_lsp.linter.rule_index import RuleIndex

_log = logging.getLogger(__name__)
_BESIDE = (
    *(misread, slips, runs_in_pod, gpu_habits, miscalled, called_of_torch, misnamed, misplaced, well_known),
    misspelt_words,
)
"""What is found in a text though nothing is set there."""
_LEFT_OPEN = (SyntaxFault.JSON_SYNTAX, SyntaxFault.UNBALANCED_QUOTE)
"""What may be closed behind the part of a text that is read."""
_MOST_SLIPS = 3
"""Slips behind each other that are looked behind: CR at line ends, a lost backslash, JSON that is none."""


class Abandoned(Exception):  # noqa: N818 - nothing went wrong
    """An analysis that nobody waits for any more."""


class Analyzer:
    """Checks documents against one configuration; rules and catalog are loaded when the first one needs them."""

    def __init__(
        self,
        config: Config,
        rules: Callable[[], tuple[Rule, ...]],
        *,
        language: Language = "en",
        toolkit: Toolkit | None = None,
        packages: Mapping[str, str] | None = None,
        in_editor: bool = False,
    ) -> None:
        """`rules` returns every rule that there is; the configuration selects among them.

        `packages` are the versions of the components that the environment has.
        """
        self.config = config
        self._all_rules = rules
        self.in_editor = in_editor
        self.language: Language = language
        self.toolkit = toolkit
        self.packages = packages
        self.failures = 0
        """How often a rule failed on a file; each is in the log."""
        self._catalog: Catalog | None = None
        self._target: Target | None = None
        self._rules: tuple[Rule, ...] | None = None
        self._with_own: tuple[Rule, ...] | None = None
        self._rule_indexes: dict[frozenset[str], RuleIndex] = {}
        """By the codes that are ignored in a file."""

    @property
    def catalog(self) -> Catalog:
        """The catalog with what the configuration adds.

        Raises `CatalogError` when a file that the configuration names is wrong.
        """
        if self._catalog is None:
            from npu_lsp.catalog.load import load

            self._catalog = load()
            if self.config.catalog:
                from npu_lsp.catalog.extend import extended
                from npu_lsp.catalog.model import Surface
                from npu_lsp.languages.variable_names import learn

                self._catalog = extended(self._catalog, self.config.catalog)
                learn(self._catalog.names(Surface.ENV))
        return self._catalog

    def learn(self) -> None:
        """Have readers know the variables that the configuration adds; without this a text is read as if it added none."""
        if self.config.catalog and self._catalog is None:
            from npu_lsp.catalog.errors import CatalogError

            # Whoever uses a catalog that is wrong tells the user.
            with suppress(CatalogError):
                _ = self.catalog

    @property
    def target(self) -> Target:
        """What the code must run on: the configuration's word, else what is installed, else the newest."""
        if self._target is None:
            self._target = self.config.target.resolved(self.toolkit, self.packages)
        return self._target

    def target_of(self, document: Document) -> Target:
        """Return what `document` must run on.

        Where no version is configured, the one that it names itself counts, then that which its repository requires, then the
        CANN that follows from either, and the MindIE that follows from a CANN.
        """
        said = stated(document)
        named = {each.component for each in said}
        more = (each for each in required(document.path, self.config.root) if each.component not in named)
        said = (*said, *more)
        if said and self.target.version() is None:
            from npu_lsp.linter.versions.paired import mindie_of, paired

            names = {each.component for each in said}
            versions = self.catalog.plain("versions")
            cann = paired(said, versions) if CANN not in names else None
            mindie = mindie_of(said, versions) if "mindie" not in names else None
            said = (*said, *(each for each in (cann, mindie) if each is not None))
        return self.target.with_stated(said, self.config.target.versions) if said else self.target

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that the configuration selects."""
        if self._rules is None:
            from npu_lsp.linter.selection import selected

            self._rules = selected(self.all_rules, self.config, in_editor=self.in_editor)
        return self._rules

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """Every rule that there is, those that the configuration adds included."""
        if not self.config.house_rules:
            return self._all_rules()
        if self._with_own is None:
            from npu_lsp.linter.house.rule import rules_with

            self._with_own = rules_with(self.config, self._all_rules())
        return self._with_own

    def context(self, document: Document) -> Context:
        """Return what rules and features ask about `document`."""
        from npu_lsp.linter.context import Context

        self.learn()
        return Context(
            document=document,
            parsed=read(document),
            catalog=self.catalog,
            target=partial(self.target_of, document),
            products=self.target.products,
            language=self.language,
            known=self.config.known,
            toolkit=self.toolkit,
            root=self.config.root,
            own_rules=tuple(self.config.house_rules),
        )

    def findings(self, document: Document, stop: Callable[[], bool] | None = None) -> tuple[Finding, ...]:
        """Return what there is to say about `document`, in the order of the text, suppressed findings marked.

        Never raises for what a document can hold: a rule that fails is logged with its code and left out. When `stop`
        tells that nobody wants to know any more, it raises `Abandoned`.
        """
        self.learn()
        known = FINDINGS.known(document)
        if known is not None and known.analyzer is self:
            return known.findings
        found = self._all(document, self._rule_index(self._ignored(document)), stop)
        return FINDINGS.keep(document, AnalyzerFindings(self, found)).findings

    def findings_of(self, document: Document, codes: Collection[str]) -> tuple[Finding, ...]:
        """Return those of the `findings` that rules with these codes make; others may be among them.

        It is for whoever asks whether an edit mends what it should: most rules have no part in that.
        """
        from npu_lsp.linter.rule_index import RuleIndex
        from npu_lsp.linter.syntax_rule import SyntaxRule

        known = FINDINGS.known(document)
        meant = [rule for rule in self.rules if rule.code in codes]
        # Whether a comment is of use, only all rules together tell.
        if (known is not None and known.analyzer is self) or any(rule.of_suppressions for rule in meant):
            return self.findings(document)
        self.learn()
        ignored = self._ignored(document)
        # A slip hides what others say.
        some = (r for r in self.rules if (r.code in codes or isinstance(r, SyntaxRule)) and r.code not in ignored)
        return self._all(document, RuleIndex(some), None)

    def _all(self, document: Document, index: RuleIndex, stop: Callable[[], bool] | None) -> tuple[Finding, ...]:
        """Return what the rules of `index` say about `document`."""
        parsed = read(document)
        idle = _is_empty(parsed) and not any(find(document) for find in _BESIDE)
        found = () if idle or is_of_tool(document.path) else self._check(self.context(document), index, stop)
        if found and any(each.arguments.get("reason") == PARTLY for each in parsed.syntax):
            return tuple(sorted((*found, *self._beginning(document, index, stop)), key=in_order))
        return found

    def _beginning(self, document: Document, index: RuleIndex, stop: Callable[[], bool] | None) -> Iterator[Finding]:
        """Yield what there is to say about as much of a crowded document as is read."""
        from npu_lsp.languages.density import beginning

        part = beginning(document)
        if part is None:
            return
        context = self.context(Document(document.text[: part.end], path=document.path, kind=document.kind))
        # What it lacks, or leaves open, may stand behind it.
        sure = tuple(
            s for s in context.parsed.syntax if s.kind not in _LEFT_OPEN and s.arguments.get("reason") != PARTLY
        )
        context.parsed = context.parsed._replace(damaged=True, syntax=sure)
        yield from (found for found in self._check(context, index, stop) if found.span.end <= part.told)

    def _check(self, context: Context, index: RuleIndex, stop: Callable[[], bool] | None) -> tuple[Finding, ...]:
        try:
            return self._found(context, index, stop)
        finally:
            # What rules keep for each other refers to the context: a ring, which would keep the document from being
            # freed until the collector comes, and then a hundred versions of it at once.
            context.memos.clear()

    def _found(self, context: Context, index: RuleIndex, stop: Callable[[], bool] | None) -> tuple[Finding, ...]:
        document, parsed = context.document, context.parsed
        answers = _Answers(document)
        found = self._told(context, index, answers, stop)
        if parsed.syntax:
            found += self._hidden(found, context, index, answers, stop)
        if parsed.comments:
            found = self._silenced(found, index, context, answers)
        self.failures += len(answers.failed)
        return tuple(sorted(found, key=in_order))

    def _told(
        self, context: Context, index: RuleIndex, answers: _Answers, stop: Callable[[], bool] | None
    ) -> list[Finding]:
        for rule, check, about in index.checks(context):
            if stop is not None and stop():
                raise Abandoned
            answers.ask(rule, check, about)
        named = bool(self.config.target.versions)
        told = (_in_test(f, context.document, index, named=named) for f in _unique(answers.taken()))
        return [self._configured(f) for f in without_weak([f for f in told if f is not None], index.weak)]

    def _hidden(
        self,
        found: list[Finding],
        context: Context,
        index: RuleIndex,
        answers: _Answers,
        stop: Callable[[], bool] | None,
        slips: int = _MOST_SLIPS,
    ) -> list[Finding]:
        """Return what slips in the syntax hide, and what those hide that are hidden."""
        from npu_lsp.linter.hidden import hidden, mended
        from npu_lsp.linter.syntax_rule import SyntaxRule

        without = mended(context.document, found, {r.code for r in index.rules if isinstance(r, SyntaxRule)})
        if without is None:
            return []
        other = self.context(without.document)
        try:
            whole = {rule.code for rule in index.rules if rule.of_whole}
            told = [f for f in self._told(other, index, answers, stop) if f.code not in whole]
            if slips > 1:
                told += self._hidden(told, other, index, answers, stop, slips - 1)
            return list(hidden(found, told, without.moved))
        finally:
            other.memos.clear()

    def _silenced(self, found: list[Finding], index: RuleIndex, context: Context, answers: _Answers) -> list[Finding]:
        """Return findings as comments would have them, with what there is to say about these comments."""
        from npu_lsp.linter.suppressions.comments import silenced, suppressions

        written = suppressions(context.document, context.parsed)
        found = list(silenced(found, written))
        running = frozenset(rule.code for rule in index.rules)
        for rule in index.rules:
            answers.ask(rule, rule.check_suppressions, (written, running, context))
        about = [self._configured(f) for f in answers.taken()]
        # A comment without codes means the code around it, not itself.
        return [*found, *silenced(about, [each for each in written if each.codes])]

    def _rule_index(self, ignored: frozenset[str]) -> RuleIndex:
        """Return the rules that the configuration selects, without those of `ignored` codes."""
        known = self._rule_indexes.get(ignored)
        if known is None:
            from npu_lsp.linter.rule_index import RuleIndex

            known = self._rule_indexes[ignored] = RuleIndex(rule for rule in self.rules if rule.code not in ignored)
        return known

    def _ignored(self, document: Document) -> frozenset[str]:
        if not self.config.per_file_ignores:
            return frozenset()
        from npu_lsp.linter.selection import ignored_in

        return ignored_in(document.path, self.config, self.all_rules)

    def _configured(self, finding: Finding) -> Finding:
        """Return a finding as the configuration has it: how bad it is, and how safe its fixes are."""
        config = self.config
        if finding.fixes and (config.extend_safe_fixes or config.extend_unsafe_fixes):
            from npu_lsp.linter.selection import safety_of

            safety = safety_of(finding, config)
            if safety is not None:
                finding = finding._replace(fixes=tuple(fix._replace(safety=safety) for fix in finding.fixes))
        if not config.severity:
            return finding
        severity = self.config.severity.get(finding.code) or self.config.severity.get(finding.name)
        return finding._replace(severity=severity) if severity else finding


class AnalyzerFindings(NamedTuple):
    """What there is to say about one version of a text."""

    analyzer: Analyzer
    """Who says so: another configuration says something else."""
    findings: tuple[Finding, ...]


FINDINGS: Memo[Document, AnalyzerFindings] = Memo()


class _Answers:
    """What rules say about one file. One that fails is logged, and answers no more: what it said before is kept."""

    def __init__(self, document: Document) -> None:
        self.failed: set[str] = set()
        self._document = document
        self._found: list[Finding] = []

    def ask(self, rule: Rule, check: Callable[..., Iterator[Finding]], about: tuple[object, ...]) -> None:
        """Call one method of `rule`."""
        if rule.code in self.failed:
            return
        try:
            for finding in check(*about):
                self._found.append(finding)
        except Exception:
            self.failed.add(rule.code)
            _log.exception("%s failed on %s", rule.code, self._document.uri or self._document.path)

    def taken(self) -> list[Finding]:
        """Return what was found since this was asked last."""
        found, self._found = self._found, []
        return found


def _in_test(finding: Finding, document: Document, index: RuleIndex, *, named: bool) -> Finding | None:
    """Return what is left of a finding where a test may try what it is about: nothing of a value, information of what is old.

    `named`: somebody says which version runs, and doesn't mean that of the test.
    """
    at = finding.span.start
    if is_meant_to_fail(document, at) or (finding.code in index.tried and is_in_test(document, at)):
        return None
    if (
        not named
        and Tag.DEPRECATED in finding.tags
        and finding.severity.rank < Severity.INFO.rank
        and is_in_test(document, at)
    ):
        return finding._replace(severity=Severity.INFO)
    return finding


def _is_empty(parsed: ParseResult) -> bool:
    return not (parsed.blocks or parsed.syntax or parsed.comments or parsed.facts)


def _unique(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield each finding once: a loop or a helper function can lead to the same place twice."""
    seen: set[tuple[object, ...]] = set()
    for finding in findings:
        key = (finding.code, finding.span, finding.message)
        if key not in seen:
            seen.add(key)
            yield finding
