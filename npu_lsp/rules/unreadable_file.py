"""NPU001: a file that can't be read."""

from __future__ import annotations

from npu_lsp.linter.rule import Rule
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text


class UnreadableFile(Rule):
    """A file that can't be read.

    ## What it does
    Reports a file that vanished while others were checked, that the user may not read, that is a link to nothing, or
    that is no regular file (a pipe, a device). A path at which there is nothing at all is wrong usage, and no finding.

    ## Why is this bad?
    Nothing in it was checked, so that a clean report would say too much.

    ## Example
    ```console
    npu-lsp check /dev/stdin
    ```

    Use instead:
    ```console
    npu-lsp check - < train.py
    ```
    """

    code = "NPU001"
    name = "unreadable-file"
    title = Text(en="File that can't be read", zh="无法读取的文件")
    severity = Severity.ERROR
    of_text = False
    messages = {
        "unreadable": Text(
            en="The file can't be read: {reason}. It was not checked.", zh="无法读取文件：{reason}。该文件未被检查。"
        ),
    }
