"""The versions that a repository requires count for its files where nobody says another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.required import required
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind


def told(folder: Path, root: Path | None = None) -> dict[str, tuple[str, str | None]]:
    found = required(str(folder / "run.sh"), root)
    return {each.component: (str(each.oldest), str(each.newest) if each.newest else None) for each in found}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("requirements.txt", "torch-npu==2.5.1\n", ("2.5.1", "2.5.1")),
        ("requirements.txt", "torch_npu == 2.5.1.post1 ; python_version < '3.12'\n", ("2.5.1.post1", "2.5.1.post1")),
        ("requirements.txt", "torch-npu>=2.5.1\n", ("2.5.1", None)),
        ("requirements.txt", "torch-npu[x]~=2.5\ntorch-npu==2.7.1\n", ("2.5", "2.7.1")),
        ("requirements-npu.txt", "# torch-npu==2.1.0\ntorch-npu==2.5.1 # torch-npu==2.2\n", ("2.5.1", "2.5.1")),
        ("pyproject.toml", '[project]\ndependencies = ["torch-npu==2.7.1.*"]\n', ("2.7.1", "2.7.1")),
    ],
)
def test_a_requirement(tmp_path: Path, name: str, text: str, expected: tuple[str, str | None]) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert told(tmp_path) == {"torch-npu": expected}


@pytest.mark.parametrize(
    "text",
    ["torch-npu\n", "my-torch-npu==1.0\n", "torch-npu<2.6\n", "torch-npu==x\n", "torch==2.5.1\n", "torch-npu==9\n"],
)
def test_what_names_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "requirements.txt").write_text(text, encoding="utf-8")
    assert told(tmp_path) == {}


@pytest.mark.parametrize(
    ("text", "oldest"),
    [
        ("git clone https://github.com/vllm-project/vllm.git\ncd vllm\ngit checkout v0.9.1\n", "0.9.1"),
        ("git clone https://github.com/vllm-project/vllm-ascend.git -b releases/v0.18.0\n", "0.18.0"),
        ("git clone --branch v0.11.0rc1 https://github.com/vllm-project/vllm-ascend\ngit checkout 8c7bc45\n", None),
        ("docker pull quay.io/ascend/vllm-ascend:v0.9.1-dev-openeuler\n", "0.9.1"),
        ("quay.io/ascend/vllm-ascend:v0.18.0 or quay.io/ascend/vllm-ascend:v0.9.1\n", "0.9.1"),
        ("See https://github.com/vllm-project/vllm-ascend.\n", None),
    ],
)
def test_a_readme_names_the_oldest_at_least(tmp_path: Path, text: str, oldest: str | None) -> None:
    (tmp_path / "README.md").write_text(text, encoding="utf-8")
    assert told(tmp_path) == ({"vllm-ascend": (oldest, None)} if oldest else {})
    (tmp_path / "requirements.txt").write_text("vllm-ascend==0.12.0\n")
    assert told(tmp_path) == {"vllm-ascend": ("0.12.0", "0.12.0")}


def test_the_nearest_folder_of_the_repository_counts(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    inner = repository / "examples" / "a"
    inner.mkdir(parents=True)
    (tmp_path / "requirements.txt").write_text("vllm-ascend==0.1.0\n")
    (repository / "requirements.txt").write_text("vllm-ascend==0.9.1\ntorch-npu==2.5.1\n")
    (inner / "requirements.txt").write_text("vllm-ascend==0.11.0\n")
    assert told(inner) == {"vllm-ascend": ("0.11.0", "0.11.0")}
    (repository / ".git").mkdir()
    assert told(inner) == {"vllm-ascend": ("0.11.0", "0.11.0"), "torch-npu": ("2.5.1", "2.5.1")}
    assert told(repository / "examples") == {"vllm-ascend": ("0.9.1", "0.9.1"), "torch-npu": ("2.5.1", "2.5.1")}
    assert told(inner, root=inner) == {"vllm-ascend": ("0.11.0", "0.11.0")}


@pytest.mark.parametrize(
    ("component", "source", "file", "text", "code"),
    [
        ("torch-npu", "torch_npu/__init__.py", "version.txt", "2.5.1.post3\n", "_ExperimentalConfig(msprof_tx=True)"),
        (
            "mindspore",
            "mindspore/context.py",
            "setup.py",
            "import os\nversion = '1.0.0'\n",
            "set_context(enable_dump=True)",
        ),
        ("mindspore", "mindspore/python/mindspore/context.py", "version.txt", "1.7.0", "set_context(enable_dump=True)"),
    ],
)
def test_the_source_of_a_component_is_of_its_own_version(
    tmp_path: Path, component: str, source: str, file: str, text: str, code: str
) -> None:
    (tmp_path / ".git").mkdir()
    imports = {
        "torch-npu": "from torch_npu.profiler import _ExperimentalConfig\n",
        "mindspore": "from mindspore import set_context\n",
    }
    document = Document(imports[component] + code + "\n", kind=Kind.PYTHON, path=str(tmp_path / "tests" / "a.py"))
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert len(Analyzer(Config(), all_rules).findings(document)) == 1
    (tmp_path / source).parent.mkdir(parents=True)
    (tmp_path / source).write_text("")
    assert not Analyzer(Config(), all_rules).findings(document)
    (tmp_path / file).write_text("version = 'of today'\n", encoding="utf-8")
    assert len(Analyzer(Config(), all_rules).findings(document)) == 1


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch-npu==2.5.1\n")
    assert told(tmp_path) == {"torch-npu": ("2.5.1", "2.5.1")}
    (tmp_path / "requirements.txt").write_text("torch-npu==2.7.1.post1\n")
    assert told(tmp_path) == {"torch-npu": ("2.7.1.post1", "2.7.1.post1")}


@pytest.mark.parametrize(("config", "count"), [({}, 0), ({"vllm-ascend": "0.23"}, 1)])
def test_findings_rest_on_it_where_none_is_configured(tmp_path: Path, config: dict[str, str], count: int) -> None:
    (tmp_path / "requirements.txt").write_text("vllm-ascend==0.18.0\n")
    document = Document("export VLLM_ASCEND_ENABLE_MLAPO=1\n", kind=Kind.SHELL, path=str(tmp_path / "run.sh"))
    analyzer = Analyzer(Config(target=TargetConfig(config)), all_rules)
    assert len(analyzer.findings(document)) == count
    said = Document("# vllm-ascend:v0.23.0\nexport VLLM_ASCEND_ENABLE_MLAPO=1\n", kind=Kind.SHELL, path=document.path)
    assert len(Analyzer(Config(), all_rules).findings(said)) == 1
