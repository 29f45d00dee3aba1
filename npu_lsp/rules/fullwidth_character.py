"""NPU707: full-width punctuation where the shell needs ASCII."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class FullwidthCharacter(SyntaxRule):
    """Full-width or typographic characters in the place of ASCII ones.

    ## What it does
    Looks for quotes, dashes, blanks, colons, commas and equal signs that an input method or a word processor has put into flags
    and variables. Chinese text in paths and in comments is left alone.

    ## Why is this bad?
    They look alike, but no tool knows them: `—model` is no flag, and `“` and `”` become a part of the value.

    ## Example
    ```sh
    atc —model=“a.onnx” --output=a
    ```

    Use instead:
    ```sh
    atc --model="a.onnx" --output=a
    ```

    ## Fix safety
    Safe: each character is replaced by the one it stands for. A quote without a partner has no fix.
    """

    code = "NPU707"
    name = "fullwidth-character"
    fault = SyntaxFault.FULLWIDTH
    title = Text(en="Full-width or typographic character", zh="全角或排版字符")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='"{found}" is not ASCII: shell and tool take it as a part of the text, not as "{instead}". Type it on the keyboard as "{instead}".',
            zh="全角或排版字符 {found} 会被 shell 与工具当作普通文字，请改为半角的 {instead}。",
        ),
        "mend": Text(en="Replace by ASCII", zh="改为半角字符"),
    }
    VALID = (
        Valid("atc --model=/模型/中文，名.onnx\n", Kind.SHELL),
        Valid("atc --model=a # “注释”，：\n", Kind.SHELL),
    )
    INVALID = (
        Invalid("atc —model=a.onnx\n", ("—",), ("error safe",), "atc --model=a.onnx\n", Kind.SHELL),
        Invalid(
            "atc --input_shape=“a：1，2”\n", ("“a：1，2”",), ("error safe",), 'atc --input_shape="a:1,2"\n', Kind.SHELL
        ),
        Invalid("export HCCL_BUFFSIZE=200”\n", ("”",), ("error",), kind=Kind.SHELL),
    )
