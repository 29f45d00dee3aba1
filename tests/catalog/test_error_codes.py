"""The codes of errors: each can be read, names options that exist, and says what it means in both languages."""

from __future__ import annotations

import re

from npu_lsp.catalog.error_codes import SHAPE
from npu_lsp.catalog.files import DATA
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.docs.render import render
from npu_lsp.text.toml import read
from tests.authoring import phrases
from tests.together import together

CATALOG = load()


def test_the_file_says_what_every_code_needs() -> None:
    data = read(DATA / "error_codes.toml")
    assert list(phrases.problems(data)) == []
    sources = CATALOG.plain("sources")
    for component, home in data.items():
        assert set(home) - {"kind"} == {"title", "source", "codes"}, component
        assert home["source"].partition(":")[0] in {*sources, "https"}
        for code, entry in home["codes"].items():
            assert set(entry) <= {"what", "do", "options", "looks", "kind", "tells", "says"}, code
            size = len("MIE05E010000") if code.startswith("MIE") else len("E10001")
            example = code.replace("?", "1").replace("*", "0" * (size - len(code.rstrip("*"))))
            assert SHAPE.fullmatch(example), code
            assert CATALOG.error_codes.find(example) is not None
            for said in (entry["what"], entry.get("do", entry["what"])):
                assert set(said) == {"en", "zh"}
                assert all(text.endswith((".", "。")) for text in said.values()), code


def test_a_message_of_a_code_is_read_in_the_form_that_it_has() -> None:
    for component in read(DATA / "error_codes.toml").values():
        for code, entry in component["codes"].items():
            if "says" in entry:
                phrase, texts = entry["says"]["phrase"], (entry["says"]["en"], entry["says"]["zh"])
                places = re.findall(r"\{(\w+)\}", phrase)
                assert all(sorted(set(re.findall(r"\{(\w+)\}", text))) <= sorted(places) for text in texts), code
                assert all(text.endswith((".", "。")) for text in texts), code
                message = (
                    f"{code}: [PID: 1] " + phrase.format(**{place: f"[x{place}]" for place in places}) + ". Reason: y"
                )
                known = CATALOG.error_codes.find(code)
                assert known is not None
                said = known.read_from(message).what
                assert all(
                    f"x{place}" in said.en and "{" not in said.zh for place in re.findall(r"\{(\w+)\}", texts[0])
                ), code
                # A message in another form is told in general.
                assert known.read_from(f"{code}: another message").what == known.what


def test_the_options_that_a_code_is_about_exist() -> None:
    codes = CATALOG.error_codes.all()
    assert len(codes) > 300
    missing = [(each.code, option) for each in codes for option in each.options if CATALOG.option(*option) is None]
    assert missing == []


def test_a_code_that_is_written_out_comes_before_a_family() -> None:
    found = CATALOG.error_codes.find("e70014")
    assert found is not None
    assert ("AIPP" in found.what.en, found.code) == (True, "E70014")
    family = CATALOG.error_codes.find("E70015")
    assert family is not None
    assert "AIPP" not in family.what.en


@together("word", ["E1", "", "E1000", "E100011", "XE10001", "EQ1234", "NPU101"])
def test_another_word_is_no_code(word: str) -> None:
    assert CATALOG.error_codes.find(word) is None


def test_an_option_tells_the_errors_that_it_may_cause() -> None:
    option = CATALOG.option(Surface.ATC, "log")
    assert option is not None
    assert CATALOG.error_codes.of(Surface.ATC, "log") == ("E10010",)
    assert "**Possible errors**: `E10010`" in render(CATALOG, option, "en")
    assert "**可能的错误码**：`E10010`" in render(CATALOG, option, "zh")
