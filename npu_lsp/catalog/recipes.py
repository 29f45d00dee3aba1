"""Recipes: what the official page for a model on a product sets. Advice, never a finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from npu_lsp.catalog import links
from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.profiles import Profile, Switch
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text

_MACHINE = re.compile(
    r"(?i).*(?:_IP|_IFNAME|_ADDR|_ADDRESS|_PORT|_HOST|NODE_RANK|_PATH|_DIR|VISIBLE_DEVICES|LD_PRELOAD|HOME|_URL|_ID)\Z|"
    r"(?:host|port|served[-_]model[-_]name|seed|api[-_]key|model|headless|download[-_]dir|node[-_]rank|nnodes|master[-_](?:addr|port)|"
    r"dist[-_]init[-_]addr|data[-_]parallel[-_](?:address|rpc[-_]port|start[-_]rank|rank)|load|save|data[-_]path|tokenizer.*|model[-_]path|"
    r"save[-_]interval|.*\.(?:kv_port|engine_id|kv_rank|kv_ip|kv_buffer_device|model))\Z"
)
_WORDS = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)?[a-z]?")
_LAUNCHED = re.compile(
    r"(?:vllm serve|sglang serve|--model(?:-path)?[ =]|_MODEL=|MODEL_PATH=|MODEL_NAME=|\b(?:LLM|Engine)\((?:model(?:_path)?=)?(?=[\"'])|"
    r"\"(?:model(?:[-_]path)?|modelWeightPath)\"[ ]*:)[ ]*[\"']?([^\s\\\"'$-][^\s\\\"']*)"
)
_STARTED = re.compile(r"\b(?:vllm serve|sglang serve|sglang\.launch_server|(?:LLM|Engine)\()")
_PROGRAMS = frozenset({Surface.VLLM.value, Surface.SGLANG.value, Surface.MINDIE.value, Surface.MINDSPEED.value})
_WEIGHTS = frozenset(
    {"w", "bf", "mtp", "quarot", "quant", "int", "fp", "instruct", "chat", "hf", "vllm", "ascend", "eco", "tech"}
)
"""Words of a model's name that tell its weights."""
_FAMILY = re.compile(r"[a-z]{3,}")
_MADE_OF = frozenset({"distill", "embedding", "next", "ocr", "omni", "reranker", "vl"})
"""What makes another model of one: of Qwen3-8B Qwen3-VL-8B, which sees."""
_LIKEWISE = 3
"""So much is set likewise where a text starts no server and no training, but only names a model."""
_OF_MODEL = 0.2
"""What it is worth that a page is about the model: a fifth of what it sets."""
_OF_ROLE = ("sglang.disaggregation-mode", "vllm_args.kv_transfer_config.kv_role")
_ROLES = {"prefill": "prefill", "kv_producer": "prefill", "decode": "decode", "kv_consumer": "decode"}


def of_machine(name: str) -> bool:
    """Return whether an option says something of one machine or one run alone."""
    return _MACHINE.fullmatch(name) is not None


def recipes(catalog: Catalog) -> dict[str, Mapping[str, Any]]:
    """Return what the catalog has of each recipe, by its name: `vllm-ascend/deepseek-v3.1@a3`."""
    return {
        f"{home.replace('_', '-')}/{name}": facts
        for home, table in catalog.plain("recipes").items()
        for name, facts in table["recipes"].items()
    }


def recipe(name: str, catalog: Catalog) -> Profile | None:
    """Return the recipe of that name as a profile; `None` where there is none."""
    facts = recipes(catalog).get(name)
    return _profile(name, facts, catalog) if facts is not None else None


