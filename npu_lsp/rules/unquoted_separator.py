"""NPU711: a value that an unquoted `;`, `|` or `&` cuts in two."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnquotedSeparator(SyntaxRule):
    """A flag's value with `;`, `|` or `&` and without quotes.

    ## What it does
    Looks for such a sign where the text behind it goes on like the value: `--input_shape=a:1,2;b:3,4`.

    ## Why is this bad?
    For the shell the command ends at the sign. The tool gets half of the value and none of the flags behind it.

    ## Example
    ```sh
    atc --model=a.onnx --input_shape=a:1,2;b:3,4 --output=a
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --input_shape="a:1,2;b:3,4" --output=a
    ```

    ## Fix safety
    Safe: the whole value is put in quotes.
    """

    code = "NPU711"
    name = "unquoted-separator"
    fault = SyntaxFault.UNQUOTED_SEPARATOR
    title = Text(en="Value cut by an unquoted separator", zh="取值被未加引号的分隔符截断")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='The unquoted "{separator}" ends the command for the shell: "{flag}" gets half of its value, and what follows is lost. Put the value in quotes.',
            zh="未加引号的“{separator}”会被 shell 当作命令结束，“{flag}”只得到一半取值，后面的参数全部丢失。请给取值加上引号。",
        ),
        "mend": Text(en="Put the value in quotes", zh="给取值加上引号"),
    }
    VALID = (
        Valid("atc --model=a.onnx;ls\n", Kind.SHELL),
        Valid('atc --input_shape="a:1,2;b:3" --output=a\n', Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "atc --input_shape=a:1,2;b:3 --output=a\n",
            ("a:1,2;b:3",),
            ("error safe",),
            'atc --input_shape="a:1,2;b:3" --output=a\n',
            Kind.SHELL,
        ),
    )
