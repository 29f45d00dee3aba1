"""NPU604: a variable that is set in a process which ends at once."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text


class LostExport(SyntaxRule):
    """A variable that is exported in a shell of its own, which ends before anything can read it.

    ## What it does
    Looks for `os.system("export X=v")` and the like in Python, and for `!export X=v` in notebooks, where `X` is a
    variable of the NPU and the shell does nothing else. A shell that goes on to run something is left alone.

    ## Why is this bad?
    A process can't change the environment of the one that started it. The shell sets the variable and ends; the script
    goes on without it, and nothing says so.

    ## Example
    ```python
    os.system("export ASCEND_GLOBAL_LOG_LEVEL=3")
    ```

    Use instead:
    ```python
    os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"
    ```

    ## Fix safety
    Unsafe: the variable takes effect from then on, and it must be set before the library that reads it is loaded.
    """

    code = "NPU604"
    name = "lost-export"
    fault = SyntaxFault.LOST_EXPORT
    safety = Safety.UNSAFE
    title = Text(en="Variable set in a process that ends at once", zh="在随即结束的子进程中设置的环境变量")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='"{name}" is set in a shell that ends at once, so this process never sees it. Set it with {instead}.',
            zh="“{name}”只在一个随即结束的 Shell 中设置，本进程不会得到该值。请用 {instead} 设置。",
        ),
        "mend": Text(en="Set it with {instead}", zh="改用 {instead} 设置"),
    }
    VALID = (
        Valid('import os\nos.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"\n'),
        Valid('import os\nos.system("export ASCEND_GLOBAL_LOG_LEVEL=3; python3 train.py")\n'),
        Valid('import os\nos.system("ASCEND_GLOBAL_LOG_LEVEL=3 python3 train.py")\n'),
        Valid('import os\nos.system("export MY_OWN=3")\n'),
    )
    INVALID = (
        Invalid(
            'import os\nos.system("export ASCEND_GLOBAL_LOG_LEVEL=3")\n',
            ("ASCEND_GLOBAL_LOG_LEVEL",),
            ("warning unsafe",),
            'import os\nos.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"\n',
        ),
        Invalid(
            'import subprocess\nsubprocess.run("export RANK_ID=0 && export DEVICE_ID=1", shell=True)\n',
            ("RANK_ID",),
            ("warning",),
        ),
    )
