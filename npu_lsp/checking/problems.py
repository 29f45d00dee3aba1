"""What is wrong with a file as a whole, as entries of a report."""

from __future__ import annotations

from typing import Literal

from npu_lsp.checking import stderr
from npu_lsp.checking.report import Range, ReportedFinding
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.selection import ignored_in, selected
from npu_lsp.rules import rule_for
from npu_lsp.text.bilingual import Language, Text, in_language

Problem = Literal["unreadable", "undecodable", "too_large"]

_RULES: dict[Problem, str] = {
    "unreadable": "NPU001",
    "undecodable": "NPU002",
    "too_large": "NPU003",
}
_SAID = Text(en="{path}: {said}", zh="{path}：{said}")


def problem_entry(
    path: str, what: Problem, config: Config, language: Language, *, absolute: str = "", **arguments: object
) -> ReportedFinding | None:
    """Return the entry for a file that could not be checked.

    `None` when the configuration doesn't want it in the report; then it is said on stderr.
    """
    rule = rule_for(_RULES[what])
    assert rule is not None  # noqa: S101 - the table above names rules that exist
    message = rule.messages[what].to(language).format_map(in_language(arguments, language))
    if not selected((rule,), config) or rule.code in ignored_in(absolute or path, config, (rule,)):
        stderr.warn(_SAID, path=path, said=message)
        return None
    severity = config.severity.get(rule.code) or config.severity.get(rule.name) or rule.severity
    return ReportedFinding(path, Range(1, 1, 1, 1), rule.code, rule.name, severity, message)
