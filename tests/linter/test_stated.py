"""The versions that a text names itself, and what follows from them."""

from __future__ import annotations

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.versions.stated import stated
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

REMOVED_IN_8_3 = "ENV ASDOPS_LOG_LEVEL=ERROR\n"


def _said(text: str, path: str = "", *, kind: Kind = Kind.DOCKERFILE) -> list[tuple[str, str, str]]:
    found = stated(Document(text, kind=kind, path=path))
    return sorted((each.component, str(each.oldest), str(each.newest)) for each in found)


@together(
    ("text", "version"),
    [
        ("FROM quay.io/ascend/cann:8.0.rc1-910b-ubuntu22.04-py3.10\n", "8.0.rc1"),
        ("FROM ascendai/cann:8.0.0-910b\n", "8.0.0"),
        ("FROM lmsysorg/sglang:main-cann8.2.rc1-a3\n", "8.2.rc1"),
        ("source /usr/local/Ascend/ascend-toolkit/8.0.0/set_env.sh\n", "8.0.0"),
        ("source /usr/local/Ascend/ascend-toolkit/8.0.RC3.10/set_env.sh\n", "8.0.RC3.10"),
        ("source /usr/local/Ascend/cann-8.5.0/set_env.sh\n", "8.5.0"),
        ("source /usr/local/Ascend/nnae/7.0.0/set_env.sh\n", "7.0.0"),
        ("./Ascend-cann-toolkit_8.0.RC2_linux-aarch64.run --install\n", "8.0.RC2"),
        ("./Ascend-cann-kernels-910b_8.0.0_linux-x86_64.run\n", "8.0.0"),
        ("./Ascend-cann-nnal_8.1.RC1_linux-x86_64.run\n", "8.1.RC1"),
        ("ARG CANN_VERSION=8.2.rc1\n", "8.2.rc1"),
        ('CANN_VERSION="${CANN:-8.0.0}"\n', "8.0.0"),
        ("  cann-version: '8.0'\n", "8.0"),
        ('"cann_version": "8.1.RC1",\n', "8.1.RC1"),
        ("ARG CANN_VERSION=20.1.0\n", "20.1.0"),
    ],
)
def test_what_names_a_version_is_understood(text: str, version: str) -> None:
    """An image, a path, a package and an argument each name one."""
    assert _said(text) == [("cann", version, version)]


def test_a_line_that_is_commented_out_names_none() -> None:
    assert _said('# pip install "sglang==0.5.6"\n#FROM ascendai/cann:8.0.0-910b\n', kind=Kind.SHELL) == []
    assert _said("# CANN 8.0.0\n", kind=Kind.SHELL) == [("cann", "8.0.0", "None")]


def test_an_image_names_what_it_holds() -> None:
    text = "FROM quay.io/ascend/sglang:v0.5.7-cann8.3.rc1-a3\n"
    assert _said(text) == [("cann", "8.3.rc1", "8.3.rc1"), ("sglang", "0.5.7", "0.5.7")]


@together(
    ("text", "component", "version"),
    [
        ("FROM quay.io/ascend/vllm-ascend:v0.9.1rc1-a3\n", "vllm-ascend", "0.9.1rc1"),
        ("pip install vllm-ascend==0.11.0\n", "vllm-ascend", "0.11.0"),
        ("FROM swr.cn-south-1.myhuaweicloud.com/ascendhub/mindie:2.0.RC2-800I-A2-py311\n", "mindie", "2.0.RC2"),
        ("./Ascend-mindie_1.0.RC2_linux-aarch64.run --install\n", "mindie", "1.0.RC2"),
        ("FROM mindie-all:1.0.RC1-800I-A2-aarch64\n", "mindie", "1.0.RC1"),
        ("pip install torch-npu==2.5.1.post1\n", "torch-npu", "2.5.1.post1"),
        ("FROM lmsysorg/sglang:v0.5.6-npu\n", "sglang", "0.5.6"),
        ("pip install 'sglang[srt_npu]==0.5.4.post1'\n", "sglang", "0.5.4.post1"),
        ("pip install mooncake-transfer-engine==0.3.8\n", "mooncake", "0.3.8"),
        ('ARG MOONCAKE_TAG="v0.3.9"\n', "mooncake", "0.3.9"),
        ("pip install torch_npu-2.1.0.post8-cp310-cp310-linux_aarch64.whl\n", "torch-npu", "2.1.0.post8"),
    ],
)
def test_other_components_are_named_in_the_same_ways(text: str, component: str, version: str) -> None:
    """Their images, packages and requirements."""
    assert _said(text) == [(component, version, version)]


