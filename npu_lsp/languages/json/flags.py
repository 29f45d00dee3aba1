"""Flags of command lines whose value is JSON, by the words that every reader looks for."""

from __future__ import annotations

from collections.abc import Iterable

from npu_lsp.text import lazy_re as re
from npu_lsp.text.kinds import Kind

_KINDS = (
    *(Kind.ADDITIONAL_CONFIG, Kind.COMPILATION_CONFIG, Kind.KV_TRANSFER_CONFIG, Kind.SPECULATIVE_CONFIG),
    *(Kind.KV_EVENTS_CONFIG, Kind.EPLB_CONFIG, Kind.STRUCTURED_OUTPUTS_CONFIG),
    *(Kind.EC_TRANSFER_CONFIG, Kind.WEIGHT_TRANSFER_CONFIG),
)
_OF_MANY = (Kind.PROFILER_CONFIG, Kind.ATTENTION_CONFIG, Kind.POOLER_CONFIG, Kind.KERNEL_CONFIG, Kind.REASONING_CONFIG)
"""What other mappings and programs have under the same name."""
OF_FLAGS = (*_KINDS, *_OF_MANY)
"""Languages of such values, each called as the flag is."""
WORDS = ("additional-config", "additional_config")
"""What a text holds that gives vLLM-Ascend's JSON, on a command line or as an argument of a call."""
LONG_WORDS = tuple(kind.value.replace("_", "-") for kind in OF_FLAGS)
"""What a text holds that gives any of them on a command line."""
FLAG = re.compile(r"--additional[-_]config(?![\w.-])")
"""The flag of vLLM-Ascend's own JSON."""


def _name(kinds: Iterable[Kind]) -> str:
    return rf"(?P<name>{'|'.join(kind.value.replace('_', '[-_]') for kind in kinds)})(?![\w.-])"


ANY = re.compile(f"--{_name(OF_FLAGS)}")
_AS_KEY = rf"{_name(_KINDS)}[\"']?[ ]*:(?=[ \t\r\n{{]|\Z)"
KEY = re.compile(rf"[\"']?(?:--)?{_AS_KEY}")
"""One of them as a key of a mapping."""
ANY_KEY = re.compile(_AS_KEY)
"""The same without what may stand in front: to look for it takes a fifth of the time."""
MAPPED_WORDS = (*LONG_WORDS, *(kind.value for kind in _KINDS))
"""What a text holds that gives any of them as a key."""


def kind_of(found: re.Match[str]) -> Kind:
    """Return the language of the value behind a flag that `ANY` found."""
    return Kind(found["name"].replace("-", "_"))


def is_of_vllm(kind: Kind, text: str) -> bool:
    """Return whether the value of such a flag is vLLM's in a command: LLaMA-Factory has a `kernel_config`, too."""
    return kind not in _OF_MANY or "vllm" in text


def is_flag(text: str | None) -> bool:
    """Return whether a word is such a flag, and nothing behind it."""
    return text is not None and text.startswith("--") and ANY.fullmatch(text) is not None


def named_in(text: str) -> bool:
    """Return whether a text names such a flag."""
    return "config" in text and "--" in text and ANY.search(text) is not None
