"""What a client has to switch on: lenses, semantic tokens, hints of defaults."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.wire import Wire

TEXT = "atc --model=😀 --precision_mode=force_fp32\natc --model=b --no_such=1\nexport NPU_COLLECT_PATH=/a\n"
TOKENS: dict[str, Any] = {"textDocument": {"semanticTokens": {}}}


def _asked(wire: Wire, method: str, **params: Any) -> Any:
    answer = wire.request(method, {"textDocument": {"uri": "untitled:a.sh"}, **params})
    return answer["result"]


def test_lenses_count_files(tmp_path: Path) -> None:
    for name in ("a.sh", "b.sh"):
        (tmp_path / name).write_text("atc --model=a\natc --model=b\n", encoding="utf-8")
    with Wire() as wire:
        folders = [{"uri": tmp_path.as_uri(), "name": "x"}]
        experimental = {"experimental": {"npuLsp": {"showsReferences": True}}}
        wire.initialize(experimental, workspaceFolders=folders, initializationOptions={"codeLens": True})
        wire.open("untitled:a.sh", TEXT, "shellscript")
        lenses = _asked(wire, "textDocument/codeLens")
        assert [lens["data"]["name"] for lens in lenses] == ["model", "precision_mode", "no_such", "NPU_COLLECT_PATH"]
        resolved: Any = [wire.request("codeLens/resolve", lens)["result"]["command"] for lens in lenses]
        assert [each["title"] for each in resolved[:2]] == [
            "model: set in 3 files",
            "precision_mode: set in no other file",
        ]
        assert resolved[0]["arguments"] == ["untitled:a.sh", lenses[0]["range"]["start"]]


def test_a_lens_stands_above_a_launch() -> None:
    text = "ASCEND_RT_VISIBLE_DEVICES=0,1 vllm serve m --tensor-parallel-size 8\ntorchrun $X a.py\n"
    with Wire() as wire:
        wire.initialize(initializationOptions={"codeLens": True})
        wire.open("untitled:a.sh", text, "shellscript")
        titles = [each["command"]["title"] for each in _asked(wire, "textDocument/codeLens") if "command" in each]
        assert titles == ["vLLM: 8 processes on 2 devices, tp 8"]


def test_tokens_are_places_kinds_and_no_more() -> None:
    with Wire() as wire:
        answer = wire.initialize(TOKENS, initializationOptions={"semanticHighlighting": True})
        legend = answer["result"]["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
        wire.open("untitled:a.sh", TEXT, "shellscript")
        data = _asked(wire, "textDocument/semanticTokens/full")["data"]
        lines = TEXT.splitlines()
        line = column = 0
        told: list[tuple[str, str]] = []
        for step, further, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
            line, column = line + step, further if step else column + further
            units = lines[line].encode("utf-16-le")[2 * column : 2 * (column + length)]
            told.append((units.decode("utf-16-le"), legend[kind]))
        assert told == [
            ("--model", "property"),
            ("--precision_mode", "property"),
            ("force_fp32", "enumMember"),
            ("--model", "property"),
            ("NPU_COLLECT_PATH", "variable"),
        ]
        where = {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}
        assert _asked(wire, "textDocument/semanticTokens/range", range=where)["data"][:3] == [1, 4, 7]


def test_hints_of_defaults_and_of_what_else_decides() -> None:
    with Wire() as wire:
        wire.initialize(initializationOptions={"inlayHints": {"defaults": True, "overrides": True, "meanings": False}})
        text = 'custom_op.parameter_map["enable_exception_dump"].i = 2\n'
        wire.open("untitled:a.py", text)
        where = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
        params = {"textDocument": {"uri": "untitled:a.py"}, "range": where}
        found: Any = wire.request("textDocument/inlayHint", params)["result"]
        labels = [each["label"] for each in found]
        assert "unless NPU_COLLECT_PATH is set" in labels
        assert not [label for label in labels if label.startswith("L")]


def test_hints_of_where_a_value_comes_from(tmp_path: Path) -> None:
    (tmp_path / "env.sh").write_text("export HCCL_EXEC_TIMEOUT=200\n", encoding="utf-8")
    uri = (tmp_path / "use.sh").as_uri()
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
    for wanted, expected in ((True, [("200, from env.sh:1", 26)]), (False, [])):
        with Wire() as wire:
            folders = [{"uri": tmp_path.as_uri(), "name": "x"}]
            wire.initialize(workspaceFolders=folders, initializationOptions={"inlayHints": {"origins": wanted}})
            wire.open(uri, "source env.sh\necho 😀 $HCCL_EXEC_TIMEOUT\n", "shellscript")
            found: Any = wire.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": where})[
                "result"
            ]
            assert [(each["label"], each["position"]["character"]) for each in found] == expected


def test_nothing_is_made_of_settings_of_another_form() -> None:
    with Wire() as wire:
        wire.initialize(initializationOptions={"inlayHints": [1], "codeLens": "yes", "semanticHighlighting": {}})
        wire.open("untitled:a.sh", TEXT, "shellscript")
        assert _asked(wire, "textDocument/codeLens") is None


_SERVED = "export HCCL_BUFFSIZE=9\nvllm serve /weights/DeepSeek-V3.1-w8a8 --swap-space 7\n"


def _actions(wire: Wire, line: int) -> list[dict[str, Any]]:
    place = {"start": {"line": line, "character": 3}, "end": {"line": line, "character": 3}}
    found: list[dict[str, Any]] = (
        _asked(wire, "textDocument/codeAction", range=place, context={"diagnostics": []}) or []
    )
    return found


def test_a_launch_is_compared_with_the_closest_recipe() -> None:
    literals: dict[str, Any] = {
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}
    }
    shows = {"experimental": {"npuLsp": {"showsRecipes": True}}}
    with Wire() as wire:
        wire.initialize({**literals, **shows})
        wire.open("untitled:a.sh", _SERVED, "shellscript")
        (action,) = [each for each in _actions(wire, 1) if each.get("command")]
        assert action["title"].startswith("Compare with the recipe vllm-ascend/")
        assert action["command"]["command"] == "npuLsp.compareRecipe"
        uri, recipe = action["command"]["arguments"]
        assert uri == "untitled:a.sh"
        page = _asked(wire, "npu-lsp/recipe", recipe=recipe)["markdown"]
        # Which page is closest may change: one of them names the buffer.
        assert re.search(r"\| (?:set otherwise|not in the recipe) \| env \| `HCCL_BUFFSIZE` \|", page), page
        for cell in ("| not set |", "| not in the recipe | vllm | `swap-space` | `7` | `untitled:a.sh:2` |"):
            assert cell in page, page
        assert not [each for each in _actions(wire, 0) if each.get("command")]
        # Who names none gets the closest; what starts no model has none.
        assert _asked(wire, "npu-lsp/recipe")["markdown"].splitlines()[0] == page.splitlines()[0]
        wire.open("untitled:b.sh", "echo\n", "shellscript")
        asked = wire.request("npu-lsp/recipe", {"textDocument": {"uri": "untitled:b.sh"}})["result"]
        assert asked["markdown"].startswith("No recipe is about a model")
    with Wire() as wire:
        wire.initialize(literals)
        wire.open("untitled:a.sh", _SERVED, "shellscript")
        plain = [each for each in _actions(wire, 1) if "Compare" in each["title"]]
        assert plain
        assert all("edit" in each and "command" not in each for each in plain)


@pytest.mark.parametrize(("sorts", "wanted"), [(False, ["env.sh", "Dockerfile"]), (True, ["env.sh"])])
def test_what_is_overridden_stands_before_nothing(sorts: bool, wanted: list[str], tmp_path: Path) -> None:
    """Where a client shows the nearest line first, it gets the setting that counts alone."""
    (tmp_path / "env.sh").write_text("export HCCL_BUFFSIZE=200\n", encoding="utf-8")
    docker = 'FROM x\nENV HCCL_BUFFSIZE=512\nCOPY . /w\nCMD ["bash", "serve.sh"]\n'
    (tmp_path / "Dockerfile").write_text(docker, encoding="utf-8")
    script = tmp_path / "serve.sh"
    script.write_text('source ./env.sh\n\necho "$HCCL_BUFFSIZE"\n', encoding="utf-8")
    with Wire() as wire:
        folders = [{"uri": tmp_path.as_uri(), "name": "x"}]
        wire.initialize({"experimental": {"npuLsp": {"sortsDefinitions": sorts}}}, workspaceFolders=folders)
        wire.open(script.as_uri(), script.read_text(encoding="utf-8"), "shellscript")
        place = {"textDocument": {"uri": script.as_uri()}, "position": {"line": 2, "character": 9}}
        found = wire.request("textDocument/definition", place)["result"]
        listed = found if isinstance(found, list) else [found]
        assert [each["uri"].rpartition("/")[2] for each in listed] == wanted
