"""NPU002: a file that is no text."""

from __future__ import annotations

from npu_lsp.linter.rule import Rule
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text


class UndecodableFile(Rule):
    """A file that is no text in any encoding that npu-lsp reads.

    ## What it does
    Reports a file that is named on the command line and holds NUL bytes, or bytes that are no text in UTF-8, UTF-16,
    GBK, GB18030, Latin-1 or the encoding that its `coding:` line names. Such a file below a folder is passed over.

    ## Why is this bad?
    Nothing in it was checked, so that a clean report would say too much.

    ## Example
    ```console
    npu-lsp check resnet50.om
    ```

    Use instead:
    ```console
    npu-lsp check convert.sh
    ```
    """

    code = "NPU002"
    name = "undecodable-file"
    title = Text(en="File that is no text", zh="不是文本的文件")
    severity = Severity.ERROR
    of_text = False
    messages = {
        "undecodable": Text(
            en="The file is no text ({reason}). It was not checked.", zh="文件不是文本（{reason}），未被检查。"
        ),
    }
