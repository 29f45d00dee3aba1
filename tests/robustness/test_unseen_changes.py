"""Changes that must not be seen: other line ends, comments, other names of variables that have nothing to do with it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.findings import Finding
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.case_files import case_files
from tests.languages.config_formats.test_properties import FILES
from tests.languages.hosts.test_properties import HOSTS
from tests.languages.shell.test_properties import SCRIPT
from tests.together import together

_COMMENTED = {
    Kind.SHELL: "# why not\n",
    Kind.DOCKERFILE: "# why not\n",
    Kind.YAML: "# why not\n",
    Kind.MAKEFILE: "# why not\n",
    Kind.DOTENV: "# why not\n",
    Kind.INI: "# why not\n",
    Kind.PATCH: "Some words on it.\n",
    Kind.MARKDOWN: "Some words on it.\n\n",
    Kind.OP_PRECISION: "# why not\n",
    Kind.OP_DEBUG: "# why not\n",
    Kind.AIPP: "# why not\n",
}
_ASSIGNED = re.compile(r"(?m)^[ \t]*(?:local[ \t]+)?([a-z_][a-z0-9_]*)=")


def _texts() -> list[tuple[str, Kind, str]]:
    found = [(f"{rule.code}-{n}", e.kind, e.text) for rule in all_rules() for n, e in enumerate(rule.invalid)]
    found += [(path.name, detect(path.name, ""), path.read_text("utf-8")) for path in case_files("clean", "broken")]
    found += [("script", Kind.SHELL, SCRIPT)]
    found += [(kind.value, kind, text) for kind, text in {**HOSTS, **FILES}.items()]
    return [each for each in found if each[1] not in (Kind.PYTHON, Kind.NOTEBOOK, Kind.OTHER)]


TEXTS = [pytest.param(kind, text, id=name) for name, kind, text in _texts()]
ANALYZER = Analyzer(Config(), all_rules)


def findings(text: str, kind: Kind) -> tuple[Finding, ...]:
    return ANALYZER.findings(Document(text, kind=kind))


def told(text: str, kind: Kind) -> Counter[tuple[str, str, str]]:
    """Return what is said about a text, and about which part of it, wherever that stands."""
    return Counter(
        (f.code, _words(f, text), re.sub(r"\d+", "#", f.message))
        for f in findings(text, kind)
        if f.name != "carriage-return"
    )


def _words(finding: Finding, text: str) -> str:
    # That a file as a whole is too large is told of its first line, whatever it is.
    if finding.name == "large-statement" and finding.message.startswith(("The file", "The script")):
        return ""
    return text[finding.span.start : finding.span.end].replace("\r\n", "\n")


@together(("kind", "text"), TEXTS)
def test_line_ends(kind: Kind, text: str) -> None:
    if "\r" not in text:
        assert told(text.replace("\n", "\r\n"), kind) == told(text, kind)


@together(("kind", "text"), [each for each in TEXTS if each.values[0] in _COMMENTED])
def test_comments(kind: Kind, text: str) -> None:
    assert isinstance(kind, Kind)
    first = "" if text.startswith("#!") else _COMMENTED[kind]
    assert told(first + text + "\n" * (not text.endswith("\n")) + _COMMENTED[kind], kind) == told(text, kind)


@together(("kind", "text"), [each for each in TEXTS if each.values[0] is Kind.SHELL])
def test_names_of_variables(kind: Kind, text: str) -> None:
    names = set(_ASSIGNED.findall(text))
    renamed = text
    for name in names:
        renamed = re.sub(rf"(?<![\w-]){name}(?=\+?=|\[)|(?<=\$){name}\b|(?<=\$\{{){name}\b", f"{name}_of_mine", renamed)
    assert _of_others(renamed, kind) == _of_others(text, kind)


def _of_others(text: str, kind: Kind) -> Counter[tuple[str, str]]:
    """Return what is told, but for what is about the name of a variable itself."""
    own = ("is the name itself", "runs a command of that name", "is set to")
    found = ((code, message) for code, _, message in told(text, kind).elements())
    return Counter(each for each in found if not any(words in each[1] for words in own))
