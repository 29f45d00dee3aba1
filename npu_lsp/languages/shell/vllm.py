"""What a command gets beside `--additional-config`: vLLM's own arguments that keys in it must go with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.json.flags import FLAG
from npu_lsp.languages.model import Block, Setting, ValueKind
from npu_lsp.languages.shell.flags import read_flags
from npu_lsp.languages.shell.known import Argument, Lookup
from npu_lsp.text.spans import Span

SERVER = re.compile(r"\bvllm[ \t]+serve\b|\bvllm\.entrypoints\.(?:openai\.)?api_server\b")
"""vLLM itself, which may get such JSON from a variable."""
_CONFIG = "additional-config"
_ELSEWHERE = frozenset({"config"})
"""Flags that name a file with more of them."""


@cache
def known() -> frozenset[str]:
    """Return the names of the arguments, the short ones too."""
    from npu_lsp.catalog.load import load

    options = load().options(Surface.VLLM)
    return frozenset(name for option in options for name in (option.name, *option.aliases))


def name_of(written: str) -> str:
    """Return the name of an argument, which a flag may have with `_`, and a call has."""
    return written.replace("_", "-")


def beside(arguments: Sequence[Argument], statement: Span, lookup: Lookup | None) -> Block | None:
    """Return what a command sets of these, where it gets such JSON: its head is where that is written."""
    if not any(FLAG.match(each.word.lead) for each in arguments):
        return None
    flags = read_flags(arguments, Surface.VLLM, lookup)
    told = [each._replace(name=name_of(each.name)) for each in flags.settings]
    given = next((each for each in told if each.name == _CONFIG), None)
    if given is None:
        return None
    settings = tuple(_switched(each) for each in told if each.name in known())
    more = flags.open or not _is_server(arguments) or any(each.name in _ELSEWHERE for each in told)
    head = given.value.origin or given.value.content or given.value.span
    return Block(0, Surface.VLLM, head, statement, settings, open=more, command=statement)


def _switched(setting: Setting) -> Setting:
    """Return a setting whose flag alone says "on"."""
    if setting.separator:
        return setting
    return setting._replace(value=setting.value._replace(kind=ValueKind.BOOL, known=True, data=True))


def _is_server(arguments: Sequence[Argument]) -> bool:
    """Tell whether the command is vLLM itself: what it isn't told has vLLM's default."""
    return SERVER.search(" ".join(each.word.text or "?" for each in arguments)) is not None
