"""What a bare number stands for: the name behind it, or how much it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Option, Scalar
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Language, Text

_HEADLINE = re.compile(r"[.:,;](?=\s|\Z)|[。：，；]")
_LONGEST = 40
"""Characters of a meaning that stands beside a number."""
_UNITS: Mapping[str, Text] = {
    "s": Text("s", "秒"),
    "ms": Text("ms", "毫秒"),
    "bytes": Text("bytes", "字节"),
    "KB": Text("KB", "KB"),
    "MB": Text("MB", "MB"),
    "%": Text("%", "%"),
}
_LARGER: Mapping[str, Sequence[tuple[int, Text]]] = {
    "s": ((3600, Text("h", "小时")), (60, Text("min", "分钟"))),
    "ms": ((3_600_000, Text("h", "小时")), (60_000, Text("min", "分钟")), (1000, Text("s", "秒"))),
    "bytes": ((1 << 30, Text("GiB", "GiB")), (1 << 20, Text("MiB", "MiB")), (1 << 10, Text("KiB", "KiB"))),
}
_FEWEST = 2
"""So many of a larger unit are worth telling: nobody needs to hear that 60 s are a minute."""


def named(catalog: Catalog, option: Option, value: Scalar, language: Language) -> str:
    """Return what a number stands for in a word or two, as `ONNX` for 5; empty for texts, and where that takes longer."""
    if isinstance(value, bool) or not str(value).lstrip("-").isdigit():
        return ""
    text = catalog.value_text(option.surface, option.name, value)
    headline = _HEADLINE.split(text.to(language), maxsplit=1)[0].strip() if text is not None else ""
    return headline if len(headline) <= _LONGEST else ""


def measured(option: Option, number: float, language: Language) -> str:
    """Return the unit of a number and, where it comes out even, how much that is in a larger one: `s = 2 h`."""
    unit = _UNITS.get(option.unit or "")
    if unit is None:
        return ""
    for size, name in _LARGER.get(option.unit or "", ()):
        if number >= _FEWEST * size and number % size == 0:
            return f"{unit.to(language)} = {number // size} {name.to(language)}"
    return unit.to(language)
