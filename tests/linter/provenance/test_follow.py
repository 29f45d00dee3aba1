"""Which value a variable has at a place, by the settings that give it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npu_lsp.linter.provenance.follow import place, provenance
from npu_lsp.linter.provenance.texts import FileTexts
from npu_lsp.linter.provenance.wording import told

NAME = "HCCL_BUFFSIZE"
MARK = "‸"


def _told(folder: Path, files: dict[str, str], name: str = NAME) -> str:
    """Return what is said at the place that is marked in one of `files`."""
    at, offset = "", 0
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if MARK in text:
            at, offset = path, text.index(MARK)
        (folder / path).write_text(text.replace(MARK, ""), encoding="utf-8")
    texts = FileTexts(os.fspath(folder))
    document = texts.at(os.fspath(folder / at))
    assert document is not None
    return told(provenance(place(document, offset), name, texts), os.fspath(folder), "en")


USE = f"echo ${MARK}HCCL_BUFFSIZE\n"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (f"export HCCL_BUFFSIZE=1\n{USE}", "1, from a.sh:1"),
        (f"export HCCL_BUFFSIZE=1\nexport HCCL_BUFFSIZE=2\n{USE}", "2, from a.sh:2; overrides 1 in a.sh:1"),
        (f"{USE}export HCCL_BUFFSIZE=1\n", ""),
        (f"export HCCL_BUFFSIZE=1\nunset HCCL_BUFFSIZE\n{USE}", "overrides 1 in a.sh:1"),
        (f"export HCCL_BUFFSIZE=1\nif x; then unset HCCL_BUFFSIZE; fi\n{USE}", "1, from a.sh:1; or unset: a branch decides"),
        (f"export HCCL_BUFFSIZE=1\nif x; then export HCCL_BUFFSIZE=2; fi\n{USE}", "1, from a.sh:1; or 2, from a.sh:2: a branch decides"),
        (f"if x; then export HCCL_BUFFSIZE=2\nelse {USE}fi\n", ""),
        (f"if x; then export HCCL_BUFFSIZE=2\n{USE}fi\n", "2, from a.sh:1"),
        (f"( export HCCL_BUFFSIZE=2 )\n{USE}", ""),
        (f"export HCCL_BUFFSIZE=${{HCCL_BUFFSIZE:-3}}\n{USE}", "3, from a.sh:1, where nothing else sets it"),
        (f"export HCCL_BUFFSIZE=1\nexport HCCL_BUFFSIZE=${{HCCL_BUFFSIZE:-3}}\n{USE}", "1, from a.sh:1"),
        (f"export HCCL_BUFFSIZE=1\nHCCL_BUFFSIZE=2 torchrun --nproc_per_node 8 {USE}", "1, from a.sh:1"),
        (f"# source b.sh\necho 'source b.sh'\n{USE}", ""),
        (f"source b.sh\n{USE}", "2, from b.sh:1"),
        (f". ./b.sh\nexport HCCL_BUFFSIZE=1\n{USE}", "1, from a.sh:2; overrides 2 in b.sh:1"),
        (f'D=$(cd "$(dirname "$0")" && pwd)\nsource "$D/b.sh"\n{USE}', "2, from b.sh:1"),
        (f'source "${{BASH_SOURCE%/*}}/b.sh"\n{USE}', "2, from b.sh:1"),
        (f"[ -f b.sh ] && source b.sh\n{USE}", "perhaps 2, from b.sh:1: a branch decides"),
        (f"source ${{ELSE}}/b.sh\n{USE}", "${ELSE}/b.sh may set it, and isn't read (a.sh:1)"),
        (f"source gone.sh\nexport HCCL_BUFFSIZE=1\n{USE}", "1, from a.sh:2"),
        (f"export HCCL_BUFFSIZE=1\nsource gone.sh\n{USE}", "1, from a.sh:1; gone.sh may set it, and isn't read (a.sh:2)"),
        (f"source /usr/local/Ascend/ascend-toolkit/set_env.sh\nsource b.sh\n{USE}", "2, from b.sh:1"),
        (f"source a.sh\nsource b.sh\n{USE}", "2, from b.sh:1"),
        (f"export HCCL_BUFFSIZE=$(x)\n{USE}", "a value that isn't known, from a.sh:1"),
    ],
)  # fmt: skip
def test_in_scripts(tmp_path: Path, script: str, said: str) -> None:
    assert _told(tmp_path, {"a.sh": script, "b.sh": "export HCCL_BUFFSIZE=2\n"}) == said


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ('import os\nos.environ["HCCL_BUFFSIZE"] = "1"\n', "1, from a.py:2"),
        ('import os\nos.environ.setdefault("HCCL_BUFFSIZE", "1")\n', "1, from a.py:2, where nothing else sets it"),
        ('import os\nos.environ["HCCL_BUFFSIZE"] = "1"\ndel os.environ["HCCL_BUFFSIZE"]\n', "overrides 1 in a.py:2"),
        (
            'import os\nif x:\n    os.environ["HCCL_BUFFSIZE"] = "1"\n',
            "perhaps 1, from a.py:3: a branch decides",
        ),
    ],
)
def test_in_python(tmp_path: Path, program: str, said: str) -> None:
    assert _told(tmp_path, {"a.py": f'{program}x = os.environ["{MARK}HCCL_BUFFSIZE"]\n'}) == said


IMAGE = 'FROM a AS one\nENV HCCL_BUFFSIZE=512\nFROM b\nENV HCCL_BUFFSIZE=7\nFROM one\nCOPY a.sh /app\nCMD ["bash", "/app/a.sh"]\n'


def test_from_the_image_on(tmp_path: Path) -> None:
    files = {"Dockerfile": IMAGE, "env.sh": "export HCCL_BUFFSIZE=200\n"}
    assert _told(tmp_path, {**files, "a.sh": USE}) == "512, from Dockerfile:2"
    said = "200, from env.sh:1; overrides 512 in Dockerfile:2"
    assert _told(tmp_path, {**files, "a.sh": f"source env.sh\n{USE}"}) == said
    assert _told(tmp_path, {**files, "a.sh": "source env.sh\npython t.py\n", "t.py": f'import os\nos.environ["{MARK}{NAME}"]\n'}) == said  # fmt: skip


def test_an_image_that_starts_something_else(tmp_path: Path) -> None:
    image = IMAGE.replace("/app/a.sh", "/app/b.sh")
    assert _told(tmp_path, {"Dockerfile": image, "b.sh": "", "a.sh": USE}) == ""


COMPOSE = """\
services:
  other:
    environment:
      HCCL_BUFFSIZE: 9
  npu:
    build: .
    env_file:
      - a.env
    environment:
      - HCCL_BUFFSIZE=5
    command: bash a.sh
