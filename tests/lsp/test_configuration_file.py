"""npu-lsp.toml and our part of pyproject.toml, open in an editor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.catalog.components import CANN, COMPONENTS
from npu_lsp.text.toml import parse
from tests.lsp.wire import Wire

MARK = "|"
SNIPPETS = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
    }
}


class Shown:
    """A configuration in an editor; each is a file of its own, so that one server is enough."""

    def __init__(self, wire: Wire, folder: Path) -> None:
        self._wire, self._folder, self._count = wire, folder, 0
        self.uri = ""
        self.lines: list[str] = []
        self.found: list[dict[str, Any]] = []

    def open(self, marked: str, name: str = "npu-lsp.toml") -> dict[str, Any]:
        """Open a file and return the parameters of a request at the mark."""
        self._count += 1
        folder = self._folder / str(self._count)
        folder.mkdir()
        before, _, after = marked.partition(MARK)
        self.uri, text = (folder / name).as_uri(), before + after
        self.lines = text.split("\n")
        self._wire.open(self.uri, text, "toml")
        self.found = self._wire.diagnostics(self.uri)
        position = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        return {"textDocument": {"uri": self.uri}, "position": position}

    def said(self) -> list[tuple[str, str]]:
        """Return what is underlined, and why."""
        return [(self._text(each["range"]), each["message"]) for each in self.found]

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Return the answer to a request."""
        return self._wire.request(f"textDocument/{method}", params)["result"]

    def complete(self, marked: str, name: str = "npu-lsp.toml") -> dict[str, str]:
        """Return what the line at the mark becomes with each of the offers that fit what is typed."""
        params = self.open(marked, name)
        answer = self.ask("completion", params)
        line = self.lines[params["position"]["line"]]
        made = {}
        for item in answer["items"] if answer else ():
            start, end = (item["textEdit"]["range"][side]["character"] for side in ("start", "end"))
            if line[start:end] in item["filterText"]:
                made[item["label"]] = line[:start] + item["textEdit"]["newText"] + line[end:]
        return made

    def _text(self, range_: dict[str, Any]) -> str:
        assert range_["start"]["line"] == range_["end"]["line"]
        line: str = self.lines[range_["start"]["line"]]
        return line[range_["start"]["character"] : range_["end"]["character"]]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    with Wire() as wire:
        wire.initialize(SNIPPETS)
        yield Shown(wire, tmp_path_factory.mktemp("configurations"))


MISTAKES = [
    ('selct = ["NPU101"]\n', "selct", "did you mean 'select'"),
    ('select = ["NPU101", "NPU999"]\n', "NPU999", "there is no rule"),
    ('ignore = [\n  "中",\n  "NPU101"]\n', "中", "a rule's code"),
    ('language = "zn"', "zn", "one of auto, en, zh"),
    ('target = { cann = "eight" }\n', "eight", "a version of CANN"),
    ('[target]\nproducts = [\n  "a2",\n  "a7",\n]\n', "a7", "no product"),
    ('[severity]\nNPU101 = "eror"\n', "eror", "did you mean 'error'"),
    ('severity.NPU777 = "info"\n', "NPU777", "there is no rule"),
    ('[per-file-ignores]\n"a.b/*.py" = ["no-such"]\n', "no-such", "there is no rule"),
    ('extend = "../none.toml"\n', "../none.toml", "there is no file"),
    ('catalog = ["none.toml"]\n', "none.toml", "there is no file"),
    ("max-file-size = true\n", "true", "must be integer"),
    ("cache = [1]\n", "cache", "must be boolean"),
    ("  ignore = [\n\n", "ignore = [", ""),
    ("ignore = [] ignore\n", "ignore = [] ignore", ""),
    ('[house-rules.a]\nsetting = "HCCL_BUFSIZE"\nforbid = true\n', "HCCL_BUFSIZE", "did you mean 'HCCL_BUFFSIZE'"),
    ('[house-rules.a]\nsetting = "HCCL_BUFFSIZE"\nat-lest = 2\n', "at-lest", "did you mean 'at-least'"),
]


