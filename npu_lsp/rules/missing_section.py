"""NPU806: a configuration file without the section that its keys must stand in."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class MissingSection(SyntaxRule):
    """An `op_cache.ini` without its section.

    ## What it does
    Looks whether the keys of `op_cache.ini` stand in a section.

    ## Why is this bad?
    Without `[op_compiler_cache]` the file is taken as invalid: both sizes are ignored, and only the log says so.

    ## Example
    ```ini
    max_op_cache_size=500
    remain_cache_size_ratio=80
    ```

    Use instead:
    ```ini
    [op_compiler_cache]
    max_op_cache_size=500
    remain_cache_size_ratio=80
    ```

    ## Fix safety
    Unsafe: the sizes take effect from then on.
    """

    code = "NPU806"
    name = "missing-section"
    fault = SyntaxFault.MISSING_SECTION
    title = Text(en="Section that is missing", zh="缺少小节")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    safety = Safety.UNSAFE
    messages = {
        "found": Text(
            en="The keys don't stand in [{section}]: the file is taken as invalid, and none of them counts. Put the section above them.",
            zh="配置项不在小节 [{section}] 中，整个文件视为无效，所有配置项均不生效。请在最前面加上该小节。",
        ),
        "mend": Text(en="Insert [{section}]", zh="插入 [{section}]"),
    }
    VALID = (Valid("[op_compiler_cache]\nmax_op_cache_size=500\nremain_cache_size_ratio=80\n", Kind.OP_CACHE),)
    INVALID = (
        Invalid(
            "max_op_cache_size=500\nremain_cache_size_ratio=80\n",
            ("max_op_cache_size",),
            ("error unsafe",),
            "[op_compiler_cache]\nmax_op_cache_size=500\nremain_cache_size_ratio=80\n",
            kind=Kind.OP_CACHE,
        ),
    )
