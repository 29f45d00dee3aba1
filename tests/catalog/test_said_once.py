"""A hover says a thing once: what the option's relations and its stability show stands in its text no more."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.docs import labels
from npu_lsp.text.bilingual import Language

_NAME = r"`(?:--)?(?P<name>[\w.-]+)(?:=[^`]*)?`"
_END = {"en": re.compile(r"(?<=[.;])\s+"), "zh": re.compile(r"(?<=[。；，])\s*")}
_RELATION = {
    "en": re.compile(
        rf"(?:it |and )?(?:(?:(?:is )?read |counts |works |used )?only (?:with|when|where|while)|needs|requires|(?:not|never)(?: together)? with) {_NAME}"
        r"(?: is)?(?: set| on| True| as well)?[.;]",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        rf"(?:且|并)?(?:(?:须|需|必须)(?:同时)?(?:配置|打开|开启)?|仅(?:当|在)?(?:配置了?)?|不能与|与|为 true 时需同时配置) ?{_NAME} ?"
        r"(?:(?:同时|为 True|已?开启|打开)?(?:时|后)?(?:使用|配置|开启|打开|有效|生效|读取|不能同时使用)?)?[。；，]"
    ),
}
_STABILITY = {
    "en": re.compile(
        r"\bdebugging (?:option|only)\b|\bnot for production\b|\bon trial\b|^experimental\b", re.IGNORECASE
    ),
    "zh": re.compile(r"调试参数|用于生产|试用变量|试验特性"),
}


def _options() -> list[Option]:
    catalog = load()
    return [option for surface in Surface for option in catalog.options(surface)]


def _sentences(option: Option, language: Language) -> Iterator[str]:
    docs = load().docs(option.surface, option.name)
    for text in (docs.summary, docs.text):
        if text is not None:
            yield from _END[language].split(text.to(language).replace("\n", " "))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_sentence_only_names_what_a_relation_names(language: Language) -> None:
    twice: dict[tuple[str, str], list[bool]] = {}
    for option in _options():
        others = {relation.other.rpartition(".")[2] for relation in option.relations}
        for sentence in _sentences(option, language):
            found = _RELATION[language].fullmatch(sentence)
            if found is not None:
                twice.setdefault((option.topic, sentence), []).append(found["name"].rpartition(".")[2] in others)
    # Where one surface has no such relation, its hover needs the sentence.
    assert [each for each, said in twice.items() if all(said)] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_sentence_says_again_how_stable_it_is(language: Language) -> None:
    assert [
        (option.name, sentence)
        for option in _options()
        if option.stability in labels.STABILITY
        for sentence in _sentences(option, language)
        if _STABILITY[language].search(sentence)
    ] == []
