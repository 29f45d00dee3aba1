"""NPU705: a blank in front of a flag's `=`."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class SpaceBeforeEquals(SyntaxRule):
    """A flag with a blank in front of its `=`.

    ## What it does
    Looks for `--flag =value` and `--flag = value` in commands of `atc` and `aoe`.

    ## Why is this bad?
    The flag's value is then `=value`, sign included, or just `=`: the tool rejects it, or looks for a file of that name.

    ## Example
    ```sh
    atc --model =a.onnx --output = a
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --output=a
    ```

    ## Fix safety
    Safe: only blanks go.
    """

    code = "NPU705"
    name = "space-before-equals"
    fault = SyntaxFault.SPACE_BEFORE_EQUALS
    title = Text(en="Blank in front of `=`", zh="等号前有空格")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='With a blank in front of "=", the value of "{flag}" starts with "=", which the tool takes literally. Write "{flag}=value" without blanks.',
            zh="“{flag}”的等号前有空格，等号会被当作取值的一部分。请去掉空格，写作“{flag}=取值”。",
        ),
        "mend": Text(en="Remove the blanks", zh="删除空格"),
    }
    VALID = (Valid("atc --model=a.onnx --output a\n", Kind.SHELL),)
    INVALID = (
        Invalid(
            "atc --model =a.onnx --output=a\n",
            ("--model =a.onnx",),
            ("error safe",),
            "atc --model=a.onnx --output=a\n",
            Kind.SHELL,
        ),
    )
