"""NPU717: variable that is unset right behind its export."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnsetAtOnce(SyntaxRule):
    """A variable that is exported and taken out of the environment on the next line.

    ## What it does
    Looks for `unset X` right behind `export X=v` where `X` is a variable of the NPU.

    ## Why is this bad?
    Nothing runs between the two: the variable has no effect.

    ## Example
    ```sh
    export HCCL_WHITELIST_DISABLE=1
    unset HCCL_WHITELIST_DISABLE
    ```

    Use instead:
    ```sh
    export HCCL_WHITELIST_DISABLE=1
    ```

    ## Fix safety
    There is none: which of the two was meant nobody knows.
    """

    code = "NPU717"
    name = "unset-at-once"
    fault = SyntaxFault.UNSET_AT_ONCE
    title = Text(en="Variable that is unset right behind its export", zh="导出后立即取消的环境变量")
    severity = Severity.WARNING
    fixable = Fixable.NEVER
    messages = {
        "found": Text(
            en='"{name}" is set on the line above and taken away here before anything runs. Remove one of the two.',
            zh="“{name}”在上一行设置，此处又立即取消，两行之间没有运行任何命令。请删除其中一行。",
        ),
    }
    VALID = (
        Valid("unset HCCL_BUFFSIZE\nexport HCCL_BUFFSIZE=1\n", Kind.SHELL),
        Valid("export HCCL_BUFFSIZE=1\npython train.py\nunset HCCL_BUFFSIZE\n", Kind.SHELL),
        Valid("export MY_OWN=1\nunset MY_OWN\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "export HCCL_BUFFSIZE=1\nunset HCCL_BUFFSIZE\n", ("unset HCCL_BUFFSIZE",), ("warning",), kind=Kind.SHELL
        ),
    )
