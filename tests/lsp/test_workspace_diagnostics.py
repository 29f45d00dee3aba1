"""Findings of files that nobody has opened."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from npu_lsp.checking.walking import Reach
from npu_lsp.config.discover import Discovery
from tests.checking.command import check
from tests.lsp.wire import RULES, Wire

TYPO = 'custom_op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
SHELL = "echo 😀昇腾; atc --model=a.onnx --soc_verison=Ascend310P3 --op_select_implmode=high_performance\n"
WHOLE = {"diagnosticMode": "workspace"}
TEXTS: dict[str, Any] = {
    "publishDiagnostics": {"versionSupport": True, "relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}}
}
PULLS: dict[str, Any] = {"textDocument": {**TEXTS, "diagnostic": {"tagSupport": {"valueSet": [1, 2]}}}}
WATCHES = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
CREATED, CHANGED, DELETED = 1, 2, 3


def _tree(folder: Path) -> dict[str, str]:
    """Write files of all sorts; return those that have findings, by their path, with their kind for a client."""
    texts = {
        "train.py": TYPO,
        "deep/er/convert.sh": SHELL + "atc --op_precision_mode=any.name\n",
        "deep/er/any.name": "[ByOpType]\nSoftmax=high_precison\n",
        "run": "#!/bin/bash\n" + SHELL,
        "clean.py": "import os\n",
        "ignored/train.py": TYPO,
        "left/out.py": TYPO,
        ".gitignore": "ignored/\n",
        "npu-lsp.toml": f'extend-exclude = ["left"]\nselect = {json.dumps([*RULES, "NPU801"])}\n',
    }
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": TYPO}
    ]
    texts["train.ipynb"] = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return {
        "train.py": "python",
        "deep/er/convert.sh": "shellscript",
        "deep/er/any.name": "ini",
        "run": "shellscript",
        "train.ipynb": "json",
    }


def _begin(wire: Wire, folder: Path, capabilities: dict[str, Any] | None = None, **options: Any) -> None:
    folders = [{"uri": folder.as_uri(), "name": "project"}]
    made = {"textDocument": TEXTS, "workspace": WATCHES, **(capabilities or {})}
    wire.initialize(made, workspaceFolders=folders, initializationOptions={**WHOLE, **options})


def _shown(wire: Wire, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return what a client shows, by URI, once that is as `wanted`."""
    shown: dict[str, Any] = {}

    def follow(message: dict[str, Any]) -> bool:
        if message.get("method") == "textDocument/publishDiagnostics":
            uri, found = message["params"]["uri"], message["params"]["diagnostics"]
            shown.pop(uri, None)
            if found:
                shown[uri] = found
        return wanted(shown)

    wire.until(follow)
    return shown


def _note(wire: Wire, path: Path, kind: int) -> None:
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})


def test_what_check_finds_is_what_an_open_document_shows(tmp_path: Path) -> None:
    names = _tree(tmp_path)
    with Wire() as wire:
        _begin(wire, tmp_path)
        shown = _shown(wire, lambda all_: len(all_) == len(names))
        assert set(shown) == {(tmp_path / name).as_uri() for name in names}
        reported = check(cwd=tmp_path).findings
        count = sum(len(each) for each in shown.values())
        assert count == len(reported)
        for name, language in names.items():
            uri = (tmp_path / name).as_uri()
            if name.endswith(".ipynb"):
                continue
            wire.open(uri, (tmp_path / name).read_text(encoding="utf-8"), language)
            if name != "deep/er/any.name":
                assert wire.diagnostics(uri, 1) == shown[uri]


def test_only_open_documents_unless_it_is_asked_for(tmp_path: Path) -> None:
    names = _tree(tmp_path)
    with Wire() as wire:
        _begin(wire, tmp_path, diagnosticMode="openFilesOnly")
        uri = (tmp_path / "clean.py").as_uri()
        wire.open(uri, "import os\n")
        assert wire.diagnostics(uri) == []
        assert wire.status()["documents"] == 1
        assert len(wire.messages("textDocument/publishDiagnostics")) == 1
        wire.notify("workspace/didChangeConfiguration", {"settings": {"npuLsp": WHOLE}})
        _shown(wire, lambda all_: len(all_) == len(names))
        settings = {"npuLsp": {"diagnosticMode": "openFilesOnly"}}
        shown = dict.fromkeys((tmp_path / name).as_uri() for name in names)
        wire.notify("workspace/didChangeConfiguration", {"settings": settings})
        while shown:
            message = wire.until(lambda m: m.get("method") == "textDocument/publishDiagnostics")
            if not message["params"]["diagnostics"]:
                shown.pop(message["params"]["uri"], None)


