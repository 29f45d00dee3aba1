"""NPU714: export without an equal sign."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class LostEquals(SyntaxRule):
    """An export that lost its `=`, or the blank behind `export`.

    ## What it does
    Looks for `export X /path` and `exportX=v` where `X` is a variable of the NPU.

    ## Why is this bad?
    The shell takes the first for two names, exports `X` as it is and stops at the other; the second sets a variable of another name.

    ## Example
    ```sh
    export ASCEND_PROCESS_LOG_PATH /var/log/npu
    ```

    Use instead:
    ```sh
    export ASCEND_PROCESS_LOG_PATH=/var/log/npu
    ```

    ## Fix safety
    Safe: nothing else can have been meant.
    """

    code = "NPU714"
    name = "lost-equals"
    fault = SyntaxFault.LOST_EQUALS
    title = Text(en="Export without an equal sign", zh="导出环境变量缺少等号")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='"{name}" doesn\'t get this value: there is no "=" between them. Write it.',
            zh="“{name}”与取值之间缺少“=”，变量不会得到该取值。请补上等号。",
        ),
        "glued": Text(
            en='"{name}" isn\'t set: there is no blank behind "export". Write it.',
            zh="“export”后缺少空格，“{name}”没有被设置。请补上空格。",
        ),
        "mend": Text(en='Write the "="', zh="补上等号"),
        "mend_glued": Text(en="Write the blank", zh="补上空格"),
    }
    VALID = (
        Valid("export ASCEND_DEVICE_ID=0\n", Kind.SHELL),
        Valid("export ASCEND_DEVICE_ID RANK_ID\n", Kind.SHELL),
        Valid("export MY_OWN /a\nexportMY_OWN=1\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "export ASCEND_PROCESS_LOG_PATH /var/log\n",
            ("ASCEND_PROCESS_LOG_PATH",),
            ("error safe",),
            "export ASCEND_PROCESS_LOG_PATH=/var/log\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "exportHCCL_BUFFSIZE=200\n",
            ("exportHCCL_BUFFSIZE",),
            ("error safe",),
            "export HCCL_BUFFSIZE=200\n",
            kind=Kind.SHELL,
        ),
    )
