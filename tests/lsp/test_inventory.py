"""What the files of a workspace set, listed when somebody asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.lsp.wire import Wire


def test_what_has_changed_on_the_disk_is_looked_at_again(tmp_path: Path) -> None:
    script, gone = tmp_path / "a.sh", tmp_path / "b.sh"
    script.write_text("atc --model=a\n", encoding="utf-8")
    gone.write_text("atc --model=a\n", encoding="utf-8")
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
        uri = "untitled:x.sh"
        wire.open(uri, "atc --model=a\n", "shellscript")

        def lines() -> list[tuple[str, int]]:
            place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 7}}
            found: Any = wire.request("textDocument/references", {**place, "context": {"includeDeclaration": True}})
            return sorted((each["uri"], each["range"]["start"]["line"]) for each in found["result"])

        assert lines() == [(script.as_uri(), 0), (gone.as_uri(), 0), (uri, 0)]
        script.write_text("echo\necho\natc --model=a\n", encoding="utf-8")
        gone.unlink()
        wire.notify("workspace/didChangeConfiguration", {"settings": {"npuLsp": {"language": "zh"}}})
        assert lines() == [(script.as_uri(), 2), (uri, 0)]


def test_nothing_is_gone_through_unasked(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("atc --model=a\n", encoding="utf-8")
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
        for query in ("", "m", "MyClass"):
            assert wire.request("workspace/symbol", {"query": query})["result"] == []
        assert wire.request("workspace/symbol", {"query": "model", "workDoneToken": 7})["result"]
        told = [each["params"]["value"]["kind"] for each in wire.messages("$/progress")]
        assert told == ["begin", "end"]


def test_an_option_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "more.toml").write_text(
        '# ours\n[options.our_switch]\nsummary = "Ours."\n[options.our_switch.session]\nslot = "b"\n', encoding="utf-8"
    )
    (tmp_path / "npu-lsp.toml").write_text('catalog = ["more.toml"]\nknown = ["their_key"]\n', encoding="utf-8")
    uri = (tmp_path / "train.py").as_uri()
    text = 'op.parameter_map["our_switch"].b = True\nop.parameter_map["their_key"].b = True\nop.parameter_map["precision_mode"].s = b"x"\n'
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
        wire.open(uri, text)
        found: list[Any] = []
        for line in range(3):
            place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 20}}
            answer: Any = wire.request("textDocument/definition", place)["result"]
            found.append(answer and (answer["uri"].rpartition("/")[2], answer["range"]["start"]["line"]))
        assert found == [("more.toml", 1), ("npu-lsp.toml", 1), None]