@together(
    "text",
    [
        "FROM ascend/cann:latest\n",
        "FROM mindxsdk:6.0.RC2-800I-A2-py311\n",
        "FROM ascend-pytorch:24.0.RC1-A2\n",
        "if [ $CANN_VERSION = 8.0 ]; then\n",
        'if [ "${CANN_VERSION}" = "8.0" ]; then\n',
        "pip install torch==2.5.1\n",
        "pip install 'torch-npu>=2.5.1'\n",
        "scanner 8.0\n",
        "CANN 1.2\n",
        "export PYTHONPATH=/usr/local/Ascend/CANN-7.7/toolkit/python/site-packages\n",
    ],
)
def test_what_names_another_thing_or_compares_is_no_statement(text: str) -> None:
    """A tag of another image, a comparison, a lower bound."""
    assert _said(text) == []


def test_prose_may_speak_of_other_versions_and_bounds_nothing_from_above() -> None:
    """So that nothing is told to be too new for what a text merely mentions."""
    assert _said("Tested with CANN 8.0.RC2.\n") == [("cann", "8.0.RC2", "None")]
    assert _said("| CANN | 8.0.RC2 |\n") == [("cann", "8.0.RC2", "None")]
    assert _said("CANN版本：8.0.RC2\n") == [("cann", "8.0.RC2", "None")]


@together(
    "text",
    [
        "`GLM-5` is first supported in `vllm-ascend:v0.17.0`.\n",
        "Use **quay.io/ascend/vllm-ascend:v0.17.0** or later.\n",
        "使用 vllm-ascend:v0.17.0-a3 及以上版本\n",
        "image: quay.io/ascend/vllm-ascend:v0.17.0  and newer\n",
        "export VLLM_VERSION=0.17.0\n",
        "ENV VLLM_VERSION=0.17.0\n",
    ],
)
def test_the_first_of_many_and_what_is_spoken_of_bound_nothing_from_above(text: str) -> None:
    """`VLLM_VERSION` is what vLLM-Ascend takes vLLM for: several of its own run on one."""
    assert _said(text) == [("vllm-ascend", "0.17.0", "None")]
    command = "vllm serve m --additional-config '{\"enable_fused_mc2\": true}'\n"
    assert "NPU401" not in _codes(text + "```sh\n" + command + "```\n", "/a.md", kind=Kind.MARKDOWN)


def test_several_versions_are_a_range() -> None:
    """What the oldest still has is not gone, and what the newest has is not missing."""
    assert _said("FROM cann:8.0.0 AS a\nFROM cann:8.3.rc1 AS b\n") == [("cann", "8.0.0", "8.3.rc1")]


def test_the_folder_of_a_file_names_its_version() -> None:
    """As in repositories of images."""
    assert _said("FROM x\n", "/home/me/cann/8.2.rc1-910b-ubuntu22.04-py3.11/Dockerfile") == [
        ("cann", "8.2.rc1", "8.2.rc1")
    ]
    assert _said("FROM x\n", "/cann-8.0/a/b/c/Dockerfile") == []
    assert _said("FROM x\n", "/a/2.0.0-a3/Dockerfile") == []


