"""What the pages of clients that no test drives give: each key is one that the client reads, with a value of the kind that it takes.

The forms are recorded from the clients' own sources; `SOURCES` names the versions.
"""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest

from npu_lsp.text.toml import parse
from tests.editors.pages import PAGES, configuration

SOURCES = {
    "sublime": "https://github.com/sublimelsp/LSP/blob/7ffc7211/sublime-package.json",
    "jetbrains": "https://github.com/redhat-developer/lsp4ij/blob/d21cff92/src/main/java/com/redhat/devtools/lsp4ij/"
    "launching/templates/LanguageServerTemplateDeserializer.java",
    "zed": "https://github.com/zed-industries/zed/blob/01a3f4a064ff6d466c02b85ca8a4c011675290da/crates/extension/src/"
    "extension_manifest.rs",
    "kate": "https://github.com/KDE/kate/blob/02a0bec1ea7fbe1cfeaeefef82c4dac0da4325b3/addons/lspclient/"
    "lspclientservermanager.cpp",
}
_TEXT = {"type": "string"}
_TABLE = {"type": "object"}
_WORDS = {"type": "array", "items": _TEXT}
_NAMES = {"type": "object", "additionalProperties": {"type": "string"}}


def _object(required: str = "", **keys: Any) -> dict[str, Any]:
    """Return the form of an object that takes these keys and no others; what is `{}` takes anything."""
    return {"type": "object", "properties": keys, "required": required.split(), "additionalProperties": False}


_SUBLIME = _object(
    "command enabled selector",
    command={**_WORDS, "minItems": 1},
    enabled={"type": "boolean"},
    selector={"type": "string", "minLength": 1},
    priority_selector={"type": "string"},
    schemes=_WORDS,
    tcp_port={"type": "integer"},
    initialization_options={"type": "object"},
    settings={"type": "object"},
    env={"type": "object"},
    disabled_capabilities={"type": "object"},
    experimental_capabilities={"type": "object"},
    diagnostics_mode={"type": "string"},
    file_watcher={"type": "object"},
    auto_complete_selector={"type": "string"},
    ignore_server_trigger_chars={"type": "boolean"},
    semantic_tokens={"type": "object"},
    markdown_language_map={"type": "object"},
    syntax_map=_NAMES,
)
_PATTERNS = {"anyOf": [{"required": ["patterns"]}, {"required": ["name"]}]}
_JETBRAINS = _object(
    "id name programArgs",
    id={"type": "string"},
    name={"type": "string"},
    dev={"type": "boolean"},
    url={"type": ["string", "null"]},
    programArgs=_object("default", **dict.fromkeys(("default", "windows", "mac", "unix"), _TEXT)),
    workingDir={"type": "string"},
    env=_object(includeSystemEnvironmentVariables={"type": "boolean"}, variables=_NAMES),
    expandConfiguration={"type": "boolean"},
    disablePromotionFor=_WORDS,
    fileTypeMappings={
        "type": "array",
        "items": _object(
            "fileType",
            fileType={**_object(name={"type": "string"}, patterns=_WORDS), **_PATTERNS},
            languageId={"type": "string"},
        ),
    },
    languageMappings={
        "type": "array",
        "items": _object("language", language={"type": "string"}, languageId={"type": "string"}),
    },
)
# What a server is called is documented beside the languages, though today's Zed takes the table's own name.
_ZED_SERVER = _object(
    "languages",
    name={"type": "string"},
    languages={**_WORDS, "minItems": 1},
    language_ids=_NAMES,
    code_action_kinds=_WORDS,
)
_ZED = _object(
    "id name version schema_version",
    **dict.fromkeys(("id", "name", "version", "description", "repository", "snippets"), _TEXT),
    schema_version={"const": 1},
    authors=_WORDS,
    lib=_object(kind={"const": "Rust"}, version={"type": "string"}),
    language_servers={"type": "object", "additionalProperties": _ZED_SERVER},
)
_KATE = {
    "type": "object",
    "additionalProperties": _object(
        "command highlightingModeRegex",
        **dict.fromkeys(("command", "commandDebug"), _WORDS),
        **dict.fromkeys(("rootIndicationFileNames", "rootIndicationFilePatterns", "path"), _WORDS),
        **dict.fromkeys(("highlightingModeRegex", "root", "url", "use"), _TEXT),
        **dict.fromkeys(("initializationOptions", "settings"), _TABLE),
        documentLanguageId={"type": "boolean"},
        useWorkspace={"type": "boolean"},
    ),
}


def _check(said: object, form: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(form)
    problems = [f"{each.json_path}: {each.message}" for each in jsonschema.Draft202012Validator(form).iter_errors(said)]
    assert problems == []


@pytest.mark.parametrize("page", ["others.md", "others.zh.md"])
def test_sublime(page: str) -> None:
    servers = json.loads(configuration(page, "json", "Sublime Text"))
    _check(servers, {"type": "object", "additionalProperties": _SUBLIME})
    # A selector is made of scopes, joined by what Sublime knows between them.
    for server in servers.values():
        assert all(re.fullmatch(r"(?:source|text)(?:\.[\w-]+)+", scope) for scope in server["selector"].split(" | "))


def test_jetbrains() -> None:
    _check(json.loads((PAGES / "jetbrains/template.json").read_text(encoding="utf-8")), _JETBRAINS)
    # What the importer takes besides is one of these, and it passes over all else.
    others = ("settings", "settings.schema", "initializationOptions", "experimental", "clientSettings", "installer")
    assert {each.name for each in (PAGES / "jetbrains").iterdir()} <= {
        "template.json",
        *(f"{name}.json" for name in others),
    }


@pytest.mark.parametrize("page", ["zed.md", "zed.zh.md"])
def test_zed(page: str) -> None:
    manifest = parse(configuration(page, "toml"))
    _check(manifest, _ZED)
    for server in manifest["language_servers"].values():
        assert server["language_ids"].keys() == set(server["languages"])


@pytest.mark.parametrize("page", ["kate.md", "kate.zh.md"])
def test_kate(page: str) -> None:
    said = json.loads(configuration(page, "json"))
    assert said.keys() == {"servers"}
    _check(said["servers"], _KATE)


def test_a_form_tells_a_slip() -> None:
    server = {"enabled": True, "command": ["npu-lsp"], "selector": "source.python"}
    for slip in ({**server, "scopes": []}, {**server, "command": "npu-lsp serve"}, {"command": ["npu-lsp"]}):
        with pytest.raises(AssertionError):
            _check(slip, _SUBLIME)
