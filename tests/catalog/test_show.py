"""What people see of an option."""

from __future__ import annotations

import re

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.target import Target
from npu_lsp.docs.example import example
from npu_lsp.docs.markdown import code, link, plain, prose
from npu_lsp.docs.render import render, render_value
from npu_lsp.docs.wording import relations
from npu_lsp.languages import read
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.catalog.conftest import WriteCatalog, option_file
from tests.robustness.timing import Task, outgrown
from tests.together import together

FILE = """\
[values.a]
en = "The first."
zh = "第一个。"
products = ["a2"]
[values.b]
en = "The second."
zh = "第二个。"
scenario = "training"
deprecated = true
[[relations]]
kind = "ignored_when"
other = "other"
other_values = ["1", "2"]
source = "tf:a"
result = { en = "Nothing happens.", zh = "不起作用。" }
[[relations]]
kind = "overrides"
other = "A_PATH"
values = ["a"]
source = "tf:a"
"""
FACTS = """\
slot = "s"
values = ["a", "b"]
unit = "ms"
products = ["a2", "a3"]
stability = "experimental"
required = [{ when = { other = ["1"] }, source = "tf:a" }]
changes = [{ version = "8.0", default = "b", added = ["b"], source = "tf:a" }]
page = "tf:docs/{lang}/a.md"
note = { en = "It differs.", zh = "与文档不同。" }
defaults = [
  { value = "a", scenario = "training", products = ["a2"], source = "tf:a" },
  { value = "b", source = "tf:a" },
]
deprecated = { version = "8.0", replacement = "other", why = { en = "Too old.", zh = "太旧。" }, source = "tf:a" }
"""
SENTENCE = re.compile(r"(?<=\.)\s+|(?<=。)|\n")
LONG: dict[Language, int] = {"en": 12, "zh": 6}
"""How many characters make a sentence and not a value or a name."""
OTHERS = {
    "options/other.toml": option_file(),
    "env/A_PATH.toml": option_file(surface="env", facts='type = "string"'),
}

ENGLISH = """\
**`thing`** · TensorFlow 1 session (parameter_map) · slot `.s` · string

> **Deprecated since CANN 8.0**: Too old. Use `other` instead.
>
> **Experimental: may change, not for commercial products.**

Does something.

**Values (others are an error)**

- `a` (only Atlas A2) — The first.
- `b` (only for training, deprecated) — The second.

**Unit**: ms\x20\x20
**Default**: `a` (training, on Atlas A2); `b`\x20\x20
**Products**: Atlas A2, Atlas A3

**With other options**

- Required when `other` is `1`.
- No effect while `other` is `1` or `2`. Nothing happens.
- With `a`: ignores environment variable `A_PATH`.

**Note**: It differs.

**Changes**

- CANN 8.0: default `b`; adds `b`

[Documentation](https://github.com/hicann/tensorflow/blob/82957b9/docs/en/a.md) · For the newest CANN"""

CHINESE = """\
**`thing`** · TensorFlow 1 会话配置（parameter_map） · 字段 `.s` · string

> **自 CANN 8.0 起废弃**：太旧。请改用 `other`。
>
> **试验参数，后续版本可能变更，不支持应用于商用产品。**

做某件事。

**取值（其他取值会报错）**

- `a`（仅 Atlas A2 系列） — 第一个。
- `b`（仅用于训练，已废弃） — 第二个。

**单位**：ms\x20\x20
**默认值**：`a`（训练，Atlas A2 系列）；`b`\x20\x20
**支持的产品**：Atlas A2 系列、Atlas A3 系列

**与其他配置的关系**

- `other` 为 `1` 时必选。
- `other` 为 `1` 或 `2` 时不生效。不起作用。
- 取值为 `a` 时：使环境变量 `A_PATH` 不生效。

**说明**：与文档不同。

**版本变更**

- CANN 8.0：默认值改为 `b`；新增取值 `b`

[官方文档](https://github.com/hicann/tensorflow/blob/82957b9/docs/zh/a.md) · 适用于最新版 CANN"""


