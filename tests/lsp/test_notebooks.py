"""Notebooks: cells are texts of their own for the client, and one program for the reader."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from lsprotocol.types import TextDocumentContentChangeWholeDocument, TextDocumentItem

from npu_lsp.lsp.documents import OpenDocument
from npu_lsp.lsp.features.synchronization import CellsUnit
from tests.lsp.wire import Wire

NOTEBOOKS: dict[str, Any] = {
    "notebookDocument": {"synchronization": {"dynamicRegistration": True}},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
OPERATOR = "custom_op = config.graph_options.rewrite_options.custom_optimizers.add()\n"
TYPO = 'custom_op.parameter_map["precison_mode"].s = tf.compat.as_bytes("force_fp16")'
_numbers = count()


@pytest.fixture(scope="module")
def running() -> Iterator[Wire]:
    """Return a server with a session that all tests of this module share."""
    with Wire() as wire:
        answer = wire.initialize(NOTEBOOKS)
        assert answer["result"]["capabilities"]["notebookDocumentSync"]["notebookSelector"]
        yield wire


class Notebook:
    """A notebook that is open in the client."""

    def __init__(self, wire: Wire, *cells: str) -> None:
        self.wire = wire
        self.uri = f"file:///project/notebook{next(_numbers)}.ipynb"
        self.version = 1
        self.cells = [self._uri(number) for number in range(len(cells))]
        texts = [self._item(uri, text) for uri, text in zip(self.cells, cells, strict=True)]
        document = {"uri": self.uri, "notebookType": "jupyter-notebook", "version": 1}
        document["cells"] = [{"kind": 2, "document": uri} for uri in self.cells]
        wire.notify("notebookDocument/didOpen", {"notebookDocument": document, "cellTextDocuments": texts})

    def insert(self, index: int, text: str) -> str:
        """Put in a cell."""
        uri = self._uri(100 + self.version)
        self.cells.insert(index, uri)
        array = {"start": index, "deleteCount": 0, "cells": [{"kind": 2, "document": uri}]}
        self._change({"structure": {"array": array, "didOpen": [self._item(uri, text)]}})
        return uri

    def delete(self, index: int) -> str:
        """Take a cell out."""
        uri = self.cells.pop(index)
        array = {"start": index, "deleteCount": 1}
        self._change({"structure": {"array": array, "didClose": [{"uri": uri}]}})
        return uri

    def type(self, index: int, text: str) -> None:
        """Give a cell another text."""
        document = {"uri": self.cells[index], "version": self.version + 1}
        self._change({"textContent": [{"document": document, "changes": [{"text": text}]}]})

    def close(self) -> None:
        """Close the notebook."""
        cells = [{"uri": uri} for uri in self.cells]
        self.wire.notify(
            "notebookDocument/didClose", {"notebookDocument": {"uri": self.uri}, "cellTextDocuments": cells}
        )

    def codes(self, index: int) -> list[str]:
        """Return what is underlined in a cell from the next message about it on."""
        return [d["code"] for d in self.wire.diagnostics(self.cells[index])]

    def _change(self, cells: dict[str, Any]) -> None:
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.wire.notify("notebookDocument/didChange", {"notebookDocument": document, "change": {"cells": cells}})

    def _uri(self, number: int) -> str:
        return self.uri.replace("file:", "vscode-notebook-cell:") + f"#W{number}"

    def _item(self, uri: str, text: str) -> dict[str, Any]:
        return {"uri": uri, "languageId": "python", "version": 1, "text": text}


def test_each_cell_gets_its_own(running: Wire) -> None:
    notebook = Notebook(running, OPERATOR, "x = 1\n" + TYPO)
    assert notebook.codes(0) == []
    (found,) = running.diagnostics(notebook.cells[1])
    assert found["code"] == "NPU101"
    assert found["range"]["start"] == {"line": 1, "character": TYPO.index("precison")}


def test_a_name_of_an_earlier_cell_is_known(running: Wire) -> None:
    use = 'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes(MODE)'
    notebook = Notebook(running, OPERATOR, 'MODE = "force_fp61"', use)
    assert notebook.codes(2) == ["NPU104"]
    notebook.type(1, 'MODE = "force_fp16"')
    assert notebook.codes(2) == []


def test_cells_come_and_go(running: Wire) -> None:
    notebook = Notebook(running, OPERATOR)
    assert notebook.codes(0) == []
    notebook.insert(1, TYPO)
    assert notebook.codes(1) == ["NPU101"]
    gone = notebook.delete(1)
    assert running.diagnostics(gone) == []
    notebook.insert(0, "")
    assert notebook.codes(1) == []


def test_requests_about_a_cell(running: Wire) -> None:
    notebook = Notebook(running, OPERATOR, TYPO + "\n", 'custom_op.parameter_map["prec')
    notebook.codes(2)
    place = {"textDocument": {"uri": notebook.cells[1]}, "position": {"line": 0, "character": 30}}
    shown = running.request("textDocument/hover", place)["result"]
    assert shown["range"]["start"] == {"line": 0, "character": TYPO.index("precison")}
    place = {"textDocument": {"uri": notebook.cells[2]}, "position": {"line": 0, "character": 29}}
    offered = running.request("textDocument/completion", place)["result"]["items"]
    item = next(item for item in offered if item["label"] == "precision_mode")
    assert item["textEdit"]["range"]["start"] == {"line": 0, "character": 25}
    symbols = running.request("textDocument/documentSymbol", {"textDocument": {"uri": notebook.cells[1]}})["result"]
    assert all(symbol["location"]["uri"] == notebook.cells[1] for symbol in symbols)


def test_where_else_comes_in_an_order_that_tells_nothing_of_what_was_done(running: Wire) -> None:
    """As a server answers that has just been started: a cell that was taken out and put in again moves nothing."""
    notebooks = [Notebook(running, OPERATOR + TYPO) for _ in range(3)]
    asked = notebooks.pop()

    def order() -> list[str]:
        place = {"line": 1, "character": TYPO.index("precison")}
        document = {"uri": asked.cells[0]}
        params = {"textDocument": document, "position": place, "context": {"includeDeclaration": True}}
        found = running.request("textDocument/references", params)["result"]
        cells = {cell: notebook.uri for notebook in notebooks for cell in notebook.cells}
        return [cells[each["uri"]] for each in found if each["uri"] in cells]

    uris = sorted(notebook.uri for notebook in notebooks)
    assert order() == uris
    for notebook in notebooks:
        notebook.delete(0)
        notebook.insert(0, OPERATOR + TYPO)
        assert order() == uris


def test_a_fix_is_made_in_its_cell(running: Wire) -> None:
    notebook = Notebook(running, OPERATOR, TYPO)
    (found,) = running.diagnostics(notebook.cells[1])
    params = {
        "textDocument": {"uri": notebook.cells[1]},
        "range": found["range"],
        "context": {"diagnostics": [found], "only": ["quickfix"]},
    }
    action = running.request("textDocument/codeAction", params)["result"][0]
    (change,) = action["edit"]["documentChanges"]
    assert change["textDocument"]["uri"] == notebook.cells[1]
    assert change["edits"] == [{"range": found["range"], "newText": "precision_mode"}]


def test_shell_in_a_notebook(running: Wire) -> None:
    notebook = Notebook(
        running, "%%bash\natc --model=a --soc_verison=Ascend310P3\n", "!atc --model=a --soc_verison=Ascend310P3\n"
    )
    assert "NPU101" in notebook.codes(0)
    assert "NPU101" in notebook.codes(1)


def test_a_closed_notebook_has_nothing(running: Wire) -> None:
    notebook = Notebook(running, OPERATOR, TYPO)
    assert notebook.codes(1) == ["NPU101"]
    notebook.close()
    assert notebook.codes(0) == []
    assert notebook.codes(1) == []
    place = {"textDocument": {"uri": notebook.cells[1]}, "position": {"line": 0, "character": 30}}
    assert running.request("textDocument/hover", place)["result"] is None
    notebook.type(1, "x = 1")
    assert running.status()["version"]


def test_a_client_that_sends_the_file_itself(running: Wire) -> None:
    uri = "file:///project/raw.ipynb"
    text = '{"cells": [{"cell_type": "code", "source": ["custom_op.parameter_map[\\"precison_mode\\"].b = True\\n"]}]}'
    running.open(uri, text, "json")
    codes = [d["code"] for d in running.diagnostics(uri)]
    assert "NPU101" in codes


def test_how_hard_a_notebook_is_to_read_is_known_of_its_next_version() -> None:
    cell = OpenDocument(TextDocumentItem("untitled:cell", "python", 1, "x = 1\n"), "utf-16")
    unit = CellsUnit("untitled:notebook")
    unit.arrange([cell])
    unit.document.effort = 3.0
    cell.change([TextDocumentContentChangeWholeDocument("x = 2\n")], 2)
    assert unit.document.text == "x = 2\n"
    assert unit.document.effort == 3.0


def test_a_new_notebook_completes_names_from_the_first_letter_on(running: Wire) -> None:
    """Nothing in it says yet that NPUs are meant."""
    notebook = Notebook(running, "")
    for typed in ("H", "HC", "HCCL_", "HCCL_BUF"):
        notebook.type(0, f'import os\nos.environ["{typed}')
        place = {"line": 1, "character": len('os.environ["') + len(typed)}
        found = running.request(
            "textDocument/completion", {"textDocument": {"uri": notebook.cells[0]}, "position": place}
        )
        assert "HCCL_BUFFSIZE" in [item["label"] for item in found["result"]["items"]], typed
    notebook.type(0, "%env HCCL_BUF")
    place = {"line": 0, "character": len("%env HCCL_BUF")}
    found = running.request("textDocument/completion", {"textDocument": {"uri": notebook.cells[0]}, "position": place})
    assert "HCCL_BUFFSIZE" in [item["label"] for item in found["result"]["items"]]
    notebook.close()
