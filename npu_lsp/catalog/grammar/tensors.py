"""Layouts and types of tensors."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import ValuePart, ValueProblem, is_digits, whole, words
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.surfaces import COMMANDS

_BOTH = words(
    """
    BN_WEIGHT C1HWNC0 CHWN CN DECONV_SP_STRIDE8_TRANS DHWCN DHWNC FILTER_HWCK FRACTAL_DECONV
    FRACTAL_DECONV_SP_STRIDE_TRANS FRACTAL_DECONV_TRANSPOSE FRACTAL_NZ FRACTAL_Z FRACTAL_ZN_LSTM
    FRACTAL_Z_3D FRACTAL_Z_3D_TRANSPOSE FRACTAL_Z_C04 FRACTAL_Z_G FSR_NCHW HWCN LOOKUP_HITS
    LOOKUP_KEYS LOOKUP_LOOKUPS LOOKUP_OUTPUT LOOKUP_VALUE MD NC NC1C0HWPAD NC1HWC0 NC1HWC0_C04
    NC1KHKWHWC0 NCDHW NCHW ND NDC1HWC0 NDHWC NHWC NHWC1C0 RESERVED UNDEFINED
    """
)
_OPERATOR = _BOTH | {"C1HWNCOC0"}
"""`RESERVED` and `UNDEFINED` are those of an input that isn't used."""
_TENSOR = _BOTH | words(
    """
    ALL C1HWC0 FORMAT_RESERVED FRACTAL_NZ_C0_16 FRACTAL_NZ_C0_2 FRACTAL_NZ_C0_32 FRACTAL_NZ_C0_4 FRACTAL_NZ_C0_8 FRACTAL_ZN_RNN
    FRACTAL_Z_WINO NCL ND_RNN_BIAS NULL NYUV NYUV_A
    """
)
_TYPES = words(
    """
    bfloat16 bool complex128 complex32 complex64 double dual dual_sub_int8 dual_sub_uint8 float float16 float32
    float4_e1m2 float4_e2m1 float6_e2m3 float6_e3m2 float8_e4m3fn float8_e5m2 float8_e8m0 hifloat4 hifloat8 int16
    int2 int32 int4 int64 int8 qint16 qint32 qint8 quint16 quint8 resource string string_ref uint1 uint16 uint2
    uint32 uint64 uint8 variant
    """
)
_MEANT = {
    **dict.fromkeys(("fp16", "half"), "float16"),
    **dict.fromkeys(("float64", "fp64"), "double"),
    "fp32": "float32",
    "bf16": "bfloat16",
}


def data_type(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """The name of a data type, in any case (ge: `graph_metadef/base/utils/type_utils_inner.cc`, `SerialStringToDataType`)."""
    name = text.strip().lower()
    if name not in _TYPES:
        instead = _MEANT.get(name)
        yield whole(text).problem(f'"{text}" is no data type', f"“{text}”不是合法的数据类型", instead=instead)


def tensor_format(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """The layout of a tensor, in any case, perhaps with a number behind it: `FRACTAL_Z:4`.

    Source: ge: `graph_metadef/base/utils/type_utils_inner.cc`, `SerialStringToFormat`.
    """
    name, colon, number = text.strip().upper().partition(":")
    if name not in _TENSOR or (colon and not is_digits(number)):
        yield whole(text).problem(f'"{text}" is no layout of a tensor', f"“{text}”不是合法的格式")


def operator_format(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """The layout that an operator computes in, in any case; fewer than a tensor may come in, and no number behind it.

    Source: ge: `base/common/single_op_parser.cc`, `kFormatDict`.
    """
    if text.upper() not in _OPERATOR:
        yield whole(text).problem(
            f'"{text}" is no layout that an operator is built for', f"“{text}”不是单算子支持的格式"
        )


_OUTPUT_TYPES = ("FP32", "FP16", "UINT8", "INT8", "HIF8", "HIF4", "FP8E5M2", "FP8E4M3FN")
_ONLINE = ("INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64", "DOUBLE")
_LISTED = ", ".join(_OUTPUT_TYPES)


def output_type(text: str, surface: Surface) -> Iterator[ValueProblem]:
    """`FP16`, or `conv1:0:FP16;conv2:0:FP32` (ge: `api/atc/omg.cc`, `ParseOutputType`)."""
    if ":" not in text:
        yield from _type(whole(text), surface)
        return
    for part in whole(text).split(";"):
        fields = part.split(":")
        if len(fields) != 3:
            yield part.problem(
                f'"{part.text}" is not of the form node:index:type', f"“{part.text}”格式错误，应为“节点:序号:类型”"
            )
            continue
        index = fields[1].strip()
        if not is_digits(index.text):
            yield index.problem(f'the index "{index.text}" is no number from 0', f"序号“{index.text}”不是非负整数")
        yield from _type(fields[2], surface)


def _type(part: ValuePart, surface: Surface) -> Iterator[ValueProblem]:
    offline = surface in COMMANDS
    if part.text in _OUTPUT_TYPES or (part.text in _ONLINE and not offline):
        return
    meant = part.text.strip().upper()
    yield part.problem(
        f'"{part.text}" is none of the types {_LISTED}',
        f"“{part.text}”不是支持的类型（{_LISTED}）",
        # The docs list these; a MindSpore model isn't checked.
        certain=part.text not in _ONLINE,
        instead=meant if meant in _OUTPUT_TYPES else None,
    )
