"""What is read of defaults over versions, and that the catalog has every change that the versions show."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from tests.authoring.defaults import atc, mindspeed, tensorflow, torch_npu, torchair, vllm_ascend
from tests.authoring.defaults.compare import JUDGED, missing, unproven
from tests.authoring.defaults.history import History, Run, histories
from tests.authoring.defaults.kept import Kept, keep, kept
from tests.authoring.releases import Releases

KEPT = Path(__file__).with_name("defaults.toml")
HISTORIES = [each for source in kept(KEPT) for each in source.histories]


def test_the_catalog_has_every_change_that_the_versions_show() -> None:
    catalog = load()
    found: list[tuple[object, ...]] = []
    for each in HISTORIES:
        option = catalog.option(each.surface, each.name)
        assert option is not None, each.name
        found += [(each.surface.value, each.name, *pair) for pair in missing(each, option)]
        found += [(each.surface.value, each.name, change) for change in unproven(each, option)]
    assert not found


def test_many_versions_of_each_source_were_read() -> None:
    versions = {source.source: len(source.versions) for source in kept(KEPT)}
    assert {name for name, many in versions.items() if many >= 4} == {
        *("ge", "tf", "torch", "torchair", "vllm-ascend", "mindspeed", "mindie-llm")
    }
    assert sum(len(list(each.changes())) for each in HISTORIES) > 30


def test_what_was_judged_is_there() -> None:
    there = {(each.surface, each.name) for each in HISTORIES}
    assert {(surface, name) for surface, name, _ in JUDGED} <= there


class Files(Releases):
    """Releases whose files are given."""

    def __init__(self, by_tag: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__(Path())
        self._by_tag = by_tag

    def tags(self) -> list[str]:
        return list(self._by_tag)

    def holding(self, tag: str, word: str, below: str) -> list[str]:
        files = self._by_tag.get(tag, {})
        return [path for path, text in files.items() if path.startswith(below) and word in text]

    def files(self, tag: str, below: str) -> list[str]:
        return [path for path in self._by_tag.get(tag, {}) if path.startswith(below)]

    def text(self, tag: str, path: str) -> str | None:
        return self._by_tag.get(tag, {}).get(path)


def test_flags_of_atc_by_tag() -> None:
    text = (
        'DEFINE_string(log, "null", "Optional; log");\nDEFINE_int32(mode, 0,\n  "mode");\nDEFINE_string(om, "", "x");\n'
    )
    moved = text.replace('"null"', '"error"')
    releases = Files({"v8.5.0-beta.1": {"api/atc/main_impl.cc": text}, "v9.2.0": {"api/atc/atc_flags.cc": moved}})
    assert histories(atc.read(releases)) == [
        History(Surface.ATC, "log", (Run("8.5.0", "null"), Run("9.2.0", "error"))),
        History(Surface.ATC, "mode", (Run("8.5.0", "0"),)),
        History(Surface.ATC, "om", (Run("8.5.0", None),)),
    ]


_RUN_CONFIG = """
class NPURunConfig:
    def __init__(self, a=False, b=None, c="x", d=os.sep): pass
class DumpConfig:
    def __init__(self, path, mode="output"): pass
"""
_PLUGIN = """
int Other() { bool early = false; params.count("early"); }
Status NpuAttrs::SetNpuOptimizerAttr(const Options &options) {
  bool parallel = true;
  int64_t level = 0L;
  std::string made_up = Make();
  bool unasked = true;
      if (params.count("parallel") > 0) { parallel = params.at("parallel").b(); }
      if (params.count("level") > 0) { level = params.at("level").i(); }
}
"""
_TABLES = {
    "tf_adapter_2.x/python/npu_device/configs/npu_config.py": """
class NpuConfig(NpuBaseConfig):
    def __init__(self):
        self.cache = OptionValue('enable', ['enable', 'disable'])
        self.old = DeprecatedValue([1], replacement='cache')
        self.dump = NpuDump()
""",
    "tf_adapter_2.x/python/npu_device/configs/dump.py": """
class NpuDump(NpuBaseConfig):
    def __init__(self):
        self.on = OptionValue(False, [True, False])
