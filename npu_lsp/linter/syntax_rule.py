"""What all rules about slips in the shell's syntax share: the reader finds the slip and what mends it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from npu_lsp.languages.model import SyntaxFinding
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule


class SyntaxRule(Rule):
    """Reports the mistakes of one kind. Subclasses have the messages `found` and `mend`, or by reason `REASON` and `mend_REASON`."""

    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    safety: ClassVar[Safety] = Safety.SAFE
    """Of what mends such a slip: a command that fails as it is has no effect that could get lost."""

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Report each found of the rule's kind."""
        for found in context.parsed.syntax:
            if found.kind is self.fault and self.is_one(found, context):
                line, column = context.document.line_column(found.span.start)
                said: dict[str, Any] = {**found.arguments, "line": line, "column": column}
                yield self.finding(
                    context,
                    found.span,
                    self.wording(found),
                    severity=self.severity_of(found),
                    fixes=self._fixes(found, context),
                    **said,
                )

    def is_one(self, found: SyntaxFinding, context: Context) -> bool:
        """Return whether what looks like a slip is one."""
        return True

    def severity_of(self, found: SyntaxFinding) -> Severity | None:
        """Return how bad `found` is; `None` for what the rule says of all."""
        return None

    def wording(self, found: SyntaxFinding) -> str:
        """Return the name of the message about `found`: that of its `reason`, where the reader tells one."""
        return str(found.arguments.get("reason", "found"))

    def safety_of(self, found: SyntaxFinding, context: Context) -> Safety:
        """Return the safety of what mends `found`: where the same is set elsewhere, one of two values gets lost then."""
        name = found.arguments.get("name")
        others = (
            setting
            for block in context.parsed.blocks
            if block.command is None or block.command.start <= found.span.start < block.command.end
            for setting in block.settings
            if setting.name == name and not found.span.start <= setting.key.start < found.span.end
        )
        return Safety.UNSAFE if any(other.key.end != found.span.start for other in others) else self.safety

    def _fixes(self, found: SyntaxFinding, context: Context) -> list[Fix]:
        own = f"mend_{found.arguments.get('reason')}"
        title, safety = own if own in self.messages else "mend", self.safety_of(found, context)
        return self.fix(context, title, found.edits, safety, **found.arguments)
