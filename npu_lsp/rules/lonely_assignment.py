"""NPU716: assignments that the command below doesn't get."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class LonelyAssignment(SyntaxRule):
    """Assignments on a line of their own, with the command that should get them on the next line.

    ## What it does
    Looks for `X=v`, or several, alone on a line above a command, where a variable of the NPU is among them and the script neither exports nor uses any.

    ## Why is this bad?
    Without the command on the same line the variables are the shell's own, and the command below doesn't get them.

    ## Example
    ```sh
    HCCL_BUFFSIZE=200 ASCEND_RT_VISIBLE_DEVICES=0
    python train.py
    ```

    Use instead:
    ```sh
    export HCCL_BUFFSIZE=200 ASCEND_RT_VISIBLE_DEVICES=0
    python train.py
    ```

    ## Fix safety
    Unsafe: the variables take effect from then on.
    """

    code = "NPU716"
    name = "lonely-assignment"
    fault = SyntaxFault.LONELY_ASSIGNMENT
    safety = Safety.UNSAFE
    title = Text(en="Assignments that the command below doesn't get", zh="下一行命令得不到的变量赋值")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='"{name}" stays in the shell: "{command}" on the next line doesn\'t get it. Put a backslash at the end of this line, or "export" in front.',
            zh="“{name}”只是 Shell 变量，下一行的“{command}”得不到。请在本行末尾加反斜杠，或在行首加“export”。",
        ),
        "mend": Text(en="Put a backslash at the end of the line", zh="在行尾加反斜杠"),
    }
    VALID = (
        Valid("HCCL_BUFFSIZE=200 RANK_ID=0 \\\npython train.py\n", Kind.SHELL),
        Valid("HCCL_BUFFSIZE=200 RANK_ID=0\nexport HCCL_BUFFSIZE RANK_ID\npython train.py\n", Kind.SHELL),
        Valid("A=1 B=2\npython train.py\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "ASCEND_RT_VISIBLE_DEVICES=2,3\n vllm serve m --tensor-parallel-size 2\n",
            ("ASCEND_RT_VISIBLE_DEVICES=2,3",),
            ("warning unsafe",),
            "ASCEND_RT_VISIBLE_DEVICES=2,3 \\\n vllm serve m --tensor-parallel-size 2\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "HCCL_BUFFSIZE=200 ASCEND_RT_VISIBLE_DEVICES=0\npython train.py\n",
            ("HCCL_BUFFSIZE=200 ASCEND_RT_VISIBLE_DEVICES=0",),
            ("warning unsafe",),
            "HCCL_BUFFSIZE=200 ASCEND_RT_VISIBLE_DEVICES=0 \\\npython train.py\n",
            kind=Kind.SHELL,
        ),
    )
