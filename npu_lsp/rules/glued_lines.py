"""NPU713: a flag that a backslash without a blank glues to the word above."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class GluedLines(SyntaxRule):
    r"""A line of flags that is joined to the value above without a blank.

    ## What it does
    Looks for a backslash right behind a word, where the next line starts with a flag in its first column.

    ## Why is this bad?
    A backslash at the end of a line and the line end behind it both go, and nothing takes their place: the value above goes on
    with `--flag=...`. ATC gets a value that makes no sense, and never sees the flag.

    ## Example
    ```sh
    atc --model=a.onnx --framework=5\
    --output=a
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --framework=5 \
    --output=a
    ```

    ## Fix safety
    Safe: the flag can only have been meant as one.
    """

    code = "NPU713"
    name = "glued-lines"
    fault = SyntaxFault.GLUED_LINES
    title = Text(en="Flag glued to the line above", zh="续行符前缺少空格，参数与上一行粘连")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='"{flag}" becomes a part of the value above: there is no blank before the backslash, and none before the flag. Put one in.',
            zh="续行符前没有空格，“{flag}”会与上一行的取值连成一体。请在续行符前加空格。",
        ),
        "mend": Text(en="Put a blank before the backslash", zh="在续行符前加空格"),
    }
    VALID = (
        Valid("atc --model=a.onnx \\\n--output=a\n", Kind.SHELL),
        Valid("atc --model=a.onnx\\\n    --output=a\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "atc --model=a.onnx --framework=5\\\n--output=a\n",
            ("--output",),
            ("error safe",),
            "atc --model=a.onnx --framework=5 \\\n--output=a\n",
            Kind.SHELL,
        ),
    )
