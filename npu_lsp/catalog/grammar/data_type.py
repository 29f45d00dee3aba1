"""The name of a data type, in any case (ge: `graph_metadef/base/utils/type_utils_inner.cc`, `SerialStringToDataType`)."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_NAMES = frozenset(
    [
        "bfloat16",
        "bool",
        "complex128",
        "complex32",
        "complex64",
        "double",
        "dual",
        "dual_sub_int8",
        "dual_sub_uint8",
        "float",
        "float16",
        "float32",
        "float4_e1m2",
        "float4_e2m1",
        "float6_e2m3",
        "float6_e3m2",
        "float8_e4m3fn",
        "float8_e5m2",
        "float8_e8m0",
        "hifloat4",
        "hifloat8",
        "int16",
        "int2",
        "int32",
        "int4",
        "int64",
        "int8",
        "qint16",
        "qint32",
        "qint8",
        "quint16",
        "quint8",
        "resource",
        "string",
        "string_ref",
        "uint1",
        "uint16",
        "uint2",
        "uint32",
        "uint64",
        "uint8",
        "variant",
    ]
)
_MEANT = {
    "fp16": "float16",
    "half": "float16",
    "fp32": "float32",
    "float64": "double",
    "fp64": "double",
    "bf16": "bfloat16",
}


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield a name that no data type has."""
    name = text.strip().lower()
    if name not in _NAMES:
        instead = _MEANT.get(name)
        yield whole(text).problem(f'"{text}" is no data type', f"“{text}”不是合法的数据类型", instead=instead)
