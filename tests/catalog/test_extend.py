"""Users' files on top of the catalog."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npu_lsp.catalog import extend
from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import Slot, Surface
from npu_lsp.docs.render import render
from npu_lsp.text.bilingual import Text


def extended(tmp_path: Path, *texts: str) -> Catalog:
    paths = []
    for number, text in enumerate(texts):
        path = tmp_path / f"own{number}.toml"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return extend.extended(load(), paths)


def test_a_new_option_needs_little(tmp_path: Path) -> None:
    catalog = extended(
        tmp_path, '[options.our_switch]\nsummary = "Turns our pass on."\n[options.our_switch.session]\nslot = "b"\n'
    )
    option = catalog.option(Surface.SESSION, "our_switch")
    assert option is not None
    assert (option.slot, option.type) == (Slot.BOOL, "bool")
    assert catalog.docs(Surface.SESSION, "our_switch").summary == Text("Turns our pass on.", "Turns our pass on.")
    assert "our_switch" in catalog.names(Surface.SESSION)
    assert catalog.near(Surface.SESSION, "our_swicth") == "our_switch"
    assert "our_switch" in render(catalog, option, "zh")
    assert load().option(Surface.SESSION, "our_switch") is None


def test_a_known_option_keeps_what_the_file_does_not_say(tmp_path: Path) -> None:
    catalog = extended(
        tmp_path,
        '[options.precision_mode.session]\nvalues = ["our_mode", "must_keep_origin_dtype"]\ndefault = "our_mode"\n'
        '[options.precision_mode.values.our_mode]\nen = "Ours."\nzh = "我们的。"\n',
    )
    option, before = (each.option(Surface.SESSION, "precision_mode") for each in (catalog, load()))
    assert option is not None
    assert before is not None
    assert [allowed.value for allowed in option.values] == ["our_mode", "must_keep_origin_dtype"]
    assert option.default == "our_mode"
    assert option.relations == before.relations
    assert option.sources == before.sources
    assert catalog.option(Surface.ATC, "precision_mode") == load().option(Surface.ATC, "precision_mode")
    assert catalog.docs(Surface.SESSION, "precision_mode") == load().docs(Surface.SESSION, "precision_mode")
    assert catalog.value_text(Surface.SESSION, "precision_mode", "our_mode") == Text("Ours.", "我们的。")
    assert catalog.value_text(Surface.SESSION, "precision_mode", "must_keep_origin_dtype") is not None


def test_what_stands_at_the_top_reaches_every_surface_of_a_known_option(tmp_path: Path) -> None:
    catalog = extended(tmp_path, "[options.op_select_implmode]\ndeprecated = false\n")
    assert len(catalog.topic("op_select_implmode")) > 1
    for surface in catalog.topic("op_select_implmode"):
        option = catalog.option(surface, catalog.topic("op_select_implmode")[surface])
        assert option is not None
        assert option.deprecated is None


def test_a_new_value_alone_is_added_to_the_list(tmp_path: Path) -> None:
    catalog = extended(
        tmp_path, '[options.precision_mode.values.our_mode]\nen = "Ours."\n[options.precision_mode.session]\n'
    )
    option, before = (each.option(Surface.SESSION, "precision_mode") for each in (catalog, load()))
    assert option is not None
    assert before is not None
    assert [v.value for v in option.values] == [*(v.value for v in before.values), "our_mode"]


def test_relations_with_known_options_reach_both_sides(tmp_path: Path) -> None:
    catalog = extended(
        tmp_path,
        '[options.our_switch.session]\nslot = "b"\n'
        '[[options.our_switch.relations]]\nkind = "conflicts"\nother = "precision_mode"\n',
    )
    option = catalog.option(Surface.SESSION, "precision_mode")
    assert option is not None
    (back,) = (relation for relation in option.relations if relation.other == "our_switch")
    assert (back.kind, back.mirrored, back.source) == ("conflicts", True, "own0.toml")
    known = load().option(Surface.SESSION, "precision_mode")
    assert known is not None
    assert len(option.relations) == len(known.relations) + 1


def test_later_files_win(tmp_path: Path) -> None:
    one = '[options.our_switch.session]\nslot = "s"\ndefault = "a"\n'
    catalog = extended(tmp_path, one, one.replace('"a"', '"b"'))
    option = catalog.option(Surface.SESSION, "our_switch")
    assert option is not None
    assert option.default == "b"


def test_every_known_option_is_the_same_beside_one_that_is_added(tmp_path: Path) -> None:
    catalog = extended(tmp_path, '[options.our_switch.session]\nslot = "b"\n')
    for surface in Surface:
        for option in load().options(surface):
            assert catalog.option(surface, option.name) == option
        assert catalog.complete(surface) == load().complete(surface)
    assert catalog.date == load().date
    assert catalog.plain("products") == load().plain("products")


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("[options\n", 1, "line 1"),
        ("x = 1\n", 1, "x: unknown key"),
        ("", None, "'options' is missing"),
        ('[options.a]\nsummary = "A."\n', 1, "a new option needs a table for a surface"),
        ("[options.a.session]\n", 1, "a new option needs a type (or, for session, a slot)"),
        ('[options.a.session]\ntype = "bool"\n', 1, "a new session option needs a slot"),
        ('[options.a.session]\nslot = "q"\n', 2, "'q' is not known here (one of s, i, f, b)"),
        ('[options.a.sesion]\nslot = "s"\n', 1, "did you mean 'session'?"),
        ('[options.a.atc]\ntype = "string"\nname = "model"\n', 3, "'model' is an option of 'model' already"),
        ("[options]\na = 3\n", 2, "options.a: must be a table"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int | None, told: str, tmp_path: Path) -> None:
    with pytest.raises(CatalogError) as raised:
        extended(tmp_path, text)
    assert told in str(raised.value)
    assert raised.value.line == line
    assert raised.value.path == tmp_path / "own0.toml"
    assert str(raised.value).startswith(str(tmp_path / "own0.toml"))


def test_files_that_cant_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    huge = tmp_path / "huge.toml"
    huge.write_bytes(b"#" * 3_000_000)
    nested = tmp_path / "nested.toml"
    nested.write_text("a = " + "[" * 100_000, encoding="utf-8")
    pipe = tmp_path / "pipe.toml"
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
    for path in (binary, huge, nested, pipe, tmp_path, tmp_path / "none.toml", Path("/dev/zero")):
        with pytest.raises(CatalogError) as raised:
            extend.extended(load(), [path])
        assert raised.value.path == path


def test_text_of_a_strangers_file_stays_text(tmp_path: Path) -> None:
    evil = "[click](command:evil) <img src=x> ![x](http://x)"
    catalog = extended(
        tmp_path, f'[options.a]\nsummary = "{evil}"\ntext = "{evil}"\n[options.a.session]\nslot = "s"\nname = "a](b"\n'
    )
    option = catalog.option(Surface.SESSION, "a](b")
    assert option is not None
    shown = render(catalog, option, "en")
    assert "](command" not in shown.replace("\\]", "")
    assert "<img" not in shown.replace("\\<", "")
    assert "![" not in shown
    assert "`a](b`" in shown


def test_texts_about_other_options_are_not_read(tmp_path: Path) -> None:
    store = load().store
    before = len(store.parsed)
    catalog = extended(tmp_path, '[options.precision_mode.session]\ndefault = "our_mode"\n')
    assert [part for part in store.parsed[before:] if part.startswith(("docs:", "plain:", "rules"))] == [
        "docs:precision_mode"
    ]
    assert catalog.store.parsed == []
    assert catalog.docs(Surface.SESSION, "op_debug_level") == load().docs(Surface.SESSION, "op_debug_level")