@pytest.mark.parametrize(("text", "where", "message"), MISTAKES)
def test_a_mistake_is_underlined_while_it_is_typed(shown: Shown, text: str, where: str, message: str) -> None:
    shown.open(text)
    assert [at for at, _ in shown.said()] == [where]
    assert message in shown.said()[0][1]


@pytest.mark.parametrize(
    ("text", "name", "wrong"),
    [
        ("[tool.npu-lsp]\nselct = []\n[tool.other]\nselct = []\n", "pyproject.toml", ["selct"]),
        ("[tool.other]\nselct = []\n", "pyproject.toml", []),
        ("[tool.other\n", "pyproject.toml", []),
        ("[tool.npu-lsp\n", "pyproject.toml", ["[tool.npu-lsp"]),
        ('extend-select = ["NPU1"]\n"known" = ["my_*"]\n', ".npu-lsp.toml", []),
        ("selct = []\n", "other.toml", []),
    ],
)
def test_only_what_is_ours_is_looked_at(shown: Shown, text: str, name: str, wrong: list[str]) -> None:
    shown.open(text, name)
    assert [at for at, _ in shown.said()] == wrong


def test_a_slip_is_mended(shown: Shown) -> None:
    params = shown.open('ignore = ["unknwn-opti|on"]\n')
    at = {"start": params["position"], "end": params["position"]}
    context = {"diagnostics": shown.found}
    (action,) = shown.ask("codeAction", {"textDocument": params["textDocument"], "range": at, "context": context})
    assert action["title"] == 'Change to "unknown-option" (review)'
    assert action["diagnostics"] == shown.found
    (edit,) = action["edit"]["changes"][shown.uri]
    assert edit["newText"] == "unknown-option"


@pytest.mark.parametrize(
    ("text", "label", "line"),
    [
        ("|", "ignore", "ignore = [$0]"),
        ("|", "language", 'language = "$0"'),
        ("ca|\n", "cache", "cache = $0"),
        ("# c\n  ign|\n", "ignore", "  ignore = [$0]"),
        ("ign| = []\n", "ignore", "ignore = []"),
        ("|", "target.products", "target.products = [$0]"),
        ("target.|", "cann", 'target.cann = "$0"'),
        ("target = { | }", "products", "target = { products = [$0] }"),
        ("[target]\n|", "cann", 'cann = "$0"'),
        ("[tar|]\n", "target", "[target]"),
        ("[severity]\n|\n", "NPU101", 'NPU101 = "$0"'),
        ("ignore = [|]", "NPU101", 'ignore = ["NPU101"]'),
        ("ignore = [NPU1|]", "NPU1", 'ignore = ["NPU1"]'),
        ('ignore = ["|"]', "ALL", 'ignore = ["ALL"]'),
        ('ignore = ["|', "NPU101", 'ignore = ["NPU101"'),
        ('ignore = ["NPU301",\n  "unknown|"]', "NPU101", '  "NPU101"]'),
        ("ignore = ['|\nselect = []\n", "NPU101", "ignore = ['NPU101'"),
        ("per-file-ignores.'*.py' = [|]", "NPU101", "per-file-ignores.'*.py' = [\"NPU101\"]"),
        ("target.cann = |", "8.0", 'target.cann = "8.0"'),
        ('target = { products = ["|"] }', "a2", 'target = { products = ["a2"] }'),
        ("cache = |", "false", "cache = false"),
        ('severity.NPU101 = "|"', "hint", 'severity.NPU101 = "hint"'),
        ('output-format = "sa|"', "sarif", 'output-format = "sarif"'),
    ],
)
def test_what_can_be_typed(shown: Shown, text: str, label: str, line: str) -> None:
    assert shown.complete(text)[label] == line


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# ign|", "npu-lsp.toml"),
        ("ignore = [] # |", "npu-lsp.toml"),
        ('known = ["|"]', "npu-lsp.toml"),
        ("ignore = [] |", "npu-lsp.toml"),
        ("[tool.other]\n|", "pyproject.toml"),
        ("|", "pyproject.toml"),
        ("|", "other.toml"),
    ],
)
def test_where_nothing_can_be_told(shown: Shown, text: str, name: str) -> None:
    assert shown.complete(text, name) == {}


