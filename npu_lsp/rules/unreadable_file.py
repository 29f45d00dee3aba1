"""NPU001: a file that can't be read."""

from __future__ import annotations

from npu_lsp.linter.rule import Rule
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text


class UnreadableFile(Rule):
    """A file that can't be read.

    ## What it does
    Reports a file that doesn't exist, that vanished, that the user may not read, or that is no regular file (a pipe,
    a device).

    ## Why is this bad?
    Nothing in it was checked, so that a clean report would say too much.

    ## Example
    ```console
    npu-lsp check tarin.py
    ```

    Use instead:
    ```console
    npu-lsp check train.py
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
        "missing": Text(en="There is no such file. Nothing was checked.", zh="文件不存在，未做任何检查。"),
    }
