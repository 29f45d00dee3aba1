"""Files that are not checked: the system refuses them, they are no text, or they are too large."""

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
    title = Text(en="File that can't be read", zh="无法读取的文件")
    severity = Severity.ERROR
    of_text = False
    messages = {
        "unreadable": Text(
            en="The file can't be read: {reason}. It was not checked.", zh="无法读取文件：{reason}。该文件未被检查。"
        ),
    }


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
    title = Text(en="File that is no text", zh="不是文本的文件")
    severity = Severity.ERROR
    of_text = False
    messages = {
        "undecodable": Text(
            en="The file is no text ({reason}). It was not checked.", zh="文件不是文本（{reason}），未被检查。"
        ),
    }


class LargeFile(Rule):
    """A file that is larger than `max-file-size`.

    ## What it does
    Reports a file that is left unread because of its size: 2,000,000 bytes unless the configuration says otherwise.

    ## Why is this bad?
    Nothing in it was checked, so that a clean report would say too much. Scripts of that size are generated, or data
    under the wrong name.

    ## Example
    ```toml
    max-file-size = 2_000_000
    ```

    Use instead:
    ```toml
    max-file-size = 20_000_000
    extend-exclude = ["generated/"]
    ```

    ## Configuration
    - `max-file-size`: the limit in bytes; ten times as many for a notebook, most of which are pictures
    """

    code = "NPU003"
    title = Text(en="File that is too large", zh="过大的文件")
    severity = Severity.WARNING
    of_text = False
    messages = {
        "too_large": Text(
            en="The file has {size} bytes, more than the {limit} that `max-file-size` allows. It was not checked.",
            zh="文件大小为 {size} 字节，超过 `max-file-size` 允许的 {limit} 字节，未被检查。",
        ),
    }
