"""The layout of a tensor, in any case, perhaps with a number behind it: `FRACTAL_Z:4`.

Source: ge: `graph_metadef/base/utils/type_utils_inner.cc`, `SerialStringToFormat`.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import is_digits, whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_NAMES = frozenset(
    [
        "ALL",
        "BN_WEIGHT",
        "C1HWC0",
        "C1HWNC0",
        "CHWN",
        "CN",
        "DECONV_SP_STRIDE8_TRANS",
        "DHWCN",
        "DHWNC",
        "FILTER_HWCK",
        "FORMAT_RESERVED",
        "FRACTAL_DECONV",
        "FRACTAL_DECONV_SP_STRIDE_TRANS",
        "FRACTAL_DECONV_TRANSPOSE",
        "FRACTAL_NZ",
        "FRACTAL_NZ_C0_16",
        "FRACTAL_NZ_C0_2",
        "FRACTAL_NZ_C0_32",
        "FRACTAL_NZ_C0_4",
        "FRACTAL_NZ_C0_8",
        "FRACTAL_Z",
        "FRACTAL_ZN_LSTM",
        "FRACTAL_ZN_RNN",
        "FRACTAL_Z_3D",
        "FRACTAL_Z_3D_TRANSPOSE",
        "FRACTAL_Z_C04",
        "FRACTAL_Z_G",
        "FRACTAL_Z_WINO",
        "FSR_NCHW",
        "HWCN",
        "LOOKUP_HITS",
        "LOOKUP_KEYS",
        "LOOKUP_LOOKUPS",
        "LOOKUP_OUTPUT",
        "LOOKUP_VALUE",
        "MD",
        "NC",
        "NC1C0HWPAD",
        "NC1HWC0",
        "NC1HWC0_C04",
        "NC1KHKWHWC0",
        "NCDHW",
        "NCHW",
        "NCL",
        "ND",
        "NDC1HWC0",
        "NDHWC",
        "ND_RNN_BIAS",
        "NHWC",
        "NHWC1C0",
        "NULL",
        "NYUV",
        "NYUV_A",
        "RESERVED",
        "UNDEFINED",
    ]
)


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield a name that no layout has."""
    name, colon, number = text.strip().upper().partition(":")
    if name not in _NAMES or (colon and not is_digits(number)):
        yield whole(text).problem(f'"{text}" is no layout of a tensor', f"“{text}”不是合法的格式")
