"""NPU701: a flag that a missing backslash cuts off its command."""

from __future__ import annotations

from npu_lsp.findings import Severity
from npu_lsp.kinds import Kind
from npu_lsp.language import Text
from npu_lsp.rules.mistake import MistakeRule
from npu_lsp.rules.rule import Fixable, Invalid, Valid


class LostBackslash(MistakeRule):
    r"""A line of flags that doesn't belong to the command above it.

    ## What it does
    Looks for lines that start with a flag below a command of `atc` or `aoe` whose last line doesn't end in a backslash. A comment or an
    empty line between two lines of one command cuts it as well.

    ## Why is this bad?
    The shell runs the command without the flags below, and then tries to run `--flag` as a command of its own. Conversion goes on
    with defaults, and the error is one line in a long log.

    ## Example
    ```sh
    atc --model=a.onnx --framework=5 --output=a
        --soc_version=Ascend310P3
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --framework=5 --output=a \
        --soc_version=Ascend310P3
    ```

    ## Fix safety
    Safe: the flag can only have been meant for the command above.
    """

    code = "NPU701"
    name = "lost-backslash"
    kind = "lost-backslash"
    title = Text(en="Flag cut off by a missing backslash", zh="缺少续行符，参数未生效")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='"{flag}" is not part of the command above, which ends without a backslash: it is run without this flag. End the line above with "\\".',
            zh="上一行末尾缺少续行符，“{flag}”不属于上面的命令，命令执行时不带该参数。请在上一行末尾加“\\”。",
        ),
        "mend": Text(en="Join with the command above", zh="与上面的命令合并"),
    }
    VALID = (
        Valid("atc --model=a.onnx \\\n    --output=a\n", Kind.SHELL),
        Valid("atc --model=a.onnx\nls --all\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "atc --model=a.onnx --output=a\n    --soc_version=Ascend310P3\n",
            ("--soc_version",),
            "atc --model=a.onnx --output=a \\\n    --soc_version=Ascend310P3\n",
            Kind.SHELL,
        ),
        Invalid("atc --model=a.onnx # old\n    --output=a\n", ("--output",), kind=Kind.SHELL),
    )