@pytest.mark.parametrize(("language", "page"), [("en", ENGLISH), ("zh", CHINESE)])
def test_a_whole_page(catalog_of: WriteCatalog, language: Language, page: str) -> None:
    catalog = catalog_of({"options/thing.toml": option_file(FILE, facts=FACTS), **OTHERS})
    option = catalog.option(Surface.SESSION, "thing")
    assert option is not None
    assert render(catalog, option, language) == page


@pytest.mark.parametrize(
    ("facts", "heading"),
    [
        ('values = ["0", "1"]\n', "**Values (others are an error)**"),
        ('values = ["0", "1"]\nenforced = false\n', "**Values**"),
        ('values = ["0", "1"]\nenforced = false\notherwise = "0"\n', "**Values (others count as `0`)**"),
    ],
)
def test_the_heading_of_values_says_what_becomes_of_others(catalog_of: WriteCatalog, facts: str, heading: str) -> None:
    catalog = catalog_of({"env/A_SWITCH.toml": option_file(surface="env", facts='type = "string"\n' + facts)})
    option = catalog.option(Surface.ENV, "A_SWITCH")
    assert option is not None
    assert heading in render(catalog, option, "en").splitlines()


def test_a_target_changes_what_is_said(catalog_of: WriteCatalog) -> None:
    catalog = catalog_of({"options/thing.toml": option_file(FILE, facts='since = "7.0"\n' + FACTS), **OTHERS})
    option = catalog.option(Surface.SESSION, "thing")
    assert option is not None
    old = render(catalog, option, "en", Target.parse({"cann": "7.0"}, ["a2"]))
    assert "Deprecated" not in old.replace("deprecated", "")
    assert "- `b`" not in old
    assert "For CANN 7.0 · Atlas A2" in old
    assert "Not in CANN 6.3: it comes with CANN 7.0." in render(catalog, option, "en", Target.parse({"cann": "6.3"}))
    assert "Not supported on Atlas training." in render(catalog, option, "en", Target.parse(None, ["train"]))
    assert "> **Experimental" in old


@pytest.mark.parametrize(
    ("facts", "en", "zh"),
    [
        ('seen = "8.0.RC2"\n', "CANN 8.0.RC2 or older", "CANN 8.0.RC2 或更早版本"),
        (
            'seen = "8.0.RC2"\nunseen = "8.0.RC1"\n',
            "documented for CANN 8.0.RC2, not yet for 8.0.RC1",
            "CANN 8.0.RC2 文档已收录，8.0.RC1 文档尚未收录",
        ),
    ],
)
def test_what_no_release_dates_is_told_as_far_as_it_is_known(
    catalog_of: WriteCatalog, facts: str, en: str, zh: str
) -> None:
    catalog = catalog_of({"options/thing.toml": option_file(FILE, facts=facts + FACTS), **OTHERS})
    option = catalog.option(Surface.SESSION, "thing")
    assert option is not None
    assert en in render(catalog, option, "en")
    assert zh in render(catalog, option, "zh")
    # Older versions may have it, too: none is said to lack it.
    assert "Not in CANN" not in render(catalog, option, "en", Target.parse({"cann": "6.3"}))


def test_what_the_environment_says_of_several_surfaces_is_one_line(catalog_of: WriteCatalog) -> None:
    there = '[atc]\ntype = "string"\nvalues = ["a", "b"]\nsources = ["ge:a.cc"]\n'
    catalog = catalog_of({"options/thing.toml": option_file(FILE + there, facts=FACTS), **OTHERS})
    option = catalog.option(Surface.ENV, "A_PATH")
    assert option is not None
    shown = render(catalog, option, "en")
    assert shown.count("No effect while") == 1
    assert "- No effect while `thing` (TensorFlow 1 session (parameter_map)) or `--thing` (ATC) is `a`." in shown


