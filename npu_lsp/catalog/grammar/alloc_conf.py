"""How torch_npu gives out memory of the device."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.keyed import Keyed, with_values
from npu_lsp.catalog.grammar.pairs import Keys
from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, is_digits, number, whole, words
from npu_lsp.catalog.model import Surface
from npu_lsp.text import lazy_re as re

_TORCH_SWITCHES = words(
    "expandable_segments pin_memory_expandable_segments pinned_mem_register multi_stream_lazy_reclaim "
    "release_lock_on_npumalloc throw_on_npumalloc_oom pinned_use_background_threads"
)
_TORCH_KEYS = Keys(
    _TORCH_SWITCHES
    | words(
        "base_addr_aligned_kb garbage_collection_threshold large_segment_size_mb max_non_split_rounding_mb max_split_size_mb "
        "page_size per_process_memory_fraction pinned_max_cached_size_mb pinned_max_round_threshold_mb "
        "pinned_reserve_segment_size_mb roundup_power2_divisions segment_size_mb"
    ),
    certain=True,
)
_LEAST_SPLIT = 20
"""In MB. Some releases take it, others want more."""
_WHOLE = ("max_split_size_mb", "max_non_split_rounding_mb")
_RANGES = {"base_addr_aligned_kb": (0, 16), "segment_size_mb": (20, 512)}
_FRACTION = re.compile(r"-?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})\Z", re.ASCII)
_EXPANDABLE = "expandable_segments"
_AGAINST_EXPANDABLE = ("max_split_size_mb", "garbage_collection_threshold")
KEYED = {
    "alloc-conf": Keyed(
        {
            **with_values(("True", "False"), _TORCH_SWITCHES),
            **with_values((), _TORCH_KEYS.known - _TORCH_SWITCHES - {"page_size"}),
            "page_size": ("1g",),
        }
    )
}


def alloc_conf(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`expandable_segments:True,page_size:1g` (torch: `torch_npu/csrc/core/npu/NPUAllocatorConfig.cpp`).

    Yield what is no key with a value, mistyped keys, values that a key doesn't take, and keys that exclude each other.
    """
    # `roundup_power2_divisions:[256:1,512:2]` has a list of its own.
    if "[" in text:
        return
    yield from _TORCH_KEYS(text, surface)
    pairs: dict[str, tuple[ValuePart, ValuePart]] = {}
    for part in whole(text).split(","):
        fields = [field.strip() for field in part.split(":")]
        if len(fields) == 2 and fields[1].text:
            pairs[fields[0].text] = (fields[0], fields[1])
            yield from _value(fields[0].text, fields[1])
        elif len(fields) > 2:
            yield part.problem(f'"{part.text}" is not of the form key:value', f"“{part.text}”格式错误，应为“键:值”")
    if _EXPANDABLE in pairs and pairs[_EXPANDABLE][1].text == "True":
        for name in _AGAINST_EXPANDABLE:
            if name in pairs:
                yield pairs[name][0].problem(
                    f'"{name}" and "{_EXPANDABLE}:True" exclude each other',
                    f"“{name}”不能与“{_EXPANDABLE}:True”同时配置",
                )


def _value(key: str, value: ValuePart) -> Iterator[ValueProblem]:
    said = value.text
    if key in _TORCH_SWITCHES and said not in ("True", "False"):
        meant = {"true": "True", "false": "False"}.get(said.lower())
        yield value.problem(
            f'"{said}" is neither "True" nor "False"', f"“{said}”既不是 True 也不是 False", instead=meant
        )
    elif key == "page_size" and said != "1g":
        yield value.problem('the only page size is "1g"', "page_size 仅支持 1g")
    yield from _number(key, value)


def _number(key: str, value: ValuePart) -> Iterator[ValueProblem]:
    said = value.text
    if key in _WHOLE and not (is_digits(said) and number(said) >= _LEAST_SPLIT):
        yield value.problem(
            f'"{said}" is no whole number above {_LEAST_SPLIT}', f"“{said}”不是大于 {_LEAST_SPLIT} 的整数"
        )
    elif key == "garbage_collection_threshold" and not (_FRACTION.match(said) and 0 < float(said) < 1):
        yield value.problem(f'"{said}" is not between 0 and 1', f"“{said}”不在 0～1 之间")
    elif key == "roundup_power2_divisions" and not (is_digits(said) and number(said).bit_count() <= 1):
        yield value.problem(f'"{said}" is no power of 2', f"“{said}”不是 2 的幂")
    elif key in _RANGES and not (is_digits(said) and _RANGES[key][0] <= number(said) <= _RANGES[key][1]):
        low, high = _RANGES[key]
        yield value.problem(f'"{said}" is not an integer from {low} to {high}', f"“{said}”不是 {low}～{high} 的整数")
