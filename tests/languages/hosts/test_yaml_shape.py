"""A mapping is an environment by its shape and its names, whatever it is called, and nothing else is."""

from __future__ import annotations

import pytest

from npu_lsp.languages import read
from npu_lsp.languages.model import FactKind
from npu_lsp.languages.writers import writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.hosts.found import UNKNOWN, find, reading, rows
from tests.together import together


def names(text: str) -> list[str]:
    return [s.name for block in read(Document(text, kind=Kind.YAML)).blocks for s in block.settings]


@together(
    "text",
    [
        "envs:\n  HCCL_BUFFSIZE: 1024\n  SERVER_PORT: 8000\n",
        "env_common: &common\n  HCCL_BUFFSIZE: '1024'\n\n  # why\n  SERVER_PORT: 8000\n",
        "cases:\n  - name: a\n    env_prefill:\n      <<: *common\n      HCCL_BUFFSIZE: 1024\n",
        'runtime_env:\n  env_vars:\n    HCCL_BUFFSIZE: "1024"\n',
        "extraEnv: # Helm\n  HCCL_BUFFSIZE: 1024\n",
        "extraEnv:\n  - name: HCCL_BUFFSIZE\n    value: '1024'\n  - name: SERVER_PORT\n    value: 8000\n",
        "extraEnv:\n- name: HCCL_BUFFSIZE\n  value: '1024'\nother: 1\n",
        "_envs:\n  - HCCL_BUFFSIZE=1024\n  - SERVER_PORT=8000\n",
        "env_prefill: {HCCL_BUFFSIZE: 1024, SERVER_PORT: 8000}\n",
        "a: {env_vars: {HCCL_BUFFSIZE: '1024'}}\n",
        "# Ray's\nHCCL_BUFFSIZE: 1024\nSERVER_PORT: 8000\n",
        "- HCCL_BUFFSIZE=1024\n",
        "_envs: [HCCL_BUFFSIZE=1024, SERVER_PORT=8000]\n",
        "envs:\n  HCCL_BUFFSIZE: 1024\n  VLLM-ASCEND_ENABLE_NZ: 1\n  http_proxy: x\n",
        "envs:\n  HCCL_BUFFSIZE: 1024\n  GLOG_v: 3\n",
        "data:\n  run.sh: |\n    export HCCL_BUFFSIZE=1024\n",
        "data:\n  start: |\n    #!/bin/bash\n    export HCCL_BUFFSIZE=1024\n",
        "job:\n  task: |\n    set -e\n    export HCCL_BUFFSIZE=1024\n",
        'data:\n  run.py: |\n    import os\n    os.environ["HCCL_BUFFSIZE"] = "1024"\n',
    ],
)
def test_any_name_will_do(text: str) -> None:
    assert "HCCL_BUFFSIZE" in names(text)