def test_a_document_that_is_opened_and_closed_keeps_its_findings(tmp_path: Path) -> None:
    names = _tree(tmp_path)
    uri = (tmp_path / "train.py").as_uri()
    with Wire() as wire:
        _begin(wire, tmp_path)
        before = _shown(wire, lambda all_: len(all_) == len(names))[uri]
        wire.open(uri, "import os\n")
        assert wire.diagnostics(uri, 1) == []
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert _shown(wire, lambda all_: uri in all_)[uri] == before


def test_an_open_notebook_speaks_for_its_file(tmp_path: Path) -> None:
    names = _tree(tmp_path)
    uri = (tmp_path / "train.ipynb").as_uri()
    cell = uri.replace("file:", "vscode-notebook-cell:") + "#a"
    with Wire() as wire:
        _begin(wire, tmp_path, {"notebookDocument": {"synchronization": {}}})
        _shown(wire, lambda all_: len(all_) == len(names))
        item = {"uri": cell, "languageId": "python", "version": 1, "text": TYPO}
        notebook = {
            "uri": uri,
            "notebookType": "jupyter-notebook",
            "version": 1,
            "cells": [{"kind": 2, "document": cell}],
        }
        wire.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": [item]})
        told = [wire.until(lambda m: m.get("method") == "textDocument/publishDiagnostics")["params"] for _ in range(2)]
        assert {each["uri"]: len(each["diagnostics"]) for each in told} == {uri: 0, cell: 1}
        closed = {"notebookDocument": {"uri": uri}, "cellTextDocuments": [{"uri": cell}]}
        wire.notify("notebookDocument/didClose", closed)
        _shown(wire, lambda all_: uri in all_)


def test_files_are_watched(tmp_path: Path) -> None:
    names = _tree(tmp_path)
    train, new, far = tmp_path / "train.py", tmp_path / "new.py", tmp_path / "some/where/new.sh"
    with Wire() as wire:
        _begin(wire, tmp_path)
        _shown(wire, lambda all_: len(all_) == len(names))
        patterns = [
            watcher["globPattern"]
            for message in wire.messages("client/registerCapability")
            for registration in message["params"]["registrations"]
            for watcher in registration["registerOptions"]["watchers"]
        ]
        assert "**/*" in patterns
        train.write_text("import os\n", encoding="utf-8")
        _note(wire, train, CHANGED)
        assert wire.diagnostics(train.as_uri()) == []
        new.write_text(TYPO, encoding="utf-8")
        _note(wire, new, CREATED)
        assert wire.diagnostics(new.as_uri())
        new.unlink()
        _note(wire, new, DELETED)
        assert wire.diagnostics(new.as_uri()) == []
        far.parent.mkdir(parents=True)
        far.write_text(SHELL, encoding="utf-8")
        _note(wire, far, CREATED)
        assert wire.diagnostics(far.as_uri())
        (tmp_path / ".gitignore").write_text("ignored/\nsome/\n", encoding="utf-8")
        _note(wire, tmp_path / ".gitignore", CHANGED)
        assert wire.diagnostics(far.as_uri()) == []


def test_a_change_in_a_folder_that_is_left_out_moves_nothing(tmp_path: Path) -> None:
    """Builds and caches change all the time: only what the walk would come to has the folder checked again."""
    _tree(tmp_path)
    (tmp_path / "sub/.git").mkdir(parents=True)
    (tmp_path / "sub/.gitignore").write_text("/out\n", encoding="utf-8")
    reached = ("deep/er/new.py", "some/where/new.py", "train.py", "deep", "sub/left.py")
    left_out = (
        "ignored/deep/new.py",
        "left/new.py",
        ".git/objects/ab/cd",
        "node_modules/x/y/new.py",
        "sub/out/new.py",
        "../else/where.py",
    )
    reach = Reach(Discovery(here=tmp_path), str(tmp_path))
    for name in (*reached, *left_out):
        assert reach.has(str((tmp_path / name).resolve())) is (name in reached), name


