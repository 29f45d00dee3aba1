"""NPU708: the command's name as its own first argument."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class RepeatedCommand(SyntaxRule):
    """A command whose name stands twice.

    ## What it does
    Looks for `atc atc ...` and the like.

    ## Why is this bad?
    The second one is an argument that is no flag: ATC stops at it.

    ## Example
    ```sh
    atc atc --model=a.onnx --output=a
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --output=a
    ```

    ## Fix safety
    Safe: the command fails as it is.
    """

    code = "NPU708"
    name = "repeated-command"
    fault = SyntaxFault.REPEATED_COMMAND
    title = Text(en="Command written twice", zh="命令重复")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='The second "{command}" is taken as an argument, and the command stops with an error. Remove it.',
            zh="第二个“{command}”会被当作参数，命令报错退出。请删除。",
        ),
        "mend": Text(en='Remove the second "{command}"', zh="删除第二个“{command}”"),
    }
    VALID = (
        Valid("atc --model=a.onnx\n", Kind.SHELL),
        Valid("echo 'atc atc'\n", Kind.SHELL),
    )
    INVALID = (Invalid("atc atc --model=a.onnx\n", ("atc",), ("error safe",), "atc --model=a.onnx\n", Kind.SHELL),)
