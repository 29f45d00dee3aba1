"""What a made-up CANN installation tells, and that its files win over the catalog."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from npu_lsp.catalog.toolkit import Toolkit, find
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.findings import Finding, Safety
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

MODES = "opp/built-in/op_impl/ai_core/tbe/impl_mode/all_ops_impl_mode.ini"
RULES = "opp/built-in/fusion_pass/config/fusion_config.json"


def install(home: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    rules = {
        "Switch": {"GraphFusion": {"MadeUpPass": "on"}},
        "Priority": {"UBFusion": {"Top": {"OtherMadeUpPass": "5"}}},
    }
    return install(
        tmp_path / "cann",
        {
            "x86_64-linux/ascend_toolkit_install.info": "package_name=Ascend-cann-toolkit\nversion=8.0.RC3\narch=x86_64\n",
            "x86_64-linux/data/platform_config/Ascend999X1.ini": "[version]\n",
            "compiler/data/platform_config/Ascend999X2.ini": "[version]\n",
            MODES: "# modes\nAdd=high_performance,made_up_mode\nSoftmaxV2 = high_precision\n",
            RULES: json.dumps(rules),
        },
    )


def test_what_it_tells(home: Path) -> None:
    toolkit = Toolkit(home)
    assert toolkit.version == "8.0.RC3"
    assert toolkit.soc_versions == {"Ascend999X1", "Ascend999X2"}
    assert toolkit.modes == {"Add": {"high_performance", "made_up_mode"}, "SoftmaxV2": {"high_precision"}}
    assert toolkit.operators == {"Add", "SoftmaxV2"}
    assert toolkit.fusion_rules == {"MadeUpPass", "OtherMadeUpPass"}
    assert "8.0.RC3" in toolkit.stamp


@together(
    ("name", "text", "version"),
    [
        ("ascend_toolkit_install.info", "version=9.0.0\n", "9.0.0"),
        ("version.info", "Version=8.1.RC1\n", "8.1.RC1"),
        ("compiler/version.info", "Version=1.84.15.1.229\nversion_dir=7.0.RC1\n", "7.0.RC1"),
        ("runtime/version.info", "version_dir=cann-8.5.0\n", "8.5.0"),
        ("version.cfg", "# version: 1.0\ntoolkit_installed_version=[7.0.RC1:8.0.0]\n", "8.0.0"),
        ("compiler/version.info", "Version=1.84.15.1.229\n", None),
        ("version.info", "nothing\n", None),
    ],
)
def test_version(tmp_path: Path, name: str, text: str, version: str | None) -> None:
    assert Toolkit(install(tmp_path, {name: text})).version == version


def test_the_environment_names_it(home: Path, tmp_path: Path) -> None:
    other = install(tmp_path / "other", {"version.info": "Version=7.0.0\n"})
    found = find({"ASCEND_HOME_PATH": str(home), "ASCEND_TOOLKIT_HOME": str(other)})
    assert found is not None
    assert found.home == home
    found = find({"ASCEND_HOME_PATH": str(tmp_path / "nothing"), "ASCEND_TOOLKIT_HOME": str(other)})
    assert found is not None
    assert found.version == "7.0.0"


def test_a_usual_place(tmp_path: Path) -> None:
    install(tmp_path / "Ascend/ascend-toolkit/latest", {"opp/version.info": "Version=8.0\n"})
    found = find({"HOME": str(tmp_path)})
    assert found is not None
    assert found.home == tmp_path / "Ascend/ascend-toolkit/latest"


def test_what_is_not_named_in_full_is_no_place(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    assert find({"ASCEND_HOME_PATH": ".", "HOME": "/nowhere"}) is None
    monkeypatch.setattr("npu_lsp.catalog.toolkit._ROOTS", (f"~{home.parent}",))
    assert find({}) is None


def test_a_folder_that_is_no_toolkit(tmp_path: Path) -> None:
    install(tmp_path, {"readme.txt": "version=1.0\n"})
    assert find({"ASCEND_HOME_PATH": str(tmp_path), "HOME": str(tmp_path)}) is None
    empty = Toolkit(tmp_path)
    assert (empty.version, empty.soc_versions, empty.modes, empty.fusion_rules) == (None, frozenset(), {}, frozenset())


@together("text", ["{", "[" * 100_000, "[1]", '{"Switch": 5}', "\ufffd"])
def test_a_broken_file_tells_nothing(tmp_path: Path, text: str) -> None:
    assert Toolkit(install(tmp_path, {RULES: text})).fusion_rules <= {"Switch"}


def test_of_files_and_folders_that_are_too_large_no_more_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {f"compiler/data/platform_config/Ascend{n}.ini": "" for n in range(5)}
    home = install(tmp_path, {"version.info": "Version=8.0.0\n", **names})
    monkeypatch.setattr("npu_lsp.catalog.toolkit._MOST", 3)
    assert len(Toolkit(home).soc_versions) == 3
    with (home / "version.info").open("ab") as file:
        file.truncate(9 << 20)
    assert Toolkit(home).version is None


def test_its_version_is_the_target_unless_the_configuration_says_otherwise(home: Path) -> None:
    assert str(Analyzer(Config(), all_rules, toolkit=Toolkit(home)).target.version()) == "8.0.RC3"
    config = Config(target=TargetConfig({"cann": "9.0"}, ()))
    assert str(Analyzer(config, all_rules, toolkit=Toolkit(home)).target.version()) == "9.0"


def codes(home: Path | None, text: str, kind: Kind) -> list[str]:
    return [each.code for each in _found(home, text, kind)]


def _found(home: Path | None, text: str, kind: Kind, *select: str) -> list[Finding]:
    toolkit = Toolkit(home) if home is not None else None
    config = Config(select=select) if select else Config()
    return list(Analyzer(config, all_rules, toolkit=toolkit).findings(Document(text, kind=kind)))


def test_its_modes_win(home: Path) -> None:
    assert codes(home, "[ByOpType]\nAdd=made_up_mode\n", Kind.OP_PRECISION) == []
    assert codes(None, "[ByOpType]\nAdd=made_up_mode\n", Kind.OP_PRECISION) == ["NPU801"]
    assert codes(home, "[ByOpType]\nSoftmaxV2=high_performance\n", Kind.OP_PRECISION) == ["NPU801"]
    assert codes(home, "[ByOpType]\nMul=high_performance\n", Kind.OP_PRECISION) == []
    # What stands there is the name of a node, whatever its type is.
    assert codes(home, "[ByNodeName]\nSoftmaxV2=high_performance\n", Kind.OP_PRECISION) == []


@pytest.mark.parametrize(
    ("line", "meant"),
    [("Add=made_up_mod", "made_up_mode"), ("SoftmaxV2=high_precison", "high_precision"), ("Add=high_precison", None)],
)
def test_what_is_meant_is_a_mode_of_the_operator(home: Path, line: str, meant: str | None) -> None:
    [told] = _found(home, f"[ByOpType]\n{line}\n", Kind.OP_PRECISION)
    assert [fix.edits[0].text for fix in told.fixes] == ([meant] if meant else [])


@pytest.mark.parametrize(
    ("chip", "meant"),
    [
        ("Ascend999X1", None),
        ("Ascend999x1", "Ascend999X1"),
        # Another machine may have a toolkit that knows it.
        ("Ascend310P3", None),
        # What this one doesn't know is not proposed.
        ("Ascend310p3", None),
    ],
)
def test_its_chips_are_those_that_are_meant(home: Path, chip: str, meant: str | None) -> None:
    found = _found(home, f"atc --soc_version={chip}\n", Kind.SHELL, "NPU405")
    assert [fix.edits[0].text for each in found for fix in each.fixes] == ([meant] if meant else [])
    assert len(found) == bool(meant)


def test_a_chip_that_it_lacks_is_no_slip(tmp_path: Path) -> None:
    home = install(tmp_path, {"compiler/data/platform_config/Ascend910A.ini": "", "version.info": "Version=8.0.0\n"})
    assert _found(home, "atc --soc_version=Ascend910B\n", Kind.SHELL, "NPU405") == []
    assert len(_found(home, "atc --soc_version=Ascend910C\n", Kind.SHELL, "NPU405")) == 1


def test_two_of_its_chips_are_a_series(home: Path) -> None:
    [told] = _found(home, "atc --soc_version=Ascend999X\n", Kind.SHELL, "NPU405")
    assert '"Ascend999X1", "Ascend999X2"' in told.message or '"Ascend999X1" and "Ascend999X2"' in told.message
    assert told.fixes == ()


def test_a_copy_of_its_list_is_for_a_person_to_make(home: Path) -> None:
    install(home, {"opp/built-in/op_impl/ai_core/tbe/impl_mode/high_precision.ini": "[ByOpType]\nAdd=high_precision\n"})
    document = Document("atc --op_select_implmode=high_precision\n", path=str(home / "a.sh"), kind=Kind.SHELL)
    (finding,) = Analyzer(Config(select=("NPU301",)), all_rules, toolkit=Toolkit(home)).findings(document)
    assert [bool(fix.files) for fix in finding.fixes] == [True, False]
    # Where the script runs, another toolkit may have another list.
    assert {fix.safety for fix in finding.fixes} == {Safety.UNSAFE}


def test_its_fusion_rules_are_known(home: Path) -> None:
    assert codes(home, "MadUpPass:off\n", Kind.FUSION_SWITCH) == ["NPU807"]
    assert codes(None, "MadUpPass:off\n", Kind.FUSION_SWITCH) == []


def test_its_operators_are_proposed(home: Path) -> None:
    from npu_lsp.languages import cursor
    from npu_lsp.lsp.features.proposals import proposals

    at = cursor(Document("[ByOpType]\nSo", kind=Kind.OP_PRECISION), 13)
    assert at is not None
    assert [p.name for p in proposals(Analyzer(Config(), all_rules, toolkit=Toolkit(home)), at)] == ["Add", "SoftmaxV2"]
    assert proposals(Analyzer(Config(), all_rules), at) == []
    assert cursor(Document("[ByNodeName]\nSo", kind=Kind.OP_PRECISION), 15) is None
