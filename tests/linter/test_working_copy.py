"""Whoever runs a working copy of a component may set names that no release has."""

from __future__ import annotations

from pathlib import Path

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

_OURS = 'vllm serve m --additional-config \'{"eplb_config": {"ours": 1}}\'\n'
_KEYS = {"vllm-ascend": _OURS, "sglang": "sglang serve --model-path m --our-cache-depth 2\n"}
_CLONE = "git clone -b ours https://github.com/us/sglang.git\n"
_NAMED = "Runs on Ascend NPUs.\n"


def _told(text: str, path: str = "") -> int:
    document = Document(text, kind=Kind.SHELL, path=path)
    return sum(
        "ours" in each.message or "our-" in each.message for each in Analyzer(Config(), all_rules).findings(document)
    )


@together(
    "text",
    [
        "export PYTHONPATH=$PYTHONPATH:/home/u/pr/vllm-ascend/\n",
        'export PYTHONPATH="/home/u/vllm_ascend:$PYTHONPATH"\n',
        'os.environ["PYTHONPATH"] = "/home/u/vllm-ascend"\n',
        "env:\n  PYTHONPATH: /home/u/vllm:/home/u/vLLM-Ascend\n",
    ],
)
def test_a_folder_of_its_name_on_the_path_of_python_is_one(text: str) -> None:
    assert not _told(text + _KEYS["vllm-ascend"])
    assert _told(text + _KEYS["sglang"])


@together(
    "text",
    [
        "# export PYTHONPATH=/home/u/vllm-ascend\n",
        "export PYTHONPATH=/usr/lib/python3.11/site-packages/vllm_ascend\n",
        "export PYTHONPATH=/home/u/vllm-ascend/tools:/home/u/vllm\n",
        "cd /home/u/vllm-ascend && vllm serve m\n",
        "echo $PYTHONPATH /home/u/vllm-ascend\n",
    ],
)
def test_other_folders_are_none(text: str) -> None:
    assert _told(text + _KEYS["vllm-ascend"])


def test_a_fork_that_is_cloned_is_one_and_a_release_none() -> None:
    assert not _told(_CLONE + _KEYS["sglang"])
    assert _told(_CLONE.replace("us/", "sgl-project/") + _KEYS["sglang"])


def test_a_copy_of_vllm_in_the_repository_is_one(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "README.md").write_text(_NAMED + "pip install vllm-ascend==0.9.1\n")
    path = str(tmp_path / "ours" / "examples" / "run.sh")
    key = "vllm serve m --quantization gptq --kv-transfer-config '{\"our-size\": 4}'\n"
    assert _told(key, path)
    (tmp_path / "ours" / "vllm").mkdir(parents=True)
    (tmp_path / "ours" / "vllm" / "envs.py").write_text("\n")
    assert not _told(key, path)


def test_one_that_is_patched_is_one() -> None:
    assert not _told("git apply ours/integration/sglang/patch/0.5.5/adapt.patch\n" + _KEYS["sglang"])
    assert _told("git apply ours/integration/patch/adapt.patch\n" + _KEYS["sglang"])


def test_a_fork_that_is_a_part_of_the_repository_is_one(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "README.md").write_text(_NAMED)
    path = str(tmp_path / "docs" / "run.sh")
    assert _told(_KEYS["sglang"], path)
    for owner in ("us", "sgl-project"):  # A release's own repository stands there at any commit.
        (tmp_path / ".gitmodules").write_text(f"[submodule]\n\turl = https://github.com/{owner}/sglang.git\n")
        assert not _told(_KEYS["sglang"], path)


def test_where_nothing_speaks_of_npus_any_release_may_run(tmp_path: Path) -> None:
    path = str(tmp_path / "run.sh")
    assert _told(_KEYS["sglang"], path)  # In no repository nobody can tell.
    (tmp_path / ".git").mkdir()
    assert _told(_KEYS["sglang"], path)  # Nor where a repository says nothing about itself.
    (tmp_path / "README.md").write_text("# Serving on GPUs\n")
    assert not _told(_KEYS["sglang"], path)
    assert _told("export HCCL_BUFFSIZE=200\n" + _KEYS["sglang"], path)


def test_a_repository_with_a_back_end_of_its_own_is_one(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "README.md").write_text(_NAMED)
    path = str(tmp_path / "scripts" / "run.sh")
    (tmp_path / "setup.py").write_text('entry_points={"sglang.srt.plugins": ["ours = ours:register"]}\n')
    assert not _told(_KEYS["sglang"], path)
    (tmp_path / "setup.py").write_text('entry_points={"vllm.platform_plugins": ["ascend = vllm_ascend:register"]}\n')
    assert _told(_KEYS["sglang"], path)
