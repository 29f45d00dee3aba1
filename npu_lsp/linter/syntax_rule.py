"""What all rules about slips in the shell's syntax share: the reader finds the slip and what mends it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from npu_lsp.languages.model import Mistake
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety
from npu_lsp.linter.rule import Rule


class MistakeRule(Rule):
    """Reports the mistakes of one kind. Subclasses have the messages `found` and `mend`."""

    kind: ClassVar[str]
    """Of `npu_lsp.languages.model.Mistake`."""
    safety: ClassVar[Safety] = Safety.SAFE
    """Of what mends such a slip: a command that fails as it is has no effect that could get lost."""

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Report each mistake of the rule's kind."""
        for mistake in context.reading.mistakes:
            if mistake.kind == self.kind and self.is_one(mistake, context):
                said: dict[str, Any] = dict(mistake.arguments)
                yield self.finding(
                    context, mistake.span, self.wording(mistake), fixes=self._fixes(mistake, context), **said
                )

    def is_one(self, mistake: Mistake, context: Context) -> bool:
        """Tell whether what looks like a slip is one."""
        return True

    def wording(self, mistake: Mistake) -> str:
        """Return the name of the message about `mistake`."""
        return "found"

    def title_of_fix(self, mistake: Mistake) -> str:
        """Return the name of the message that titles the fix of `mistake`."""
        return "mend"

    def safety_of(self, mistake: Mistake, context: Context) -> Safety:
        """Return the safety of what mends `mistake`."""
        return self.safety

    def _fixes(self, mistake: Mistake, context: Context) -> list[Fix]:
        if not mistake.edits:
            return []
        return [
            Fix(
                self.say(context, self.title_of_fix(mistake), **mistake.arguments),
                mistake.edits,
                self.safety_of(mistake, context),
            )
        ]