def test_in_pyproject_toml(shown: Shown) -> None:
    assert "select" in shown.complete("[tool.npu-lsp]\n|\n", "pyproject.toml")
    offered = shown.complete("[tool.npu-lsp.target]\nproducts = ['a2', |]\n", "pyproject.toml")
    assert offered["a3"] == "products = ['a2', \"a3\"]"
    assert "a2" not in offered, "it is there already"


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("|\n", ["target", *(f"target.{each}" for each in COMPONENTS), "target.products"]),
        ('target.cann = "8.0"\n|\n', [*(f"target.{each}" for each in COMPONENTS if each != CANN), "target.products"]),
        ('target = { cann = "8.0" }\n|\n', []),
        ('|\n[target]\ncann = "8.0"\n', []),
        ('target = { cann = "8.0", | }\n', ["products"]),
    ],
)
def test_what_is_set_already_is_not_offered(shown: Shown, text: str, offered: list[str]) -> None:
    assert [name for name in shown.complete(text) if name.startswith(("target", "cann", "products"))] == offered


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        ("ign|ore = []", "npu-lsp.toml", ["**`ignore`**", "Rules that don't run"]),
        ("ignore = ['NPU1|01']", "npu-lsp.toml", ["**`NPU101`** · unknown-option"]),
        ("ignore = ['unknown-opt|ion']", "npu-lsp.toml", ["**`NPU101`** · unknown-option"]),
        ("ignore = ['NPU|3']", "npu-lsp.toml", ["code starts with NPU3"]),
        ("target.ca|nn = '8.0'", "npu-lsp.toml", ["CANN version"]),
        ("target.products = ['a|2']", "npu-lsp.toml", ["Atlas A2"]),
        ("[tool.npu-lsp.tar|get]", "pyproject.toml", ["**`target`**", "What the code must run on"]),
    ],
)
def test_what_it_means(shown: Shown, text: str, name: str, told: list[str]) -> None:
    answer = shown.ask("hover", shown.open(text, name))
    assert all(each in answer["contents"]["value"] for each in told)


def test_nothing_is_told_of_what_has_no_meaning(shown: Shown) -> None:
    for text in ("# ig|nore", "known = ['a|']", "no-such-k|ey = 1", "|", "ignore = ['x|"):
        assert shown.ask("hover", shown.open(text)) is None


def test_a_client_without_snippets_gets_plain_text(tmp_path: Path) -> None:
    with Wire() as wire:
        wire.initialize(locale="zh-cn")
        params = Shown(wire, tmp_path).open("|\n")
        items = wire.request("textDocument/completion", params)["result"]["items"]
        assert {item["textEdit"]["newText"] for item in items} >= {"ignore = ", "severity.", "target.cann = "}
        assert all("insertTextFormat" not in item for item in items)
        assert "停用" in next(item["documentation"] for item in items if item["label"] == "ignore")


@pytest.mark.parametrize("pulls", [False, True])
def test_the_text_on_the_screen_speaks_for_itself(tmp_path: Path, pulls: bool) -> None:
    """What is wrong with the saved file is not told beside it, and told again when it is closed."""
    config, script = tmp_path / "npu-lsp.toml", (tmp_path / "a.py").as_uri()
    config.write_text("ignore = 5\n", encoding="utf-8")
    uri = config.as_uri()
    with Wire() as wire:
        wire.initialize({"textDocument": {"diagnostic": {}}} if pulls else {})
        wire.open(script, 'custom_op.parameter_map["x"].b = True\n')
        if pulls:
            wire.request("textDocument/diagnostic", {"textDocument": {"uri": script}})
        assert len(wire.diagnostics(uri)) == 1
        wire.open(uri, "ignore = []\n", "toml")
        assert wire.diagnostics(uri) == []
        if pulls:
            assert wire.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]["items"] == []
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        if not pulls:
            assert wire.diagnostics(uri) == []
        assert len(wire.diagnostics(uri)) == 1


