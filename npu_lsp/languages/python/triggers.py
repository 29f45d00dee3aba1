"""Words without which a Python text sets nothing. Looking for them costs next to nothing."""

from __future__ import annotations

import re

from npu_lsp.catalog.calls import RUN_CONFIG, RUN_CONFIG_PARTS
from npu_lsp.catalog.programs import SHAPES
from npu_lsp.catalog.surfaces import CALLS
from npu_lsp.text.word_search import Words

_ALWAYS = (
    "npu-lsp:",
    "parameter_map",
    "custom_optimizers",
    RUN_CONFIG,
    *RUN_CONFIG_PARTS,
    "additional_config",
    "additional-config",
    "CANNExecutionProvider",
    "global_options",
    *(call.trigger for _, call in CALLS),
    "CompilerConfig",
)
_ENVIRONMENT = ("env", "ENV", "Env")
_LAUNCHERS = ("system(", "subprocess", "popen", "os.exec", "os.spawn")
_WORDS = Words(
    {*_ALWAYS, *_ENVIRONMENT, *_LAUNCHERS, *(word for words, shapes in SHAPES for word in (*words, *shapes))}
)
# The variable's name stands elsewhere: in a constant, in a dict.
_INDIRECT = re.compile(r"(?:environ\s*(?:\[|\.\s*(?:setdefault|__setitem__|update)\s*\()|putenv\s*\()\s*[A-Za-z_*]")
# What must not stand before is asked behind the first letter, so that only capital letters are looked at.
_VARIABLE = re.compile(r"[A-Z](?<![A-Za-z0-9_.].)[A-Z0-9_]{2}[A-Za-z0-9_]+(?![A-Za-z0-9_.(])")


def is_of_interest(text: str) -> bool:
    """Tell whether `text` may set something; False is certain."""
    found = _WORDS.found(text)
    return (
        not found.isdisjoint(_ALWAYS)
        or any(found.issuperset(words) and not found.isdisjoint(shapes) for words, shapes in SHAPES)
        or (not found.isdisjoint(_ENVIRONMENT) and _names_variable(text))
        or (not found.isdisjoint(_LAUNCHERS) and (_names_tool(text) or ("env" in found and _names_variable(text))))
    )


def _names_variable(text: str) -> bool:
    if _INDIRECT.search(text):
        return True
    from npu_lsp.languages.variable_names import named

    return next(named(_VARIABLE, text), None) is not None


def _names_tool(text: str) -> bool:
    from npu_lsp.languages.shell.tools import names_any, tools

    return bool(tools(text)) or names_any(text)
