"""The words that messages of several rules share."""

from __future__ import annotations

from npu_lsp.linter.wording import either


def test_a_constant_is_named_once() -> None:
    wanted = ("ProfilerLevel.Level1", "ProfilerLevel.Level2", "Level1", "Level2")
    assert either(wanted, "en") == '"ProfilerLevel.Level1" or "ProfilerLevel.Level2"'
    assert either((1, "a.b", "0"), "en") == '1, "a.b" or "0"'
