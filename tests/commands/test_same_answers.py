"""What is said does not depend on the order that a set happens to have: each process has another one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

_CASES = Path(__file__).parents[1] / "cases"
_LOG = (
    "ValueError: --max-model-len, --tensor-parallel-size, --device and --quantization are invalid; set HCCL_BUFFSIZE, device_id\n"
    "RuntimeError: ASCEND_RT_VISIBLE_DEVICES, precision_mode, enable_graph_mode and --precision_mode don't go together\n"
    "EI0006: Getting socket times out. HCCL_CONNECT_TIMEOUT\n"
)
_NAMED = (
    "import sys; from npu_lsp.catalog.load import load; from npu_lsp.checking.logs.named import named_in; "
    "print(*named_in(load(), sys.stdin.read()))"
)


def _said(seed: int, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "NPU_LSP_NO_CACHE": "1"}
    ran = subprocess.run(
        [sys.executable, *arguments], input=_LOG, capture_output=True, encoding="utf-8", env=environment, check=False
    )
    assert ran.stdout, ran.stderr
    return ran.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", _NAMED),
        ("-m", "npu_lsp", "explain", "-", "--format", "json"),
        ("-m", "npu_lsp", "check", "--exit-zero", "--select", "ALL", "--output-format", "json", os.fspath(_CASES)),
    ],
    ids=["named", "explain", "check"],
)
def test_each_process_says_the_same(arguments: tuple[str, ...]) -> None:
    assert len({_said(seed, *arguments) for seed in (1, 2, 3)}) == 1