ALIKE = """\
[[relations]]
kind = "overrides"
other = "{}"
source = "tf:a"
result = {{ en = "Not read.", zh = "不读取。" }}
"""
IN_PART = """\
[[relations]]
kind = "ignored_when"
other = "other"
other_values = ["1"]
extent = "partial"
stays = { en = "The rest stays.", zh = "其余部分仍生效。" }
source = "tf:a"
[[relations]]
kind = "ignored_when"
other = "another"
extent = "partial"
stays = { en = "The rest stays.", zh = "其余部分仍生效。" }
source = "tf:b"
"""


def test_relations_that_say_the_same_are_one_line(catalog_of: WriteCatalog) -> None:
    names = ["other", "another", "third"]
    others = {f"options/{name}.toml": option_file() for name in names}
    more = "".join(map(ALIKE.format, names)) + IN_PART
    catalog = catalog_of({"options/thing.toml": option_file(more), **others})
    option = catalog.option(Surface.SESSION, "thing")
    assert option is not None
    assert relations(catalog, option, "en") == [
        "Ignores `other`, `another` and `third`. Not read.",
        "Partly without effect while `other` is `1` or `another` is set. The rest stays.",
    ]
    assert relations(catalog, option, "zh") == [
        "使 `other`、`another`、`third` 不生效。不读取。",
        "`other` 为 `1` 或已配置 `another` 时部分不生效。其余部分仍生效。",
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_said_twice(language: Language) -> None:
    catalog = load()
    twice: dict[str, list[str]] = {}
    for surface in Surface:
        for option in catalog.options(surface):
            said: set[str] = set()
            for sentence in SENTENCE.split(render(catalog, option, language)):
                words = sentence.strip(" \n->*#.。")
                if len(words) > LONG[language] and words in said:
                    twice.setdefault(f"{surface.value} {option.name}", []).append(words)
                said.add(words)
    assert twice == {}


def test_a_short_budget_keeps_what_matters(catalog_of: WriteCatalog) -> None:
    catalog = catalog_of({"options/thing.toml": option_file(FILE, facts=FACTS), **OTHERS})
    option = catalog.option(Surface.SESSION, "thing")
    assert option is not None
    for budget in (1000, 600, 400, 200, 80, 10):
        shown = render(catalog, option, "en", budget=budget)
        assert len(shown) <= budget
        assert shown.startswith("**`thing`**"[:budget])
    assert "Does something." in render(catalog, option, "en", budget=400)
    assert "With other options" not in render(catalog, option, "en", budget=400)


def test_many_values_are_cut() -> None:
    catalog = load()
    option = catalog.option(Surface.SESSION, "precision_mode")
    assert option is not None
    shown = render(catalog, option, "en", budget=1200)
    assert "more" in shown
    assert len(shown) <= 1200


def test_one_value() -> None:
    catalog = load()
    option = catalog.option(Surface.ATC, "precision_mode")
    assert option is not None
    shown = render_value(catalog, option, "force_fp16", "zh")
    assert shown is not None
    assert shown.startswith("**`--precision_mode` = `force_fp16`**")
    assert render_value(catalog, option, "no_such_value", "zh") is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_option_can_be_shown_within_its_budget(language: Language) -> None:
    catalog = load()
    for surface in Surface:
        for option in catalog.options(surface):
            shown = render(catalog, option, language)
            assert len(shown) <= 6000, option.name
            assert "{" not in shown.split("\n", 1)[0], option.name


@together(
    ("text", "shown"),
    [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("a\nb", "`a b`"),
        ("", "` `"),
        ("](command:x)", "`](command:x)`"),
    ],
)
def test_code_spans_hold_anything(text: str, shown: str) -> None:
    assert code(text) == shown


@together(
    ("text", "shown"),
    [
        ("a `b[c]` d", "a `b[c]` d"),
        ("[a](b)", "\\[a\\](b)"),
        ("<b>", "\\<b\\>"),
        ("one\ntwo", "one two"),
        ("一\n二", "一二"),
        ("一\n`a`，\n二", "一 `a`，二"),
        ("One.\nTwo.", "One.  \nTwo."),
        ("List:\n- a\n- b", "List:\n- a\n- b"),
        ("a\n\nb", "a\n\nb"),
        ("`open", "`open"),
    ],
)
def test_prose_keeps_markdown_that_cant_be_clicked(text: str, shown: str) -> None:
    assert prose(text) == shown


@pytest.mark.parametrize("part", ["``a`", "`", "[", "<!--"])
def test_a_hostile_text_costs_little(part: str) -> None:
    def shown(number: int) -> Task:
        text = part * number
        return lambda: (prose(text), code(text), plain(text))

    assert outgrown(shown, 1 << 18) is None
    assert max(map(len, (prose(part * 300_000), code(part * 300_000)))) < 100_000


def test_plain_text_and_links() -> None:
    assert plain("a_b *c* [d]") == "a_b \\*c\\* \\[d\\]"
    assert plain("# _x_") == "\\# \\_x\\_"
    assert link("Page", "https://a.b/c#d") == "[Page](https://a.b/c#d)"
    assert link("Page", "javascript:alert(1)") == "Page"
    assert link("Page", "https://a.b/)](command:x)") == "Page"


def test_what_is_always_required_is_said_without_a_condition() -> None:
    catalog = load()
    option = catalog.option(Surface.AOE, "job_type")
    assert option is not None
    assert "- Required.\n" in render(catalog, option, "en")
    assert "- 必选。\n" in render(catalog, option, "zh")


FILES = {
    Surface.SESSION: (Kind.PYTHON, "", "op.{}"),
    Surface.RUN_CONFIG: (Kind.PYTHON, "", "config = {}"),
    Surface.GLOBAL_OPTIONS: (Kind.PYTHON, "import npu_device as npu", "{}"),
    Surface.TORCH_NPU: (Kind.PYTHON, "import torch_npu", "{}"),
    Surface.TORCHAIR: (Kind.PYTHON, "import torchair\nconfig = torchair.CompilerConfig()", "{}"),
    Surface.ATC: (Kind.SHELL, "", "atc {}"),
    Surface.AOE: (Kind.SHELL, "", "aoe {}"),
    Surface.ENV: (Kind.SHELL, "", "{}"),
    Surface.GE: (Kind.GE_OPTIONS, "", "{{{}}}"),
    Surface.AIPP: (Kind.AIPP, "", "aipp_op {{ {} }}"),
}
VALUES = ("NPU101", "NPU102", "NPU103", "NPU104", "NPU105", "NPU106", "NPU107", "NPU109")


@pytest.mark.parametrize("surface", FILES, ids=lambda surface: surface.value)
def test_examples_are_written_right(surface: Surface) -> None:
    kind, head, form = FILES[surface]
    catalog = load()
    options = [option for option in catalog.options(surface) if example(option) is not None]
    assert len(options) > 20
    lines = [example(option) or "" for option in options]
    text = form.format(", ".join(lines)) if kind is Kind.GE_OPTIONS else "\n".join([head, *map(form.format, lines)])
    document = Document(f"{text}\n", kind=kind)
    assert [f.message for f in Analyzer(Config(select=VALUES), all_rules).findings(document)] == []
    read_names = {setting.name for block in read(document).blocks for setting in block.settings}
    # A key of GE is known by its start only.
    assert {o.name for o in options if kind is not Kind.GE_OPTIONS or o.name.startswith("ge.")} <= read_names


def test_a_flag_that_takes_no_word_is_shown_alone() -> None:
    flag = load().option(Surface.VLLM, "enable-lora")
    assert flag is not None
    assert example(flag) == "--enable-lora"
    assert example(flag._replace(examples=(False,), negatable=False)) is None  # type: ignore[arg-type]
    assert example(flag._replace(examples=(False,), negatable=True)) == "--no-enable-lora"  # type: ignore[arg-type]
