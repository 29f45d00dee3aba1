"""A comment that silences a finding is offered wherever the text can hold one, and does silence it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.editor import Buffer, Editor
from tests.lsp.test_notebooks import NOTEBOOKS, OPERATOR, TYPO, Notebook
from tests.lsp.wire import Wire

_SLIP = "HCCL_BUFFSIZ"


async def _ignored(buffer: Buffer) -> str:
    """Return the text of a file in which the comment has been taken."""
    titles = [a for a in await buffer.actions(buffer.range(_SLIP)) if a.title.startswith("Ignore NPU101 here")]
    assert titles, [a.title for a in await buffer.actions(buffer.range(_SLIP))]
    return await buffer.applied(titles[0])


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("folded.yaml", f'a:\n  command: >\n    bash -c "export {_SLIP}=1 &&\n    python x.py"\n', 1),
        ("deep.yaml", f'a:\n  command: >-\n    bash -c "ls &&\n      export {_SLIP}=1 &&\n    ls"\n', 1),
        ("plain.yaml", f'a:\n- command: bash -c "ls &&\n    export {_SLIP}=1"\n', 1),
        ("quoted.yaml", f"a:\n  run: 'ls &&\n    export {_SLIP}=1'\n", 1),
        ("literal.yaml", f"a:\n  run: |\n    ls\n    export {_SLIP}=1\n", 3),
        ("listed.yaml", f"env:\n- name: {_SLIP}\n  value: '1'\n", 1),
        ("object.yaml", f"env:\n  {_SLIP}: 1\n", 1),
        ("a.dockerfile", f"FROM x\nENV {_SLIP}=1\n", 1),
        ("a.env", f"A=1\n{_SLIP}=1\n", 1),
        ("a.md", f"# x\n\n```sh\nexport {_SLIP}=1\n```\n", 3),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_in_every_host(editor: Editor, name: str, text: str, line: int) -> None:
    written = (await _ignored(editor.open(text, name))).splitlines()
    assert written[line].strip() == "# npu-lsp: ignore[NPU101]"
    assert [*written[:line], *written[line + 1 :]] == text.splitlines()


def _offered(wire: Wire, uri: str, line: int) -> list[dict[str, Any]]:
    place = {"line": line, "character": 25}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
    }
    return [a for a in wire.request("textDocument/codeAction", params)["result"] if a["title"].startswith("Ignore")]


def test_in_a_cell_of_a_notebook() -> None:
    with Wire() as wire:
        wire.initialize(NOTEBOOKS)
        notebook = Notebook(wire, OPERATOR, "x = 1\n" + TYPO)
        assert notebook.codes(1) == ["NPU101"]
        (action,) = _offered(wire, notebook.cells[1], 1)
        (change,) = action["edit"]["documentChanges"]
        assert change["textDocument"]["uri"] == notebook.cells[1]
        assert [(e["range"]["start"]["line"], e["newText"]) for e in change["edits"]] == [
            (1, "# npu-lsp: ignore[NPU101]\n")
        ]
        notebook.type(1, "x = 1\n# npu-lsp: ignore[NPU101]\n" + TYPO)
        assert notebook.codes(1) == []


def test_in_each_folder_of_a_workspace(tmp_path: Path) -> None:
    """Also where the other folder has rules of its own."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        (folder / "run.sh").write_text(f"export {_SLIP}=1\n", encoding="utf-8")
    (folders[0] / "npu-lsp.toml").write_text('ignore = ["NPU101"]\n', encoding="utf-8")
    with Wire() as wire:
        named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        wire.initialize(NOTEBOOKS, workspaceFolders=named, initializationOptions={"select": []})
        for folder, count in zip(folders, (0, 1), strict=True):
            uri = (folder / "run.sh").as_uri()
            wire.open(uri, f"export {_SLIP}=1\n", "shellscript")
            assert len(_offered(wire, uri, 0)) == count
