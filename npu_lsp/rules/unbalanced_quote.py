"""NPU709: a quote that is never closed."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnbalancedQuote(SyntaxRule):
    """A quote that is opened and not closed, or closed and not opened.

    ## What it does
    Looks for commands of `atc` and `aoe` and for variables of the NPU in which a quote has no partner on its line.

    ## Why is this bad?
    Everything up to the next quote, often many lines below, becomes one value: the commands in between are never run.

    ## Example
    ```sh
    atc --input_shape="x:1,3,224,224 --output=a
    ```

    Use instead:
    ```sh
    atc --input_shape="x:1,3,224,224" --output=a
    ```

    ## Fix safety
    Unsafe: the missing quote is put at the end of the word, which may not be where the value was meant to end.
    """

    code = "NPU709"
    name = "unbalanced-quote"
    fault = SyntaxFault.UNBALANCED_QUOTE
    title = Text(en="Quote without a partner", zh="引号不配对")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    safety = Safety.UNSAFE
    messages = {
        "found": Text(
            en="This {quote} has no partner on its line: everything up to the next one, line ends included, becomes a part of the value. Close the quote or remove it.",
            zh="此处的 {quote} 没有配对，直到下一个引号之前的内容（包括换行）都会并入取值。请补全或删除引号。",
        ),
        "mend": Text(en="Balance the quotes", zh="补全引号"),
    }
    VALID = (Valid('atc --input_shape="x:1,3" --output=a\n', Kind.SHELL),)
    INVALID = (
        Invalid(
            'atc --log="info --output=a\nls\n',
            ('"',),
            ("error unsafe",),
            'atc --log="info" --output=a\nls\n',
            Kind.SHELL,
        ),
    )