def test_a_menu_of_targets_writes_into_the_file(tmp_path: Path) -> None:
    config = tmp_path / "npu-lsp.toml"
    with Wire() as wire:
        wire.initialize()
        offered = wire.request("npu-lsp/targets")["result"]
        assert offered["cann"].index("8.5") < offered["cann"].index("8.0") < offered["cann"].index("8.0.RC1")
        assert "9.2.0" not in offered["cann"]
        assert [each["id"] for each in offered["components"]] == list(COMPONENTS)
        assert {"id": "a2", "name": "Atlas A2"} in offered["products"]
        assert "Ascend310P3" not in [each["id"] for each in offered["products"]]

        def edits(uri: str, **more: Any) -> Any:
            return wire.request("npu-lsp/retarget", {"textDocument": {"uri": uri}, "cann": "8.0", **more})

        place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        made = [{"range": place, "newText": 'target = { cann = "8.0", products = ["a2"] }\n'}]
        assert edits(config.as_uri(), products=["a2"])["result"] == made
        config.write_text("# 中😀\ntarget.cann = '7.0'\n", encoding="utf-8")
        where = {"start": {"line": 1, "character": 14}, "end": {"line": 1, "character": 19}}
        made = [{"range": where, "newText": '"8.0"'}]
        assert edits(config.as_uri(), products=[])["result"] == made
        wire.open(config.as_uri(), "#\n\ntarget.cann = '7.0'\n", "toml")
        assert edits(config.as_uri(), products=[])["result"][0]["range"]["start"]["line"] == 2
        assert edits((tmp_path / "train.py").as_uri(), products=[])["error"]["code"] == -32602
        moved = edits(config.as_uri(), versions={"cann": None, "vllm-ascend": "0.23"})["result"]
        assert [each["newText"] for each in moved] == ["", 'target.vllm-ascend = "0.23"\n']
        assert edits(config.as_uri(), versions={"unheard-of": "1"})["error"]["code"] == -32602
        odd: object
        for odd in (None, [], config.as_uri(), 5):
            assert wire.request("npu-lsp/retarget", odd)["error"]["code"] == -32602


def test_a_new_configuration_says_what_is_known_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_HOME"):
        monkeypatch.delenv(name, raising=False)
    asked = {"textDocument": {"uri": (tmp_path / "train.py").as_uri()}}
    with Wire() as wire:
        wire.initialize()
        begun = wire.request("npu-lsp/newConfiguration", asked)["result"]["text"]
        assert parse(begun) == {}
        assert "ignore" in begun
    with Wire() as wire:
        wire.initialize(initializationOptions={"target": {"cann": "8.5.0", "products": ["a3"]}, "language": "zh"})
        begun = wire.request("npu-lsp/newConfiguration", asked)["result"]["text"]
        assert parse(begun) == {"target": {"cann": "8.5.0", "products": ["a3"]}}
        assert "运行目标" in begun
        assert wire.request("npu-lsp/newConfiguration", None)["result"]["text"] == begun


@pytest.mark.parametrize(
    ("text", "label", "line"),
    [
        ("[house-rules.a]\nat-l|\n", "at-least", "at-least = "),
        ('[house-rules.a]\nsetting = "HCCL_BUFFS|"\n', "HCCL_BUFFSIZE", 'setting = "HCCL_BUFFSIZE"'),
        (
            '[house-rules.a]\nnever-with = ["enable-sleep|"]\n',
            "enable-sleep-mode",
            'never-with = ["enable-sleep-mode"]',
        ),
        ('[house-rules.a]\nfor = { programs = ["vl|"] }\n', "vllm", 'for = { programs = ["vllm"] }'),
        ('[house-rules.a]\nseverity = "in|"\n', "info", 'severity = "info"'),
    ],
)
def test_house_rules_are_completed(shown: Shown, text: str, label: str, line: str) -> None:
    made = shown.complete(text)
    assert made[label].startswith(line), made


def test_a_key_of_a_house_rule_is_explained(shown: Shown) -> None:
    answer = shown.ask("hover", shown.open('[house-rules.a]\nsetting = "HCCL_BUFFSIZE"\nat-le|ast = 3\n'))
    assert "The least number" in answer["contents"]["value"]
