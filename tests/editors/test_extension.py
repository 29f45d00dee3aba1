"""What the VS Code extension says of itself: complete, in both languages, and the same as the program says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.config.keys import FORM, KEYS

FOLDER = Path(__file__).parents[2] / "editors/vscode"
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in sorted((FOLDER / "src").glob("*.ts")))
OWN = {"server", "trace", "diagnosticMode", "inlayHints", "codeLens", "semanticHighlighting"}
"""Settings of the client, which a configuration file doesn't take."""


def _json(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


PACKAGE = _json("package.json")
SETTINGS = PACKAGE["contributes"]["configuration"]["properties"]
STEPS = PACKAGE["contributes"]["walkthroughs"][0]["steps"]


def test_every_text_is_there_in_both_languages() -> None:
    named = set(re.findall(r'"%([\w.-]+)%"', json.dumps(PACKAGE)))
    assert named == set(_json("package.nls.json")) == set(_json("package.nls.zh-cn.json"))


def test_every_message_is_translated() -> None:
    said = {text.replace('\\"', '"') for text in re.findall(r'l10n\.t\(\s*"((?:[^"\\]|\\.)*)"', SOURCES)}
    assert said == set(_json("l10n/bundle.l10n.zh-cn.json"))


def test_what_stands_beside_messages_is_in_their_language() -> None:
    """The list, the status item and the menus of targets hold words of the server, whose language a setting chooses."""
    for name in ("options.ts", "status.ts", "target.ts"):
        assert "vscode.l10n" not in (FOLDER / "src" / name).read_text(encoding="utf-8")


def test_nothing_of_a_new_configuration_is_made_up() -> None:
    assert not re.search(r'"8\.\d|\ba2\b', SOURCES)


def test_pages_say_that_nothing_is_sent() -> None:
    assert "no telemetry" in (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "没有遥测" in (FOLDER / "README.zh.md").read_text(encoding="utf-8")


def test_every_command_is_there() -> None:
    offered = {each["command"] for each in PACKAGE["contributes"]["commands"]}
    assert offered == {f"npuLsp.{name}" for name in re.findall(r'\bcommand\("(\w+)"', SOURCES)}
    linked = set(re.findall(r"command:(npuLsp[\w.]+)", json.dumps(_json("package.nls.json"))))
    views = {f"{view['id']}.focus" for each in PACKAGE["contributes"]["views"].values() for view in each}
    assert linked <= offered | views


def test_settings_are_keys_of_the_configuration() -> None:
    known = {key.name for key in KEYS}
    for name in SETTINGS:
        first = name.split(".")[1]
        if first not in OWN:
            assert "".join(f"-{c.lower()}" if c.isupper() else c for c in first) in known


def test_settings_of_the_server_can_be_set_for_a_folder() -> None:
    scopes = {setting["scope"] for name, setting in SETTINGS.items() if name.split(".")[1] not in OWN}
    assert scopes == {"resource"}


def test_walkthroughs_are_written_as_their_page_shows_them() -> None:
    """It takes links, bold text and code between two backticks each; a single one would be seen."""
    for name in ("package.nls.json", "package.nls.zh-cn.json"):
        texts = [text for key, text in _json(name).items() if key.startswith("walkthrough.")]
        assert not [text for text in texts if "`" in text.replace("``", "")]


@pytest.mark.parametrize("name", [name for name in SETTINGS if name.split(".")[1] not in OWN])
def test_a_default_changes_nothing(name: str) -> None:
    default = SETTINGS[name]["default"]
    assert default in ("", [], {}, "auto")


def test_patterns_are_those_of_the_program() -> None:
    table = json.dumps(json.loads((FOLDER.parents[1] / "npu_lsp/config/schema.json").read_text(encoding="utf-8")))
    for setting in SETTINGS.values():
        pattern = setting.get("items", {}).get("pattern")
        if pattern:
            assert json.dumps(pattern) in table


def test_examples_of_settings_are_right() -> None:
    told = {"target": {"cann": "8.0", "products": ["a2", "Ascend310P3"]}, "known": ["my_*"], "select": ["ALL"]}
    assert not list(FORM.problems({**told, "ignore": ["NPU101"]}, ""))


@pytest.mark.parametrize("texts", ["package.nls.json", "package.nls.zh-cn.json"])
def test_pictures_are_packed(texts: str) -> None:
    named = _json(texts)
    media = [step["media"].get("svg") or step["media"]["image"] for step in STEPS]
    pictures = [PACKAGE["icon"], *(named[each.strip("%")] if each.startswith("%") else each for each in media)]
    assert all((FOLDER / picture).is_file() for picture in pictures)
    assert "!images/**" in (FOLDER / ".vscodeignore").read_text(encoding="utf-8").split()


def test_steps_of_the_walkthrough_can_be_done() -> None:
    """VS Code leaves out an event that it doesn't know, and the step never counts as done."""
    known = ("onCommand:npuLsp.", "onContext:", "onSettingChanged:npuLsp.", "onView:npuLsp.")
    events = [event for step in STEPS for event in step["completionEvents"]]
    assert all(step["completionEvents"] for step in STEPS)
    assert [event for event in events if not event.startswith(known)] == []
    own = {key for event in events for key in re.findall(r"npuLsp\.(\w+)", event) if event.startswith("onContext:")}
    assert all(f"`${{SECTION}}.{key}`" in SOURCES for key in own)
