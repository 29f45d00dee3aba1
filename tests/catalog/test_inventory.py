"""The inventory of what vLLM-Ascend and vLLM refuse of a configuration: what is told is told indeed, and little is left open."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.findings import Severity
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.toml import read
from tests.authoring.refusals import INVENTORY

_FOUND = read(INVENTORY)
_LOUD = (Severity.ERROR, Severity.WARNING)


@cache
def _analyzer(version: str) -> Analyzer:
    return Analyzer(Config(target=TargetConfig({"vllm-ascend": version})), all_rules)


@pytest.mark.parametrize("row", _FOUND["told"], ids=lambda row: row["rows"][0])
def test_what_is_told_is_told(row: dict[str, str]) -> None:
    found = _analyzer(row["version"]).findings(Document(row["text"], kind=Kind.SHELL))
    assert row["code"] in [each.code for each in found if each.severity in _LOUD]


def test_each_refusal_has_one_place() -> None:
    places = [key for row in _FOUND["told"] for key in row["rows"]]
    places += [key for keys in _FOUND["never"].values() for key in keys]
    places += _FOUND["open"]["rows"]
    assert not [key for key, number in Counter(places).items() if number > 1]


@pytest.mark.parametrize(("package", "share"), [("", 8), ("vllm", 4)])
def test_little_of_what_can_be_told_is_open(package: str, share: int) -> None:
    told = sum(_is_of(key, package) for row in _FOUND["told"] for key in row["rows"])
    rest = sum(_is_of(key, package) for key in _FOUND["open"]["rows"])
    assert told
    assert share * rest <= told + rest


def _is_of(key: str, package: str) -> bool:
    return package == (key.partition(":")[0] if ":" in key else "")
