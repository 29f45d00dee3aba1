"""Settings of the client, files of the project, and what happens when they change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.wire import Wire
from tests.together import together

TYPO = 'custom_op.parameter_map["precison_mode"].s = b"allow_mix_precision"\n'
PUSH: dict[str, Any] = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
ASKED: dict[str, Any] = {"workspace": {"configuration": True}}
WATCHES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


def _begin(wire: Wire, folder: Path, capabilities: dict[str, Any] | None = None, **params: Any) -> str:
    folders = [{"uri": folder.as_uri(), "name": "project"}]
    wire.initialize({**PUSH, **(capabilities or {})}, workspaceFolders=folders, **params)
    return (folder / "train.py").as_uri()


def _codes(wire: Wire, uri: str, version: int | None = None) -> list[str]:
    return [d["code"] for d in wire.diagnostics(uri, version)]


def _note(wire: Wire, path: Path, kind: int) -> None:
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})


def test_settings_of_initialize(tmp_path: Path) -> None:
    with Wire() as wire:
        uri = _begin(
            wire, tmp_path, initializationOptions={"ignore": ["NPU101"], "target": {"cann": "", "products": []}}
        )
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == []


def test_house_rules_of_a_file_are_shown_and_mended(tmp_path: Path) -> None:
    rule = '[house-rules.ours]\nsetting = "HCCL_CONNECT_TIMEOUT"\nat-least = 1200\nfix = 1200\n'
    (tmp_path / "npu-lsp.toml").write_text(rule)
    with Wire() as wire:
        literals = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}
        chosen = {"select": ["HOUSE"]}
        _begin(wire, tmp_path, {"textDocument": {**PUSH["textDocument"], **literals}}, initializationOptions=chosen)
        uri = (tmp_path / "run.sh").as_uri()
        wire.open(uri, "export HCCL_CONNECT_TIMEOUT=600\n", "shellscript")
        (told,) = wire.diagnostics(uri)
        assert (told["code"], told.get("codeDescription")) == ("ours", None)
        asked = {"textDocument": {"uri": uri}, "range": told["range"], "context": {"diagnostics": [told]}}
        titles = [each["title"] for each in wire.request("textDocument/codeAction", asked)["result"]]
        assert 'Change to "1200" (review)' in titles
        assert any("ours" in title for title in titles)
        # Another rule holds as soon as it is saved.
        (tmp_path / "npu-lsp.toml").write_text(rule.replace("1200", "300"))
        _note(wire, tmp_path / "npu-lsp.toml", 2)
        assert wire.diagnostics(uri) == []


def test_settings_with_the_name_of_their_section_and_in_camel_case(tmp_path: Path) -> None:
    with Wire() as wire:
        options = {"npuLsp": {"perFileIgnores": {"*.py": ["NPU101"]}, "server": {"path": "x"}}}
        uri = _begin(wire, tmp_path, initializationOptions=options)
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == []


def test_wrong_settings_are_logged_and_the_others_hold(tmp_path: Path) -> None:
    with Wire() as wire:
        uri = _begin(wire, tmp_path, initializationOptions={"language": "xx", "ignore": ["NPU101"], "select": 7})
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == []
        problems = wire.status(uri)["problems"]
        assert len(problems) == 2
        assert any("language" in problem for problem in problems)
        assert wire.messages("window/showMessage") == []


def test_settings_that_the_client_is_asked_for(tmp_path: Path) -> None:
    with Wire() as wire:
        uri = _begin(wire, tmp_path, ASKED)
        question = wire.until(lambda m: m.get("method") == "workspace/configuration")
        assert question["params"]["items"][0]["section"] == "npuLsp"
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == ["NPU101"]
        for settings, expected in (({"ignore": ["NPU101"]}, []), ({"ignore": []}, ["NPU101"])):
            wire.settings = settings
            wire.notify("workspace/didChangeConfiguration", {"settings": None})
            assert _codes(wire, uri) == expected


def test_settings_that_the_client_sends(tmp_path: Path) -> None:
    with Wire() as wire:
        uri = _begin(wire, tmp_path)
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == ["NPU101"]
        wire.notify("workspace/didChangeConfiguration", {"settings": {"npuLsp": {"ignore": ["NPU101"]}}})
        assert _codes(wire, uri) == []
        wire.notify("workspace/didChangeConfiguration", {"settings": {"npuLsp": {"ignore": []}}})
        assert _codes(wire, uri) == ["NPU101"]


def test_the_file_of_the_project_wins_over_the_client(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('ignore = ["NPU101"]\n', encoding="utf-8")
    with Wire() as wire:
        uri = _begin(wire, tmp_path, initializationOptions={"ignore": ["NPU102"]})
        wire.open(uri, TYPO + TYPO.replace("precison", "precision").replace(".s", ".i"))
        assert _codes(wire, uri) == ["NPU102"]
        assert wire.status(uri)["configuration"] == str(tmp_path / "npu-lsp.toml")


def test_each_folder_has_its_own(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / ".npu-lsp.toml").write_text('ignore = ["NPU101"]\n', encoding="utf-8")
    with Wire() as wire:
        uri = _begin(wire, tmp_path)
        other = (inner / "train.py").as_uri()
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == ["NPU101"]
        wire.open(other, TYPO)
        assert _codes(wire, other) == []


@together("text", ["ignore = 5", "unknown-key = 1", "[[[", "\0", "\ufeff\ufeff", 'extend = "npu-lsp.toml"'])
def test_a_broken_file_is_told_of_and_does_no_harm(tmp_path: Path, text: str) -> None:
    (tmp_path / "npu-lsp.toml").write_text(text, encoding="utf-8")
    with Wire() as wire:
        uri = _begin(wire, tmp_path)
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == ["NPU101"]
        assert wire.diagnostics((tmp_path / "npu-lsp.toml").as_uri())
        (problem,) = wire.status(uri)["problems"]
        assert "npu-lsp.toml" in problem
        assert [m for m in wire.messages("window/logMessage") if "npu-lsp.toml" in m["params"]["message"]]
        assert wire.messages("window/showMessage") == []
        (tmp_path / "npu-lsp.toml").write_text("ignore = []", encoding="utf-8")
        _note(wire, tmp_path / "npu-lsp.toml", 2)
        assert wire.diagnostics((tmp_path / "npu-lsp.toml").as_uri()) == []
        assert wire.status(uri)["problems"] == []


@pytest.mark.parametrize("pattern", ["generated/", "./generated/"])
def test_what_is_excluded_is_not_checked(tmp_path: Path, pattern: str) -> None:
    (tmp_path / "npu-lsp.toml").write_text(f'exclude = ["{pattern}"]\n', encoding="utf-8")
    with Wire() as wire:
        _begin(wire, tmp_path)
        uri = (tmp_path / "generated" / "train.py").as_uri()
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == []
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 30}}
        assert wire.request("textDocument/hover", place)["result"]


def test_a_file_that_changes_is_read_anew(tmp_path: Path) -> None:
    config = tmp_path / "npu-lsp.toml"
    config.write_text("ignore = []\n", encoding="utf-8")
    with Wire() as wire:
        uri = _begin(wire, tmp_path, WATCHES)
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == ["NPU101"]
        asked = wire.until(lambda m: m.get("method") == "client/registerCapability")
        assert asked["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        config.write_text('ignore = ["NPU101"]\n', encoding="utf-8")
        wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        assert _codes(wire, uri) == []
        config.unlink()
        wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 3}]})
        assert _codes(wire, uri) == ["NPU101"]


def test_a_client_that_watches_nothing_gets_it_when_it_saves(tmp_path: Path) -> None:
    config = tmp_path / "npu-lsp.toml"
    with Wire() as wire:
        uri = _begin(wire, tmp_path)
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == ["NPU101"]
        config.write_text('ignore = ["NPU101"]\n', encoding="utf-8")
        wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert _codes(wire, uri) == []
        config.write_text("", encoding="utf-8")
        wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert _codes(wire, uri) == ["NPU101"]
        assert wire.messages("client/registerCapability") == []


def test_a_client_that_asks_is_told_to_ask_again(tmp_path: Path) -> None:
    config = tmp_path / "npu-lsp.toml"
    config.write_text("", encoding="utf-8")
    capabilities = {"workspace": {"diagnostics": {"refreshSupport": True}}, "textDocument": {"diagnostic": {}}}
    with Wire() as wire:
        uri = _begin(wire, tmp_path, capabilities)
        wire.open(uri, TYPO)
        ask = {"textDocument": {"uri": uri}}
        assert [d["code"] for d in wire.request("textDocument/diagnostic", ask)["result"]["items"]] == ["NPU101"]
        config.write_text('ignore = ["NPU101"]\n', encoding="utf-8")
        wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        wire.until(lambda m: m.get("method") == "workspace/diagnostic/refresh")
        assert wire.request("textDocument/diagnostic", ask)["result"]["items"] == []
        assert wire.messages("textDocument/publishDiagnostics") == []


def test_own_options_are_taken_and_read_anew(tmp_path: Path) -> None:
    (tmp_path / "npu-lsp.toml").write_text('catalog = ["own.toml"]\n', encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(OWN.format(name="my_switch"), encoding="utf-8")
    mine = 'custom_op.parameter_map["my_switch"].b = True\n'
    with Wire() as wire:
        uri = _begin(wire, tmp_path)
        wire.open(uri, mine)
        assert _codes(wire, uri) == []
        own.write_text(OWN.format(name="other_switch"), encoding="utf-8")
        wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": own.as_uri(), "type": 2}]})
        assert _codes(wire, uri) == ["NPU101"]
        own.write_text("broken = [", encoding="utf-8")
        wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": own.as_uri(), "type": 2}]})
        assert _codes(wire, uri) == ["NPU101"]
        assert any("own.toml" in problem for problem in wire.status(uri)["problems"])


OWN = '[options.{name}]\nsummary = "Our own."\n[options.{name}.session]\nslot = "b"\n'


def test_a_file_that_a_setting_names_is_looked_at_again(tmp_path: Path) -> None:
    named = tmp_path / "op_precision.ini"
    text = 'custom_op.parameter_map["op_precision_mode"].s = b"op_precision.ini"\n'
    with Wire() as wire:
        uri = _begin(wire, tmp_path, WATCHES)
        wire.open(uri, text)
        assert _codes(wire, uri) == ["NPU810"]
        wire.until(lambda m: m.get("method") == "client/registerCapability")
        sent = len(wire.messages("textDocument/publishDiagnostics"))
        (tmp_path / "unrelated.ini").touch()
        _note(wire, tmp_path / "unrelated.ini", 1)
        named.write_text("[ByOpType]\nGelu=high_precision\n", encoding="utf-8")
        _note(wire, named, 1)
        assert _codes(wire, uri) == []
        named.unlink()
        wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert _codes(wire, uri) == ["NPU810"]
        assert len(wire.messages("textDocument/publishDiagnostics")) == sent + 2


def test_what_a_repository_requires_is_looked_at_again(tmp_path: Path) -> None:
    required = tmp_path / "requirements.txt"
    required.write_text("torch-npu==2.3.1\n", encoding="utf-8")
    text = "export ASDOPS_LOG_LEVEL=ERROR\n"
    with Wire() as wire:
        _begin(wire, tmp_path, WATCHES, initializationOptions={"select": ["ALL"]})
        uri = (tmp_path / "run.sh").as_uri()
        wire.open(uri, text, "shellscript")
        assert _codes(wire, uri) == []
        wire.change(uri, 2, {"text": f"{text}true\n"})
        assert _codes(wire, uri, 2) == []
        # The last look was a moment ago.
        required.write_text("torch-npu==2.10.0\n", encoding="utf-8")
        _note(wire, required, 2)
        assert len(_codes(wire, uri)) == 1


def test_the_toolkit_of_the_machine_tells_the_version(tmp_path: Path) -> None:
    home = tmp_path / "toolkit"
    (home / "opp").mkdir(parents=True)
    (home / "version.info").write_text("version_dir=8.0.RC3\n", encoding="utf-8")
    with Wire(ASCEND_HOME_PATH=str(home)) as wire:
        _begin(wire, tmp_path)
        facts = wire.status()
        assert facts["toolkit"] == {"path": str(home), "version": "8.0.RC3"}
        assert facts["target"]["cann"] == "8.0.RC3"
        assert facts["target"]["from"] == {"cann": str(home)}


def test_what_holds_says_where_it_comes_from(tmp_path: Path) -> None:
    config = tmp_path / "npu-lsp.toml"
    config.write_text('target = { torch-npu = "2.7", products = ["a3"] }\n', encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("vllm-ascend==0.11.0\n", encoding="utf-8")
    path = tmp_path / "run.sh"
    with Wire() as wire:
        _begin(wire, tmp_path, initializationOptions={"target": {"cann": "8.0"}})
        slips = "atc --model=a.onnx --soc_verison=Ascend310P3\nexport HCCL_BUFFSIZ=1\n"
        wire.open(path.as_uri(), slips, "shellscript")
        found = wire.diagnostics(path.as_uri())
        facts = wire.status(path.as_uri())
        assert facts["target"]["from"] == {
            "cann": "the editor's settings",
            "torch-npu": str(config),
            "products": str(config),
        }
        assert facts["target"]["said"]["vllm-ascend"] == ["0.11.0", "what its repository requires"]
        counts = facts["document"]["findings"]
        assert counts["errors"] + counts["others"] == len(found)
        assert counts["review"]


def test_folders_that_come_and_go(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "npu-lsp.toml").write_text('ignore = ["NPU101"]\n', encoding="utf-8")
    with Wire() as wire:
        wire.initialize(PUSH)
        wire.open("untitled:x.py", TYPO)
        assert _codes(wire, "untitled:x.py") == ["NPU101"]
        added = [{"uri": (tmp_path / "a").as_uri(), "name": "a"}]
        wire.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": []}})
        assert _codes(wire, "untitled:x.py") == []


def test_settings_hold_in_their_folder(tmp_path: Path) -> None:
    """Each document goes by the innermost folder that it lies in; what lies in none, by what is set for all."""
    names = ("a", "a/inner", "b", "outside")
    one, inner, two, outside = ((tmp_path / name / "train.py").as_uri() for name in names)
    folders = [{"uri": (tmp_path / name).as_uri(), "name": name} for name in names[:3]]
    text = TYPO + TYPO.replace("precison", "precision").replace(".s", ".i")
    with Wire() as wire:
        rest = {"ignore": ["NPU102"]}
        wire.settings, wire.settings_in = rest, {folders[0]["uri"]: {"ignore": ["NPU101"]}, folders[2]["uri"]: {}}
        wire.initialize({**PUSH, **ASKED}, workspaceFolders=folders)
        question = wire.until(lambda m: m.get("method") == "workspace/configuration")
        assert [item.get("scopeUri") for item in question["params"]["items"]] == [f["uri"] for f in folders] + [None]
        for uri, expected in (
            (one, ["NPU102"]),
            (inner, ["NPU101"]),
            (two, ["NPU101", "NPU102"]),
            (outside, ["NPU101"]),
            ("untitled:x.py", ["NPU102"]),
        ):
            wire.open(uri, text)
            assert _codes(wire, uri) == expected, uri


def test_paths_in_settings_are_relative_to_their_folder(tmp_path: Path) -> None:
    mine = 'custom_op.parameter_map["my_switch"].b = True\n'
    folders = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        folders.append({"uri": (tmp_path / name).as_uri(), "name": name})
    (tmp_path / "b/own.toml").write_text(OWN.format(name="my_switch"), encoding="utf-8")
    with Wire() as wire:
        wire.settings_in = {folders[1]["uri"]: {"catalog": ["own.toml"]}}
        wire.initialize({**PUSH, **ASKED}, workspaceFolders=folders)
        wire.until(lambda m: m.get("method") == "workspace/configuration")
        for name, expected in (("a", ["NPU101"]), ("b", [])):
            wire.open((tmp_path / name / "train.py").as_uri(), mine)
            assert _codes(wire, (tmp_path / name / "train.py").as_uri()) == expected


def test_a_folder_that_comes_brings_its_settings_and_takes_them_along(tmp_path: Path) -> None:
    added = [{"uri": (tmp_path / "b").as_uri(), "name": "b"}]
    uri = (tmp_path / "b" / "train.py").as_uri()
    with Wire() as wire:
        wire.settings_in = {added[0]["uri"]: {"ignore": ["NPU101"]}}
        _begin(wire, tmp_path / "a", ASKED)
        wire.open(uri, TYPO)
        assert _codes(wire, uri) == ["NPU101"]
        wire.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": []}})
        assert _codes(wire, uri) == []
        wire.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": added}})
        assert _codes(wire, uri) == ["NPU101"]


def test_what_is_in_force_for_a_file_that_is_not_open(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    config = tmp_path / "b" / "npu-lsp.toml"
    config.write_text("", encoding="utf-8")
    with Wire() as wire:
        _begin(wire, tmp_path / "a")
        assert wire.status()["configuration"] is None
        assert wire.status(config.as_uri())["configuration"] == str(config)


@together(
    ("locale", "language", "wanted"),
    [("zh-cn", "auto", "zh"), ("en", "zh", "zh"), ("zh-CN", "en", "en"), ("de", "auto", "en")],
)
def test_messages_in_the_language_of_the_reader(tmp_path: Path, locale: str, language: str, wanted: str) -> None:
    with Wire() as wire:
        uri = _begin(wire, tmp_path, locale=locale, initializationOptions={"language": language})
        wire.open(uri, TYPO)
        (found,) = wire.diagnostics(uri)
        assert ("未知配置项" in found["message"]) == (wanted == "zh")
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 30}}
        assert ("是否应为" in wire.request("textDocument/hover", place)["result"]["contents"]["value"]) == (
            wanted == "zh"
        )


def test_the_target_is_the_configured_one(tmp_path: Path) -> None:
    config = tmp_path / "npu-lsp.toml"
    config.write_text('[target]\ncann = "8.0"\nproducts = ["a2"]\n', encoding="utf-8")
    with Wire() as wire:
        uri = _begin(wire, tmp_path)
        wire.open(uri, TYPO.replace("precison", "precision"))
        assert wire.status(uri)["target"] == {
            "cann": "8.0",
            "versions": {"cann": "8.0"},
            "products": ["a2"],
            "from": {"cann": str(config), "products": str(config)},
            "said": {},
        }
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 30}}
        assert "CANN 8.0" in wire.request("textDocument/hover", place)["result"]["contents"]["value"]