def _profile(name: str, facts: Mapping[str, Any], catalog: Catalog) -> Profile:
    """Return a recipe as a profile: what it sets, and what that is for."""
    sources = catalog.plain("sources")
    source = Text(*(links.address(facts["source"], sources, language) for language in ("en", "zh")))
    switches = []
    for key, value in facts["settings"].items():
        surface, _, option = key.partition(".")
        known = catalog.option(Surface(surface), option)
        why = catalog.docs(known.surface, known.name).summary if known is not None else None
        values = tuple(value) if isinstance(value, list) else (value,) if value else ()
        switches.append(Switch(Surface(surface), option, values, (), None, why, source))
    title = title_of(facts)
    what = Text(f"As on {facts['date']}: {source.en}", f"截至 {facts['date']}：{source.zh}")
    return Profile(name, title, what, tuple(switches))


def title_of(facts: Mapping[str, Any]) -> Text:
    """Return the model, the products and the version of a recipe."""
    where = ", ".join((*(each.upper() for each in facts["products"]), facts["version"]))
    return Text(f"{facts['model']} ({where})", f"{facts['model']}（{where}）")


def models(text: str) -> list[str]:
    """Return the models that commands of a text start, as they are written."""
    return list(dict.fromkeys(each.rstrip("/").rpartition("/")[2] for each in _LAUNCHED.findall(text)))


def nearest(text: str, found: Mapping[str, str], products: Sequence[str], catalog: Catalog) -> list[str]:
    """Return the names of the recipes that are closest to a text, the best one first.

    `found` is what the text sets, by `surface.name`. A text that only names a model, and starts none, has a recipe where it sets what that
    sets. The model decides, then the product, then whether it is prefill, decode or both, then
    how much is set likewise, a page on the model being a fifth ahead of one that shows something else on it, then the version.
    """
    names, programs, role = [_words(each) for each in models(text)], _programs(found), _role(found)
    starts = bool(programs) or _STARTED.search(text) is not None
    ranked = []
    for place, (name, facts) in enumerate(recipes(catalog).items()):
        same = max((_alike(each, name, facts["model"]) for each in names), default=0.0)
        if same < 0.5:
            continue
        fits = not facts["products"] or not products or bool(set(products) & set(facts["products"]))
        settings = facts["settings"]
        theirs = _programs(settings)
        if programs and theirs and not programs & theirs:
            continue
        shared = sum(
            key in found and (not value or found[key] in (value if isinstance(value, list) else (value,)))
            for key, value in settings.items()
        )
        if not starts and shared < _LIKEWISE:
            continue
        likewise = shared / (len(settings) or 1) + _OF_MODEL * any(_is_about(each, name) for each in names)
        ranked.append((round(same, 1), fits, role == _role(settings), likewise, -place, name))
    return [each[-1] for each in sorted(ranked, reverse=True)]


def _programs(settings: Iterable[str]) -> frozenset[str]:
    """Return the servers and trainers whose arguments are set: what is advised for one is no advice for another."""
    return frozenset(key.partition(".")[0].removesuffix("_args") for key in settings) & _PROGRAMS


def _role(settings: Mapping[str, Any]) -> str:
    """Return which part of the inference the settings are for: `prefill`, `decode`, or all of it."""
    return next((_ROLES[str(settings[key])] for key in _OF_ROLE if str(settings.get(key)) in _ROLES), "")


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(name.lower())) - _WEIGHTS - _ROLES.keys()


def _is_about(words: frozenset[str], name: str) -> bool:
    """Return whether a page is called after a model, and not after what it shows on one."""
    return 2 * len(words & _words(name.rpartition("/")[2].partition("@")[0].partition(":")[0])) >= len(words)


def _alike(words: frozenset[str], name: str, model: str) -> float:
    """Return how much of two models' names is the same, from 0 to 1; nothing where they are of two families."""
    best = 0.0
    family = {word for word in words if _FAMILY.fullmatch(word)} - _MADE_OF
    for other in (_words(model), _words(name.rpartition("/")[2].partition("@")[0])):
        if family.isdisjoint(other) or words & _MADE_OF != other & _MADE_OF:
            continue
        union = words | other
        best = max(best, len(words & other) / len(union) if union else 0.0)
    return best
