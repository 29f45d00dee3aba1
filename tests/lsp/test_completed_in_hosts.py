"""What editors list in files of other languages: names while they are typed, values, and the keys inside of values."""

from __future__ import annotations

import pytest

from tests.lsp.editor import MARK, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

_NAMES = {
    ".env": (f"HCCL_OP_EXP{MARK}\n", "HCCL_OP_EXPANSION_MODE="),
    "compose.yaml": (f"services:\n  a:\n    environment:\n      HCCL_OP_EXP{MARK}\n", "HCCL_OP_EXPANSION_MODE: "),
    "docker-compose.yml": (
        f"services:\n  a:\n    environment:\n      - HCCL_OP_EXP{MARK}\n",
        "HCCL_OP_EXPANSION_MODE=",
    ),
    "pod.yaml": (f"    env:\n      - name: HCCL_OP_EXP{MARK}\n", "HCCL_OP_EXPANSION_MODE"),
    "launch.json": ('{"configurations": [{"env": {"HCCL_OP_EXP' + MARK + '"}}]}\n', 'HCCL_OP_EXPANSION_MODE"'),
    "tox.ini": (f"[testenv]\nsetenv =\n    HCCL_OP_EXP{MARK}\n", "HCCL_OP_EXPANSION_MODE="),
    "Makefile": (f"export HCCL_OP_EXP{MARK}\n", "HCCL_OP_EXPANSION_MODE := "),
    "Dockerfile": (f"FROM x\nENV HCCL_OP_EXP{MARK}\n", "HCCL_OP_EXPANSION_MODE="),
    "run.sh": (f"docker run -e HCCL_OP_EXP{MARK} image\n", "-e HCCL_OP_EXPANSION_MODE="),
    "start.py": (
        f'import os, subprocess\nenv = os.environ.copy()\nenv["HCCL_OP_EXP{MARK}"]\nsubprocess.run("x", env=env)\n',
        'env["HCCL_OP_EXPANSION_MODE"]',
    ),
}


@pytest.mark.parametrize("name", _NAMES)
async def test_names(editor: Editor, name: str) -> None:
    text, written = _NAMES[name]
    buffer = editor.open(text, name, _language(name))
    assert "HCCL_OP_EXPANSION_MODE" in await buffer.labels()
    assert written in (await buffer.accept("HCCL_OP_EXPANSION_MODE")).replace(MARK, "")


async def test_values(editor: Editor) -> None:
    for name, text in (
        (".env", "HCCL_OP_EXPANSION_MODE={}\n"),
        ("compose.yaml", "services:\n  a:\n    environment:\n      HCCL_OP_EXPANSION_MODE: {}\n"),
        ("pod.yaml", "env:\n- name: HCCL_OP_EXPANSION_MODE\n  value: {}\n"),
        ("pod.yaml", 'env:\n- name: HCCL_OP_EXPANSION_MODE\n  value: "{}"\n'),
        ("launch.json", '{{"env": {{"HCCL_OP_EXPANSION_MODE": "{}"}}}}\n'),
    ):
        for typed in ("", "A"):
            buffer = editor.open(text.format(typed + MARK), name, _language(name))
            assert {"AIV", "AI_CPU"} <= set(await buffer.labels()), (name, typed)


_HOSTS = (
    ("a.sh", "export PYTORCH_NPU_ALLOC_CONF={}\n"),
    ("a.sh", 'export PYTORCH_NPU_ALLOC_CONF="{}"\n'),
    ("a.py", 'import os\nos.environ["PYTORCH_NPU_ALLOC_CONF"] = "{}"\n'),
    (".env", "PYTORCH_NPU_ALLOC_CONF={}\n"),
    ("compose.yaml", "services:\n  a:\n    environment:\n      PYTORCH_NPU_ALLOC_CONF: {}\n"),
    ("Dockerfile", "FROM x\nENV PYTORCH_NPU_ALLOC_CONF={}\n"),
)


@pytest.mark.parametrize(("name", "text"), _HOSTS)
async def test_keys_of_a_value_and_their_values(editor: Editor, name: str, text: str) -> None:
    async def listed(typed: str) -> list[str]:
        return await editor.open(text.format(typed), name, _language(name)).labels()

    keys = await listed(MARK)
    assert {"expandable_segments", "max_split_size_mb"} <= set(keys)
    assert "expandable_segments:True" not in keys
    assert "expandable_segments" in await listed(f"exp{MARK}")
    assert await listed(f"expandable_segments:{MARK}") == ["True", "False"]
    assert await listed(f"expandable_segments:T{MARK}") == ["True", "False"]
    assert await listed(f"page_size:{MARK},expandable_segments:True") == ["1g"]
    behind = await listed(f"expandable_segments:True,{MARK}")
    assert behind[0] != "expandable_segments" == behind[-1]


async def test_keys_of_a_value_are_written_with_their_sign(editor: Editor) -> None:
    buffer = editor.open(f"export PYTORCH_NPU_ALLOC_CONF=page_size:1g,exp{MARK}\n", "a.sh")
    written = await buffer.accept("expandable_segments")
    assert written == f"export PYTORCH_NPU_ALLOC_CONF=page_size:1g,expandable_segments:{MARK}\n"
    buffer = editor.open(f"export PYTORCH_NPU_ALLOC_CONF=expandable_segments:{MARK}False,page_size:1g\n", "a.sh")
    written = await buffer.accept("True")
    assert written.replace(MARK, "") == "export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True,page_size:1g\n"


def _language(name: str) -> str:
    suffix = name.rpartition(".")[2]
    known = {"yaml": "yaml", "yml": "dockercompose", "json": "json", "ini": "ini", "env": "dotenv"}
    return known.get(suffix, {"Makefile": "makefile", "Dockerfile": "dockerfile"}.get(name, ""))


async def test_flags_of_other_libraries_that_a_trainer_takes(editor: Editor) -> None:
    """Thousands of them are listed as soon as two letters choose among them."""
    for command, few, typed, listed in (
        ("torchrun pretrain_gpt.py --use-fused-rmsnorm --", "", "moe-", "--moe-permute-fusion"),
        ("swift sft --", "", "lora", "--lora_target_modules"),
        ("llamafactory-cli train --", "l", "lora", "--lora_rank"),
        ("python -m verl.trainer.main_ppo trainer.device=npu ", "", "trainer.tot", "trainer.total_epochs"),
    ):
        assert listed not in await editor.open(f"{command}{few}{MARK}\n", "a.sh").labels()
        assert listed in await editor.open(f"{command}{typed}{MARK}\n", "a.sh").labels()
