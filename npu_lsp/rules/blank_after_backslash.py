"""NPU702: blanks behind the backslash at the end of a line."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class BlankAfterBackslash(SyntaxRule):
    r"""A backslash at the end of a line with blanks behind it.

    ## What it does
    Looks for blanks between a backslash and the end of its line in commands of tools whose flags are known, and of `docker run`.

    ## Why is this bad?
    The backslash then joins no lines: it makes the blank a part of the command. The flags below are cut off, and the tool gets a
    parameter of one blank, at which ATC stops.

    ## Example
    ```sh
    atc --model=a.onnx --framework=5 \␣
        --output=a
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --framework=5 \
        --output=a
    ```

    ## Fix safety
    Safe: the lines are joined, as the backslash says. Where nothing follows that could be joined, the backslash goes.
    """

    code = "NPU702"
    name = "blank-after-backslash"
    fault = SyntaxFault.BLANK_AFTER_BACKSLASH
    title = Text(en="Blanks behind a backslash", zh="续行符后有空格")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en="Blanks behind the backslash keep it from joining the lines, and the command ends here. Remove them.",
            zh="续行符“\\”后有空白字符，无法续行，命令在此处被截断。请删除多余的空白字符。",
        ),
        "comment": Text(
            en="The backslash in front of the comment joins no lines: it makes a parameter of what follows, at which ATC stops. Remove it.",
            zh="注释前的反斜杠无法续行，其后的内容会被当作参数，ATC 会报错退出。请删除该反斜杠。",
        ),
        "mend_comment": Text(en="Remove the backslash", zh="删除反斜杠"),
        "mend": Text(en="Remove the blanks", zh="删除多余的空白字符"),
    }
    VALID = (Valid("atc --model=a.onnx \\\n    --output=a\n", Kind.SHELL),)
    INVALID = (
        Invalid(
            "docker run -d \\\n    --device /dev/davinci3 \\ \n    quay.io/ascend/vllm-ascend:v0.23.0rc1-310p\n",
            ("\\ ",),
            ("error safe",),
            "docker run -d \\\n    --device /dev/davinci3 \\\n    quay.io/ascend/vllm-ascend:v0.23.0rc1-310p\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx \\ \n    --output=a\n",
            ("\\ ",),
            ("error safe",),
            "atc --model=a.onnx \\\n    --output=a\n",
            Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx --output=a \\ # the end\nls\n",
            ("\\ # the end",),
            ("error safe",),
            "atc --model=a.onnx --output=a  # the end\nls\n",
            Kind.SHELL,
        ),
    )
