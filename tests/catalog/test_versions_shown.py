"""Every version that people read says whose it is: in hovers, and in the findings that rest on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.catalog.target import Target
from npu_lsp.docs.render import render
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language
from tests.catalog.both_set import WITHOUT, any_value, document

_RESTING = frozenset({"NPU302", "NPU401"})
"""Rules that speak of versions."""


def _dated(option: Option) -> Iterator[str]:
    """Yield the versions that a person reads of an option."""
    yield from (version for version in (option.since,) if version is not None)
    yield from (gone.version for gone in (option.removed, option.deprecated) if gone is not None and gone.version)
    yield from (allowed.since for allowed in option.values if allowed.since is not None)
    yield from (change.version for change in option.changes if change.default is not None)


@pytest.mark.parametrize("surface", list(Surface))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_hover_says_whose_version_it_is(surface: Surface, language: Language) -> None:
    catalog = load()
    for option in catalog.options(surface):
        said = render(catalog, option, language, budget=100_000).replace("`", "")
        title = title_of(option.component)
        assert title in said or option.undated == "elsewhere", option.name
        for version in _dated(option):
            assert f"{title} {version}" in said, (option.name, version, said)


@pytest.mark.parametrize("surface", [each for each in Surface if each not in WITHOUT])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_finding_that_rests_on_a_version_says_whose_it_is(surface: Surface, language: Language) -> None:
    catalog = load()
    expected: set[str] = set()
    told: set[str] = set()
    for option in catalog.options(surface):
        for target, version in _versions(option):
            expected.add(option.name)
            config = Config(select=tuple(_RESTING), target=TargetConfig({option.component: target}))
            analyzer = Analyzer(config, all_rules, language=language)
            for finding in analyzer.findings(document((option, any_value(option)))):
                if finding.option == option.name:
                    assert f"{title_of(option.component)} {version}" in finding.message, finding.message
                    told.add(option.name)
    assert bool(told) is bool(expected)


def _versions(option: Option) -> Iterator[tuple[str, str]]:
    """Yield a target on which something is told of an option, and the version that it is told with."""
    if option.removed is not None and option.removed.version is not None:
        yield option.removed.version.split(", ")[-1], option.removed.version
    elif option.since is not None and option.removed is None:
        for line in load().plain("versions")[option.component].values():
            for release in line["releases"]:
                if Target.parse({option.component: release}).lacks(option.since, option.component):
                    yield release, option.since
                    return


def test_what_another_project_reads_is_not_said_to_hold_for_cann() -> None:
    catalog = load()
    for name in ("TRITON_ALL_BLOCKS_PARALLEL", "MASTER_ADDR"):
        option = catalog.option(Surface.ENV, name)
        assert option is not None
        assert option.undated == "elsewhere"
        assert "CANN" not in render(catalog, option, "en", budget=100_000)
