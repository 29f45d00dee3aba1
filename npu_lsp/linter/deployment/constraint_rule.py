"""How rules tell that the parts of a deployment don't go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.constraints import Broken, broken, plain, shown
from npu_lsp.linter.deployment.parts import Placed, deployment_of
from npu_lsp.linter.findings import Finding, Fix, Related, Severity
from npu_lsp.linter.rule import Rule
from npu_lsp.linter.wording import sentence
from npu_lsp.text.bilingual import Text

_HERE = Text(en='"{other}" is {value} here', zh="“{other}”在此处为 {value}")
_THERE = Text(en=' "{other}" is {value} in {file}.', zh="{file} 中“{other}”为 {value}。")


def _called(placed: Placed, option: str, context: Context) -> str:
    """Return the name of a setting; where `option` of another part is called so, too, with the key of its part."""
    name, deployment = placed.setting.name, deployment_of(context)
    if name != option or deployment is None:
        return name
    parts = (part for part in deployment.parts.values() if any(each is placed for each in part.settings.values()))
    return ".".join(filter(None, (next((part.called for part in parts), ""), name)))


class ConstraintRule(Rule):
    """A rule about some kinds of rows of `deployment.toml`; its messages are called as these kinds."""

    kinds: ClassVar[frozenset[str]]

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Tell what doesn't hold, where a setting of this file is to be changed."""
        for found in broken(context, self.kinds):
            yield self._finding(found, context)

    def fixes(self, _found: Broken, _context: Context) -> Sequence[Fix]:
        """Return what can be done about it; nothing as a rule, since either side may be meant."""
        return ()

    def _finding(self, found: Broken, context: Context) -> Finding:
        elsewhere = [
            _THERE.to(context.language).format(
                other=each.setting.name, value=shown(plain(each.setting.value)), file=each.file
            )
            for each in found.others
            if not each.own
        ]
        related = [
            Related(
                each.setting.key,
                _HERE.to(context.language).format(
                    other=_called(each, found.option, context), value=shown(plain(each.setting.value))
                ),
            )
            for each in found.others
            if each.own
        ]
        other = _called(found.others[0], found.option, context) if found.others else ""
        return self.finding(
            context,
            found.span,
            found.kind,
            option=found.option,
            surface=found.surface,
            fixes=self.fixes(found, context),
            severity=Severity(found.severity),
            related=related,
            expected=found.expected.to(context.language),
            value=found.found,
            other=other,
            why=sentence(found.why.to(context.language), context.language) + "".join(elsewhere),
        )
