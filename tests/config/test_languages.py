"""What is wrong with a configuration is said in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from npu_lsp.config.errors import ConfigError, ConfigProblem
from npu_lsp.config.mistakes import mistakes
from npu_lsp.config.overrides import overrides, per_file_ignores, target
from npu_lsp.config.read import read
from npu_lsp.config.verify import verify
from npu_lsp.linter.configuration import Config
from tests.together import together

CHINESE = re.compile(r"[\u4e00-\u9fff]")
WRONG = [
    'selct = ["ALL"]',
    "select = 3",
    "select = [3]",
    'select = ["no rule at all"]',
    'select = ["NPU999"]',
    'ignore = ["unknown-opton"]',
    'severity = { NPU101 = "eror" }',
    'severity = "error"',
    'max-file-size = "large"',
    "max-file-size = 0",
    "target = 3",
    'target = { cann = "soon" }',
    'target = { products = ["toaster"] }',
    'per-file-ignores = { "tests/**" = ["NPU999"] }',
    'catalog = ["no.toml"]',
    'catalog = ["own.toml"]',
    'extend = "no.toml"',
    'language = "fr"',
]


def _problems(folder: Path, text: str) -> tuple[ConfigProblem, ...]:
    path = folder / "npu-lsp.toml"
    path.write_text(text, encoding="utf-8")
    try:
        verify(read(path, Config()), print)
    except ConfigError as error:
        return error.problems
    return ()


@together("text", WRONG)
def test_on_the_command_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "own.toml").write_text('[options.mine.session]\ntype = "string"\n', encoding="utf-8")
    found = _problems(tmp_path, text)
    assert found
    for problem in found:
        english, chinese = (problem.told(language).removeprefix(str(tmp_path)) for language in ("en", "zh"))
        assert not CHINESE.search(english)
        if "No such file" not in english:  # the system's own words
            assert CHINESE.search(chinese), chinese


@together("text", WRONG)
def test_in_the_editor(tmp_path: Path, text: str) -> None:
    (tmp_path / "own.toml").write_text('[options.mine.session]\ntype = "string"\n', encoding="utf-8")
    english, chinese = (mistakes(text, "npu-lsp.toml", tmp_path, language) for language in ("en", "zh"))
    assert english
    assert [each.span for each in english] == [each.span for each in chinese]
    assert not any(CHINESE.search(each.message) for each in english)
    assert all(CHINESE.search(each.message) for each in chinese), [each.message for each in chinese]


def test_of_arguments() -> None:
    for wrong in (
        lambda: target(["x"]),
        lambda: per_file_ignores(["x"]),
        lambda: overrides({}, ["="]),
        lambda: overrides({"selct": []}),
    ):
        with pytest.raises(ConfigError) as caught:
            wrong()
        assert CHINESE.search(caught.value.problems[0].told("zh"))
        assert not CHINESE.search(caught.value.problems[0].told("en"))