def test_what_rests_on_a_file_changes_with_it(tmp_path: Path) -> None:
    """`convert.sh` is as it was, but the file that it names comes and goes, whether or not somebody has that one open."""
    named, script = tmp_path / "any.name", tmp_path / "convert.sh"
    script.write_text(SHELL + "atc --op_precision_mode=any.name\n", encoding="utf-8")
    with Wire() as wire:
        _begin(wire, tmp_path)
        missing = len(_shown(wire, lambda all_: len(all_) == 1)[script.as_uri()])
        for opened in (False, True):
            named.write_text("[ByOpType]\nSoftmax=high_precision\n", encoding="utf-8")
            _note(wire, named, CREATED)
            _shown(wire, lambda all_: len(all_.get(script.as_uri(), ())) == missing - 1)
            if opened:
                wire.open(named.as_uri(), named.read_text(encoding="utf-8"), "ini")
            named.unlink()
            _note(wire, named, DELETED)
            _shown(wire, lambda all_: len(all_.get(script.as_uri(), ())) == missing)


def test_a_document_that_was_changed_while_it_was_open(tmp_path: Path) -> None:
    names = _tree(tmp_path)
    train = tmp_path / "train.py"
    with Wire() as wire:
        _begin(wire, tmp_path)
        _shown(wire, lambda all_: len(all_) == len(names))
        wire.open(train.as_uri(), "import os\n")
        assert wire.diagnostics(train.as_uri(), 1) == []
        train.write_text("import os\n" + TYPO, encoding="utf-8")
        _note(wire, train, CHANGED)
        wire.notify("textDocument/didClose", {"textDocument": {"uri": train.as_uri()}})
        found = _shown(wire, lambda all_: any(d["range"]["start"]["line"] for d in all_.get(train.as_uri(), ())))
        assert len(found[train.as_uri()]) == 1


def test_an_answer_does_not_wait_for_the_files(tmp_path: Path) -> None:
    count = 200
    for number in range(count):
        (tmp_path / f"train{number}.py").write_text(TYPO, encoding="utf-8")
    uri = (tmp_path / "open.py").as_uri()
    with Wire() as wire:
        _begin(wire, tmp_path)
        wire.open(uri, TYPO)
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 30}}
        for _ in range(3):
            assert wire.request("textDocument/hover", place)["result"]
        told = {m["params"]["uri"] for m in wire.messages("textDocument/publishDiagnostics")} - {uri}
        assert len(told) < count
        _shown(wire, lambda all_: len(told | set(all_) - {uri}) == count)


def _ask(wire: Wire, known: dict[str, str], token: str | None = None) -> int:
    ids = [{"uri": uri, "value": value} for uri, value in known.items()]
    params = {"previousResultIds": ids, **({"partialResultToken": token} if token else {})}
    return wire.begin("workspace/diagnostic", params)


def test_what_a_client_asks_for(tmp_path: Path) -> None:
    names = _tree(tmp_path)
    with Wire() as wire:
        _begin(wire, tmp_path, PULLS)
        items = wire.answer(_ask(wire, {}))["result"]["items"]
        assert {item["uri"] for item in items} == {(tmp_path / name).as_uri() for name in names}
        assert wire.messages("textDocument/publishDiagnostics") == []
        train = tmp_path / "train.py"
        document = next(item for item in items if item["uri"] == train.as_uri())
        wire.open(document["uri"], TYPO)
        asked = wire.request("textDocument/diagnostic", {"textDocument": {"uri": document["uri"]}})["result"]
        assert asked["items"] == document["items"]
        wire.notify("textDocument/didClose", {"textDocument": {"uri": document["uri"]}})

        # What is known already is not told again: the answer comes when there is something new.
        waiting = _ask(wire, {item["uri"]: item["resultId"] for item in items})
        assert wire.status()["documents"] == 0
        train.unlink()
        _note(wire, train, DELETED)
        (told,) = wire.answer(waiting)["result"]["items"]
        assert (told["uri"], told["items"]) == (document["uri"], [])


def test_partial_results(tmp_path: Path) -> None:
    count = 150
    for number in range(count):
        (tmp_path / f"train{number}.py").write_text(TYPO, encoding="utf-8")
    with Wire() as wire:
        _begin(wire, tmp_path, PULLS)
        rest = wire.answer(_ask(wire, {}, "part"))["result"]["items"]
        parts = [m["params"] for m in wire.messages("$/progress") if m["params"]["token"] == "part"]
        told = [item["uri"] for part in parts for item in part["value"]["items"]] + [item["uri"] for item in rest]
        assert len(told) == len(set(told)) == count
        assert parts


def test_nothing_is_asked_for_nothing(tmp_path: Path) -> None:
    with Wire() as wire:
        _begin(wire, tmp_path, PULLS, diagnosticMode="openFilesOnly")
        assert wire.answer(_ask(wire, {}))["result"] == {"items": []}