@pytest.mark.parametrize("path", ["/docs/mindie-1.0.RC2.md", "/a/mindie-1.0.rc2-llm-server.sh", "/mindie/1.0.RC2/a.md"])
def test_the_name_of_a_file_names_its_version(path: str) -> None:
    """As in notes that somebody keeps for each release."""
    assert [(name, old.upper()) for name, old, _ in _said("x\n", path)] == [("mindie", "1.0.RC2")]
    assert _codes("MIES_PYTHON_LOG_TO_STDOUT=1 ./run\n", path, kind=Kind.SHELL) == []


def test_the_name_of_a_file_names_its_product() -> None:
    """Of an image in it; a text that names one itself, and a name with several, leave it alone."""
    image = "FROM quay.io/ascend/cann:9.0.0-910b-ubuntu22.04-py3.11\n"
    assert _codes(image, "/a/Dockerfile.a3") == ["NPU243"]
    assert _codes(image, "/a/Dockerfile_910b.openEuler") == []
    assert _codes(image, "/a/Dockerfile_a2_a3") == []
    assert _codes("# Ascend910B1\n" + image, "/a/Dockerfile.a3") == []


def _codes(text: str, path: str = "", *, config: Config | None = None, kind: Kind = Kind.DOCKERFILE) -> list[str]:
    analyzer = Analyzer(config or Config(), all_rules)
    return [finding.code for finding in analyzer.findings(Document(text, kind=kind, path=path))]


def test_a_variable_that_the_named_version_reads_is_not_told_as_removed() -> None:
    """Whatever names it, and only where no newer one is configured."""
    assert _codes(REMOVED_IN_8_3) == ["NPU302"]
    assert _codes("FROM ascend/cann:8.0.0-910b\n" + REMOVED_IN_8_3) == []
    assert _codes(REMOVED_IN_8_3, "/x/8.2.rc1-910b-openeuler/Dockerfile") == []
    assert _codes("FROM ascend/cann:8.3.rc1\n" + REMOVED_IN_8_3) == ["NPU302"]
    newer = Config(target=TargetConfig({"cann": "8.5"}))
    assert _codes("FROM ascend/cann:8.0.0-910b\n" + REMOVED_IN_8_3, config=newer) == ["NPU302"]


def test_a_version_for_another_component_says_nothing() -> None:
    """A variable of the toolkit goes by CANN's."""
    assert _codes("FROM ascend/vllm-ascend:v0.9.1\n" + REMOVED_IN_8_3) == ["NPU302"]


def test_an_option_that_the_named_version_has_not_yet_is_told() -> None:
    """An image decides; prose doesn't."""
    command = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --precision_mode_v2=fp16\n"
    path = "source /usr/local/Ascend/ascend-toolkit/6.0.0/set_env.sh\n"
    analyzer = Analyzer(Config(), all_rules)
    found = analyzer.findings(Document(path + command, kind=Kind.SHELL))
    assert [finding.code for finding in found] == ["NPU401"]
    assert "this file names 6.0.0" in found[0].message
    assert _codes("# CANN 6.0.0\n" + command, kind=Kind.SHELL) == []
    assert _codes(path + path.replace("6.0.0", "7.0.0") + command, kind=Kind.SHELL) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("export SLOG_PRINT_TO_STDOUT=1 && export PATH=$PATH:${DDK_HOME}/uihost/bin\n", []),
        ("source /usr/local/HiAI/env.sh\nexport SLOG_PRINT_TO_STDOUT=1\n", []),
        ("export SLOG_PRINT_TO_STDOUT=1\n", ["NPU302"]),
    ],
)
def test_a_script_for_the_ddk_is_older_than_cann(text: str, said: list[str]) -> None:
    analyzer = Analyzer(Config(), all_rules)
    assert [f.code for f in analyzer.findings(Document(text, kind=Kind.SHELL)) if f.code == "NPU302"] == said
