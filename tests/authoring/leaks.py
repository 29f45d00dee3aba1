"""Finds what a text says about one surface and shows on another.

The texts at the top of a file stand in the hover of each of its surfaces. A sentence there that names what only one of
them has (an exception of Python's, a flag, a class of the TF adapter) is no help on the others, and often not true.
Such a sentence goes into the table of its surface, as `text` or `note`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from npu_lsp.catalog.model import as_text
from npu_lsp.text.toml_shape import ShapeProblem

_TF1 = frozenset({"session", "run_config"})
_TF = _TF1 | {"global_options"}
_COMMANDS = frozenset({"atc", "aoe"})
_TORCH = frozenset({"torch_npu", "npu_attributes", "npu_calls", "profiler", "torchair"})
_TOLD = _TF | _COMMANDS | _TORCH | {"ge"}
"""Surfaces of one program each. A variable, or a file that an option names, has many readers."""

_ONLY_THERE: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (re.compile(pattern), where)
    for pattern, where in (
        (r"TF ?1|TensorFlow 1|parameter_map|npu_bridge|NPURunConfig|NPUEstimator|ession adapter|session 适配", _TF1),
        (r"TF ?2|TensorFlow 2|npu_device|npu\.global_options", frozenset({"global_options"})),
        (r"[Aa]dapter|适配[层器]|Grappler|_grappler_\w+|Estimator|keep_dtype_scope|docstring|构造函数", _TF),
        (r"\bATC\b|\batc\b", _COMMANDS | {"ge"}),
        (r"--[a-z]\w{2,}", _COMMANDS),
        (r"torch_npu|set_option\b", _TORCH),
        (r"TorchAir|torchair", frozenset({"torchair"})),
        (r"\b[A-Z][a-z]\w*Error\b", _TF1 | {"global_options"} | _TORCH),
    )
)


def leaks(data: Mapping[str, Any], surfaces: Mapping[str, Mapping[str, Any]]) -> Iterator[ShapeProblem]:
    """Yield what the texts of an option say that holds on fewer surfaces than show it.

    `surfaces` has the facts of each surface of `data`, as `merged` returns them.
    """
    told = frozenset(surfaces) & _TOLD
    if len(surfaces) == 1:
        return
    for at, text, where in _texts(data, surfaces):
        for pattern, there in _ONLY_THERE:
            found = pattern.search(text["en"]) or pattern.search(text["zh"])
            others = sorted((told & where) - there)
            if found and others:
                yield ShapeProblem(
                    at, f"{found[0]!r} is nothing that {', '.join(others)} has, which shows this text too"
                )
                break


def _texts(
    data: Mapping[str, Any], surfaces: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, Mapping[str, str], frozenset[str]]]:
    """Yield (place, text, surfaces that show it)."""
    everywhere = frozenset(surfaces)
    for key in ("summary", "text"):
        if key in data:
            yield key, data[key], everywhere
    for value, text in data.get("values", {}).items():
        having = (name for name, facts in surfaces.items() if value in map(as_text, facts["values"]))
        yield f"values.{value}", text, frozenset(having)
    for key in ("note", "deprecated", "removed", "preferred"):
        if key in data:
            shown = frozenset(name for name, facts in surfaces.items() if facts.get(key) == data[key])
            yield key, data[key] if key == "note" else data[key]["why"], shown
    for number, relation in enumerate(data.get("relations", ())):
        if "result" in relation:
            yield f"relations[{number}]", relation["result"], frozenset(relation.get("surfaces", surfaces))
