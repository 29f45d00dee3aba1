"""NPU128 and NPU129: functions that torch_npu doesn't have, or that are called as those of torch."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.innermost import texts
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.miscalled import called_of_torch, miscalled
from npu_lsp.linter.rule import Fixable, Rule, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnknownCall(Rule):
    """A function or a module of torch_npu whose name is that of a known one with a slip.

    ## What it does
    Looks at `torch.npu.NAME`, `torch_npu.npu.NAME` and `torch_npu.NAME` in Python. A name that is close to a function that sets
    something up, to an operator or to a module, is reported.

    ## Why is this bad?
    Python stops there with an `AttributeError` or a `ModuleNotFoundError`.

    ## Fix safety
    Unsafe: from then on the function is called.
    """

    code = "NPU128"
    title = Text(en="Mistyped function or module of torch_npu", zh="torch_npu 的函数或模块名称拼写错误")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='{owner} has no "{option}", and Python stops with an error. Did you mean "{near}"?',
            zh="{owner} 没有“{option}”，Python 会报错退出。是否应为“{near}”？",
        ),
    }
    examples_in = Kind.PYTHON
    VALID = (
        "import torch_npu\ntorch.npu.set_compile_mode(jit_compile=False)\ntorch.npu.get_device_limit(0)\n",
        'import torch_npu\ntorch_npu.get_option("level")\ntorch_npu.npu_rms_norm_v3(x)\ntorch_npu.npu_moe_gating_top_p(x)\n',
        # Somebody's own.
        "import torch_npu\ntorch.npu.set_devices = ours\nself.torch.npu.set_devices(1)\n",
        "import torch_npu\n# torch.npu.set_opition is a slip\n",
    )
    INVALID = (
        "torch.npu.«set_compile_mdoe→set_compile_mode»(jit_compile=False)\n",
        'import torch_npu\ntorch.npu.«set_opition→set_option»({"ACL_PRECISION_MODE": "must_keep_origin_dtype"})\n',
        "from torch_npu.«contirb→contrib» import transfer_to_npu\nimport torch_npu.«proflier_→profiler»\n",
        (
            "import torch_npu\nfrom torch_npu.utils.«porfiler→profiler» import Profile\n"
            "y = torch_npu.«npu_moe_distribute_dispatc_v2→npu_moe_distribute_dispatch_v2»(**kwargs)\n"
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for owner, span, near in miscalled(context.document):
            fixes = self.renamed_at(context, span, near)
            yield self.finding(context, span, "found", option=context.text(span), fixes=fixes, near=near, owner=owner)


_SINCE = "2.0.1"
"""`_wrap_torch_error_func` in `torch_npu/__init__.py`: in every release branch for PyTorch 2.0.1 and later; those before warn, or say nothing."""
_IMPORTED = re.compile(r"^[ \t]*import[ \t]+(?:[\w.]+,[ \t]*){0,8}torch_npu(?![\w.])", re.MULTILINE)


_OF_OLD = re.compile(r"(?<![A-Za-z0-9])v?1[r.](?:5|8|11)(?:\.\d)?(?![\d.])")
"""A folder or a file for PyTorch before 2.0: `test_v1r11_ops`."""


class CalledOfTorch(Rule):
    """An operator of torch_npu that is called as `torch.npu_…`.

    ## What it does
    Reports calls of `torch.npu_NAME` in Python. A file that gives `torch` this function itself is not reported.

    ## Why is this bad?
    The operators moved to `torch_npu` with PyTorch 1.8.1. From 2.0.1 on, each call as one of `torch` raises a `RuntimeError`.

    ## Fix safety
    Unsafe: from then on the operator runs. Offered where the file imports `torch_npu`.
    """

    code = "NPU129"
    title = Text(en="Operator of torch_npu called as one of torch", zh="以 torch 的名义调用 torch_npu 的算子")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "raises": Text(
            en='"torch.{option}" raises an error in torch_npu {since} and later. The operator is "torch_npu.{option}".',
            zh="torch_npu {since} 及更高版本调用“torch.{option}”会报错。该算子为“torch_npu.{option}”。",
        ),
        "moved": Text(
            en='"torch.{option}" is deprecated, and raises an error in torch_npu {since} and later. The operator is "torch_npu.{option}".',
            zh="“torch.{option}”已废弃，torch_npu {since} 及更高版本调用时会报错。该算子为“torch_npu.{option}”。",
        ),
    }
    examples_in = Kind.PYTHON
    VALID = (
        "import torch_npu\n\nx = torch_npu.npu_format_cast(x, 29)\n",
        "import torch_npu\nx = torch_npu.npu_format_cast(x, 29)\ny = mine.torch.npu_format_cast(x, 29)\n",
        "import torch_npu\n# torch.npu_linear(x) was that of 1.5\nassert hasattr(torch, 'npu_linear')\n",
        # Somebody's own.
        "import torch_npu\ntorch.npu_linear = torch_npu.npu_linear\ntorch.npu_linear(x, w, b)\n",
    )
    INVALID = (
        "x = «torch.npu_format_cast»(x, 29)\n",
        "import torch_npu\nscores = «torch.npu_bmmV2→torch_npu.npu_bmmV2»(q, k, []) / 8\n",
        told(
            "import torch\nx = «torch.npu_format_cast»(x, 2)\n", "warning", Kind.PYTHON, target={"torch-npu": "1.11.0"}
        ),
        told(
            "import torch\nx = «torch.npu_format_cast»(x, 2)\n",
            "warning",
            Kind.PYTHON,
            files={"README.md": "Tested with\n\n    pytorch==1.8\n    torchvision==0.9.0\n"},
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        spans = called_of_torch(context.document)
        if not spans:
            return
        raises = context.target.at_least(_SINCE, "torch-npu") is not False and not _OF_OLD.search(context.document.path)
        imported = any(_IMPORTED.search(place.document.text) for place in texts(context.document))
        for span in spans:
            new = context.text(span).replace("torch.", "torch_npu.", 1)
            fixes = self.renamed_at(context, span, new) if imported else ()
            yield self.finding(
                context,
                span,
                "raises" if raises else "moved",
                severity=None if raises else Severity.WARNING,
                fixes=fixes,
                option=context.text(span).removeprefix("torch."),
                since=_SINCE,
            )