"""


def test_in_the_order_of_compose(tmp_path: Path) -> None:
    files = {"Dockerfile": IMAGE, "a.env": "HCCL_BUFFSIZE=1\n", "compose.yaml": COMPOSE, "a.sh": USE}
    said = "5, from compose.yaml:10; overrides 1 in a.env:1; overrides 512 in Dockerfile:2"
    assert _told(tmp_path, files) == said
    asked = COMPOSE.replace("npu:", f"n{MARK}pu:")
    assert _told(tmp_path, {**files, "compose.yaml": asked, "a.sh": ""}) == said
    without = COMPOSE.replace("    environment:\n      - HCCL_BUFFSIZE=5\n", "")
    assert _told(tmp_path, {**files, "compose.yaml": without}) == "1, from a.env:1; overrides 512 in Dockerfile:2"


def test_two_services_that_start_one(tmp_path: Path) -> None:
    two = COMPOSE.replace("HCCL_BUFFSIZE: 9\n", "HCCL_BUFFSIZE: 9\n    command: bash a.sh\n").replace(
        "    build: .\n", ""
    )
    said = _told(tmp_path, {"a.env": "HCCL_BUFFSIZE=1\n", "compose.yaml": two, "a.sh": USE})
    assert said == "perhaps 9, from compose.yaml:4: a branch decides; or 5, from compose.yaml:10: a branch decides"


def test_in_kubernetes(tmp_path: Path) -> None:
    map_ = "kind: ConfigMap\nmetadata:\n  name: npu\ndata:\n  HCCL_BUFFSIZE: '200'\n---\n"
    pod = "kind: Pod\nspec:\n  containers:\n  - name: a\n    image: ascend/x\n    envFrom:\n    - configMapRef:\n        name: npu\n"
    command = f'    command: ["bash", "-c", "vllm {MARK}serve m --max-model-len 5"]\n'
    own = "    env:\n    - name: HCCL_BUFFSIZE\n      value: '300'\n"
    assert _told(tmp_path, {"a.yaml": map_ + pod + command}) == "200, from a.yaml:5"
    assert _told(tmp_path, {"a.yaml": map_ + pod + own + command}) == "300, from a.yaml:16; overrides 200 in a.yaml:5"
    assert "may set it, and isn't read" in _told(tmp_path, {"a.yaml": pod + command})


def test_what_a_command_gives_the_script_that_it_starts(tmp_path: Path) -> None:
    files = {"compose.yaml": "services:\n  a:\n    image: ascend/x\n    command: bash b.sh\n", "a.sh": USE}
    starts = {
        "HCCL_BUFFSIZE=2 bash a.sh": "2, from b.sh:2; overrides 1 in b.sh:1",
        "env HCCL_BUFFSIZE=2 bash a.sh": "2, from b.sh:2; overrides 1 in b.sh:1",
        "HCCL_BUFFSIZE=2 torchrun --nproc_per_node 2 t.py; bash a.sh": "1, from b.sh:1",
        "docker run -e HCCL_BUFFSIZE=2 ascend/x bash a.sh": "2, from b.sh:2",
        "docker run --env-file a.env ascend/x bash a.sh": "3, from a.env:1",
    }
    (tmp_path / "a.env").write_text("HCCL_BUFFSIZE=3\n", encoding="utf-8")
    for command, said in starts.items():
        script = f"export HCCL_BUFFSIZE=1\n{command}\n"
        assert _told(tmp_path, {**files, "b.sh": script}) == said, command


def test_what_a_launch_gets(tmp_path: Path) -> None:
    launch = f"export HCCL_BUFFSIZE=1\nHCCL_BUFFSIZE=2 {MARK}torchrun --nproc_per_node 8 t.py\n"
    assert _told(tmp_path, {"a.sh": launch}) == "2, from a.sh:2; overrides 1 in a.sh:1"
    container = (
        "export HCCL_BUFFSIZE=1\ndocker run --env-file a.env {} ascend/x vllm " + f"{MARK}serve m --max-model-len 5\n"
    )
    env = {"a.env": "HCCL_BUFFSIZE=3\n"}
    assert _told(tmp_path, {**env, "a.sh": container.format("")}) == "3, from a.env:1"
    said = "4, from a.sh:2; overrides 3 in a.env:1"
    assert _told(tmp_path, {**env, "a.sh": container.format("-e HCCL_BUFFSIZE=4")}) == said


def test_nothing_is_read_outside_of_the_tree(tmp_path: Path) -> None:
    (tmp_path / "out.sh").write_text("export HCCL_BUFFSIZE=6\n", encoding="utf-8")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "link.sh").symlink_to(tmp_path / "out.sh")
    (tree / "large.sh").write_text("export HCCL_BUFFSIZE=6\n" + "#\n" * (1 << 18), encoding="utf-8")
    for file in ("../out.sh", "link.sh", "large.sh", os.fspath(tmp_path / "out.sh")):
        assert _told(tree, {"a.sh": f"source {file}\n{USE}"}) == f"{file} may set it, and isn't read (a.sh:1)"


def test_only_so_many_files(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number}.sh").write_text("export HCCL_BUFFSIZE=6\n", encoding="utf-8")
    said = _told(tmp_path, {"a.sh": "".join(f"source {number}.sh\n" for number in range(100)) + USE})
    assert "may set it, and isn't read" in said


def test_files_that_nothing_names_are_not_read(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number}.sh").write_text("export HCCL_BUFFSIZE=6\npython a.py\n", encoding="utf-8")
    (tmp_path / "a.sh").write_text(USE.replace(MARK, ""), encoding="utf-8")
    texts = FileTexts(os.fspath(tmp_path))
    document = texts.at(os.fspath(tmp_path / "a.sh"))
    assert document is not None
    provenance(place(document, 8), NAME, texts)
    assert texts.read == 1
