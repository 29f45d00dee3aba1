"""Signatures: each phrase is found, tells which lines can't have it, names options that exist, and is said in both languages."""

from __future__ import annotations

import re

from npu_lsp.catalog.error_codes import ErrorCode, Wanted
from npu_lsp.catalog.files import SIGNATURES, kept_in
from npu_lsp.catalog.load import load
from npu_lsp.rules import all_rules
from npu_lsp.text.phrases import BY_DIGITS, END, PHRASE, Phrase, Phrases, without_digits
from npu_lsp.text.toml import read
from tests.authoring import phrases

CATALOG = load()
ALL: tuple[ErrorCode, ...] = tuple(CATALOG.error_codes.signatures())
KEYS = {"phrases", "what", "do", "options", "looks", "rules", "tells", "kind", "wants", "source", "confirmed", "last"}
_SHORTEST = 6


def test_the_files_say_what_every_signature_needs() -> None:
    sources = CATALOG.plain("sources")
    names: list[str] = []
    for path in kept_in(SIGNATURES):
        data = read(path)
        assert list(phrases.problems(data)) == [], path
        assert set(data) == {"title", "source", SIGNATURES}, path
        for name, entry in data[SIGNATURES].items():
            names.append(name)
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name), name
            assert set(entry) <= KEYS, name
            assert entry.get("kind", "cause") in ("cause", "general", "echo", "wrapper", "harmless"), name
            for said in (entry["what"], entry.get("do", entry["what"])):
                assert set(said) == {"en", "zh"}, name
                assert all(text.endswith((".", "。")) for text in said.values()), name
            home = entry.get("source", data["source"]).partition(":")[0]
            assert home in {*sources, "https"}, (name, home)
    assert len(names) == len(set(names))
    assert len(names) > 200


def test_a_phrase_is_of_one_signature() -> None:
    """Of two that take the same line one is always wrong, and which of them is told of first is chance."""
    names: dict[str, list[str]] = {}
    for phrase, name in CATALOG.error_codes.phrases:
        names.setdefault(phrase, []).append(name)
    assert {phrase: found for phrase, found in names.items() if len(found) > 1} == {}


def test_the_name_of_a_constant_is_no_part_of_another() -> None:
    """`VLLM_RPC_TIMEOUT` is a setting of vLLM, `RPC_TIMEOUT` a status of Mooncake."""
    found = Phrases([("RPC_TIMEOUT", "status"), ("rpc_timeout", "word")])
    for line, names in (
        (b"export VLLM_RPC_TIMEOUT=10000", []),
        (b"VLLM_RPC_TIMEOUT=1, code: RPC_TIMEOUT", ["status"]),
        (b"RPC_TIMEOUT(-900)", ["status"]),
        (b"vllm_rpc_timeout", ["word"]),
    ):
        assert [name for name, _ in found.within(line)] == names, line


def test_what_they_name_exists() -> None:
    rules = {rule.code for rule in all_rules()}
    assert [(each.code, option) for each in ALL for option in each.options if CATALOG.option(*option) is None] == []
    assert [(each.code, rule) for each in ALL for rule in each.rules if rule not in rules] == []


def test_a_text_has_only_places_that_each_of_its_phrases_has() -> None:
    for path in kept_in(SIGNATURES):
        for name, entry in read(path)[SIGNATURES].items():
            texts = [*entry["what"].values(), *entry.get("do", {}).values()]
            always = set(re.findall(r"\{(\w+)\}", re.sub(r"\[\[.*?\]\]", "", " ".join(texts))))
            used = set(re.findall(r"\{(\w+)\}", " ".join((*texts, *map(str, entry.get("wants", {}).values())))))
            there = [set(re.findall(r"\{(\w+)\}", phrase)) for phrase in entry["phrases"]]
            assert used <= set().union(*there), name
            assert [
                phrase for phrase, places in zip(entry["phrases"], there, strict=True) if not always <= places
            ] == [], name


def test_what_a_phrase_does_not_tell_is_left_out() -> None:
    code = CATALOG.error_codes.find("npu-port-bound")
    assert code is not None
    assert code.filled({"port": "16666"}).what.en.startswith("A port, 16666, is taken for HCCL:")
    assert code.filled({"port": ""}).what.en.startswith("A port is taken for HCCL:")
    small = CATALOG.error_codes.find("buffer-too-small")
    assert small is not None
    assert small.filled({}).wants is None
    wants = small.filled({"needed": "600", "size": "200"}).wants
    assert wants == Wanted("HCCL_BUFFSIZE", "600", "least", "200")
    assert [wants.met(value) for value in ("599", "600", "1000", "x", "")] == [False, True, True, False, False]
    assert small.filled({"needed": "600"}).wants == Wanted("HCCL_BUFFSIZE", "600", "least")
    assert small.filled({"needed": "$(id)", "size": "200"}).wants is None


def test_every_phrase_is_found_in_a_line_that_says_it() -> None:
    search = Phrases(CATALOG.error_codes.phrases)
    for text, name in CATALOG.error_codes.phrases:
        assert len(Phrase.of(text).anchor) >= _SHORTEST, (name, text)
        line = re.sub(r"\{(\w*)\}", lambda match: f" {match[1]} ", text.replace(f"{{{END}}}", ""))
        written = f"[rank3]: {line.strip()} [FUNC:Run]".encode()
        if not text.endswith("{" + END + "}"):
            assert name in dict(search.within(written)), (name, text)
        assert name in dict(search.within(f"x {line.strip()}".encode())), (name, text)
        if text.startswith(("module '", "cannot import name '", "'")) and "has no attribute" in text:
            # The class of an exception, which a general phrase writes, doesn't make that one say more.
            assert next(iter(search.within(f"AttributeError: {line.strip()}".encode())))[0] == name, (name, text)
        # Lines are passed over that may have none, digits aside; where the digits count, others of that form are looked at, too.
        marks = 0
        of_words, places = search.marked(written)
        for word, _ in places:
            marks |= of_words[word][0]
        assert marks & PHRASE, text
        assert marks & BY_DIGITS or without_digits(text.encode()) == text.encode(), text
