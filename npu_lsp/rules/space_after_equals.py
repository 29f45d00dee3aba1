"""NPU706: a blank behind a flag's `=`."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class SpaceAfterEquals(SyntaxRule):
    """A flag with a blank behind its `=`.

    ## What it does
    Looks for `--flag= value` in commands of `atc` and `aoe`.

    ## Why is this bad?
    The flag gets an empty value, and the value becomes a word of its own, at which ATC stops.

    ## Example
    ```sh
    atc --model= a.onnx --output=a
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --output=a
    ```

    ## Fix safety
    Safe: only blanks go.
    """

    code = "NPU706"
    name = "space-after-equals"
    fault = SyntaxFault.SPACE_AFTER_EQUALS
    title = Text(en="Blank behind `=`", zh="等号后有空格")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='With a blank behind "=", "{flag}" gets an empty value, and what follows is a word that the tool doesn\'t expect. Remove the blank.',
            zh="“{flag}”的等号后有空格，参数取值为空，后面的内容成为多余的单词并导致报错。请删除空格。",
        ),
        "mend": Text(en="Remove the blanks", zh="删除空格"),
    }
    VALID = (
        Valid("atc --model=$x $y\n", Kind.SHELL),
        Valid("atc --insert_op_conf= --output=a\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "atc --model= ./a.onnx --output=a\n",
            ("--model= ./a.onnx",),
            ("error safe",),
            "atc --model=./a.onnx --output=a\n",
            Kind.SHELL,
        ),
    )
