"""The loader: what is asked for is there, and nothing else is read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from npu_lsp.catalog.compile import compile_folder
from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.load import Catalog, load, open_store
from npu_lsp.catalog.model import Slot, Surface
from npu_lsp.catalog.store import Store, packed, stamp_of
from npu_lsp.text.bilingual import Text
from tests.catalog.conftest import WriteCatalog, option_file

FULL = """\
group = "accuracy"
summary = { en = "Does something.", zh = "做某件事。" }
text = { en = "More of it.", zh = "更多说明。" }
since = "7.0"
[values.fast]
en = "Quick."
zh = "快。"
products = ["a2"]
[values.slow]
en = "Not quick."
zh = "慢。"
[values.true]
en = "On."
zh = "开。"
[session]
slot = "s"
values = ["fast", "slow"]
default = "fast"
aliases = ["old_thing"]
note = { en = "Docs differ.", zh = "与文档不同。" }
page = "tf:docs/{lang}/page.md#thing"
sources = ["tf:a.cc"]
[atc]
type = "string"
name = "thing_flag"
values = ["fast"]
defaults = [{ value = "fast", scenario = "training", products = ["a2"], source = "ge:a.cc" }]
sources = ["ge:a.cc"]
[global_options]
name = "thing.nested"
type = "bool"
values = [true]
sources = ["tf:b.py"]
"""


def test_an_option_has_what_its_file_says(catalog_of: WriteCatalog) -> None:
    catalog = catalog_of({"options/thing.toml": FULL})
    option = catalog.option(Surface.SESSION, "thing")
    assert option is not None
    assert (option.topic, option.type, option.slot, option.group) == ("thing", "string", Slot.STRING, "accuracy")
    assert [allowed.value for allowed in option.values] == ["fast", "slow"]
    assert option.values[0].products == ("a2",)
    assert option.default == "fast"
    assert option.since == "7.0"
    assert option.sources == ("tf:a.cc",)


def test_surfaces_differ_where_the_file_says_so(catalog_of: WriteCatalog) -> None:
    catalog = catalog_of({"options/thing.toml": FULL})
    assert catalog.option(Surface.ATC, "thing") is None
    flag = catalog.option(Surface.ATC, "thing_flag")
    nested = catalog.option(Surface.GLOBAL_OPTIONS, "thing.nested")
    assert flag is not None
    assert nested is not None
    assert flag.defaults[0].scenario == "training"
    assert flag.default == "fast"
    assert nested.type == "bool"
    assert nested.values[0].value is True
    assert catalog.topic("thing") == {
        Surface.SESSION: "thing",
        Surface.GLOBAL_OPTIONS: "thing.nested",
        Surface.ATC: "thing_flag",
    }


def test_docs_come_in_both_languages_with_the_page_of_each(catalog_of: WriteCatalog) -> None:
    catalog = catalog_of({"options/thing.toml": FULL})
    docs = catalog.docs(Surface.SESSION, "thing")
    assert docs.summary == Text("Does something.", "做某件事。")
    assert docs.note == Text("Docs differ.", "与文档不同。")
    assert docs.page is not None
    assert docs.page.en.startswith("https://github.com/hicann/tensorflow/blob/")
    assert docs.page.en.endswith("/docs/en/page.md#thing")
    assert docs.page.zh.endswith("/docs/zh/page.md#thing")
    assert catalog.docs(Surface.ATC, "thing_flag").note is None
    assert catalog.value_text(Surface.SESSION, "thing", "slow") == Text("Not quick.", "慢。")
    assert catalog.value_text(Surface.GLOBAL_OPTIONS, "thing.nested", True) == Text("On.", "开。")
    assert catalog.value_text(Surface.SESSION, "thing", "else") is None


def test_a_text_of_one_surface_stands_behind_that_of_the_file(catalog_of: WriteCatalog) -> None:
    own = FULL.replace("[atc]\n", '[atc]\ntext = { en = "`atc` stops.", zh = "`atc` 报错。" }\n')
    catalog = catalog_of({"options/thing.toml": own})
    assert catalog.docs(Surface.ATC, "thing_flag").text == Text("More of it.\n`atc` stops.", "更多说明。\n`atc` 报错。")
    assert catalog.docs(Surface.SESSION, "thing").text == Text("More of it.", "更多说明。")


def test_an_alias_leads_to_its_option_and_is_no_name(catalog_of: WriteCatalog) -> None:
    catalog = catalog_of({"options/thing.toml": FULL})
    option = catalog.option(Surface.SESSION, "old_thing")
    assert option is not None
    assert option.name == "thing"
    assert catalog.names(Surface.SESSION) == {"thing"}
    assert catalog.docs(Surface.SESSION, "old_thing").summary.en == "Does something."
    assert catalog.near(Surface.SESSION, "old_thign") == "thing"


def test_a_surface_without_values_takes_all_that_fit_its_type(catalog_of: WriteCatalog) -> None:
    values = '[values.1]\nen = "On."\nzh = "开。"\n[values.auto]\nen = "Auto."\nzh = "自动。"\n'
    more = '[atc]\ntype = "int"\nsources = ["ge:a.cc"]\n[ge]\ntype = "string"\nvalues = []\nsources = ["ge:a.cc"]\n'
    catalog = catalog_of({"options/thing.toml": option_file(values + more)})
    session, atc, ge = (catalog.option(surface, "thing") for surface in (Surface.SESSION, Surface.ATC, Surface.GE))
    assert session is not None
    assert atc is not None
    assert ge is not None
    assert [allowed.value for allowed in session.values] == ["1", "auto"]
    assert [allowed.value for allowed in atc.values] == [1]
    assert ge.values == ()


def test_what_is_inherited_can_be_switched_off(catalog_of: WriteCatalog) -> None:
    why = '{ why = { en = "Old.", zh = "旧。" }, source = "tf:a" }'
    more = f'deprecated = {why}\n[atc]\ntype = "string"\ndeprecated = false\nsources = ["ge:a.cc"]\n'
    catalog = catalog_of({"options/thing.toml": option_file(more)})
    session, atc = catalog.option(Surface.SESSION, "thing"), catalog.option(Surface.ATC, "thing")
    assert session is not None
    assert atc is not None
    assert session.deprecated is not None
    assert atc.deprecated is None


def test_keys_of_files_may_have_the_name_of_an_option(catalog_of: WriteCatalog) -> None:
    catalog = catalog_of(
        {
            "options/thing.toml": option_file(),
            "files/aipp/thing.toml": option_file(surface="aipp", facts='type = "int"'),
            "files/op_cache.toml": option_file(surface="op_cache", facts='type = "int"')
            .replace("group", "[options.thing]\ngroup")
            .replace("[op_cache]", "[options.thing.op_cache]"),
        }
    )
    for surface, topic in (
        (Surface.SESSION, "thing"),
        (Surface.AIPP, "aipp/thing"),
        (Surface.OP_CACHE, "op_cache/thing"),
    ):
        option = catalog.option(surface, "thing")
        assert option is not None
        assert option.topic == topic


def test_fusion_rules(catalog_of: WriteCatalog) -> None:
    text = (
        '[rules.APass]\nsummary = { en = "Fuses.", zh = "融合。" }\nswitchable = false\nsources = ["ge:a.md"]\n'
        'page = "ge:docs/zh/a.md"\n'
    )
    (rule,) = catalog_of({"fusion_rules/ub.toml": text}).fusion_rules()
    assert (rule.name, rule.kind, rule.switchable, rule.sources) == ("APass", "ub", False, ("ge:a.md",))
    assert rule.docs.summary.zh == "融合。"


def test_names_cost_names_only_and_docs_cost_one_option(catalog_of: WriteCatalog) -> None:
    catalog = catalog_of({"options/thing.toml": FULL, "options/other.toml": option_file()})
    for surface in Surface:
        catalog.names(surface)
    catalog.complete(Surface.ATC)
    catalog.near(Surface.ATC, "thing_fleg")
    assert catalog.store.parsed == []
    catalog.option(Surface.SESSION, "thing")
    catalog.option(Surface.SESSION, "other")
    catalog.options(Surface.SESSION)
    assert catalog.store.parsed == ["facts:session"]
    catalog.docs(Surface.SESSION, "thing")
    catalog.docs(Surface.SESSION, "thing")
    assert catalog.store.parsed == ["facts:session", "docs:thing", "plain:sources"]


def test_an_option_is_built_once(catalog_of: WriteCatalog) -> None:
    catalog = catalog_of({"options/thing.toml": FULL})
    assert catalog.option(Surface.SESSION, "thing") is catalog.option(Surface.SESSION, "thing")


def test_the_catalog_is_loaded_once_per_process_and_without_parsers() -> None:
    code = (
        "import sys, json\n"
        "from npu_lsp.catalog.load import load\n"
        "from npu_lsp.catalog.store import Store\n"
        "load(); load(); catalog = load()\n"
        "from npu_lsp.catalog.model import Surface\n"
        "catalog.names(Surface.SESSION)\n"
        "heavy = [m for m in ('libcst', 'tree_sitter', 'pygls', 'lsprotocol', 'tomllib', 'tomli') if m in sys.modules]\n"
        "print(json.dumps([Store.made, catalog.store.parsed, heavy]))\n"
    )
    load()  # so that the other process finds it compiled
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [1, [], []]


def test_a_changed_file_is_compiled_again(catalog_of: WriteCatalog, data: Path, tmp_path: Path) -> None:
    compiled = tmp_path / "compiled" / "catalog.jsonl"
    catalog_of({"options/thing.toml": option_file()})
    first = compiled.read_bytes()
    open_store(compiled, data)
    assert compiled.read_bytes() == first
    (data / "options" / "thing.toml").write_text(option_file('unit = "s"'), encoding="utf-8")
    option = Catalog(open_store(compiled, data)).option(Surface.SESSION, "thing")
    assert option is not None
    assert option.unit == "s"
    (data / "options" / "thing.toml").unlink()
    assert Catalog(open_store(compiled, data)).names(Surface.SESSION) == frozenset()
    assert [path.name for path in compiled.parent.iterdir()] == ["catalog.jsonl"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]\n", b'{"format": 0}\n', b"\x00\xff\n", b'{"format": 1}\n'])
def test_a_broken_compiled_file_is_made_anew(content: bytes, data: Path, tmp_path: Path) -> None:
    path = tmp_path / "catalog.jsonl"
    path.write_bytes(content)
    assert open_store(path, data).names == {}
    assert path.read_bytes() != content


def test_a_folder_that_cant_be_written_costs_only_time(catalog_of: WriteCatalog, data: Path, tmp_path: Path) -> None:
    catalog_of({"options/thing.toml": option_file()})
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    store = open_store(blocked / "catalog.jsonl", data)
    assert "thing" in store.names["session"]


def test_a_wheels_catalog_is_taken_as_it_is(catalog_of: WriteCatalog, data: Path, tmp_path: Path) -> None:
    catalog_of({"options/thing.toml": option_file()})
    path = tmp_path / "wheel.jsonl"
    path.write_bytes(packed(compile_folder(data), None))
    os.utime(data / "options" / "thing.toml", (1, 1))
    assert "thing" in open_store(path, tmp_path / "no folder").names["session"]
    with pytest.raises(CatalogError, match="missing or broken"):
        open_store(tmp_path / "none.jsonl", tmp_path / "no folder")


def test_a_file_that_somebody_is_writing_is_left_out(
    catalog_of: WriteCatalog, data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    catalog = catalog_of({"options/thing.toml": option_file(), "options/half.toml": "group = \n"})
    assert catalog.names(Surface.SESSION) == {"thing"}
    assert "half.toml is left out" in caplog.text
    with pytest.raises(CatalogError, match=r"half\.toml:1: ") as raised:
        compile_folder(data, strict=True)
    assert raised.value.line == 1


def test_a_store_counts_itself() -> None:
    made = Store.made
    assert load() is load()
    assert Store.made == made


def test_a_copy_that_keeps_times_is_not_compiled_anew(tmp_path: Path) -> None:
    original, copy = tmp_path / "original" / "data", tmp_path / "somewhere" / "else"
    (original / "options").mkdir(parents=True)
    (original / "options" / "a.toml").write_text("group = 1\n", encoding="utf-8")
    shutil.copytree(original, copy)
    assert stamp_of(copy) == stamp_of(original)
    (copy / "options" / "a.toml").rename(copy / "a.toml")
    assert stamp_of(copy) != stamp_of(original)
