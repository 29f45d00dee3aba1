"""NPU128: a function of `torch.npu`, or a module of `torch_npu`, under a name with a slip."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.miscalled import miscalled
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text


class UnknownCall(Rule):
    """A function or a module of torch_npu whose name is that of a known one with a slip.

    ## What it does
    Looks at `torch.npu.NAME`, `torch_npu.npu.NAME` and `torch_npu.NAME` in Python. A name that is close to a function that sets
    something up, to an operator or to a module, is reported.

    ## Why is this bad?
    Python stops there with an `AttributeError` or a `ModuleNotFoundError`.

    ## Example
    ```python
    torch.npu.set_compile_mdoe(jit_compile=False)
    ```

    Use instead:
    ```python
    torch.npu.set_compile_mode(jit_compile=False)
    ```

    ## Fix safety
    Unsafe: from then on the function is called.
    """

    code = "NPU128"
    name = "unknown-call"
    title = Text(en="Mistyped function or module of torch_npu", zh="torch_npu 的函数或模块名称拼写错误")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='{owner} has no "{option}", and Python stops with an error. Did you mean "{near}"?',
            zh="{owner} 没有“{option}”，Python 会报错退出。是否应为“{near}”？",
        ),
    }
    VALID = (
        Valid("import torch_npu\ntorch.npu.set_compile_mode(jit_compile=False)\ntorch.npu.get_device_limit(0)\n"),
        Valid(
            'import torch_npu\ntorch_npu.get_option("level")\ntorch_npu.npu_rms_norm_v3(x)\ntorch_npu.npu_moe_gating_top_p(x)\n'
        ),
        # Somebody's own.
        Valid("import torch_npu\ntorch.npu.set_devices = ours\nself.torch.npu.set_devices(1)\n"),
        Valid("import torch_npu\n# torch.npu.set_opition is a slip\n"),
    )
    INVALID = (
        Invalid(
            'import torch_npu\ntorch.npu.set_opition({"ACL_PRECISION_MODE": "must_keep_origin_dtype"})\n',
            ("set_opition",),
            ("warning unsafe",),
            'import torch_npu\ntorch.npu.set_option({"ACL_PRECISION_MODE": "must_keep_origin_dtype"})\n',
        ),
        Invalid(
            "from torch_npu.contirb import transfer_to_npu\nimport torch_npu.proflier_\n",
            ("contirb", "proflier_"),
            ("warning unsafe", "warning unsafe"),
            "from torch_npu.contrib import transfer_to_npu\nimport torch_npu.profiler\n",
        ),
        Invalid(
            "import torch_npu\nfrom torch_npu.utils.porfiler import Profile\ny = torch_npu.npu_moe_distribute_dispatc_v2(**kwargs)\n",
            ("porfiler", "npu_moe_distribute_dispatc_v2"),
            ("warning unsafe", "warning unsafe"),
            "import torch_npu\nfrom torch_npu.utils.profiler import Profile\ny = torch_npu.npu_moe_distribute_dispatch_v2(**kwargs)\n",
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Report each such name."""
        for owner, span, near in miscalled(context.document):
            fixes = self.renamed_at(context, span, near)
            yield self.finding(context, span, "found", option=context.text(span), fixes=fixes, near=near, owner=owner)
