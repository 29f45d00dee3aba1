"""References, definitions of variables, highlights and the settings of the workspace by name."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor import MARK, Buffer, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCRIPT = f"export HCCL_BUFFSIZE=200\nMODE=force_fp16\nif x; then MODE=fp16; fi\natc --model=a.onnx --precision_mode=${MARK}MODE\n"


async def _references(buffer: Buffer, include: bool = True) -> list[tuple[str, int, int]]:
    params = types.ReferenceParams(types.ReferenceContext(include), buffer.identifier, buffer.position(buffer.cursor))
    found = await buffer.editor.client.text_document_references_async(params)
    return sorted((each.uri, each.range.start.line, each.range.start.character) for each in found or ())


async def _definition(buffer: Buffer) -> list[tuple[str, int]]:
    params = types.DefinitionParams(buffer.identifier, buffer.position(buffer.cursor))
    found: Any = await buffer.editor.client.text_document_definition_async(params)
    each = found if isinstance(found, list) else [found] if found else []
    return [
        (one.uri, one.range.start.line)
        if isinstance(one, types.Location)
        else (one.target_uri, one.target_range.start.line)
        for one in each
    ]


async def _highlights(buffer: Buffer) -> list[tuple[str, types.DocumentHighlightKind | None]]:
    params = types.DocumentHighlightParams(buffer.identifier, buffer.position(buffer.cursor))
    found = await buffer.editor.client.text_document_document_highlight_async(params)
    return [(buffer.at(each.range), each.kind) for each in found or ()]


async def test_an_option_in_open_documents_and_on_the_disk(editor: Editor) -> None:
    folder = editor.folder / "else"
    folder.mkdir()
    closed, ignored = folder / "closed.sh", folder / "ignored.sh"
    closed.write_text("echo 昇腾; atc --model=b --precision_mode=force_fp16\n", encoding="utf-8")
    ignored.write_text("atc --model=b --precision_mode=force_fp16\n", encoding="utf-8")
    (folder / ".gitignore").write_text("ignored.sh\n", encoding="utf-8")
    other = await editor.open_file(folder / "open.sh", "atc --precision_mode=fp16\n")
    other.replace("atc", "atc --model=a")
    text = f'custom_op.parameter_map["precision{MARK}_mode"].s = b"force_fp16"\n'
    buffer = editor.open(text)
    column = len("echo 昇腾; atc --model=b ".encode(editor.encoding.replace("utf-16", "utf-16-le")))
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[editor.encoding]
    assert await _references(buffer) == sorted(
        [(buffer.uri, 0, 25), (other.uri, 0, len("atc --model=a ")), (closed.as_uri(), 0, column // width)]
    )
    closed.write_text("\natc --model=b --precision_mode=force_fp16\n", encoding="utf-8")
    other.close()
    found = await _references(buffer)
    assert (other.uri, 0, len("atc ")) in found


async def test_a_variable_of_the_environment(editor: Editor) -> None:
    folder = editor.folder / "variables"
    folder.mkdir()
    script = folder / "run.sh"
    script.write_text("export HCCL_CONNECT_TIMEOUT=200\n", encoding="utf-8")
    (folder / "uses.py").write_text('import os\nos.getenv("HCCL_CONNECT_TIMEOUT")\n', encoding="utf-8")
    buffer = editor.open(f'import os\nx = os.getenv("HCCL_{MARK}CONNECT_TIMEOUT")\n')
    # Nothing says that the script starts this file: it is one of the references.
    assert await _definition(buffer) == []
    found = {(folder / "uses.py").as_uri(): (1, 11), buffer.uri: (1, 15), script.as_uri(): (0, 7)}
    assert await _references(buffer) == sorted((uri, *place) for uri, place in found.items())
    uses = await _references(buffer, include=False)
    assert {uri for uri, _, _ in uses} == {(folder / "uses.py").as_uri(), buffer.uri}


async def test_what_gives_a_variable_its_value(editor: Editor) -> None:
    folder = editor.folder / "gives"
    folder.mkdir()
    image, exports, other = folder / "Dockerfile", folder / "env.sh", folder / "other.sh"
    image.write_text("FROM ascend/cann\nENV HCCL_BUFFSIZE=512\nCMD bash serve.sh\n", encoding="utf-8")
    exports.write_text("export HCCL_BUFFSIZE=200\n", encoding="utf-8")
    other.write_text("export HCCL_BUFFSIZE=7\n", encoding="utf-8")
    buffer = await editor.open_file(folder / "serve.sh", f"source env.sh\necho ${MARK}HCCL_BUFFSIZE\n")
    assert await _definition(buffer) == [(exports.as_uri(), 0), (image.as_uri(), 1)]
    assert "200, from env.sh:1; overrides 512 in Dockerfile:2" in (await buffer.hover_text()).replace("`", "")
    # What an editor has of a file counts, saved or not.
    unsaved = await editor.open_file(exports)
    unsaved.replace("200", "300")
    assert "300, from env.sh:1; overrides 512" in (await buffer.hover_text()).replace("`", "")
    unsaved.replace("300", "200")
    unsaved.close()


async def test_what_a_launch_and_a_service_get(editor: Editor) -> None:
    folder = editor.folder / "gets"
    folder.mkdir()
    exports, given = folder / "env.sh", folder / "a.env"
    exports.write_text("export HCCL_BUFFSIZE=200\n", encoding="utf-8")
    given.write_text("HCCL_BUFFSIZE=1\n", encoding="utf-8")
    text = f"source env.sh\nHCCL_BUFFSIZE=400 {MARK}torchrun --nproc_per_node 8 train.py\n"
    buffer = await editor.open_file(folder / "run.sh", text)
    assert await _definition(buffer) == [(buffer.uri, 1), (exports.as_uri(), 0)]
    assert "HCCL_BUFFSIZE: 400, from run.sh:2; overrides 200 in env.sh:1" in (await buffer.hover_text()).replace(
        "`", ""
    )
    text = f"services:\n  n{MARK}pu:\n    env_file: a.env\n    environment:\n      HCCL_BUFFSIZE: 5\n    command: vllm serve m\n"
    buffer = await editor.open_file(folder / "compose.yaml", text)
    assert await _definition(buffer) == [(buffer.uri, 4), (given.as_uri(), 0)]
    assert "5, from compose.yaml:5; overrides 1 in a.env:1" in (await buffer.hover_text()).replace("`", "")


@pytest.mark.parametrize(
    ("name", "text", "lines", "said"),
    [
        (
            "pod.yaml",
            (
                "kind: Pod\nspec:\n  containers:\n  - name: a\n    env:\n    - {name: HCCL_BUFFSIZE, value: '1'}\n"
                f"    - name: HCCL_{MARK}BUFFSIZE\n      value: '64'\n"
            ),
            [6, 5],
            "overrides 1 in pod.yaml:6",
        ),
        (
            "Dockerfile",
            f"FROM x\nENV HCCL_BUFFSIZE=1\nENV HCCL_{MARK}BUFFSIZE=2\n",
            [2, 1],
            "overrides 1 in Dockerfile:2",
        ),
        ("a.env", f"HCCL_BUFFSIZE=1\nHCCL_{MARK}BUFFSIZE=2\n", [1, 0], "overrides 1 in a.env:1"),
        ("pre.sh", f"export HCCL_BUFFSIZE=1\nHCCL_{MARK}BUFFSIZE=2 vllm serve m\n", [1, 0], "overrides 1 in pre.sh:1"),
        (
            "mpi.sh",
            f"export HCCL_BUFFSIZE=1\nmpirun -n 8 -x HCCL_{MARK}BUFFSIZE=2 python3 train.py\n",
            [1, 0],
            "overrides 1 in mpi.sh:1",
        ),
    ],
)
async def test_in_each_host(editor: Editor, name: str, text: str, lines: list[int], said: str) -> None:
    folder = editor.folder / f"host-{name}"
    folder.mkdir()
    buffer = await editor.open_file(folder / name, text)
    assert await _definition(buffer) == [(buffer.uri, line) for line in lines]
    assert said in (await buffer.hover_text()).replace("`", "")


async def test_a_listed_file_that_starts_this_one(editor: Editor) -> None:
    folder = editor.folder / "starts"
    folder.mkdir()
    script = folder / "run.sh"
    script.write_text("export HCCL_EXEC_TIMEOUT=200\npython main.py\n", encoding="utf-8")
    (folder / "else.sh").write_text("export HCCL_EXEC_TIMEOUT=300\npython else.py\n", encoding="utf-8")
    buffer = await editor.open_file(folder / "main.py", f'import os\nx = os.environ["HCCL_{MARK}EXEC_TIMEOUT"]\n')
    assert await _definition(buffer) == [(script.as_uri(), 0)]


async def test_a_variable_of_ones_own(editor: Editor) -> None:
    buffer = editor.open(SCRIPT, "own.sh")
    assert await _definition(buffer) == [(buffer.uri, 2)]
    assert [line for _, line, _ in await _references(buffer)] == [1, 2, 3]
    sets, uses = types.DocumentHighlightKind.Write, types.DocumentHighlightKind.Read
    assert await _highlights(buffer) == [("MODE", sets), ("MODE", sets), ("MODE", uses)]


async def test_what_no_setting_is_made_of_is_left_to_others(editor: Editor) -> None:
    buffer = editor.open(f"X=1\necho ${MARK}X\natc --model=a\n", "other.sh")
    assert await _definition(buffer) == []
    assert await _references(buffer) == []
    assert await _highlights(buffer) == []


async def test_the_same_option_in_a_document(editor: Editor) -> None:
    text = f"atc --mod{MARK}el=a --output=b\natc --model=c --output=d\n# --model=e\n"
    buffer = editor.open(text, "twice.sh")
    assert await _highlights(buffer) == [("--model", types.DocumentHighlightKind.Write)] * 2
    buffer.cursor = buffer.text.index("=a")
    assert await _highlights(buffer) == [("--model", types.DocumentHighlightKind.Write)] * 2
    buffer.cursor = buffer.text.index("# --")
    assert await _highlights(buffer) == []


async def test_settings_of_the_workspace_by_name(editor: Editor) -> None:
    folder = editor.folder / "symbols"
    folder.mkdir()
    (folder / "a.sh").write_text("atc --model=a --insert_op_conf=aipp.cfg\n", encoding="utf-8")
    client = editor.client
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("insertOp"))
    assert [(each.name, each.location.uri) for each in found or ()] == [
        ("insert_op_conf = aipp.cfg", (folder / "a.sh").as_uri())
    ]
    assert not await client.workspace_symbol_async(types.WorkspaceSymbolParams("NothingOfThatName"))
