"""The validator: each mistake that people make in a file has a line that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.text.toml import line_of
from tests.authoring.validate import main
from tests.catalog.conftest import option_file

TEXT = '{ en = "Some.", zh = "部分。" }'


def relation(kind: str, more: str = "", own: str = "") -> str:
    return f'[[{own}relations]]\nkind = "{kind}"\nother = "x"\nsource = "tf:a"\n{more}\n'


VALUE = '[values.a]\nen = "The letter."\nzh = "字母。"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("group = \n", "no TOML"),
        (
            'group = "basic"\nsummary = { en = "Does.",\n  zh = "做。" }\n',
            "an inline table stands on one line; write a [table] instead",
        ),
        (option_file("colour = 1"), "colour: unknown key"),
        (option_file("defalt = 1"), "did you mean 'default'?"),
        (option_file('group2 = "x"'), "did you mean 'group'?"),
        ('summary = { en = "A.", zh = "甲。" }\n[session]\nslot = "s"\nsources = ["tf:a"]\n', "'group' is missing"),
        ('group = "basic"\nsummary = { en = "A.", zh = "甲。" }\n', "none of session, run_config"),
        (option_file('text = { en = "Only English." }'), "text: 'zh' is missing"),
        (option_file('text = { en = "Same.", zh = "Same." }'), "text: the English and the Chinese text are the same"),
        (option_file('text = { en = "One.", zh = "Two." }'), "text.zh: the Chinese text has no Chinese in it"),
        (option_file('text = { en = "一。", zh = "二。" }'), "text.en: the English text has Chinese in it"),
        (option_file().replace("something.", "something"), "summary.en: must end with a full stop"),
        (option_file().replace("某件事。", "某件事"), "summary.zh: must end with 。"),
        (
            option_file('removed = { why = { en = "it goes.", zh = "已移除。" }, source = "tf:a" }'),
            "removed.why.en: is a sentence",
        ),
        (option_file().replace('["tf:tf_adapter/util/npu_attrs.cc"]', "[]"), "sources: must not be empty"),
        (option_file().replace("sources = [", "examples = ["), "'sources' is missing"),
        (option_file().replace("tf:tf_adapter", "nowhere:tf_adapter"), "no source 'nowhere' in sources.toml"),
        (option_file().replace("tf:tf_adapter", "tf_adapter"), "is not a source"),
        (option_file(facts='slot = "s"\npage = "tf:docs/zh/somewhere"'), "page: "),
        (option_file(facts='slot = "s"\nvalues = ["a"]'), "session.values: 'a' has no table [values.a]"),
        (option_file(VALUE, facts='slot = "s"\nvalues = []'), "values.a: no surface allows this value"),
        (option_file(VALUE, facts='slot = "s"\nvalues = ["a"]\ndefault = "b"'), "session.default: 'b' is not allowed"),
        (option_file(VALUE, facts='slot = "s"\nvalues = ["a"]\nexamples = ["b"]'), "session.examples: 'b' is not"),
        (option_file(facts='slot = "i"\nmaximum = 3\ndefault = 4'), "session.default: 4 is not allowed"),
        (option_file(facts='slot = "b"\ndefault = "true"'), "session.default: 'true' does not fit slot 'b'"),
        (option_file(facts='slot = "s"\ndefault = 1'), "session.default: 1 does not fit slot 's'"),
        (option_file(surface="atc", facts='slot = "s"\ntype = "string"'), "atc.slot: unknown key"),
        (option_file(surface="session", facts='type = "string"'), "session: 'slot' is missing"),
        (option_file(surface="atc", facts=""), "atc: 'type' is missing"),
        (option_file('products = ["a9"]'), "products: no product 'a9' in products.toml"),
        (option_file('since = "4.2"'), "since: no version '4.2' of cann in versions.toml"),
        (option_file(surface="env", facts='type = "string"'), "env: needs one of since, seen, undated, and has none"),
        (option_file('seen = "8.0"\nundated = "elsewhere"'), "and has seen and undated: when did it come?"),
        (option_file('undated = "long ago"'), "undated: 'long ago' is not known here"),
        (option_file('seen = "8.0.RC2"\nunseen = "8.0.RC2"'), "session.unseen: is a version before 'seen'"),
        (option_file('unseen = "8.0.RC2"\nundated = "elsewhere"'), "session.unseen: is a version before 'seen'"),
        (option_file('otherwise = "0"'), "session.otherwise: is for an option with"),
        (option_file("enforced = false\nminimum = 1\notherwise = 0"), "session.otherwise: "),
        (option_file('status = "fine"'), "status: 'fine' is not known here"),
        (option_file('stability = "rock"'), "stability: 'rock' is not known here"),
        (option_file('[[relations]]\nkind = "hates"\nother = "x"\nsource = "tf:a"'), "relations[0].kind: 'hates'"),
        (
            option_file('[[relations]]\nkind = "conflicts"\nother = "x"\nsource = "tf:a"\nsurfaces = ["atc"]'),
            "the file has no table 'atc'",
        ),
        (option_file(relation("ignored_when")), "relations[0]: 'extent' is missing"),
        (option_file(relation("overrides")), "relations[0]: 'extent' is missing"),
        (option_file(relation("requires")), "relations[0]: 'extent' is missing"),
        (option_file(relation("together")), "relations[0]: 'extent' is missing"),
        (
            option_file(relation("requires", 'rejected = true\nextent = "total"')),
            "relations[0].extent: only a relation",
        ),
        (option_file(relation("overrides", 'extent = "all"')), "relations[0].extent: 'all' is not known here"),
        (option_file(relation("overrides", 'extent = "partial"')), "relations[0]: 'stays' tells"),
        (
            option_file(relation("overrides", 'extent = "total"').replace("tf:a", "tf:docs/a.md")),
            "relations[0]: only docs show it",
        ),
        (option_file(relation("overrides", f'extent = "total"\nstays = {TEXT}')), "relations[0]: 'stays' tells"),
        (option_file(relation("conflicts")), "relations[0]: 'result' is missing"),
        (option_file() + relation("overrides", own="session."), "session.relations[0]: 'extent'"),
    ],
)
def test_a_mistake_is_named(text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "thing.toml"
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 1
    assert told in capsys.readouterr().out


@pytest.mark.parametrize("key", ["result", "stays"])
@pytest.mark.parametrize(
    ("english", "chinese", "told"),
    [
        ("What is set here counts.", "以 x 为准。", "'here' is another option on either side"),
        ("This one is read.", "读取 x。", "'This'"),
        ("Without effect beside the other one.", "x 不生效。", "'the other one'"),
        ("The file of the option is used.", "使用 x 的文件。", "'the option'"),
        ("x is read.", "以本参数为准。", "'本参数'"),
        ("x is read.", "该环境变量不生效。", "'该环境变量'"),
        ("x is read.", "前者不生效。", "'前者'"),
    ],
)
def test_a_text_of_a_relation_names_the_option(
    key: str, english: str, chinese: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "thing.toml"
    texts = {"stays": TEXT, key: f'{{ en = "{english}", zh = "{chinese}" }}'}
    more = 'extent = "partial"\n' + "\n".join(f"{name} = {text}" for name, text in texts.items())
    path.write_text(option_file(relation("overrides", more)), encoding="utf-8")
    assert main([str(path)]) == 1
    assert told in capsys.readouterr().out
    path.write_text(option_file(relation("overrides", f'extent = "partial"\nstays = {TEXT}')), encoding="utf-8")
    assert main([str(path)]) == 0


def test_a_right_file_gets_no_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "thing.toml"
    path.write_text(option_file(VALUE, facts='slot = "s"\nvalues = ["a"]\ndefault = "a"'), encoding="utf-8")
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_a_file_that_is_not_there_and_one_that_is_no_utf8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_bytes("说".encode("gbk"))
    assert main([str(bad), str(tmp_path / "none.toml")]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_lines_are_those_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "thing.toml"
    path.write_text(option_file('unit = "parsec"'), encoding="utf-8")
    main([str(path)])
    assert capsys.readouterr().out.startswith(f"{path}:3: unit: ")


def test_line_of_finds_tables_lists_of_tables_and_the_nearest_place_above() -> None:
    text = 'a = 1\n[values."x.y"]\nen = 2\n[[relations]]\nkind = 1\n[[relations]]\nkind = 2\n[session]\nd = { e = 1 }\n'
    assert line_of(text, "a") == 1
    assert line_of(text, "relations[1].kind") == 7
    assert line_of(text, "session.d.e") == 9
    assert line_of(text, "nowhere") is None


def test_copied_text_and_missing_pages_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "ref" / "hicann+tensorflow" / "docs" / "en" / "page.md"
    page.parent.mkdir(parents=True)
    page.write_text(
        "# precision\\_mode\n\nThe graph engine writes one very long line about everything it ever did on the card.\n"
        "该参数用于指定整个网络模型在运行时所采用的算子精度模式以及降精度的策略。\n",
        encoding="utf-8",
    )
    path = tmp_path / "thing.toml"
    path.write_text(
        option_file(
            'text = { en = "It writes one very long line about everything it ever did, that is all.", '
            'zh = "指定整个网络模型在运行时所采用的算子精度模式以及其他。" }\n',
            facts='slot = "s"\npage = "tf:docs/en/page.md#precision_mode"\nnote = { en = "A.", zh = "甲。" }',
        ).replace("npu_attrs.cc", "none.cc"),
        encoding="utf-8",
    )
    assert main(["--against", str(tmp_path / "ref"), str(path)]) == 1
    told = capsys.readouterr().out
    assert "text.en: stands in" in told
    assert "text.zh: stands in" in told
    assert "there is no tf:tf_adapter/util/none.cc" in told
    assert "#precision_mode" not in told
    path.write_text(path.read_text(encoding="utf-8").replace("#precision_mode", "#other"), encoding="utf-8")
    main(["--against", str(tmp_path / "ref"), str(path)])
    assert "has no #other" in capsys.readouterr().out


def test_what_one_surface_says_is_not_shown_on_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two = option_file('text = { en = "Raises ValueError.", zh = "抛出 ValueError。" }') + (
        '\n[atc]\ntype = "string"\ntext = { en = "`atc` stops.", zh = "`atc` 报错。" }\nsources = ["ge:api/atc/atc_flags.cc"]\n'
    )
    path = tmp_path / "thing.toml"
    path.write_text(two, encoding="utf-8")
    assert main([str(path)]) == 1
    assert "text: 'ValueError' is nothing that atc has" in capsys.readouterr().out
    path.write_text(two.replace("ValueError", "an error"), encoding="utf-8")
    assert main([str(path)]) == 0


def test_a_text_of_a_value_is_judged_by_the_surfaces_that_have_the_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "thing.toml"
    value = '[values.a]\nen = "What `NPURunConfig` sends."\nzh = "NPURunConfig 的下发值。"\n[values.b]\nen = "B."\nzh = "乙。"\n'
    atc = '\n[atc]\ntype = "string"\nvalues = ["{}"]\nsources = ["ge:api/atc/atc_flags.cc"]\n'
    session = option_file(value, facts='slot = "s"\nvalues = ["a", "b"]')
    path.write_text(session + atc.format("a"), encoding="utf-8")
    assert main([str(path)]) == 1
    assert "values.a: 'NPURunConfig'" in capsys.readouterr().out
    path.write_text(session + atc.format("b"), encoding="utf-8")
    assert main([str(path)]) == 0


@pytest.mark.parametrize(
    "source", ["zoo:TensorFlow/run.sh", "ge:docs/zh/template.md", "ge:graph_metadef/proto/a.proto"]
)
def test_only_a_program_shows_that_nothing_reads_an_option(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "THING.toml"
    text = option_file('status = "no_effect"', "env", 'type = "string"\nundated = "unversioned"')
    path.write_text(text.replace("tf:tf_adapter/util/npu_attrs.cc", source), encoding="utf-8")
    assert main([str(path)]) == 1
    assert "env.sources: scripts, pages and formats" in capsys.readouterr().out
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 0
