"""NPU715: broken expansion in a variable's value."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class BrokenExpansion(SyntaxRule):
    """A value that names another variable and has a slip in its signs.

    ## What it does
    Looks for `${$X}`, `$x}` and `#x/` in the values of variables of the NPU, and for `${$X}` of such a variable anywhere.

    ## Why is this bad?
    The shell stops at the first, and takes the others for text: the variable has a value that nobody meant.

    ## Example
    ```sh
    export RANK_ID=${$ASCEND_DEVICE_ID}
    ```

    Use instead:
    ```sh
    export RANK_ID=${ASCEND_DEVICE_ID}
    ```

    ## Fix safety
    Unsafe: the variable has another value from then on.
    """

    code = "NPU715"
    name = "broken-expansion"
    fault = SyntaxFault.BROKEN_EXPANSION
    safety = Safety.UNSAFE
    title = Text(en="Broken expansion in a variable's value", zh="环境变量取值中的变量引用写错")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "twice": Text(
            en='The shell stops here: inside of braces there is no second "$". Take it away.',
            zh="大括号内不能再写“$”，Shell 会在此报错。请删除多余的“$”。",
        ),
        "unopened": Text(
            en='The brace closes nothing and becomes a part of "{name}". Open it behind the "$".',
            zh="右大括号没有对应的左大括号，会成为“{name}”取值的一部分。请在“$”后补上左大括号。",
        ),
        "hash": Text(en='"{name}" gets this "#" as it is. Was "$" meant?', zh="“{name}”会得到原样的“#”。是否应为“$”？"),
        "mend": Text(en="Mend the expansion", zh="修正变量引用"),
    }
    VALID = (
        Valid("export RANK_ID=${ASCEND_DEVICE_ID}\n", Kind.SHELL),
        Valid("export RANK_ID=$ASCEND_DEVICE_ID\n", Kind.SHELL),
        Valid("export MY_OWN=${$OTHER}\n", Kind.SHELL),
        Valid("export ASCEND_DEVICE_ID=${x:-$y}\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "export ASCEND_DEVICE_ID=0\npython train.py --id=${$ASCEND_DEVICE_ID}\n",
            ("${$ASCEND_DEVICE_ID}",),
            ("error unsafe",),
            "export ASCEND_DEVICE_ID=0\npython train.py --id=${ASCEND_DEVICE_ID}\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "export RANK_ID=${$ASCEND_DEVICE_ID}\n",
            ("${$ASCEND_DEVICE_ID}",),
            ("error unsafe",),
            "export RANK_ID=${ASCEND_DEVICE_ID}\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "export ASCEND_DEVICE_ID=$device_id}\n",
            ("$device_id}",),
            ("error unsafe",),
            "export ASCEND_DEVICE_ID=${device_id}\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "export ASCEND_PROCESS_LOG_PATH=#cur_path/log\n",
            ("#",),
            ("error unsafe",),
            "export ASCEND_PROCESS_LOG_PATH=$cur_path/log\n",
            kind=Kind.SHELL,
        ),
    )
