"""Tries house rules on their own examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.fixing.gate import proven
from npu_lsp.linter.house.rows import Example, HouseRow
from npu_lsp.linter.house.rule import house_rules
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.spans import apply_edits


class Failure(NamedTuple):
    """An example on which a house rule does something else than the example says."""

    rule: str
    number: int
    """From 1."""
    said: Text


class Trial(NamedTuple):
    """What became of one house rule's examples."""

    rule: str
    examples: int
    failures: tuple[Failure, ...]


def trials(config: Config) -> Iterator[Trial]:
    """Yield what became of the examples of each house rule; comments, globs and other rules have no say in it."""
    for rule in house_rules(config):
        table = {key: value for key, value in config.house_rules[rule.name].items() if key != "in-files"}
        alone = config._replace(
            house_rules={rule.name: table}, select=(rule.name,), extend_select=(), ignore=(), per_file_ignores=()
        )
        analyzer = Analyzer(alone, all_rules)
        failures = (
            Failure(rule.name, number, said)
            for number, example in enumerate(rule.row.examples, 1)
            for said in _tried(rule.row, example, analyzer)
        )
        yield Trial(rule.name, len(rule.row.examples), tuple(failures))


def _tried(row: HouseRow, example: Example, analyzer: Analyzer) -> Iterator[Text]:
    document = Document(example.text, kind=example.kind)
    found = [each for each in analyzer.findings(document) if each.code == row.name]
    if example.bad and not found:
        yield Text("nothing is said of this bad example", "未报告该错误示例")
    for each in found if not example.bad else ():
        yield Text(f"something is said of this good example: {each.message}", f"报告了该正确示例：{each.message}")
    if example.bad and found and example.fixed is not None:
        mended = _mended(document, found, analyzer)
        if mended.rstrip() != example.fixed.rstrip():
            yield Text(f"its fix makes {mended!r} of it", f"修复结果为 {mended!r}")


def _mended(document: Document, found: list[Finding], analyzer: Analyzer) -> str:
    edits = [edit for each in found for edit in (each.fixes[0].edits if each.fixes else ())]
    through = proven(document, dict.fromkeys(edits), analyzer.findings, found)
    return apply_edits(document.text, through.edits) if through is not None else document.text
