"""The components whose versions facts and targets name, one row each.

An option belongs to one of them: its `since`, its deprecation and its changes are versions of that. Which versions there
are is in `data/versions.toml`; a test compares the two.
"""

from __future__ import annotations

from typing import NamedTuple

from npu_lsp.text.bilingual import Text


class Component(NamedTuple):
    """Something that is installed, with versions of its own."""

    name: str
    """As configurations and the catalog write it."""
    title: str
    """As people write it."""
    example: str
    """A version."""
    about: Text
    package: str = ""
    """The distribution that has its version, with `_` in its name; empty: none has."""


CANN = "cann"
COMPONENTS: dict[str, Component] = {
    each.name: each
    for each in (
        Component(
            CANN,
            "CANN",
            "8.0",
            Text(
                "The CANN version that the code must run on: a line such as `8.0` or a release such as `8.0.RC3`.",
                "代码要运行的 CANN 版本：大版本（如 `8.0`）或具体版本（如 `8.0.RC3`）。",
            ),
        ),
        Component(
            "torch-npu",
            "torch_npu",
            "2.7.1",
            Text(
                "The torch_npu version, such as `2.7.1` or `2.7.1.post2`.",
                "torch_npu 版本，例如 `2.7.1` 或 `2.7.1.post2`。",
            ),
            "torch_npu",
        ),
        Component(
            "vllm-ascend",
            "vLLM-Ascend",
            "0.23",
            Text(
                "The vLLM-Ascend version: a line such as `0.23` or a release such as `0.23.0rc1`.",
                "vLLM-Ascend 版本：大版本（如 `0.23`）或具体版本（如 `0.23.0rc1`）。",
            ),
            "vllm_ascend",
        ),
        Component(
            "mindie",
            "MindIE",
            "3.0",
            Text(
                "The MindIE version: a line such as `3.0` or a release such as `3.0.0.beta.1`.",
                "MindIE 版本：大版本（如 `3.0`）或具体版本（如 `3.0.0.beta.1`）。",
            ),
        ),
        Component(
            "mindspeed",
            "MindSpeed",
            "26.0",
            Text(
                "The MindSpeed version: a line such as `26.0` or a release such as `26.0.0`.",
                "MindSpeed 版本：大版本（如 `26.0`）或具体版本（如 `26.0.0`）。",
            ),
        ),
        Component(
            "mindspore",
            "MindSpore",
            "2.7",
            Text(
                "The MindSpore version: a line such as `2.7` or a release such as `2.7.1`.",
                "MindSpore 版本：大版本（如 `2.7`）或具体版本（如 `2.7.1`）。",
            ),
            "mindspore",
        ),
        Component(
            "onnxruntime",
            "ONNX Runtime",
            "1.24",
            Text(
                "The ONNX Runtime version: a line such as `1.24` or a release such as `1.24.4`.",
                "ONNX Runtime 版本：大版本（如 `1.24`）或具体版本（如 `1.24.4`）。",
            ),
            "onnxruntime_cann",
        ),
        Component(
            "sglang",
            "SGLang",
            "0.5.23",
            Text(
                "The SGLang version: a line such as `0.5` or a release such as `0.5.23`.",
                "SGLang 版本：大版本（如 `0.5`）或具体版本（如 `0.5.23`）。",
            ),
            "sglang",
        ),
        Component(
            "mooncake",
            "Mooncake",
            "0.3.12",
            Text(
                "The version of Mooncake's transfer engine: a line such as `0.3` or a release such as `0.3.12`.",
                "Mooncake Transfer Engine 版本：大版本（如 `0.3`）或具体版本（如 `0.3.12`）。",
            ),
            "mooncake_transfer_engine",
        ),
        Component(
            "sgl-kernel-npu",
            "sgl-kernel-npu",
            "2026.8.18",
            Text(
                "The version of SGLang's kernels and DeepEP for the NPU: a month such as `2026.8` or a release such as `2026.8.18`.",
                "SGLang 昇腾算子及 DeepEP 的版本：月份（如 `2026.8`）或具体版本（如 `2026.8.18`）。",
            ),
        ),
    )
}


def title_of(component: str) -> str:
    """Return what people call a component."""
    known = COMPONENTS.get(component)
    return known.title if known is not None else component
