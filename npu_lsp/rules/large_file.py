"""NPU003: a file that is too large."""

from __future__ import annotations

from npu_lsp.linter.rule import Rule
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text


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
    name = "large-file"
    title = Text(en="File that is too large", zh="过大的文件")
    severity = Severity.WARNING
    of_text = False
    messages = {
        "too_large": Text(
            en="The file has {size} bytes, more than the {limit} that `max-file-size` allows. It was not checked.",
            zh="文件大小为 {size} 字节，超过 `max-file-size` 允许的 {limit} 字节，未被检查。",
        ),
    }
