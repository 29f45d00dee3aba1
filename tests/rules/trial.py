"""Runs one rule on one example, the way the analysis does."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import cast

from npu_lsp.catalog.load import Catalog
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, apply_edits

_NAMES = {Kind.PYTHON: "example.py", Kind.SHELL: "example.sh", Kind.MARKDOWN: "example.md"}

_OPTIONS = "my-options.toml"
"""A file of an example that its configuration names as one with options."""

_ANALYZERS: dict[Hashable, Analyzer] = {}
"""One for all examples with the same configuration, as in a server."""
_CATALOGS: dict[str | None, Catalog] = {}
"""By what the file with options says: to lay somebody's options over the catalog takes a tenth of a second."""


def findings(
    rule: Rule, example: Valid | Invalid, folder: Path, text: str | None = None, language: Language = "en"
) -> list[Finding]:
    """Return what `rule` says about the example, or another text in its place, suppressed findings left out."""
    found = all_findings((rule.code, *example.others), example, folder, text, language)
    return [each for each in found if not each.suppressed and each.code == rule.code]


def all_findings(
    codes: tuple[str, ...], example: Valid | Invalid, folder: Path, text: str | None = None, language: Language = "en"
) -> list[Finding]:
    """Return what the rules of `codes` say about the example, or another text in its place."""
    kind, target = example.kind, example.target
    text = example.text if text is None else text
    document = Document(text, path=str(folder / _NAMES.get(kind, f"example.{kind.value}")), kind=kind)
    products = cast("tuple[str, ...]", tuple(cast("list[str]", target.get("products", ()))))
    versions = cast("dict[str, str]", {name: value for name, value in target.items() if name != "products"})
    alike = (codes, products, tuple(sorted(versions.items())), example.files.get(_OPTIONS), language)
    if alike not in _ANALYZERS:
        config = Config(
            select=codes,
            target=TargetConfig(versions, products),
            catalog=(folder / _OPTIONS,) if _OPTIONS in example.files else (),
        )
        made = _ANALYZERS[alike] = Analyzer(config, all_rules, language=language)
        made._catalog = _CATALOGS.get(example.files.get(_OPTIONS))
        _CATALOGS[example.files.get(_OPTIONS)] = made.catalog
    analyzer = _ANALYZERS[alike]
    before = analyzer.failures
    found = list(analyzer.findings(document))
    # A rule that fails is left out, and the others go on.
    assert analyzer.failures == before
    return found


def marked(text: str, found: list[Finding]) -> tuple[str, ...]:
    """Return the underlined texts."""
    return tuple(text[f.span.start : f.span.end] for f in found)


def said(found: list[Finding]) -> tuple[str, ...]:
    """Return the severity of each finding with the safety of each of its fixes."""
    return tuple(" ".join([f.severity.value, *(fix.safety.value for fix in f.fixes)]) for f in found)


def worded(found: list[Finding]) -> list[str]:
    """Return what people read of each finding: its message, how it is shown, its fixes' titles, what is said of other places."""
    return [
        line
        for finding in found
        for line in (
            finding.message,
            *(f"  # {tag.value}" for tag in finding.tags),
            *(f"  * {fix.title}" for fix in finding.fixes),
            *(f"  > {related.message}" for related in finding.related),
        )
    ]


def fixed(text: str, found: list[Finding]) -> tuple[str, dict[str, str]]:
    """Return the text after each finding's first fix, and the files that these create."""
    edits: list[Edit] = []
    created: dict[str, str] = {}
    for finding in found:
        for fix in finding.fixes[:1]:
            new = [edit for edit in fix.edits if edit not in edits]
            if any(a.span.start < b.span.end and b.span.start < a.span.end for a in new for b in edits):
                continue
            edits += new
            created |= {file.path: file.text for file in fix.files}
    return apply_edits(text, tuple(edits)), created


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Put the example's files beside it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
