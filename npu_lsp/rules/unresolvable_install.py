"""NPU241: one command that is to install vLLM and vLLM-Ascend, which pin different PyTorches."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.pairs import unresolvable
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnresolvableInstall(Rule):
    """One command that is to install vLLM and vLLM-Ascend, which pin different PyTorches.

    ## What it does
    Compares the PyTorch that a vLLM of the package index pins with that of the vLLM-Ascend beside it, in one `pip install` and in one
    file of requirements. Two commands, one after the other, are what the installation page shows: the second one changes PyTorch.

    ## Why is this bad?
    `pip` finds no solution and installs nothing.

    ## Example
    ```sh
    pip install vllm==0.11.0 vllm-ascend==0.11.0
    ```

    Use instead:
    ```sh
    pip install vllm==0.11.0
    pip install vllm-ascend==0.11.0
    ```
    """

    code = "NPU241"
    name = "unresolvable-install"
    title = Text(en="Packages that one command can't install", zh="一条命令无法同时安装的软件包")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "found": Text(
            en="vLLM {vllm} pins torch {theirs}, vLLM-Ascend {version} torch {ours}: pip can't install both at once. Install vLLM first, and vLLM-Ascend with a command of its own behind it.",
            zh="vLLM {vllm} 固定 torch {theirs}，vLLM-Ascend {version} 固定 torch {ours}，pip 无法同时安装。请先安装 vLLM，再用另一条命令安装 vLLM-Ascend。",
        ),
    }
    VALID = (
        Valid("pip install vllm==0.11.0\npip install vllm-ascend==0.11.0\n", Kind.SHELL),
        Valid("pip install --no-deps vllm==0.11.0 vllm-ascend==0.11.0\n", Kind.SHELL),
        Valid("pip install vllm vllm-ascend==0.11.0\n", Kind.SHELL),
    )
    INVALID = (
        Invalid("pip install vllm==0.11.0 vllm-ascend==0.11.0\n", ("vllm-ascend",), ("error",), kind=Kind.SHELL),
        Invalid("vllm==0.11.0\nvllm_ascend==0.11.0rc1\n", ("vllm_ascend",), ("error",), kind=Kind.REQUIREMENTS),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at each command."""
        for ascend, vllm, ours, theirs in unresolvable(context):
            yield self.finding(
                context,
                ascend.setting.key,
                "found",
                of=ascend.setting,
                related=self.set_here(context, vllm.setting),
                vllm=vllm.exact,
                version=ascend.exact,
                ours=ours,
                theirs=theirs,
            )
