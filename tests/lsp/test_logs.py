"""Logs in an editor: diagnostics in the log, and a page with links to the lines that may have caused it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.wire import Wire

LOG = """\
INFO 01-02 03:04:05 starting
HCCL_BUFFSIZE is too SMALL, maxBs = 8, NEEDED_HCCL_BUFFSIZE((a) * 2) = 700MB, HCCL_BUFFSIZE=256MB.
EngineDeadError: EngineCore encountered an issue.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "conf (1)").mkdir()
    (tmp_path / "conf (1)" / "serve.sh").write_text(
        "export HCCL_BUFFSIZE=256\nvllm serve /m --tensor-parallel-size 4\n"
    )
    return tmp_path


def test_a_log_that_is_opened_has_diagnostics_until_it_is_closed(folder: Path) -> None:
    uri = (folder / "run.log").as_uri()
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": folder.as_uri(), "name": "x"}])
        wire.open(uri, LOG, "log")
        found = wire.diagnostics(uri)
        assert [(each["range"]["start"]["line"], each["code"], each["severity"]) for each in found] == [
            (1, "buffer-too-small", 1),
            (2, "engine-core-failed", 4),
        ]
        assert "needs at least 700 MB" in found[0]["message"]
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert wire.diagnostics(uri) == []
        # What a run that goes on warns of is no error.
        wire.open(uri, "WARNING 12-17 09:30:24 [x.py:1] Unknown vLLM environment variable detected: VLLM_FOO\n", "log")
        assert [(each["code"], each["severity"]) for each in wire.diagnostics(uri)] == [("unknown-variable", 2)]
        # Another text is no log, whatever it says.
        other = (folder / "notes.md").as_uri()
        wire.open(other, LOG, "markdown")
        assert [each for each in wire.diagnostics(other) if each["code"] == "buffer-too-small"] == []


def test_the_page_links_to_the_line_that_set_it_and_to_the_log(folder: Path) -> None:
    log = folder / "run.log"
    log.write_text(LOG)
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": folder.as_uri(), "name": "x"}])
        wire.open(log.as_uri(), LOG, "log")
        assert "relatedInformation" not in wire.diagnostics(log.as_uri())[0]
        answer: Any = wire.request("npu-lsp/explain", {"textDocument": {"uri": log.as_uri()}})["result"]
        page = answer["markdown"]
        assert "is 256 MB, and" in page.splitlines()[0]
        assert f"({(folder / 'conf (1)' / 'serve.sh').as_uri().replace('(', '%28').replace(')', '%29')}#L1)" in page
        assert f"]({log.as_uri()}#L2)" in page
        found = wire.messages("textDocument/publishDiagnostics")[-1]["params"]["diagnostics"]
        assert found[0]["relatedInformation"][0]["location"]["uri"].endswith("/serve.sh")
        command = {"command": "npu-lsp.explain", "arguments": [{"text": LOG}]}
        assert wire.request("workspace/executeCommand", command)["result"]["errors"] == 2
        nothing: Any = wire.request("npu-lsp/explain", {"text": "all is well\n"})["result"]
        assert nothing == {"markdown": "No known error.\n", "errors": 0}
        wrongs: list[Any] = [{}, [], None, {"textDocument": {"uri": (folder / "no.log").as_uri()}}, {"text": 1}]
        for wrong in wrongs:
            assert wire.request("npu-lsp/explain", wrong)["error"]["code"] == -32602


def test_a_quick_fix_in_the_log_writes_the_value_that_it_asks_for(folder: Path) -> None:
    script = folder / "conf (1)" / "serve.sh"
    uri = (folder / "run.log").as_uri()
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": folder.as_uri(), "name": "x"}])
        wire.open(uri, LOG, "log")
        diagnostics = wire.diagnostics(uri)

        def offered(line: int, kind: int = 1) -> list[Any]:
            where = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 5}}
            context = {"diagnostics": diagnostics, "triggerKind": kind}
            asked = {"textDocument": {"uri": uri}, "range": where, "context": context}
            return wire.request("textDocument/codeAction", asked)["result"] or []

        # The workspace isn't gone through for a cursor that comes by.
        assert offered(1, kind=2) == []
        assert offered(2) == []
        (action,) = offered(1)
        assert action["title"] == "Set HCCL_BUFFSIZE to 700 in serve.sh:1"
        assert [each["code"] for each in action["diagnostics"]] == ["buffer-too-small"]
        (edits,) = action["edit"]["changes"].values()
        assert [(each["range"]["start"], each["newText"]) for each in edits] == [({"line": 0, "character": 21}, "700")]
        # What is open is taken as it is there.
        wire.open(script.as_uri(), "\nexport HCCL_BUFFSIZE=512\n", "shellscript")
        wire.diagnostics(script.as_uri())
        assert [each["title"] for each in offered(1, kind=2)] == ["Set HCCL_BUFFSIZE to 700 in serve.sh:2 (review)"]
        wire.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": script.as_uri(), "version": 2},
                "contentChanges": [{"text": "export HCCL_BUFFSIZE=800\n"}],
            },
        )
        assert offered(1) == []


def test_a_value_that_comes_from_a_name_is_to_review_and_flags_are_named_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "env.sh").write_text("SIZE=256\nexport HCCL_BUFFSIZE=$SIZE\n")
    (tmp_path / "serve.sh").write_text("vllm serve /m --max-model-len 40960\n")
    uri, log = (
        (tmp_path / "run.log").as_uri(),
        LOG
        + (
            "ValueError: User-specified max_model_len (40960) is greater than the derived max_model_len (max_position_embeddings=32768 or x).\n"
        ),
    )
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
        wire.open(uri, log, "log")
        where = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        asked = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
        found: list[Any] = wire.request("textDocument/codeAction", asked)["result"]
        assert [each["title"] for each in found] == [
            "Set HCCL_BUFFSIZE to 700 in env.sh:2 (review)",
            "Set --max-model-len to 32768 in serve.sh:1 (review)",
        ]
