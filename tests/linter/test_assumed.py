"""What is true only of the newest version is information, where nobody says which one runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.target import Target
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.context import is_assumed, oldest_supported
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.linter.versions.stated import stated
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.catalog.both_set import WITHOUT, any_value, document
from tests.rules.trial import findings, write_files
from tests.together import together

_UNTOLD = [
    pytest.param(rule, example, id=f"{rule.code}-{number}")
    for rule in all_rules()
    for number, example in enumerate(rule.invalid)
    if not example.target.keys() - {"products"}
]
_VERSIONS = load().plain("versions")


def _oldest(component: str) -> str:
    """Return the oldest version of a component that anybody may run: the first one that is known, where no page says more."""
    return oldest_supported(component, _VERSIONS) or next(iter(_VERSIONS[component]))


def _newest(option: Option) -> dict[str, str]:
    return {option.component: [*_VERSIONS[option.component].values()][-1]["releases"][-1]}


def _is_loud(finding: Finding) -> bool:
    return finding.severity.rank < Severity.INFO.rank


@together(("rule", "example"), _UNTOLD)
def test_what_is_said_aloud_without_a_version_holds_on_the_oldest(rule: Rule, example: Invalid, tmp_path: Path) -> None:
    write_files(tmp_path, example.files)
    loud = [found for found in findings(rule, example, tmp_path) if _is_loud(found)]
    options = (load().option(f.surface, f.option) for f in loud if f.surface is not None and f.option is not None)
    named = {each.component for each in stated(Document(example.text, path="", kind=example.kind))}
    for component in {option.component for option in options if option is not None} - named:
        told = example._replace(target={**example.target, component: _oldest(component)})
        there = {f.span: f for f in findings(rule, told, tmp_path)}
        for each in loud:
            assert each.span in there, (component, each.message)
            assert _is_loud(there[each.span]), (component, each.message)


def _dated() -> list[tuple[Option, str]]:
    """Return the options that went or go from a version on."""
    catalog = load()
    options = (option for surface in Surface if surface not in WITHOUT for option in catalog.options(surface))
    both = ((option, option.removed or option.deprecated) for option in options)
    return [(option, gone.version) for option, gone in both if gone is not None and gone.version is not None]


def _about(option: Option, text: Document, versions: dict[str, str]) -> list[Finding]:
    config = Config(select=("NPU301", "NPU302"), target=TargetConfig(versions))
    return [found for found in Analyzer(config, all_rules).findings(text) if found.option == option.name]


def test_what_went_or_goes_is_information_unless_all_supported_releases_lack_it() -> None:
    kinds: set[bool] = set()
    for option, version in _dated():
        text = document((option, any_value(option)))
        assumed = is_assumed(version, option.component, Target(), _VERSIONS)
        known, unknown = _about(option, text, _newest(option)), _about(option, text, {})
        assert [f.span for f in known] == [f.span for f in unknown], option.name
        for with_version, without in zip(known, unknown, strict=True):
            kinds.add(assumed and _is_loud(with_version))
            quiet = with_version.severity if not _is_loud(with_version) else Severity.INFO
            assert without.severity is (quiet if assumed else with_version.severity), (option.name, without.message)
            assert not assumed or all(fix.safety is Safety.UNSAFE for fix in without.fixes), option.name
    assert kinds == {True, False}


@together(
    ("component", "fact", "assumed"),
    [
        ("cann", None, False),
        ("cann", "6.3", False),
        ("cann", "8.0", False),
        ("cann", "8.3", True),
        ("vllm-ascend", "0.9.1rc1", True),
        ("torch-npu", "1.11.0.post8, 2.1.0.post4", False),
        ("torch-npu", "2.1.0.post17, 2.6.0.post3", True),
        # No page says what is supported.
        ("mindie", "3.0.0.beta.1", True),
    ],
)
def test_what_rests_on_a_version_that_nobody_names(component: str, fact: str | None, assumed: bool) -> None:
    assert is_assumed(fact, component, Target(), _VERSIONS) is assumed
    assert not is_assumed(fact, component, Target.parse({component: "0.1"}), _VERSIONS)


def test_one_line_of_a_component_says_what_is_supported() -> None:
    for component, lines in _VERSIONS.items():
        told = {line: facts["supported"] for line, facts in lines.items() if "supported" in facts}
        assert len(told) <= 1, component
        for line, supported in told.items():
            assert supported.keys() == {"from", "source"}
            assert supported["from"] in lines[line]["releases"]
            assert supported["source"].split(":")[0] in load().plain("sources")


_MSPROF = "import torch_npu\nconfig = torch_npu.profiler._ExperimentalConfig(msprof_tx=True)\n"
"""Deprecated from the last release of the line 2.1 on, not in 2.3 to 2.5, and again in 2.6.0.post3."""


@together(
    ("said", "severity"),
    [
        ("requires torch_npu 2.1 or higher", Severity.INFO),
        ("requires torch_npu 2.1.0.post17 or higher", Severity.INFO),
        ("pip install torch_npu==2.1", Severity.INFO),
        ("pip install torch_npu==2.1.0.post17", Severity.WARNING),
        ("pip install torch_npu==2.5.1", None),
        ("pip install torch_npu==2.7.1", Severity.WARNING),
        ("requires torch_npu 2.7.1 or higher", Severity.WARNING),
    ],
)
def test_a_line_and_what_is_later_may_lack_what_one_release_brought(said: str, severity: Severity | None) -> None:
    found = Analyzer(Config(), all_rules).findings(Document(f"# {said}\n{_MSPROF}", path="a.py", kind=Kind.PYTHON))
    assert [f.severity for f in found if f.code == "NPU301"] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("export MINDIE_LLM_LOG_TO_STDOUT=1\n", Severity.INFO),
        ("# MindIE 3.0\nexport MINDIE_LLM_LOG_TO_STDOUT=1\n", Severity.WARNING),
        ("# MindIE 2.0\nexport MINDIE_LLM_LOG_TO_STDOUT=1\n", None),
    ],
)
def test_a_text_that_names_a_version_is_judged_by_it(text: str, severity: Severity | None) -> None:
    found = Analyzer(Config(), all_rules).findings(Document(text, path="run.sh", kind=Kind.SHELL))
    assert [f.severity for f in found if f.code == "NPU302"] == ([severity] if severity else [])
