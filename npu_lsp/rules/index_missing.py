"""NPU250: a release of vLLM-Ascend whose torch_npu the usual index doesn't have."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.pairs import TORCH_NPU, VLLM_ASCEND, requirements, row_of
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_INDEX = "https://mirrors.huaweicloud.com/ascend/repos/pypi"
_ELSEWHERE = re.compile(r"index-url|INDEX_URL|find-links|--no-deps|torch[_-]npu-\S{1,160}\.whl|ascend/repos|\.dev20")
"""What shows that packages come from elsewhere, or are there."""


class IndexMissing(Rule):
    """A release of vLLM-Ascend that needs a torch_npu of a day, which PyPI doesn't have.

    ## What it does
    Looks for `pip install vllm-ascend==X` of releases that pin such a torch_npu (`2.7.1.dev20250724`), in files that name no other
    index and no package of torch_npu.

    ## Why is this bad?
    `pip` stops: there is no matching distribution of torch-npu.

    ## Example
    ```sh
    pip install vllm-ascend==0.11.0rc0
    ```

    Use instead:
    ```sh
    pip install vllm-ascend==0.11.0rc0 --extra-index-url https://mirrors.huaweicloud.com/ascend/repos/pypi
    ```
    """

    code = "NPU250"
    name = "index-missing"
    title = Text(en="Package that the usual index doesn't have", zh="默认软件源中不存在的依赖包")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.PACKAGE})
    messages = {
        "found": Text(
            en="vLLM-Ascend {version} needs torch-npu {needed}, which PyPI doesn't have: pip stops. Add `--extra-index-url {index}`.",
            zh="vLLM-Ascend {version} 依赖 torch-npu {needed}，PyPI 上没有该版本，pip 会报错退出。请补充 `--extra-index-url {index}`。",
        ),
    }
    VALID = (
        Valid(f"pip install vllm-ascend==0.11.0rc0 --extra-index-url {_INDEX}\n", Kind.SHELL),
        Valid(f"pip config set global.extra-index-url {_INDEX}\npip install vllm-ascend==0.11.0rc0\n", Kind.SHELL),
        Valid("pip install vllm-ascend==0.11.0\n", Kind.SHELL),
        Valid("```sh\npip install vllm-ascend==0.11.0rc0\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        Invalid("pip install vllm-ascend==0.11.0rc0\n", ("vllm-ascend",), ("warning",), kind=Kind.SHELL),
        Invalid("vllm-ascend==0.10.0rc1\n", ("vllm-ascend",), ("warning",), kind=Kind.REQUIREMENTS),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at each release that is installed."""
        if context.document.kind in PAGES or context.parsed.damaged:
            return
        for required in requirements(context):
            row = None
            if required.name == VLLM_ASCEND and required.exact and required.block.surface is Surface.PACKAGE:
                row = row_of(context, VLLM_ASCEND, required.exact)
            needed = str((row or {}).get(TORCH_NPU, ""))
            if ".dev" in needed and not _ELSEWHERE.search(context.document.text):
                yield self.finding(
                    context,
                    required.setting.key,
                    "found",
                    of=required.setting,
                    version=required.exact,
                    needed=needed,
                    index=_INDEX,
                )
