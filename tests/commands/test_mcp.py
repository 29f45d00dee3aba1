"""`npu-lsp mcp`, asked by the client of the official package."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters

from npu_lsp.commands.assistant import server
from tests.checking.command import npu_lsp

SCRIPT = "export VLLM_ASCEND_ENABLE_FLASHCOM1=1\nvllm serve m --enable-sleep-mode\n"


def asked(folder: Path, ask: Callable[[Client], Awaitable[Any]], *more: Path) -> Any:
    """Return what a client gets from a server for `folder`."""

    async def talk() -> Any:
        async with Client(server([str(folder), *map(str, more)], "en")) as client:
            return await ask(client)

    return asyncio.run(talk())


def call(folder: Path, tool: str, *more: Path, **arguments: Any) -> Any:
    """Return what a tool answers: an object, or its text."""
    result = asked(folder, lambda client: client.call_tool(tool, arguments), *more)
    text = result.content[0].text
    if result.is_error:
        raise AssertionError(text)
    return json.loads(text) if text.startswith("{") else text


def test_every_tool_reads_and_says_what_it_is_for(tmp_path: Path) -> None:
    tools = asked(tmp_path, lambda client: client.list_tools()).tools
    names = {tool.name for tool in tools}
    assert names == {"check", "check_text", "settings", "recipes", "recipe", "option", "options", "rule", "explain"}
    for tool in tools:
        assert tool.description
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.destructive_hint is False


def test_files_are_checked(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(SCRIPT)
    answer = call(tmp_path, "check")
    assert [each["code"] for each in answer["findings"]] == ["NPU101"]
    assert answer["findings"][0]["path"].endswith("run.sh")
    assert call(tmp_path, "check", path="run.sh")["count"] == 1
    assert (tmp_path / "run.sh").read_text() == SCRIPT
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.sh"]


def test_texts_are_checked_as_files_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('[house-rules.ours]\nsetting = "HCCL_BUFFSIZE"\nat-least = 400\n')
    answer = call(tmp_path, "check_text", text="ENV HCCL_BUFFSIZE=200\n", filename="Dockerfile")
    assert [each["code"] for each in answer["findings"]] == ["ours"]
    assert "at least 400" in call(tmp_path, "rule", name="ours")


def test_what_files_set(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(SCRIPT)
    rows = call(tmp_path, "settings", path="run.sh")["settings"]
    assert {"VLLM_ASCEND_ENABLE_FLASHCOM1", "enable-sleep-mode"} <= {row["option"] for row in rows}


def test_what_official_pages_set(tmp_path: Path) -> None:
    launch = "vllm serve /weights/DeepSeek-V3.1-w8a8 --tensor-parallel-size 8 --quantization ascend --swap-space 1\n"
    (tmp_path / "run.sh").write_text(launch)
    best = call(tmp_path, "recipes", path="run.sh")["recipes"][0]
    assert best["name"].startswith("vllm-ascend/deepseek-v3.1")
    assert best["source"].startswith("https://github.com/vllm-project/vllm-ascend/")
    answer = call(tmp_path, "recipe", name="vllm-ascend/deepseek-v3.1@a3", path="run.sh")
    states = {each["option"]: each["state"] for each in answer["switches"]}
    assert (states["quantization"], states["tensor-parallel-size"]) == ("set", "contradicts")
    assert [each["option"] for each in answer["additional"]] == ["swap-space"]
    assert call(tmp_path, "recipe", name="vllm-ascend/deepseek-v3.1@a3")["switches"] == answer["switches"]


def test_what_is_known(tmp_path: Path) -> None:
    assert "HCCL_CONNECT_TIMEOUT" in call(tmp_path, "option", name="HCCL_CONNECT_TIMEOUT")
    assert "超时" in call(tmp_path, "option", name="HCCL_CONNECT_TIMEOUT", language="zh")
    assert "enable-sleep-mode" in call(tmp_path, "option", name="--enable-sleep-mode")
    found = call(tmp_path, "options", contains="connect_timeout", surface="env")
    assert "HCCL_CONNECT_TIMEOUT" in [each["name"] for each in found["options"]]
    assert "unknown-option" in call(tmp_path, "rule", name="NPU101")
    assert "E10001" in call(tmp_path, "explain", error="E10001")
    assert "E10001" in call(tmp_path, "explain", error="[ERROR] E10001: Value [x] for parameter [y] is invalid.\n")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("option", {"name": "HCCL_CONECT_TIMEOUT"}, "did you mean HCCL_CONNECT_TIMEOUT?"),
        ("options", {"contains": "a", "surface": "evn"}, "there is no surface"),
        ("recipe", {"name": "vllm-ascend/deepseek-v31@a3"}, "did you mean 'vllm-ascend/deepseek-v3.1@a3'?"),
        ("recipe", {"name": "vllm-ascend/deepseek-v3.1@a3", "path": "link"}, "not below a folder"),
        ("recipes", {"path": "../there/secret.sh"}, "not below a folder"),
        ("recipes", {"path": "large.sh"}, "is larger than"),
        ("recipes", {"path": "."}, "is not a file"),
        ("rule", {"name": "unknown-options"}, "did you mean"),
        ("check", {"path": ".."}, "not below a folder"),
        ("check", {"path": "/etc"}, "not below a folder"),
        ("check", {"path": "link"}, "not below a folder"),
        ("check", {"path": "link/secret.sh"}, "not below a folder"),
        ("settings", {"path": "a/../../secret.sh"}, "not below a folder"),
        ("check_text", {"text": "a", "filename": "../a.sh"}, "not below a folder"),
    ],
)
def test_what_is_refused(tool: str, arguments: dict[str, str], said: str, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "secret.sh").write_text("export HCCL_BUFFSIZE=soon\n")
    (tmp_path / "here" / "large.sh").write_bytes(b"#" * 2_000_001)
    (tmp_path / "here" / "link").symlink_to(tmp_path / "there")
    with pytest.raises(AssertionError, match=said.replace("?", r"\?")):
        call(tmp_path / "here", tool, **arguments)


def test_several_folders(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "two" / "run.sh").write_text(SCRIPT)
    answer = call(tmp_path / "one", "check", tmp_path / "two", path=str(tmp_path / "two" / "run.sh"))
    assert answer["count"] == 1


def test_a_configuration_that_can_not_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('ignore = ["NPU999"]\n')
    (tmp_path / "run.sh").write_text(SCRIPT)
    with pytest.raises(AssertionError, match="NPU999"):
        call(tmp_path, "check")


def test_the_command_serves_over_its_streams(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "npu_lsp", "mcp", str(tmp_path)], env=environment
    )

    async def talk() -> Any:
        async with Client(started) as client:
            return await client.call_tool("check", {"path": "run.sh"})

    result = asyncio.run(talk())
    assert json.loads(result.content[0].text)["count"] == 1


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    ran = npu_lsp("mcp", "nowhere", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "there is no such folder" in ran.err


def test_without_the_package(tmp_path: Path) -> None:
    (tmp_path / "hidden" / "mcp").mkdir(parents=True)
    (tmp_path / "hidden" / "mcp" / "__init__.py").write_text("raise ImportError('no')\n")
    ran = npu_lsp("mcp", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "hidden")})
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'npu-lsp[mcp]'" in ran.err
