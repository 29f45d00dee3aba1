"""Whoever runs a working copy of a component may set names that no release has."""

from __future__ import annotations

from npu_lsp.linter.names.meant import runs_working_copy
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together


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
    assert runs_working_copy("vllm-ascend", Document(text, kind=Kind.SHELL))
    assert not runs_working_copy("sglang", Document(text, kind=Kind.SHELL))


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
    assert not runs_working_copy("vllm-ascend", Document(text, kind=Kind.SHELL))
