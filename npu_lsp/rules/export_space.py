"""NPU712: blanks around the `=` of a variable."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class ExportSpace(SyntaxRule):
    """An assignment to a variable with blanks around `=`.

    ## What it does
    Looks for `export X = v`, `export X =v`, `export X= v` and `X = v` where `X` is a variable of the NPU.

    ## Why is this bad?
    The shell doesn't assign `v`: it exports `X` as it is, or empty, or tries to run `X` as a command.

    ## Example
    ```sh
    export ASCEND_DEVICE_ID = 0
    ```

    Use instead:
    ```sh
    export ASCEND_DEVICE_ID=0
    ```

    ## Fix safety
    Safe: the assignment can't have been meant otherwise. Unsafe where the variable is set elsewhere in the file, too: then one of
    two values wins that didn't so far.
    """

    code = "NPU712"
    name = "export-space"
    fault = SyntaxFault.EXPORT_SPACE
    title = Text(en="Blanks around the equal sign of a variable", zh="环境变量赋值的等号两侧有空格")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='With blanks around "=", "{name}" doesn\'t get this value. Remove the blanks.',
            zh="“{name}”的等号两侧有空格，变量不会得到该取值。请删除空格。",
        ),
        "mend": Text(en="Remove the blanks", zh="删除空格"),
    }
    VALID = (
        Valid("export ASCEND_DEVICE_ID=0\n", Kind.SHELL),
        Valid(
            "```c\ntypedef enum\n{\n    ASCEND_DEVICE_ID = 14,  // a\n    ASCEND_DEVICE_ID = 0xffff,\n} a;\n```\n",
            Kind.MARKDOWN,
        ),
        Valid("```cpp\nASCEND_DEVICE_ID = 5;\nint a;\n```\n", Kind.MARKDOWN),
        Valid("```\nenum {\n  ASCEND_DEVICE_ID = 5\n};\n```\n", Kind.MARKDOWN),
        Valid("if [[ ASCEND_DEVICE_ID = 0 ]]; then :; fi\n", Kind.SHELL),
        Valid("```text\nCXXFLAGS := -O2\nASCEND_DEVICE_ID = 0\n\nall:\n\texport X=1 && ./run\n```\n", Kind.MARKDOWN),
        Valid("```\nifndef A\nendif\nASCEND_HOME_PATH = ${A}/b\nexport B=1\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        Invalid(
            "f() {\n  ASCEND_DEVICE_ID = 5\n}\n",
            ("ASCEND_DEVICE_ID = 5",),
            ("error safe",),
            "f() {\n  ASCEND_DEVICE_ID=5\n}\n",
            Kind.SHELL,
        ),
        Invalid(
            "f() {\n  local ASCEND_DEVICE_ID = 5\n}\n",
            ("ASCEND_DEVICE_ID = 5",),
            ("error safe",),
            "f() {\n  local ASCEND_DEVICE_ID=5\n}\n",
            Kind.SHELL,
        ),
        Invalid(
            "export TASK_QUEUE_ENABLE=1\nexport TASK_QUEUE_ENABLE= 0\n",
            ("TASK_QUEUE_ENABLE= 0",),
            ("error unsafe",),
            "export TASK_QUEUE_ENABLE=1\nexport TASK_QUEUE_ENABLE=0\n",
            Kind.SHELL,
        ),
        Invalid(
            "export ASCEND_DEVICE_ID = 0\n",
            ("ASCEND_DEVICE_ID = 0",),
            ("error safe",),
            "export ASCEND_DEVICE_ID=0\n",
            Kind.SHELL,
        ),
    )
