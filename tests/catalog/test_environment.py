"""The versions of the packages in an environment that is activated."""

from __future__ import annotations

from pathlib import Path

from npu_lsp.catalog import environment
from npu_lsp.linter.configuration import TargetConfig
from tests.checking.command import npu_lsp


def _made(prefix: Path, *names: str, below: str = "lib/python3.11/site-packages") -> Path:
    for name in names:
        (prefix / below / name).mkdir(parents=True)
    return prefix


def test_packages_tell_their_versions(tmp_path: Path) -> None:
    names = (
        "torch_npu-2.7.1.post2.dist-info",
        "vllm-ascend-0.11.0rc1+g1234.dist-info",
        "numpy-2.0.dist-info",
        "torch_npu",
    )
    prefix = _made(tmp_path, *names, "mindspore-x.dist-info", "mooncake.transfer-engine-0.3.8.egg-info")
    assert environment.find({"VIRTUAL_ENV": str(prefix)}) == {
        "torch-npu": "2.7.1.post2",
        "vllm-ascend": "0.11.0rc1",
        "mooncake": "0.3.8",
    }


def test_the_inner_environment_counts(tmp_path: Path) -> None:
    inner = _made(tmp_path / "inner", "sglang-0.5.6.dist-info", below="Lib/site-packages")
    outer = _made(tmp_path / "outer", "sglang-0.5.1.dist-info")
    both = {"VIRTUAL_ENV": str(inner), "CONDA_PREFIX": str(outer)}
    assert environment.find(both) == {"sglang": "0.5.6"}
    assert environment.find({"CONDA_PREFIX": str(outer)}) == {"sglang": "0.5.1"}
    for nothing in ({}, {"VIRTUAL_ENV": "relative"}, {"VIRTUAL_ENV": str(tmp_path / "none")}):
        assert environment.find(nothing) == {}


def test_the_configuration_goes_before_what_is_installed() -> None:
    target = TargetConfig({"sglang": "0.5.1"}).resolved(None, {"sglang": "0.5.6", "torch-npu": "2.7.1"})
    assert sorted((name, str(version)) for name, version in target.versions) == [
        ("sglang", "0.5.1"),
        ("torch-npu", "2.7.1"),
    ]


def test_a_check_asks_the_environment(tmp_path: Path) -> None:
    prefix = _made(tmp_path / "env", "vllm_ascend-0.11.0.dist-info")
    (tmp_path / "a.sh").write_text("export VLLM_ASCEND_BALANCE_SCHEDULING=1\npython x.py\n", encoding="utf-8")
    for at, found in ((prefix, 1), (tmp_path, 0)):
        ran = npu_lsp("check", "--isolated", "--format", "json", "a.sh", cwd=tmp_path, env={"VIRTUAL_ENV": str(at)})
        told = [each["message"] for each in ran.findings if "0.13.0rc1" in each["message"]]
        assert len(told) == found
