"""NPU253: a package that takes away what another one needs, when it is installed."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.pairs import overwritten
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_INDEX = "--extra-index-url https://mirrors.huaweicloud.com/ascend/repos/pypi"


class PackagesOverwritten(Rule):
    """A package that takes away what another one needs, when it is installed.

    ## What it does
    Knows two of them: triton and triton-ascend, which both install the folder `triton`, and a vLLM that is installed behind
    vLLM-Ascend, and brings the PyTorch that it pins in the place of the one for torch_npu.

    ## Why is this bad?
    The installation succeeds, and the server stops when it imports what is no longer there.

    ## Example
    ```sh
    pip install vllm-ascend==0.11.0
    pip install vllm==0.11.0
    ```

    Use instead:
    ```sh
    pip install vllm==0.11.0
    pip install vllm-ascend==0.11.0
    ```
    """

    code = "NPU253"
    name = "packages-overwritten"
    title = Text(en="Packages that overwrite each other", zh="互相覆盖的软件包")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "folder": Text(
            en="triton and triton-ascend both install the folder `triton`: the one that comes later overwrites the other, and uninstalling one of them breaks both. Leave triton out.",
            zh="triton 与 triton-ascend 都会安装到目录 `triton`，后安装的会覆盖前者，卸载任意一个都会破坏另一个。请删除 triton。",
        ),
        "torch": Text(
            en="vLLM {version} pins torch {theirs}, and brings it in the place of {ours}, which vLLM-Ascend {other} needs: its torch_npu no longer loads. Install vLLM first, and vLLM-Ascend behind it.",
            zh="vLLM {version} 固定 torch {theirs}，会替换 vLLM-Ascend {other} 所需的 {ours}，其 torch_npu 将无法加载。请先安装 vLLM，再安装 vLLM-Ascend。",
        ),
    }
    VALID = (
        Valid("pip install vllm==0.11.0\npip install vllm-ascend==0.11.0\n", Kind.SHELL),
        Valid("pip install vllm-ascend==0.11.0\npip install --no-deps vllm==0.11.0\n", Kind.SHELL),
        Valid("FROM quay.io/ascend/vllm-ascend:v0.11.0\nRUN pip install vllm==0.11.0\n", Kind.DOCKERFILE),
        Valid("pip install triton\npip uninstall -y triton\npip install triton-ascend==3.2.0\n", Kind.SHELL),
        Valid(
            "pip install triton-ascend triton\npip uninstall -y triton-ascend triton\npip install triton-ascend\n",
            Kind.SHELL,
        ),
    )
    INVALID = (
        Invalid(
            f"pip install vllm-ascend==0.11.0 {_INDEX}\npip install vllm==0.11.0\n",
            ("vllm",),
            ("warning",),
            kind=Kind.SHELL,
        ),
        Invalid("triton==3.6.0\ntriton-ascend==3.2.0\n", ("triton",), ("warning",), kind=Kind.REQUIREMENTS),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Compare all that the file installs."""
        if context.parsed.damaged or not any(each.surface is Surface.PACKAGE for each in context.parsed.blocks):
            return
        for how, later, earlier, theirs, ours in overwritten(context):
            yield self.finding(
                context,
                later.setting.key,
                how,
                of=later.setting,
                related=self.set_here(context, earlier.setting),
                version=later.exact,
                other=earlier.exact,
                theirs=theirs,
                ours=ours,
            )