@together(
    "text",
    [
        "checks:\n  HCCL_BUFFSIZE:\n    expected: 1\n",
        "env:\n  HCCL_BUFFSIZE:\n    expected:\n      type: eq\n      value: '1024'\n",
        "docs:\n  HCCL_BUFFSIZE: {type: int}\n",
        "docs:\n  HCCL_BUFFSIZE: |\n    The size of the buffers.\n",
        "docs:\n  HCCL_BUFFSIZE: 1024\n  title: buffers\n",
        "docs:\n  - HCCL_BUFFSIZE: 1024\n",
        "docs:\n  SERVER_PORT: 8000\n",
        "docs:\n  - name: HCCL_BUFFSIZE\n    text: the size\n",
        "docs:\n  - name: HCCL_BUFFSIZE\n    value: '1'\n    default: '2'\n",
        "docs:\n  - name: Sizes\n    value: HCCL_BUFFSIZE\n",
        "docs:\n  - HCCL_BUFFSIZE=1024\n  - a sentence\n",
        "docs: {HCCL_BUFFSIZE: 1024, title: buffers}\n",
        "docs: [HCCL_BUFFSIZE, SERVER_PORT]\n",
        "docs:\n  text: |\n    Set HCCL_BUFFSIZE=1024 where it is too small.\n",
        'docs:\n  run.json: |\n    {"x": "HCCL_BUFFSIZE=1024"}\n',
    ],
)
def test_another_shape_is_none(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize("name", ["GLOG_v", "GLOG_log_dir", "MS_SUBMODULE_LOG_v"])
def test_names_that_end_in_small_letters(name: str) -> None:
    assert name in names(f"envs:\n  SERVER_PORT: 8000\n  {name}: 3\n")


def test_a_variable_that_is_taken_from_elsewhere() -> None:
    text = (
        "env:\n- name: HCCL_A\n  valueFrom:\n    fieldRef:\n      fieldPath: status.podIP\n"
        "- name: HCCL_B\n  value: '1'\n"
    )
    assert rows(text, Kind.YAML) == [[("HCCL_A", UNKNOWN), ("HCCL_B", "1")]]
    document = Document(text, kind=Kind.YAML)
    setting = find(document, "HCCL_A")[1]
    left = apply_edits(text, writer_for(setting).remove(document, [setting]))
    assert left == "env:\n- name: HCCL_B\n  value: '1'\n"


@pytest.mark.parametrize("key", ["args", "backend_parameters"])
@pytest.mark.parametrize("quote", ["'", '"'])
def test_json_of_one_word_needs_no_quotes_of_a_shell(key: str, quote: str) -> None:
    config = '{"enable_cpu_binding": true}'
    said = f"--additional-config={config}"
    item = f"'{said}'" if quote == "'" else '"' + said.replace('"', '\\"') + '"'
    found = reading(f"{key}:\n  - --port=1\n  - {item}\n", Kind.YAML)
    names = [setting.name for block in found.blocks for setting in block.settings]
    assert names == ["additional-config", "enable_cpu_binding"]
    assert found.syntax == ()


def test_a_name_that_is_being_typed_leaves_the_others_what_they_are() -> None:
    assert rows("common:\n  HCCL_OP_\n  HCCL_A: '1'\n", Kind.YAML) == [[("HCCL_A", "1")]]
    assert rows("common:\n  a text of words\n  HCCL_A: '1'\n", Kind.YAML) == []


def test_a_page_has_its_scripts_in_fences() -> None:
    page = "content: |-\n  It's `HCCL_A=1` that counts.\n\n  ```bash\n  export HCCL_B=2\n  ```\n\n  Don't.\n"
    assert rows(page, Kind.YAML) == [[("HCCL_B", "2")]]


def test_arguments_of_a_test_are_words_of_a_command() -> None:
    """vLLM-Ascend's tests list them; as a text they are cut into words, whatever its lines."""
    text = "server_cmd:\n  - - '--a'\n  - -compilation-config\n  - '{\"mode\": 3}'\n  - '--additional-config '\n  - '{\"refresh\": true}'\n"
    (block,) = (block for block in reading(text, Kind.YAML).blocks if block.command is not None)
    assert [setting.name for setting in block.settings] == ["-compilation-config"]
    assert block.open
    assert [fact.kind for fact in block.facts] == [FactKind.GLUED_WORD]
    assert reading("server_cmd: >\n  vllm serve m\n    --port 8000\n    --seed 1\n", Kind.YAML).syntax == ()


@pytest.mark.parametrize("key", ["_server_cmd: &server_cmd", "server_cmd_extra:", "server_cmd_template:"])
def test_flags_that_a_test_lists_without_their_program_are_of_vllm(key: str) -> None:
    items = (
        "--max-model-len",
        "4096",
        "--no-enable-perfix-caching",
        "--reasoning-parser",
        "a'b",
        "--port",
        "$PORT",
        "--seed",
        "1",
    )
    listed = "".join(f'  - "{item}"\n' for item in items)
    (block,) = (block for block in reading(f"{key}\n{listed}", Kind.YAML).blocks if block.command is not None)
    assert block.open
    said = {setting.name: setting.value.data for setting in block.settings}
    assert said["reasoning-parser"] == "a'b"
    assert "no-enable-perfix-caching" in said
    assert not next(setting for setting in block.settings if setting.name == "port").value.known


def test_flags_of_another_program_are_not() -> None:
    text = "server_cmd_extra:\n  - --model-path\n  - m\n  - --mem-fraction-static\n  - '0.8'\n  - --seed\n  - '1'\n"
    assert not any(block.settings for block in reading(text, Kind.YAML).blocks)
