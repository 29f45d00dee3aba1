"""`npu-lsp options`, through the command line."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.catalog import toolkit
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.commands.main import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["options", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def rows(run: Any, *arguments: str) -> list[dict[str, Any]]:
    code, out, _ = run("--format", "json", *arguments)
    assert code == 0
    found = json.loads(out)
    assert isinstance(found, list)
    return found


def test_json_has_every_option_with_the_promised_keys(run: Any) -> None:
    found = rows(run)
    assert len(found) == sum(len(load().names(surface)) for surface in Surface)
    for row in found:
        assert {"name", "surface", "type", "slot", "values", "default", "deprecated", "removed"} <= set(row)
        assert {"replacement", "doc", "sources", "products", "since", "relations", "same_as"} <= set(row)
        assert set(row["doc"]) == {"en", "zh"}
        assert isinstance(row["deprecated"], bool)
        assert isinstance(row["removed"], bool)
        assert row["values"] is None or row["values"]
        assert (row["slot"] in ("s", "i", "f", "b")) == (row["surface"] == "session")


def test_json_of_one_option(run: Any) -> None:
    (row,) = [row for row in rows(run, "--surface", "session") if row["name"] == "op_select_implmode"]
    assert row["slot"] == "s"
    assert {"high_precision", "high_performance"} <= set(row["values"])
    assert row["deprecated"] is True
    assert row["replacement"] == "op_precision_mode"
    assert row["same_as"]["atc"] == "op_select_implmode"
    assert row["doc"]["zh"]


def test_the_language_is_that_of_the_locale(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "zh_CN.UTF-8")
    assert "默认值" in run("show", "precision_mode", "--surface", "atc")[1]
    assert "默认值" not in run("show", "precision_mode", "--surface", "atc", "--lang", "en")[1]


def test_a_default_is_that_of_the_version(run: Any) -> None:
    def known(*cann: str) -> object:
        (row,) = [row for row in rows(run, "--surface", "session", *cann) if row["name"] == "hcom_parallel"]
        assert row["defaults"] if row["default"] is not None else not row["defaults"]
        return row["default"]

    assert known() is known("--cann", "6.0") is True
    assert known("--cann", "5.1") is False


def test_defaults_that_differ_are_all_shown(run: Any) -> None:
    lines = run("--surface", "session")[1].splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("enable_small_channel "))
    assert "  0 (training)  " in lines[first]
    assert lines[first + 1].split() == ["1", "(inference)"]
    assert '"AI_CPU" (a3), "HOST" (a2, infer)' in run("--surface", "env", "--format", "html")[1].replace(
        "&quot;", '"'
    ).replace("<wbr>", "")


def test_names_are_those_that_people_write(run: Any) -> None:
    names = {(row["surface"], row["name"]) for row in rows(run)}
    assert ("run_config", "DumpConfig.enable_dump") in names
    assert ("global_options", "dump_config.enable_dump") in names
    assert ("atc", "soc_version") in names


def test_surfaces_can_be_chosen(run: Any) -> None:
    assert {row["surface"] for row in rows(run, "--surface", "atc", "--surface", "session")} == {"atc", "session"}


def test_only_deprecated_ones(run: Any) -> None:
    found = rows(run, "--deprecated")
    assert found
    assert all(row["deprecated"] or row["removed"] for row in found)


def test_a_product_leaves_out_what_it_does_not_support(run: Any) -> None:
    all_names = {(row["surface"], row["name"]): row for row in rows(run)}
    kept = {(row["surface"], row["name"]) for row in rows(run, "--product", "Ascend310")}
    left_out = set(all_names) - kept
    assert left_out
    assert all("310" not in all_names[key]["products"] for key in left_out)
    assert all(not all_names[key]["products"] or "310" in all_names[key]["products"] for key in kept)


def test_a_version_leaves_out_what_it_does_not_have_yet(run: Any) -> None:
    dated = [row for row in rows(run) if row["since"] is not None and row["component"] == "cann"]
    later = [row for row in dated if not row["since"].startswith("5.0")]
    if later:
        old = {(row["surface"], row["name"]) for row in rows(run, "--cann", "5.0")}
        assert not {(row["surface"], row["name"]) for row in later} & old


def test_the_table_is_aligned_in_both_languages(run: Any) -> None:
    _, out, _ = run("--surface", "atc")
    assert out.splitlines()[0].split()[:3] == ["name", "surface", "type"]
    assert any(line.startswith("soc_version ") for line in out.splitlines())
    _, out, _ = run("--surface", "atc", "--lang", "zh")
    assert out.splitlines()[0].startswith("名称")


def test_the_reference_has_a_heading_for_each_option(run: Any) -> None:
    _, out, _ = run("--format", "markdown", "--surface", "atc", "--lang", "en")
    assert out.startswith("# Ascend NPU options\n\n## ATC\n")
    for name in load().names(Surface.ATC):
        assert f"\n### `--{name}`\n" in out


def test_show_prints_every_surface_that_has_it(run: Any) -> None:
    code, out, _ = run("show", "precision_mode")
    assert code == 0
    assert out.count("\n---\n") >= 3
    assert "`--precision_mode` · ATC" in out


def test_show_says_once_what_holds_for_several(run: Any) -> None:
    """What a reader of seven pages would compare by hand stands under the names of those that it holds for."""
    out = run("show", "precision_mode")[1]
    pages = out.split("\n\n---\n\n")
    assert out.count("Decides which float type the network's operators compute in.") == 1
    assert out.count("`must_keep_origin_dtype` — Every operator keeps the type of the original graph.") == 1
    first = pages[0].split("\n\n")[0]
    assert ["ATC" in first, "NPURunConfig" in first, "MindSpore Lite" in first] == [True, True, False]
    told = {(line, page.split("\n\n")[0]) for page in pages for line in page.split("\n\n")[1:]}
    for surface in ("session", "atc"):
        alone = run("show", "precision_mode", "--surface", surface)[1]
        title, *rest = (each for each in alone.split("\n\n") if "Elsewhere" not in each and "Default" not in each)
        assert [
            each for each in rest if not any(each.strip() == text.strip() and title in head for text, head in told)
        ] == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("DumpConfig.enable_dump", "`DumpConfig.enable_dump` · NPURunConfig"),
        ("dump_config.enable_dump", "`dump_config.enable_dump` · TensorFlow 2"),
        ("--soc_version", "`--soc_version` · ATC"),
        ("ge.exec.precision_mode", "`ge.exec.precision_mode`"),
    ],
)
def test_show_takes_names_as_people_write_them(run: Any, name: str, shown: str) -> None:
    code, out, _ = run(*(["show", "--", name] if name.startswith("-") else ["show", name]))
    assert code == 0
    assert shown in out


def test_show_in_chinese_on_one_surface(run: Any) -> None:
    code, out, _ = run("show", "precision_mode", "--surface", "atc", "--lang", "zh", "--cann", "8.0")
    assert code == 0
    assert "适用于 CANN 8.0" in out
    assert "\n---\n" not in out


def test_a_mistyped_name_gets_the_intended_one(run: Any) -> None:
    code, out, err = run("show", "precison_mode")
    assert (code, out) == (2, "")
    assert err == "npu-lsp: there is no option 'precison_mode'; did you mean precision_mode?\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show"], "name an option"),
        (["--cann", "soon"], "'soon' is no version"),
        (["--product", "toaster"], "there is no product 'toaster'; it is one of 950, a3, a2"),
        (["--catalog", "no/such/file.toml"], "no/such/file.toml: No such file"),
    ],
)
def test_usage_errors(run: Any, arguments: list[str], told: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert told in err


def test_options_of_ones_own(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('[options.our_switch]\nsummary = "Ours."\n[options.our_switch.session]\nslot = "b"\n', "utf-8")
    code, out, _ = run("show", "our_switch", "--catalog", str(path))
    assert code == 0
    assert "Ours." in out


def test_the_configuration_adds_options_and_says_the_target(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "npu-lsp.toml").write_text('catalog = ["own.toml"]\n[target]\ncann = "8.0"\n', "utf-8")
    (tmp_path / "own.toml").write_text('[options.our_switch.session]\nslot = "b"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("show", "our_switch")
    assert code == 0
    assert "For CANN 8.0" in out
    assert "our_switch" in {row["name"] for row in rows(run, "--surface", "session")}
    (tmp_path / "own.toml").write_text("[options.our_switch]\n", "utf-8")
    code, out, err = run("show", "our_switch")
    assert (code, out) == (2, "")
    assert "own.toml:1: options.our_switch: a new option needs a table for a surface" in err


def test_show_is_text_for_a_terminal_and_markdown_where_asked(run: Any) -> None:
    for name in ("dynamic_dims", "HCCL_ALGO", "singleop", "CPU_AFFINITY_CONF"):
        _, out, _ = run("show", name)
        assert not re.search(r"\\[^\w\s]|\*\*|[ ]$", re.sub(r"`[^`\n]*`", "code", out), re.MULTILINE), name
        assert re.search(r"Documentation(?: \(in Chinese\))?: https://", out)
    assert run("show", "dynamic_dims", "--format", "markdown")[1].startswith("**`dynamic_dims`**")


def test_a_page_to_search_has_every_option_in_both_languages(run: Any) -> None:
    _, out, _ = run("--format", "html", "--surface", "atc", "--lang", "zh")
    assert '<html lang="zh-CN">' in out
    for name in load().names(Surface.ATC):
        assert f'<tr id="{name}"><td class=code>{name}</td>' in out.replace("<wbr>", "")
    assert load().docs(Surface.ATC, "soc_version").summary.zh in out
    assert "<td class=code>precision_<wbr>mode</td>" in run("--format", "html", "--lang", "en")[1]


def test_a_page_to_search_tells_what_an_option_takes(run: Any) -> None:
    """Without a network, that page is all there is: who looks for a value finds the options that take it."""

    def taken(surface: str) -> dict[str, str]:
        page = run("--format", "html", "--surface", surface, "--lang", "en")[1]
        found = re.findall(r"<tr[^>]*>(.*?)</tr>", page.replace("<wbr>", ""))[1:]
        cells = [[unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in found]
        return {row[0]: row[3] for row in cells}

    assert taken("atc")["precision_mode"].startswith("force_fp32, cube_fp16in_fp32out, allow_fp32_to_fp16")
    variables = taken("env")
    assert variables["HCCL_BUFFSIZE"] == "from 1 MB"
    assert variables["HCCL_EXEC_TIMEOUT"] == "0 – 2147483647 s"
    assert variables["ASCEND_CACHE_PATH"] == ""


def test_show_answers_for_an_installed_toolkit(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newest = run("show", "hcom_parallel", "--surface", "session")[1]
    (tmp_path / "version.info").write_text("version=5.1.RC2\n")
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path))
    toolkit.installed.cache_clear()
    try:
        installed = run("show", "hcom_parallel", "--surface", "session")[1]
    finally:
        monkeypatch.undo()
        toolkit.installed.cache_clear()
    assert installed != newest
    assert installed == run("show", "hcom_parallel", "--surface", "session", "--cann", "5.1.RC2")[1]


def test_what_each_statement_rests_on_is_told(run: Any) -> None:
    code, out, _ = run("show", "precision_mode", "--surface", "atc", "--sources", "--lang", "en")
    told = out.split("Sources · `--precision_mode` (ATC)")[1]
    assert code == 0
    assert "- With `--precision_mode_v2`: https://github.com/hicann/ge/blob/" in told
    assert "- Change in CANN 6.3: https://www.hiascend.com/" in told
    option = load().option(Surface.ATC, "precision_mode")
    assert option is not None
    assert all(load().link(source).en in told for source in option.sources)
    assert all(load().link(relation.source).en in told for relation in option.relations)
    assert "Sources" not in run("show", "precision_mode", "--surface", "atc", "--lang", "en")[1]


def test_a_source_at_a_tag_is_the_file_of_that_release(run: Any) -> None:
    _, out, _ = run("show", "ServerConfig.metricsPort", "--sources", "--lang", "zh")
    assert "必选：https://github.com/Ascend/MindIE-LLM/blob/3.0.0.beta.1/src/config_manager/server_config.cpp" in out


def test_a_source_says_what_it_is(run: Any) -> None:
    out = run("show", "max-num-seqs", "--surface", "vllm", "--sources", "--lang", "en")[1]
    assert "- Read in the code: https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/engine/arg_utils.py" in out
    assert "- Read in the documentation: https://github.com/vllm-project/vllm-ascend/blob/" in out


def test_what_is_gone_says_where_it_was_looked_for(run: Any) -> None:
    out = run("show", "VLLM_ATTENTION_BACKEND", "--surface", "env", "--sources", "--lang", "en")[1]
    assert (
        "- Removed: looked for in vllm v0.16.0 and not found, last found in vllm v0.14.1: https://github.com/vllm-project/vllm/blob/v0.16.0/vllm/envs.py"
        in out
    )
    same = run("show", "max-num-seqs", "--surface", "mindspeed", "--sources", "--lang", "en")[1]
    assert (
        "- Removed: looked for in MindSpeed 2.3 and not found, last found in mindspeed-llm 2.2.0: https://github.com/Ascend/MindSpeed-LLM/"
        in same
    )
    told = run("show", "ASCEND_MC2", "--sources", "--lang", "en")[1]
    assert "- Removed: looked for in mindspeed v1.0.RC2 and not found, last found in mindspeed 1.0.RC1: " in told


@pytest.mark.parametrize("version", ["0.18.0", "0.18"])
def test_sources_open_at_the_release_of_the_target(run: Any, version: str) -> None:
    asked = ("show", "max-num-seqs", "--surface", "vllm", "--sources", "--lang", "en")
    out = run(*asked, "--target", f"vllm-ascend={version}")[1]
    assert "(for v0.18.0: https://github.com/vllm-project/vllm/blob/v0.18.0/vllm/engine/arg_utils.py)" in out
    assert "(for v" not in run(*asked, "--target", "vllm-ascend=9.0.0")[1]
