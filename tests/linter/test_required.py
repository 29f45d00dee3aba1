"""The versions that a repository requires count for its files where nobody says another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.versions.required import required
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together


def told(folder: Path, root: Path | None = None) -> dict[str, tuple[str, str | None]]:
    found = required(str(folder / "run.sh"), root)
    return {each.component: (str(each.oldest), str(each.newest) if each.newest else None) for each in found}


@together(
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


@together(
    "text",
    ["torch-npu\n", "my-torch-npu==1.0\n", "torch-npu<2.6\n", "torch-npu==x\n", "torch==2.5.1\n", "torch-npu==9\n"],
)
def test_what_names_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "requirements.txt").write_text(text, encoding="utf-8")
    assert told(tmp_path) == {}


@together(
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


@together(
    ("text", "oldest"),
    [
        ("To install it, please install [MindSpore 2.5.0](https://www.mindspore.cn/install) and run `pip`.\n", "2.5.0"),
        ("- mindspore >= 2.2.10  [[install](https://www.mindspore.cn/install)]\n- mindspore 2.3\n", "2.2.10"),
        ("| MindSpore Version          | 1.3.0    |\n", "1.3.0"),
        ("|Mindspore版本|1.8.1|\n", "1.8.1"),
        ("experiments with mindspore **2.7.0** in pynative mode\n", "2.7.0"),
        (
            "| MindSpore | Ascend Driver |  CANN |\n|:---------:|:---:|:---:|\n|   2.5.0   |  24.1.RC2     | 8.0 |\n",
            "2.5.0",
        ),
        ("| CANN | mindspore |\n|---|---|\n| 8.0.RC3 | >=2.6.0 |\n", "2.6.0"),
        ("| CANN | mindspore |\n|---|---|\n| 8.0.RC3 |\n", None),
        ("| model | mindspore | speed |\n|---|---|---|\n| a | 25 s | 1.2 |\n", None),
        ("See https://www.mindspore.cn/versions#2.2.0 and mindspore/ascend/v1.2.\n", None),
        ("mindspore-lite-2.1.0-linux.tar.gz, MindSpore Serving 1.3.0\n", None),
    ],
)
def test_a_readme_names_the_mindspore_it_was_written_for(tmp_path: Path, text: str, oldest: str | None) -> None:
    """What has gone since is no news for who has that one."""
    (tmp_path / "README.md").write_text(text, encoding="utf-8")
    assert told(tmp_path) == ({"mindspore": (oldest, None)} if oldest else {})
    code = "import mindspore as ms\nms.set_context(memory_offload='ON')\n"
    document = Document(code, kind=Kind.PYTHON, path=str(tmp_path / "a.py"))
    assert len(Analyzer(Config(), all_rules).findings(document)) == (0 if oldest else 1)


@together(
    ("stated", "told_of"),
    [("1.2.0", False), ("1.8.1", False), ("2.2.14", False), ("2.3.0", True), ("2.7.1", True)],
)
def test_a_mindspore_goes_with_a_cann(tmp_path: Path, stated: str, told_of: bool) -> None:
    """`op_select_implmode` is deprecated since CANN 8.0, which MindSpore 2.3 was the first to run on."""
    (tmp_path / "README_CN.md").write_text(f"| MindSpore 版本 | {stated} |\n", encoding="utf-8")
    code = "atc --framework=1 --model=a.air --output=a --soc_version=Ascend310 --op_select_implmode=high_precision\n"
    document = Document(code, kind=Kind.SHELL, path=str(tmp_path / "a.sh"))
    assert [finding.code for finding in Analyzer(Config(), all_rules).findings(document)] == ["NPU301"] * told_of


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


@together(
    ("stated", "cann"),
    [
        ("2.3.1", "8.0.RC2"),
        ("2.3.1.post3", "8.0.RC3"),
        ("2.5.1.post3", "8.2.RC1"),
        ("2.7.1.dev20250724", "8.2.RC1"),
        ("2.20.0", "9.1.0"),
        ("1.1.0", None),
    ],
)
def test_a_torch_npu_goes_with_a_cann_or_a_newer_one(tmp_path: Path, stated: str, cann: str | None) -> None:
    (tmp_path / "requirements.txt").write_text(f"torch-npu=={stated}\n")
    target = Analyzer(Config(), all_rules).target_of(Document("", kind=Kind.SHELL, path=str(tmp_path / "run.sh")))
    found = [each for each in target.stated if each.component == "cann"]
    assert [(str(each.oldest), each.newest) for each in found] == ([(cann, None)] if cann is not None else [])


def test_a_cann_that_is_named_counts_before_that_of_torch_npu(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch-npu==2.3.1\n")
    text = "FROM ascend/cann:8.5.0-910b\nRUN pip install torch-npu==2.3.1\n"
    target = Analyzer(Config(), all_rules).target_of(
        Document(text, kind=Kind.DOCKERFILE, path=str(tmp_path / "Dockerfile"))
    )
    assert [str(each.oldest) for each in target.stated if each.component == "cann"] == ["8.5.0"]
    configured = Config(target=TargetConfig(versions={"cann": "9.0"}))
    target = Analyzer(configured, all_rules).target_of(Document(text, kind=Kind.DOCKERFILE, path=str(tmp_path / "a")))
    assert str(target.version()) == "9.0"


def test_what_went_after_the_cann_of_torch_npu_is_not_told(tmp_path: Path) -> None:
    document = Document("export ASDOPS_LOG_LEVEL=ERROR\n", kind=Kind.SHELL, path=str(tmp_path / "run.sh"))
    assert len(Analyzer(Config(), all_rules).findings(document)) == 1
    (tmp_path / "requirements.txt").write_text("torch-npu==2.3.1\n")
    assert not Analyzer(Config(), all_rules).findings(document)


@together(
    ("text", "cann", "mindie"),
    [
        ("docker run mindie:1.0.T71-800I-A2\n", "8.0.0", "1.0"),
        ("docker run mindie:2.0.T17-800I-A2\n", "8.0.0", "2.0"),
        ("docker run mindie:2.3.0-800I-A2\n", "8.5.0", "2.3.0"),
        ("docker run cann:8.0.rc1-910b\n", "8.0.rc1", "None"),
        ("docker run cann:8.3.rc1-910b\n", "8.3.rc1", "2.1.RC1"),
        ("docker run cann:8.5.1-910b\n", "8.5.1", None),
    ],
)
def test_a_mindie_goes_with_a_cann(text: str, cann: str, mindie: str | None) -> None:
    target = Analyzer(Config(), all_rules).target_of(Document(text, kind=Kind.SHELL))
    found = {each.component: str(each.oldest) for each in target.stated}
    assert (found["cann"], found.get("mindie")) == (cann, mindie)


def test_what_an_old_mindie_still_reads_is_not_told() -> None:
    analyzer = Analyzer(Config(), all_rules)
    line = "export ASDOPS_LOG_LEVEL=ERROR\n"
    assert len(analyzer.findings(Document(line, kind=Kind.SHELL))) == 1
    assert not analyzer.findings(Document(f"docker run mindie:1.0.T71-800I-A2\n{line}", kind=Kind.SHELL))
    line = "export MINDIE_LLM_LOG_TO_STDOUT=1\n"
    assert len(analyzer.findings(Document(line, kind=Kind.SHELL))) == 1
    assert not analyzer.findings(Document(f"docker run cann:8.0.rc3-910b\n{line}", kind=Kind.SHELL))


@together(
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
        (
            "vllm-ascend",
            "vllm_ascend/ascend_config.py",
            "docs/source/conf.py",
            "myst = {\n    'vllm_ascend_version': 'v0.9.1',\n}\n",
            'LLM("m", additional_config={"torchair_graph_config": {"enabled": True}})',
        ),
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
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    document = Document(
        imports.get(component, "") + code + "\n", kind=Kind.PYTHON, path=str(tmp_path / "tests" / "a.py")
    )
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert len(Analyzer(Config(), all_rules).findings(document)) == 1
    (tmp_path / source).parent.mkdir(parents=True)
    (tmp_path / source).write_text("")
    assert not Analyzer(Config(), all_rules).findings(document)
    (tmp_path / file).write_text("version = '99.0'\n", encoding="utf-8")
    assert len(Analyzer(Config(), all_rules).findings(document)) == 1
    # Nobody knows to which version it belongs.
    (tmp_path / file).write_text("version = 'of today'\n", encoding="utf-8")
    assert not Analyzer(Config(), all_rules).findings(document)


@pytest.mark.parametrize("version", ["v0.22.1rc1", "v0.0.0.dev0"])
def test_the_source_of_a_component_has_what_it_uses(tmp_path: Path, version: str) -> None:
    """It says the version of the last release until the next one comes."""
    (tmp_path / ".git").mkdir()
    text = 'LLM("m", additional_config={"enable_sparse_li_c8": True})\n'
    document = Document(text, kind=Kind.PYTHON, path=str(tmp_path / "examples" / "a.py"))
    for file in ("vllm_ascend/platform.py", "mkdocs.yml"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(f"  vllm_ascend_version: {version}\n")
    assert not Analyzer(Config(), all_rules).findings(document)
    pinned = Analyzer(Config(target=TargetConfig(versions={"vllm-ascend": "0.22.1rc1"})), all_rules)
    assert [each.code for each in pinned.findings(document)] == ["NPU401"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            "python/torchair/configs/compiler_config.py",
            'import torchair\nconfig = torchair.CompilerConfig()\nconfig.mode = "reduce-overhead"\n',
        ),
        ("mindformers/__init__.py", "from mindspore import set_context\nset_context(enable_dump=True)\n"),
    ],
)
def test_the_source_of_a_component_without_a_version_is_of_any(tmp_path: Path, source: str, text: str) -> None:
    (tmp_path / ".git").mkdir()
    document = Document(text, kind=Kind.PYTHON, path=str(tmp_path / "tests" / "a.py"))
    assert len(Analyzer(Config(), all_rules).findings(document)) == 1
    (tmp_path / source).parent.mkdir(parents=True)
    (tmp_path / source).write_text("")
    assert not Analyzer(Config(), all_rules).findings(document)


def test_a_name_that_the_source_around_it_defines_is_known(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    text = 'LLM("m", additional_config={"our_fused_mlp": True, "enable_cpu_bindin": True})\n'
    document = Document(text, kind=Kind.PYTHON, path=str(tmp_path / "tests" / "a.py"))
    assert len(Analyzer(Config(), all_rules).findings(document)) == 2
    source = tmp_path / "vllm_ascend" / "ascend_config.py"
    source.parent.mkdir()
    source.write_text('self.ours = additional_config.get("our_fused_mlp", False)\n')
    assert ["enable_cpu_bindin" in each.message for each in Analyzer(Config(), all_rules).findings(document)] == [True]


def test_a_name_that_the_source_defines_has_its_place_there_too(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    source = tmp_path / "vllm_ascend" / "ascend_config.py"
    source.parent.mkdir()
    source.write_text('self.fuse_muls_add = kwargs.get("fuse_muls_add", True)\n')
    text = 'LLM("m", additional_config={"fuse_muls_add": True})\n'
    document = Document(text, kind=Kind.PYTHON, path=str(tmp_path / "tests" / "a.py"))
    (finding,) = Analyzer(Config(), all_rules).findings(document)
    assert "ascend_compilation_config.fuse_muls_add" in finding.message


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


def test_names_before_the_first_version_that_is_known_are_not_judged(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    text = "converter_lite --fmk=TFLITE --modelFile=a --outputFile=b --config_file=c\n"
    document = Document(text, kind=Kind.SHELL, path=str(tmp_path / "lite" / "run.sh"))
    assert len(Analyzer(Config(), all_rules).findings(document)) == 1
    (tmp_path / "mindspore").mkdir()
    (tmp_path / "mindspore" / "context.py").write_text("")
    (tmp_path / "setup.py").write_text("version = '1.0.0'\n")
    assert not Analyzer(Config(), all_rules).findings(document)
