"""HiSilicon's media chips have an ATC of their own, whose flags and files are others; TensorFlow has other optimizers."""

from __future__ import annotations

import pytest

from npu_lsp.languages.detection import detect
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

COMMAND = "atc --framework=5 --model=a.onnx --output=b --input_type=x:FP32 {}\n"


def codes(text: str, kind: Kind = Kind.SHELL) -> list[str]:
    return [finding.code for finding in Analyzer(Config(), all_rules).findings(Document(text, kind=kind))]


@together(
    "flags",
    [
        "--soc_version=SS928V100",
        "--soc_version=OPTG --release=0",
        "--soc_version=Hi3403V100 --compile_mode=6",
        "--soc_version=Hi3516CV610",
        "--image_list=c",
    ],
)
def test_a_command_of_it_is_left_alone(flags: str) -> None:
    assert codes(COMMAND.format(flags)) == []


@together(
    ("flags", "said"),
    [
        ("--soc_version=Ascend310P3", ["NPU101"]),
        ("--soc_version=Ascend310P3 --image_list=c", ["NPU101", "NPU101"]),
        ("--soc_version=Hi3796CV300CS", ["NPU101"]),
        ("--soc_version=$SOC", ["NPU101"]),
    ],
)
def test_ours_is_not(flags: str, said: list[str]) -> None:
    assert codes(COMMAND.format(flags)) == said


def test_its_aipp_files_are_left_alone() -> None:
    fields = "aipp_op {{\n  input_format : RGB_PLANAR\n{}  mean_chn_0 : 123.675\n}}\n"
    assert codes(fields.format("  model_format : RGB\n"), Kind.AIPP) == []
    assert "NPU104" in codes(fields.format(""), Kind.AIPP)


@pytest.mark.parametrize(("name", "said"), [("TensorRTOptimizer", []), ("NPUOptimizer", ["NPU501", "NPU101"])])
def test_another_optimizer_that_has_an_option_of_the_same_name_is_left_alone(name: str, said: list[str]) -> None:
    text = f"""\
optimizer = config.custom_optimizers.add()
optimizer.name = "{name}"
optimizer.parameter_map["minimum_segment_size"].i = 3
optimizer.parameter_map["precision_mode"].s = mode
"""
    assert codes(text, Kind.PYTHON) == said


EVERYBODYS = """\
export DEVICE_ID=emulator-5554
export KINETO_USE_DAEMON=1
export GLOBAL_LOG_LEVEL=DEBUG
export PYTORCH_ALLOC_CONF=max_split_size_mb:10
export TORCHINDUCTOR_COMPILE_THREADS=auto
export RANK_ID=a
"""


@together(
    ("text", "path"),
    [
        (f"# in ascending order; cannot be an input\n{EVERYBODYS}python train.py\n", "run.sh"),
        ("FROM ghcr.io/open-webui/open-webui\nENV GLOBAL_LOG_LEVEL=DEBUG\n", "Dockerfile"),
        ("export GLOBAL_LOGLEVEL=DEBUG KINETO_USE_DEAMON=1\n", "run.sh"),
        ("export RANK_ID=a\nvllm serve a --tensor-parallel-size 2\n", "run.sh"),
        ("export DEVICE_ID=emulator-5554\n", "/home/ascend/app/src/main/run.sh"),
    ],
)
def test_a_name_that_others_use_too_is_theirs_where_nothing_tells_of_npus(text: str, path: str) -> None:
    assert said(text, path) == []


@together(
    ("text", "path"),
    [
        (f"export HCCL_BUFFSIZE=200\n{EVERYBODYS}", "run.sh"),
        (f"{EVERYBODYS}python train.py --device npu:0\n", "run.sh"),
        (f"{EVERYBODYS}python -c 'import torch_npu'\n", "run.sh"),
        (f"source /usr/local/Ascend/nnae/set_env.sh\n{EVERYBODYS}", "run.sh"),
        (f"{EVERYBODYS}atc --framework=5\n", "run.sh"),
        (f"# 昇腾\n{EVERYBODYS}", "run.sh"),
        (f"{EVERYBODYS}", "scripts/run_npu.sh"),
        (f"{EVERYBODYS}", "npu/run.sh"),
    ],
)
def test_and_ours_where_something_does(text: str, path: str) -> None:
    assert {"DEVICE_ID", "KINETO_USE_DAEMON", "GLOBAL_LOG_LEVEL", "PYTORCH_ALLOC_CONF"} <= set(said(text, path))


def said(text: str, path: str) -> list[str | None]:
    found = Analyzer(Config(), all_rules).findings(Document(text, path=path, kind=detect(path, text)))
    return [finding.option for finding in found]
