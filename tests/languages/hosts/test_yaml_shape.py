"""A mapping is an environment by its shape and its names, whatever it is called, and nothing else is."""

from __future__ import annotations

import pytest

from npu_lsp.languages import read
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind


def names(text: str) -> list[str]:
    return [s.name for block in read(Document(text, kind=Kind.YAML)).blocks for s in block.settings]


@pytest.mark.parametrize(
    "text",
    [
        "envs:\n  HCCL_BUFFSIZE: 1024\n  SERVER_PORT: 8000\n",
        "env_common: &common\n  HCCL_BUFFSIZE: '1024'\n\n  # why\n  SERVER_PORT: 8000\n",
        "cases:\n  - name: a\n    env_prefill:\n      <<: *common\n      HCCL_BUFFSIZE: 1024\n",
        'runtime_env:\n  env_vars:\n    HCCL_BUFFSIZE: "1024"\n',
        "extraEnv: # Helm\n  HCCL_BUFFSIZE: 1024\n",
    ],
)
def test_any_name_will_do(text: str) -> None:
    assert "HCCL_BUFFSIZE" in names(text)


@pytest.mark.parametrize(
    "text",
    [
        "checks:\n  HCCL_BUFFSIZE:\n    expected: 1\n",
        "env:\n  HCCL_BUFFSIZE:\n    expected:\n      type: eq\n      value: '1024'\n",
        "docs:\n  HCCL_BUFFSIZE: {type: int}\n",
        "docs:\n  HCCL_BUFFSIZE: |\n    The size of the buffers.\n",
        "docs:\n  HCCL_BUFFSIZE: 1024\n  title: buffers\n",
        "docs:\n  - HCCL_BUFFSIZE: 1024\n",
        "docs:\n  SERVER_PORT: 8000\n",
    ],
)
def test_another_shape_is_none(text: str) -> None:
    assert names(text) == []
