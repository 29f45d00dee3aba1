"""Files that belong together are asked together: what one of them says is told in another."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.languages.config_formats import json_files
from npu_lsp.languages.json import tree
from npu_lsp.languages.json.tree import JsonProblem, Node
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.dependencies import Memory, recording
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_DEPLOY = {
    "deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "mindie_env_path": "./conf/mindie_env.json"},
    "mindie_server_decode_config": {"ServerConfig": {"inferMode": "dmi", "distDPServerEnabled": True}},
}
_POD = """apiVersion: v1
kind: Pod
metadata:
  name: a%s
spec:
  containers:
    - env:
        - name: ASCEND_GLOBAL_LOG_LEVEL
          value: "3"
"""
_ENVIRONMENT = {"mindie_common_env": {"HCCL_EXEC_TIMEOUT": 60}, "mindie_server_decode_env": {"DP_MOVE_UP_ENABLE": 0}}


def _told(path: Path, kind: Kind) -> tuple[list[str], set[str]]:
    """Return the codes that are told of a file about its deployment, and the files that were looked at."""
    document = Document(path.read_text(encoding="utf-8"), kind=kind, path=str(path))
    with recording() as noted:
        found = Analyzer(Config(), all_rules).findings(document)
    return [each.code for each in found if each.code in ("NPU230", "NPU231", "NPU232", "NPU233")], {
        Path(each).name for each in noted
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "conf").mkdir()
    _write(tmp_path / "user_config.json", _DEPLOY)
    _write(tmp_path / "conf" / "mindie_env.json", _ENVIRONMENT)
    return tmp_path


def _write(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data), encoding="utf-8")


def test_the_environment_is_told_by_the_file_that_names_it(folder: Path) -> None:
    told, looked = _told(folder / "conf" / "mindie_env.json", Kind.JSON)
    assert told == ["NPU230"]
    assert "user_config.json" in looked


def test_a_finding_stands_in_one_file(folder: Path) -> None:
    told, looked = _told(folder / "user_config.json", Kind.MINDIE)
    assert told == []
    assert "mindie_env.json" in looked


def test_an_environment_that_nobody_names_belongs_to_nothing(folder: Path) -> None:
    _write(folder / "conf" / "other_env.json", _ENVIRONMENT)
    assert _told(folder / "conf" / "other_env.json", Kind.JSON)[0] == []


def test_nothing_is_read_through_a_link(folder: Path) -> None:
    (folder / "user_config.json").rename(folder / "elsewhere.json")
    (folder / "user_config.json").symlink_to(folder / "elsewhere.json")
    assert _told(folder / "conf" / "mindie_env.json", Kind.JSON)[0] == []


def test_files_of_a_deployment_are_parsed_once_however_many_ask(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: Counter[str] = Counter()

    def parse(text: str) -> tuple[Node | None, JsonProblem | None]:
        parsed[text] += 1
        return tree.parse(text)

    monkeypatch.setattr(json_files, "parse", parse)
    _write(folder / "conf" / "ms_controller.json", {"global_rank_table_file_path": "", "mindie_server_control_port": 1})
    (folder / "deployment").mkdir()
    for number in range(5):
        manifest = _POD % number
        (folder / "deployment" / f"{number}.yaml").write_text(manifest, encoding="utf-8")
    analyzer, memory = Analyzer(Config(), all_rules), Memory()
    for path in sorted(folder.rglob("*.*")):
        kind = {"user_config.json": Kind.MINDIE, "ms_controller.json": Kind.MINDIE, "mindie_env.json": Kind.JSON}
        document = Document(path.read_text(encoding="utf-8"), kind=kind.get(path.name, Kind.YAML), path=str(path))
        with recording(memory):
            analyzer.findings(document)
    # Once as the file that is checked, and once as one beside others.
    assert len(parsed) == 3
    assert max(parsed.values()) <= 2
