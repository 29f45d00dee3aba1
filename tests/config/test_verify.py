"""What a configuration names must exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.config.errors import ConfigError
from npu_lsp.config.verify import problems, verify
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text
from tests.together import together


@together(
    "config",
    [
        Config(),
        Config(select=("ALL",), ignore=("NPU3", "npu101", "wrong-slot"), extend_select=("NPU",)),
        Config(per_file_ignores=(("*.py", ("NPU101",)),), severity={"wrong-slot": Severity.INFO}),
        Config(
            target=TargetConfig(
                {"cann": "8.0.RC3", "torch-npu": "2.7.1", "vllm-ascend": "v0.9.1-rc1"}, ("a2", "Ascend310P3")
            )
        ),
    ],
)
def test_what_exists_is_right(config: Config) -> None:
    told: list[Text] = []
    verify(config, told.append)
    assert told == []


@together(
    ("config", "words"),
    [
        (Config(select=("NPU999",)), ("select", "NPU999")),
        (Config(ignore=("wrong-slto",)), ("ignore", "wrong-slot")),
        (Config(severity={"NPU3": Severity.INFO}), ("severity", "NPU3")),
        (Config(per_file_ignores=(("*.py", ("NPU77",)),)), ("per-file-ignores", "NPU77")),
        (Config(target=TargetConfig({"cann": "9.x"})), ("target", "9.x")),
        (Config(target=TargetConfig({}, ("Ascned310P3",))), ("target", "Ascend310P3")),
        (Config(catalog=(Path("/nosuch/options.toml"),)), ("catalog: there is no file", "options.toml")),
        (Config(max_file_size=0), ("max-file-size",)),
    ],
)
def test_what_does_not_exist_is_told(config: Config, words: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as error:
        verify(config, print)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_a_version_that_is_newer_than_all_known_ones_is_told_and_used() -> None:
    config = Config(target=TargetConfig({"vllm-ascend": "99.0", "cann": "8.0"}))
    (problem,) = problems(config)
    newest = list(load().plain("versions")["vllm-ascend"].values())[-1]["releases"][-1]
    assert problem.warning
    assert f"vLLM-Ascend {newest}" in str(problem)
    told: list[Text] = []
    verify(config, told.append)
    assert [str(each) for each in told] == [str(problem)]
