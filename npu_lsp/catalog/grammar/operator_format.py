"""The layout that an operator computes in, in any case; fewer than a tensor may come in, and no number behind it.

Source: ge: `base/common/single_op_parser.cc`, `kFormatDict`.
"""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.grammar.parts import whole
from npu_lsp.catalog.grammar.problem import Problem
from npu_lsp.catalog.model import Surface

_NAMES = frozenset(
    [
        "BN_WEIGHT",
        "C1HWNC0",
        "C1HWNCOC0",
        "CHWN",
        "CN",
        "DECONV_SP_STRIDE8_TRANS",
        "DHWCN",
        "DHWNC",
        "FILTER_HWCK",
        "FRACTAL_DECONV",
        "FRACTAL_DECONV_SP_STRIDE_TRANS",
        "FRACTAL_DECONV_TRANSPOSE",
        "FRACTAL_NZ",
        "FRACTAL_Z",
        "FRACTAL_ZN_LSTM",
        "FRACTAL_Z_3D",
        "FRACTAL_Z_3D_TRANSPOSE",
        "FRACTAL_Z_C04",
        "FRACTAL_Z_G",
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
        "ND",
        "NDC1HWC0",
        "NDHWC",
        "NHWC",
        "NHWC1C0",
        "RESERVED",
        "UNDEFINED",
    ]
)
"""The last two are those of an input that isn't used."""


def check(text: str, surface: Surface) -> Iterator[Problem]:
    """Yield a name that the tool takes for no layout."""
    if text.upper() not in _NAMES:
        yield whole(text).problem(
            f'"{text}" is no layout that an operator is built for', f"“{text}”不是单算子支持的格式"
        )