""",
}


def test_tf_adapter_says_defaults_in_three_places() -> None:
    files = {
        "tf_adapter/python/npu_bridge/estimator/npu/npu_config.py": _RUN_CONFIG,
        "tf_adapter/util/npu_attrs.cc": _PLUGIN,
        **_TABLES,
    }
    [(version, found)] = tensorflow.read(Files({"r1.10.0": files}))
    assert version == "6.0.RC1"
    assert found == {
        (Surface.RUN_CONFIG, "a"): "false",
        (Surface.RUN_CONFIG, "b"): None,
        (Surface.RUN_CONFIG, "c"): "x",
        (Surface.RUN_CONFIG, "d"): None,
        (Surface.RUN_CONFIG, "DumpConfig.mode"): "output",
        (Surface.SESSION, "parallel"): "true",
        (Surface.SESSION, "level"): "0",
        (Surface.GLOBAL_OPTIONS, "cache"): "enable",
        (Surface.GLOBAL_OPTIONS, "old"): None,
        (Surface.GLOBAL_OPTIONS, "dump.on"): "false",
    }


def test_torchair_has_a_branch_for_each_version() -> None:
    table = "class CompilerConfig:\n    def __init__(self):\n        self.mode = OptionValue('{}', None)\n"
    path = "python/torchair/configs/compiler_config.py"
    releases = Files({"6.0.rc1": {path: table.format("a")}, "7.0.0": {path: table.format("b")}})
    assert histories(torchair.read(releases)) == [
        History(Surface.TORCHAIR, "mode", (Run("8.0.RC1", "a"), Run("8.1.RC1", "b")))
    ]


_MANAGER = """
int one = OptionsManager::GetBoolTypeOption("A_ENABLE", {});
int two = OptionsManager::GetBoolTypeOption("B_ENABLE");
char* held = std::getenv("C_SIZE");
int64_t size = (held != nullptr) ? strtol(held, nullptr, 10) : {};
char* path = std::getenv("D_PATH");
auto where = (path != nullptr) ? std::string(path) : Somewhere();
char* both = std::getenv("E_TWICE");
int64_t twice = (both != nullptr) ? strtol(both, nullptr, 10) : 1;
"""


def test_variables_of_torch_npu_by_branch() -> None:
    table = "| 2.1.0 | v2.1.0-5.0.0 | 2.1.0 | CANN 7.0.0 |\n| 2.6.0 | v2.6.0-7.1.0 | 2.6.0 | CANN 8.2.RC1 |\n"
    python = 'os.getenv("E_TWICE", "2")\nos.environ.get("F_MODE", "x")\n'
    releases = Files(
        {
            "HEAD": {"COMPATIBILITY.md": table},
            "v2.1.0-5.0.0": {"torch_npu/a.cpp": _MANAGER.format("0", "8"), "torch_npu/b.py": python},
            "v2.6.0-7.1.0": {"torch_npu/a.cpp": _MANAGER.format("1", "32"), "torch_npu/b.py": python},
        }
    )
    assert histories(torch_npu.read(releases)) == [
        History(Surface.ENV, "A_ENABLE", (Run("7.0.0", "0"), Run("8.2.RC1", "1"))),
        History(Surface.ENV, "B_ENABLE", (Run("7.0.0", "0"),)),
        History(Surface.ENV, "C_SIZE", (Run("7.0.0", "8"), Run("8.2.RC1", "32"))),
        History(Surface.ENV, "F_MODE", (Run("7.0.0", "x"),)),
    ]


def test_keys_of_vllm_ascend_by_tag() -> None:
    text = """
class Config:
    def __init__(self, vllm_config):
        additional_config = vllm_config.additional_config
        self.size = additional_config.get("size", {})
"""
    releases = Files(
        {f"v{tag}": {"vllm_ascend/ascend_config.py": text.format(size)} for tag, size in (("0.9.0", 1), ("0.10.0", 2))}
    )
    assert histories(vllm_ascend.read(releases)) == [
        History(Surface.ADDITIONAL_CONFIG, "size", (Run("0.9.0", "1"), Run("0.10.0", "2")))
    ]


def test_arguments_of_mindspeed_by_branch() -> None:
    text = "group.add_argument('--coc-mode', type=int, default={})\ngroup.add_argument('--on', action='store_true')\n"
    releases = Files(
        {
            "2.0.0_core_r0.8.0": {"mindspeed/arguments.py": text.format(-1)},
            "2.1.0_core_r0.8.0": {"mindspeed/arguments.py": text.format(0)},
        }
    )
    assert histories(mindspeed.read(releases)) == [
        History(Surface.MINDSPEED, "coc-mode", (Run("2.0.0", "-1"), Run("2.1.0", "0"))),
        History(Surface.MINDSPEED, "on", (Run("2.0.0", None),)),
    ]


def test_another_form_of_the_same_default_is_no_change() -> None:
    name = (Surface.MINDIE, "truncation")
    found = histories([("1", {name: "false"}), ("2", {name: "0"}), ("3", {name: "1"}), ("4", {name: "1.0"})])
    assert found == [History(*name, (Run("1", "false"), Run("3", "1")))]


@pytest.mark.parametrize("text", ['a "quoted" one', "路径", ""])
def test_what_is_kept_is_read_again(tmp_path: Path, text: str) -> None:
    found = [Kept("ge", ("8.5.0", "9.0.0"), [History(Surface.ATC, "log", (Run("8.5.0", None), Run("9.0.0", text)))])]
    path = tmp_path / "kept.toml"
    path.write_text(keep(found), encoding="utf-8")
    assert kept(path) == found
