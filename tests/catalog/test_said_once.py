"""A hover says a thing once: what its relations, its state and its stability show stands in its text no more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Option, Surface
from npu_lsp.docs import labels
from npu_lsp.docs.render import render
from npu_lsp.text.bilingual import Language
from tests.together import together

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
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_SHOWN: dict[str, tuple[Callable[[Option], bool], str, str]] = {
    "trial": (
        lambda option: option.stability in labels.STABILITY,
        r"\bdebugging (?:option|only)\b|\bnot for production\b|\bon trial\b|^experimental\b",
        r"调试参数|用于生产|试用变量|试验特性",
    ),
    "internal": (
        lambda option: option.status == "internal",
        r"\bnot meant (?:to be|for)\b|\bby hand\b|\binternal[.;]|\bdon't set it\b",
        r"内部使用|手工配置|^无需配置|，无需配置|请勿配置|无需设置",
    ),
    "no effect": (
        lambda option: option.status == "no_effect",
        r"^does nothing\b|\bhas no effect\b|\bno effect any more\b",
        r"^不起作用|不再生效|^配置后不生效",
    ),
    "undocumented": (
        lambda option: option.status == "undocumented",
        r"\bnot documented\b|\bundocumented\b",
        r"文档未说明。|官方文档未",
    ),
    "deprecated": (
        lambda option: option.deprecated is not None,
        r"\bit will be (?:removed|dropped)\b",
        r"后续(?:版本)?废弃|即将废弃",
    ),
}
"""What a hover shows in a line of its own: of which options, and the words that say it again."""


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


@together("shown", _SHOWN)
def test_no_sentence_says_again_what_a_line_of_its_own_says(shown: str) -> None:
    of_option, *words = _SHOWN[shown]
    twice = {
        (option.topic, sentence)
        for language, pattern in zip(_LANGUAGES, words, strict=True)
        for option in filter(of_option, _options())
        for sentence in _sentences(option, language)
        if re.search(pattern, sentence, re.IGNORECASE)
    }
    assert twice == set()


@pytest.mark.parametrize("language", _LANGUAGES)
def test_what_goes_or_is_gone_is_not_said_to_have_no_effect_besides(language: Language) -> None:
    """It may stop with an error."""
    idle = [option for option in _options() if option.status == "no_effect"]
    said = {
        bool(option.deprecated or option.removed): labels.STATUS["no_effect"].to(language)
        in render(load(), option, language)
        for option in idle
    }
    assert said == {True: False, False: True}
