"""Variables in JSON: by what their mapping is called, in files, in fences and in words of a shell."""

from __future__ import annotations

import json

from npu_lsp.languages.detection import detect, tells_only_inside
from npu_lsp.languages.writers import writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.hosts.found import at_bar, find, rows
from tests.together import together


@together(
    ("text", "expected"),
    [
        ('{"env": {"HCCL_A": "1"}}', "1"),
        ('{"configurations": [{"env": {"HCCL_A": 1}}]}', "1"),
        ('{"containerEnv": {"HCCL_A": "a b", "X": null}}', "a b"),
        ('{"terminal.integrated.env.linux": {"HCCL_A": true}}', "true"),
        ('{"runtime_env": {"env_vars": {"HCCL_A": "1"}}}', "1"),
        ('{"mindie_common_env": {\n  // why\n  "HCCL_A": 0.5,\n}}', "0.5"),
        ('{"Config": {"Env": ["PATH=/", "HCCL_A=1"]}}', "1"),
        ('{"env": [{"name": "HCCL_A", "value": "1"}]}', "1"),
        ('{"remoteEnv": {"HCCL_A": "${localEnv:A}"}}', "?"),
        ('"env": {"HCCL_A": "1"}', "1"),
    ],
)
def test_an_environment(text: str, expected: str) -> None:
    assert [row for row in rows(text, Kind.JSON)[0] if row[0] == "HCCL_A"] == [("HCCL_A", expected)]


@together(
    ("text", "expected"),
    [
        ('{"cmd": "export HCCL_A=1 && python a.py"}', "1"),
        ('{"tasks": [{"command": "HCCL_A=1 python a.py"}]}', "1"),
        ('{"script": "set -e\\nexport HCCL_A=\\"a b\\"\\n"}', "a b"),
        ('{"postCreateCommand": ["bash", "-c", "export HCCL_A=1"]}', "1"),
    ],
)
def test_a_command(text: str, expected: str) -> None:
    assert rows(text, Kind.JSON) == [[("HCCL_A", expected)]]


def test_a_value_in_a_command_is_written_as_json() -> None:
    text = '{"cmd": "export HCCL_ALGO=\\"level0:NA\\" && a"}'
    document = Document(text, kind=Kind.JSON)
    _, setting = find(document, "HCCL_ALGO")
    edits = writer_for(setting).set_value(document, setting, "level0:NA;level1:ring")
    assert json.loads(apply_edits(text, edits))["cmd"] == 'export HCCL_ALGO="level0:NA;level1:ring" && a'


@together(
    "text",
    [
        '{"cmd": "see HCCL_A"}',
        '{"output": "export HCCL_A=1"}',
        '{"metrics": {"HCCL_A": "1"}}',
        '{"env_names": {"HCCL_A": "a"}}',
        '{"env": {"linux": {"HCCL_A": "a"}}}',
        '{"env": "HCCL_A=1"}',
        '{"env": {"HCCL_A": ["1"]}}',
        '{"environments": 1, "HCCL_A": 2}',
        '{"env": {"HCCL_A',
        "",
    ],
)
def test_no_environment(text: str) -> None:
    assert rows(text, Kind.JSON) == []


@together(
    ("name", "kind"),
    [
        ("launch.json", Kind.JSON),
        (".vscode/settings.json", Kind.JSON),
        (".devcontainer/devcontainer.json", Kind.JSON),
        ("conf/mindie_env_a3.json", Kind.JSON),
    ],
)
def test_its_text_tells_a_file(name: str, kind: Kind) -> None:
    assert detect(name, '{"version": "1",\n"containerEnv": {"X": "1"}}') is kind
    assert detect(name, '{"version": "1"}') is Kind.OTHER
    assert tells_only_inside(name.rpartition("/")[2])


def test_other_names_are_not_opened() -> None:
    assert not tells_only_inside("package.json")
    assert not tells_only_inside("environment.json.txt")


def test_a_fence_shows_one() -> None:
    text = '```json\n{\n  "mindie_common_env": {\n    ...\n    "HCCL_A": 1, // more\n    ...\n  }\n}\n```\n'
    assert rows(text, Kind.MARKDOWN) == [[("HCCL_A", "1")]]


def test_a_value_is_changed_and_completed() -> None:
    document = Document('{"env": {"HCCL_A": "1", "B": 2}}', kind=Kind.JSON)
    setting = find(document, "HCCL_A")[1]
    writer = writer_for(setting)
    assert apply_edits(document.text, writer.set_value(document, setting, "x")) == '{"env": {"HCCL_A": "x", "B": 2}}'
    assert apply_edits(document.text, writer.rename(document, setting, "HCCL_B")) == '{"env": {"HCCL_B": "1", "B": 2}}'
    # Its comma would stay.
    assert not writer.remove(document, [setting])
    found = at_bar('{"env": {"TASK_QUEUE_ENABLE": "|~"}}', Kind.JSON)
    assert found is not None
    assert found.option == "TASK_QUEUE_ENABLE"
