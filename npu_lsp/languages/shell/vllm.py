"""What a command gets beside `--additional-config`: vLLM's own arguments that keys in it must go with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.json.flags import FLAG
from npu_lsp.languages.model import Block
from npu_lsp.languages.shell.argparse_flags import spellings
from npu_lsp.languages.shell.flags import read_flags
from npu_lsp.languages.shell.known import Argument, Lookup
from npu_lsp.text import lazy_re as re
from npu_lsp.text.spans import Span

SERVER = re.compile(r"vllm(?<!\wvllm)(?:[ \t]+serve|\.entrypoints\.(?:openai\.)?api_server)\b")
"""vLLM itself, which may get such JSON from a variable."""
CONFIG = "additional-config"
"""The argument that gets options of vLLM-Ascend."""


@cache
def known() -> frozenset[str]:
    """Return the names of the arguments that other options must go with."""
    from npu_lsp.catalog.load import load

    catalog = load()
    related = (each for option in catalog.options(Surface.ADDITIONAL_CONFIG) for each in option.relations)
    return frozenset(each.other for each in related if each.other_surface is Surface.VLLM)


def name_of(written: str) -> str:
    """Return the name of an argument, which a flag may have with `_`, and a call has."""
    return written.replace("_", "-")


def beside(arguments: Sequence[Argument], statement: Span, lookup: Lookup | None) -> Block | None:
    """Return what a command sets of these, where it gets such JSON: its head is where that is written."""
    named = next((each.word for each in arguments if FLAG.match(each.word.lead)), None)
    if named is None:
        return None
    flags = read_flags(arguments, Surface.VLLM, lookup)
    given = next((each for each in flags.settings if each.name == CONFIG), None)
    if given is None and not flags.facts:
        return None
    settings = tuple(each for each in flags.settings if each.name in known() or each is given or _lacks_dash(each.name))
    head = given.key if given is not None else named.span
    return Block(0, Surface.VLLM, head, statement, settings, open=True, facts=flags.facts, command=statement)


def _lacks_dash(name: str) -> bool:
    """Return whether a name is that of an argument of several words, written with one dash."""
    return name.startswith("-") and "-" in name[1:] and spellings(Surface.VLLM).of(name[1:]) is not None
