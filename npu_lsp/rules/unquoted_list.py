"""NPU718: list with blanks and without quotes."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnquotedList(SyntaxRule):
    """A list of numbers with blanks behind its commas and no quotes around it.

    ## What it does
    Looks for `X=0, 1, 2` where `X` is a variable of the NPU.

    ## Why is this bad?
    The value ends at the first blank, and the shell takes the rest for names or for a command.

    ## Example
    ```sh
    export ASCEND_RT_VISIBLE_DEVICES=0, 1, 2
    ```

    Use instead:
    ```sh
    export ASCEND_RT_VISIBLE_DEVICES=0,1,2
    ```

    ## Fix safety
    Unsafe: the variable has another value from then on.
    """

    code = "NPU718"
    name = "unquoted-list"
    fault = SyntaxFault.UNQUOTED_LIST
    safety = Safety.UNSAFE
    title = Text(en="List with blanks and without quotes", zh="列表中有空格且未加引号")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='The value of "{name}" ends at the first blank. Write the list without blanks: {value}.',
            zh="“{name}”的取值在第一个空格处结束。请去掉列表中的空格：{value}。",
        ),
        "mend": Text(en="Remove the blanks", zh="删除空格"),
    }
    VALID = (
        Valid("export ASCEND_RT_VISIBLE_DEVICES=0,1,2\n", Kind.SHELL),
        Valid('export ASCEND_RT_VISIBLE_DEVICES="0, 1"\n', Kind.SHELL),
        Valid("export MY_OWN=0, 1\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "export ASCEND_RT_VISIBLE_DEVICES=0, 1, 2\n",
            ("0, 1, 2",),
            ("error unsafe",),
            "export ASCEND_RT_VISIBLE_DEVICES=0,1,2\n",
            kind=Kind.SHELL,
        ),
    )
