"""House rules: what each constraint says, of which texts, and that it says nothing of what isn't known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config, TargetConfig
from npu_lsp.linter.findings import Finding, Safety
from npu_lsp.linter.page import page
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits

TIMEOUT = {"setting": "HCCL_CONNECT_TIMEOUT"}
SLEEP = {"setting": "PYTORCH_NPU_ALLOC_CONF", "value": "*expandable_segments:True*", "never-with": "enable-sleep-mode"}
NAMED = {"setting": "HCCL_SOCKET_IFNAME", "require": True}
SEGMENTS = "export PYTORCH_NPU_ALLOC_CONF=expandable_segments:True\n"


def found(
    table: dict[str, Any],
    text: str,
    kind: Kind = Kind.SHELL,
    *,
    path: str = "run.sh",
    language: Language = "en",
    target: TargetConfig | None = None,
) -> list[Finding]:
    config = Config(house_rules={"ours": table}, select=("HOUSE",), target=target or TargetConfig())
    analyzer = Analyzer(config, all_rules, language=language)
    told = analyzer.findings(Document(text, kind=kind, path=path))
    assert analyzer.failures == 0
    return [each for each in told if not each.suppressed]


SAID = [
    ({**TIMEOUT, "at-least": 1200}, "export HCCL_CONNECT_TIMEOUT=600\n", ["600"]),
    ({**TIMEOUT, "at-least": 1200}, "export HCCL_CONNECT_TIMEOUT=1200\n", []),
    ({**TIMEOUT, "at-least": 1200}, "export HCCL_CONNECT_TIMEOUT=$T\n", []),
    ({**TIMEOUT, "at-least": 1200}, "export HCCL_CONNECT_TIMEOUT=long\n", []),
    ({**TIMEOUT, "at-most": 1200}, "export HCCL_CONNECT_TIMEOUT=1201\n", ["1201"]),
    ({**TIMEOUT, "between": [600, 1200]}, "export HCCL_CONNECT_TIMEOUT=599\n", ["599"]),
    ({**TIMEOUT, "between": [600, 1200]}, "export HCCL_CONNECT_TIMEOUT=600\n", []),
    ({**TIMEOUT, "one-of": [600, "1200"]}, "export HCCL_CONNECT_TIMEOUT=700\n", ["700"]),
    ({**TIMEOUT, "one-of": [600, "1200"]}, "export HCCL_CONNECT_TIMEOUT=1200\n", []),
    ({**TIMEOUT, "forbid": True}, "export HCCL_CONNECT_TIMEOUT=$T\n", ["HCCL_CONNECT_TIMEOUT"]),
    ({**TIMEOUT, "forbid": [600]}, "export HCCL_CONNECT_TIMEOUT=600\n", ["600"]),
    ({**TIMEOUT, "forbid": [600]}, "export HCCL_CONNECT_TIMEOUT=601\n", []),
    ({**TIMEOUT, "equals": "HCCL_EXEC_TIMEOUT"}, "export HCCL_CONNECT_TIMEOUT=6\nexport HCCL_EXEC_TIMEOUT=7\n", ["6"]),
    ({**TIMEOUT, "equals": "HCCL_EXEC_TIMEOUT"}, "export HCCL_CONNECT_TIMEOUT=7\nexport HCCL_EXEC_TIMEOUT=7\n", []),
    ({**TIMEOUT, "equals": "HCCL_EXEC_TIMEOUT"}, "export HCCL_CONNECT_TIMEOUT=7\nexport HCCL_EXEC_TIMEOUT=$E\n", []),
    ({**TIMEOUT, "only-with": "HCCL_EXEC_TIMEOUT"}, "export HCCL_CONNECT_TIMEOUT=7\n", ["HCCL_CONNECT_TIMEOUT"]),
    ({**TIMEOUT, "only-with": "HCCL_EXEC_TIMEOUT"}, "source our.sh\nexport HCCL_CONNECT_TIMEOUT=7\n", []),
    (
        {**TIMEOUT, "only-with": "HCCL_EXEC_TIMEOUT=7"},
        "export HCCL_CONNECT_TIMEOUT=7\nexport HCCL_EXEC_TIMEOUT=7\n",
        [],
    ),
    (
        {**TIMEOUT, "only-with": "HCCL_EXEC_TIMEOUT=7"},
        "export HCCL_CONNECT_TIMEOUT=7\nexport HCCL_EXEC_TIMEOUT=8\n",
        ["HCCL_CONNECT_TIMEOUT"],
    ),
    (SLEEP, SEGMENTS + "vllm serve m --enable-sleep-mode\n", ["PYTORCH_NPU_ALLOC_CONF"]),
    (SLEEP, SEGMENTS + "vllm serve m\n", []),
    (SLEEP, SEGMENTS.replace("True", "False") + "vllm serve m --enable-sleep-mode\n", []),
    (SLEEP, "if a; then\n" + SEGMENTS + "else\nvllm serve m --enable-sleep-mode\nfi\n", []),
    (NAMED, "vllm serve m\n", ["serve"]),
    (NAMED, "torchrun --nproc_per_node 2 train.py\n", ["torchrun"]),
    (NAMED, "export HCCL_SOCKET_IFNAME=eth0\nvllm serve m\n", []),
    (NAMED, "HCCL_SOCKET_IFNAME=eth0 vllm serve m\n", []),
    (NAMED, "source env.sh\nvllm serve m\n", []),
    (NAMED, "echo\n", []),
    ({"setting": "max-model-len", "require": True}, "vllm serve m --port 80\n", ["serve"]),
    ({"setting": "max-model-len", "require": True}, "vllm serve m --max-model-len $L\n", []),
    ({"setting": "max-model-len", "require": True}, 'vllm serve m "$@"\n', []),
    ({**NAMED, "for": {"programs": ["vllm"]}}, "torchrun --nproc_per_node 2 train.py\n", []),
    ({**NAMED, "for": {"models": ["qwen3*"]}}, "vllm serve /models/Qwen3-8B\n", ["serve"]),
    ({**NAMED, "for": {"models": ["qwen3*"]}}, "vllm serve $MODEL\n", []),
    ({**NAMED, "for": {"models": ["qwen3*"]}}, "vllm serve deepseek\n", []),
    (
        {"setting": "enable_cpu_binding", "forbid": [True]},
        "vllm serve m --additional-config '{\"enable_cpu_binding\": true}'\n",
        ["true"],
    ),
]


@pytest.mark.parametrize(("table", "text", "marks"), SAID, ids=range(len(SAID)))
def test_what_it_says(table: dict[str, Any], text: str, marks: list[str]) -> None:
    told = found(table, text)
    assert [text[each.span.start : each.span.end] for each in told] == marks
    assert all(each.code == each.name == "ours" and "ours" in each.message for each in told)
    chinese = found(table, text, language="zh")
    assert [each.message for each in chinese] != [each.message for each in told] or not told


def test_every_language_of_options_is_asked() -> None:
    table = {**TIMEOUT, "at-least": 1200}
    for kind, text in (
        (Kind.PYTHON, "import os\nos.environ['HCCL_CONNECT_TIMEOUT'] = '600'\n"),
        (Kind.DOCKERFILE, "FROM a\nENV HCCL_CONNECT_TIMEOUT=600\n"),
        (Kind.YAML, "env:\n  - name: HCCL_CONNECT_TIMEOUT\n    value: '600'\n"),
        (Kind.MARKDOWN, "```bash\nexport HCCL_CONNECT_TIMEOUT=600\n```\n"),
    ):
        assert len(found(table, text, kind)) == 1, kind


def test_a_message_is_ones_own() -> None:
    table = {
        **TIMEOUT,
        "at-least": 1200,
        "severity": "info",
        "message": {"en": "{option} is {value}: short", "zh": "短"},
    }
    (told,) = found(table, "export HCCL_CONNECT_TIMEOUT=600\n")
    assert (told.message, told.severity.value) == ("HCCL_CONNECT_TIMEOUT is 600: short", "info")
    assert found(table, "export HCCL_CONNECT_TIMEOUT=600\n", language="zh")[0].message == "短"


@pytest.mark.parametrize(
    ("spec", "version", "told"),
    [
        (">=8.5", "9.0", 1),
        (">=8.5", "8.0", 0),
        (">=8.5", None, 0),
        (">=8.0, <9", "8.5", 1),
        ("8.5", "8.5.0", 1),
        ("<8.5", "8.5", 0),
    ],
)
def test_it_holds_for_versions_that_somebody_names(spec: str, version: str | None, told: int) -> None:
    target = TargetConfig({"cann": version} if version else {})
    table = {**TIMEOUT, "forbid": True, "for": {"cann": spec}}
    assert len(found(table, "export HCCL_CONNECT_TIMEOUT=600\n", target=target)) == told


@pytest.mark.parametrize(("products", "told"), [(("a2",), 1), (("a3",), 0), ((), 0), (("a2", "a3"), 0)])
def test_it_holds_for_products_that_somebody_names(products: tuple[str, ...], told: int) -> None:
    table = {**TIMEOUT, "forbid": True, "for": {"products": ["A2"]}}
    found_ = found(table, "export HCCL_CONNECT_TIMEOUT=600\n", target=TargetConfig({}, products))
    assert len(found_) == told


def test_it_holds_in_files(tmp_path: Path) -> None:
    table: dict[str, Any] = {**TIMEOUT, "forbid": True, "in-files": ["deploy/**"]}
    text = "export HCCL_CONNECT_TIMEOUT=600\n"
    config = Config(house_rules={"ours": table}, root=tmp_path, select=("ours",))
    for name, told in (("deploy/run.sh", 1), ("test/run.sh", 0)):
        document = Document(text, kind=Kind.SHELL, path=str(tmp_path / name))
        assert len(Analyzer(config, all_rules).findings(document)) == told


def test_a_part_of_a_deployment() -> None:
    text = '{"mindie_common_env": {"HCCL_BUFFSIZE": 1}, "mindie_server_decode_env": {"HCCL_BUFFSIZE": 2, "HCCL_EXEC_TIMEOUT": 3}}'
    table: dict[str, Any] = {"setting": "HCCL_BUFFSIZE", "part": "mindie_server_decode_env", "one-of": [512]}
    (told,) = found(table, text, Kind.JSON, path="mindie_env.json")
    assert text[told.span.start : told.span.end] == "2"
    table = {"setting": "HCCL_EXEC_TIMEOUT", "part": "mindie_common_env", "require": True}
    assert len(found(table, text, Kind.JSON, path="mindie_env.json")) == 1
    table["part"] = "mindie_server_decode_env"
    assert found(table, text, Kind.JSON, path="mindie_env.json") == []


@pytest.mark.parametrize(
    ("fix", "fixed", "safety"),
    [
        (1200, "export HCCL_CONNECT_TIMEOUT=1200\n", Safety.UNSAFE),
        ({"value": 1200, "safe": True}, "export HCCL_CONNECT_TIMEOUT=1200\n", Safety.SAFE),
        ({"remove": True}, "", Safety.UNSAFE),
    ],
)
def test_its_fix(fix: object, fixed: str, safety: Safety) -> None:
    text = "export HCCL_CONNECT_TIMEOUT=600\n"
    (told,) = found({**TIMEOUT, "at-least": 1200, "fix": fix}, text)
    (made,) = told.fixes
    assert (apply_edits(text, made.edits), made.safety) == (fixed, safety)


def test_what_a_launch_lacks_is_set_above_it() -> None:
    text = "if a; then\n  vllm serve m\nfi\n"
    (told,) = found({**NAMED, "fix": "eth 0"}, text)
    assert (
        apply_edits(text, told.fixes[0].edits)
        == "if a; then\n  export HCCL_SOCKET_IFNAME='eth 0'\n  vllm serve m\nfi\n"
    )
    (told,) = found({"setting": "max-model-len", "require": True, "fix": 4096}, "vllm serve m --port 80\n")
    assert (
        apply_edits("vllm serve m --port 80\n", told.fixes[0].edits) == "vllm serve m --port 80 --max-model-len 4096\n"
    )


def test_a_comment_silences_it_and_one_that_is_of_no_use_is_told() -> None:
    table = {**TIMEOUT, "at-least": 1200}
    config = Config(house_rules={"ours": table}, select=("HOUSE", "NPU901", "NPU902"))
    for text, codes in (
        ("export HCCL_CONNECT_TIMEOUT=600  # npu-lsp: ignore[ours]\n", []),
        ("export HCCL_CONNECT_TIMEOUT=1200  # npu-lsp: ignore[ours]\n", ["unused-suppression"]),
        ("export HCCL_CONNECT_TIMEOUT=600  # npu-lsp: ignore[our]\n", ["ours", "unknown-suppression"]),
    ):
        told = Analyzer(config, all_rules).findings(Document(text, kind=Kind.SHELL, path="a.sh"))
        assert sorted(each.name for each in told if not each.suppressed) == codes, text


def test_it_is_selected_as_others_are() -> None:
    table = {**TIMEOUT, "forbid": True}
    document = Document("export HCCL_CONNECT_TIMEOUT=600\n", kind=Kind.SHELL, path="a.sh")
    for config, told in (
        (Config(), True),
        (Config(select=("NPU1",)), False),
        (Config(select=("ours",)), True),
        (Config(ignore=("ours",)), False),
        (Config(ignore=("HOUSE",)), False),
        (Config(per_file_ignores=(("*.sh", ("ours",)),)), False),
    ):
        analyzer = Analyzer(config._replace(house_rules={"ours": table}), all_rules)
        assert any(each.name == "ours" for each in analyzer.findings(document)) is told, config


def test_its_page() -> None:
    table = {**TIMEOUT, "at-least": 1200, "examples": [{"bad": "export HCCL_CONNECT_TIMEOUT=1"}]}
    analyzer = Analyzer(Config(house_rules={"ours": table}), all_rules)
    rule = analyzer.all_rules[-1]
    for language, word in (("en", "must be at least 1200"), ("zh", "不得小于 1200")):
        text = page(rule, language)  # type: ignore[arg-type]
        assert word in text
        assert "ignore[ours]" in text
        assert "HCCL_CONNECT_TIMEOUT=1" in text
