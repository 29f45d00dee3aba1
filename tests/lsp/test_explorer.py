"""The list of all options for a side bar."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.lsp.features import explorer
from tests.lsp.wire import Wire


@pytest.mark.parametrize("locale", ["en", "zh-cn"])
def test_every_option_is_there_once_with_a_line_about_it(locale: str) -> None:
    with Wire() as wire:
        wire.initialize(locale=locale)
        found: Any = wire.request("npu-lsp/options", {})["result"]
    names = [(s["surface"], o["option"]) for s in found for g in s["groups"] for o in g["options"]]
    catalog = load()
    hidden = ("internal", "no_effect")
    known = [(s.value, o.name) for s in Surface for o in catalog.options(s) if o.status not in hidden]
    assert sorted(names) == sorted(known)
    summaries = [o["summary"] for s in found for g in s["groups"] for o in g["options"]]
    assert all(each and "`" not in each for each in summaries)
    # `vLLM` and `converter_lite` are names.
    assert not [s["title"] for s in found if s["title"].split()[0].isalpha() and s["title"].split()[0].islower()]
    atc = next(each for each in found if each["surface"] == "atc")
    shown = {o["name"]: o for g in atc["groups"] for o in g["options"]}
    assert shown["--op_select_implmode"]["struck"]
    assert not shown["--model"]["struck"]


def test_every_group_has_a_title_in_both_languages() -> None:
    groups = {option.group for surface in Surface for option in load().options(surface)}
    assert groups <= set(explorer._GROUPS)


def test_one_option() -> None:
    with Wire() as wire:
        wire.initialize()
        answer: Any = wire.request("npu-lsp/option", {"surface": "atc", "option": "model"})
        assert answer["result"]["markdown"].startswith("**`--model`**")
        wrongs: list[Any] = [{"surface": "atc", "option": "no_such"}, {"surface": "x", "option": "model"}, {}, [], None]
        for wrong in wrongs:
            assert wire.request("npu-lsp/option", wrong)["error"]["code"] == -32602


def test_what_the_workspace_sets(tmp_path: Path) -> None:
    text = "atc --model=a --model=b --percision_mode=x\nexport HCCL_BUFFSIZE=$X\n"
    (tmp_path / "a.sh").write_text(text, encoding="utf-8")
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
        found: Any = wire.request("npu-lsp/settings", {})["result"]
    assert [(each["surface"], each["name"], [p["value"] for p in each["places"]]) for each in found] == [
        ("env", "HCCL_BUFFSIZE", ["$X"]),
        ("atc", "--model", ["a", "b"]),
        ("atc", "--percision_mode", ["x"]),
    ]
    assert [(each["title"], bool(each.get("summary"))) for each in found] == [
        ("Environment variables", True),
        ("ATC", True),
        ("ATC", False),
    ]
    assert found[1]["places"][1]["location"]["range"]["start"] == {"line": 0, "character": 14}


def test_one_language_is_spoken_at_a_time(tmp_path: Path) -> None:
    """A configuration chooses another one than the editor's: lists, lenses and messages follow it."""
    (tmp_path / "npu-lsp.toml").write_text('language = "zh"\n', encoding="utf-8")
    script = tmp_path / "a.sh"
    script.write_text("export HCCL_BUFFSIZE=0\n", encoding="utf-8")
    with Wire() as wire:
        folder = {"uri": tmp_path.as_uri(), "name": "a"}
        wire.initialize(locale="en", workspaceFolders=[folder], initializationOptions={"codeLens": True})
        wire.open(script.as_uri(), script.read_text("utf-8"), "shellscript")
        place = {"textDocument": {"uri": script.as_uri()}}
        (lens,) = wire.request("textDocument/codeLens", place)["result"]
        titles = [wire.request("codeLens/resolve", lens)["result"]["command"]["title"]]
        titles += [each["title"] for each in wire.request("npu-lsp/settings")["result"]]
        titles += [each["containerName"] for each in wire.request("workspace/symbol", {"query": "HCCL"})["result"]]
        assert wire.request("npu-lsp/status", place)["result"]["language"] == "zh"
    assert len(titles) >= 3
    assert [title for title in titles if title.isascii()] == []
