"""NPU710: two equal signs in an assignment."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class DoubleEquals(SyntaxRule):
    """A flag or a variable with `==`.

    ## What it does
    Looks for `--flag==value` in commands of `atc` and `aoe`, and for `X==value` where `X` is a variable of the NPU.
    `HCCL_SOCKET_IFNAME==eth0` is right, as the interface is then called exactly so, and left alone.

    ## Why is this bad?
    The second sign is a part of the value: `=value` is what the tool gets.

    ## Example
    ```sh
    export ASCEND_GLOBAL_LOG_LEVEL==3
    ```

    Use instead:
    ```sh
    export ASCEND_GLOBAL_LOG_LEVEL=3
    ```

    ## Fix safety
    Safe: the value can't start with an equal sign. Unsafe where the same is set elsewhere in the file, too: then one of two
    values wins that didn't so far.
    """

    code = "NPU710"
    name = "double-equals"
    fault = SyntaxFault.DOUBLE_EQUALS
    title = Text(en="Two equal signs in an assignment", zh="赋值中有两个等号")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='With "==", the value of "{name}" starts with "=". Write one equal sign.',
            zh="“{name}”后写了两个等号，取值会以“=”开头。请只保留一个等号。",
        ),
        "mend": Text(en="Remove one equal sign", zh="删除一个等号"),
    }
    VALID = (
        Valid("export HCCL_SOCKET_IFNAME==eth0\n", Kind.SHELL),
        Valid("export ASCEND_GLOBAL_LOG_LEVEL=3\n", Kind.SHELL),
        Valid("[ ASCEND_GLOBAL_LOG_LEVEL == 3 ]\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "export ASCEND_GLOBAL_LOG_LEVEL==3\n",
            ("==",),
            ("error safe",),
            "export ASCEND_GLOBAL_LOG_LEVEL=3\n",
            Kind.SHELL,
        ),
        Invalid(
            "export ASCEND_GLOBAL_LOG_LEVEL==3\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n",
            ("==",),
            ("error unsafe",),
            "export ASCEND_GLOBAL_LOG_LEVEL=3\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n",
            Kind.SHELL,
        ),
        Invalid("atc --log==info\n", ("==",), ("error safe",), "atc --log=info\n", Kind.SHELL),
    )

    def is_one(self, mistake: SyntaxFinding, context: Context) -> bool:
        """Leave variables alone whose values may start with the sign, as `=eth0` does."""
        option = context.catalog.option(Surface.ENV, mistake.arguments["name"])
        return option is None or not any(example.startswith("=") for example in map(str, option.examples))
