"""NPU606: a variable that Python sets when what reads it has read it already."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.innermost import innermost
from npu_lsp.languages.model import Block, Form, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_DEVICES = "ASCEND_RT_VISIBLE_DEVICES"
_PADDLE = "FLAGS_npu_"
"""https://github.com/PaddlePaddle/PaddleCustomDevice/blob/develop/backends/npu/runtime/flags.h: read when the library is loaded."""
_STARTS = re.compile(
    r"subprocess|Popen|os\.(?:system|exec|spawn|fork|popen)|multiprocessing|\bmp\.|Process\(|spawn|\bray\b|LLM\("
)
"""What starts processes, which get the variable in time."""

_SET = 'os.environ["ASCEND_RT_VISIBLE_DEVICES"] = "1"\n'
_IMPORTS = "import os\nimport torch\nimport torch_npu\n"


class SetTooLate(Rule):
    """A variable that a script sets behind the import or the call that reads it.

    ## What it does
    Looks in Python for `ASCEND_RT_VISIBLE_DEVICES` behind a call that initializes the NPU, such as `torch.npu.set_device`, and for
    `FLAGS_npu_...` behind `import paddle`. A script that starts other processes is left alone: these get it in time.

    ## Why is this bad?
    It is read once. What is set later has no effect: the process keeps the devices that it saw, and Paddle its defaults.

    ## Example
    ```python
    import os
    import torch
    import torch_npu
    torch.npu.set_device(0)
    os.environ["ASCEND_RT_VISIBLE_DEVICES"] = "1"
    ```

    Use instead:
    ```python
    import os
    os.environ["ASCEND_RT_VISIBLE_DEVICES"] = "1"
    import torch
    import torch_npu
    torch.npu.set_device(0)
    ```
    """

    code = "NPU606"
    name = "set-too-late"
    title = Text(en="Variable set too late", zh="环境变量在读取之后才设置")
    severity = Severity.WARNING
    messages = {
        "used": Text(
            en='"{option}" comes too late: the NPU is in use already, and the devices that it sees no longer change. Set it before.',
            zh="“{option}”设置过晚：NPU 已初始化，可见设备不再改变。请在此之前设置。",
        ),
        "imported": Text(
            en='"{option}" comes too late: Paddle reads it when it is imported. Set it before.',
            zh="“{option}”设置过晚：Paddle 在 import 时读取。请在 import paddle 之前设置。",
        ),
        "here": Text(en="It is read here", zh="此处已读取"),
    }
    VALID = (
        Valid(f"{_IMPORTS}{_SET}torch.npu.set_device(0)\n"),
        Valid(f"{_IMPORTS}def f():\n    torch.npu.set_device(0)\n{_SET}"),
        Valid(f"{_IMPORTS}if x:\n    torch.npu.set_device(0)\n{_SET}"),
        Valid(f"{_IMPORTS}torch.npu.set_device(0)\n{_SET}os.system('python a.py')\n"),
        Valid('import os\nos.environ["FLAGS_npu_jit_compile"] = "0"\nimport paddle\n'),
        Valid('import os\nimport paddle_utils\nos.environ["FLAGS_npu_jit_compile"] = "0"\n'),
    )
    INVALID = (
        Invalid(f"{_IMPORTS}torch.npu.set_device(0)\n{_SET}", (_DEVICES,), ("warning",)),
        Invalid(f"{_IMPORTS}torch_npu.npu.synchronize()\nif x:\n    {_SET}", (_DEVICES,), ("warning",)),
        Invalid(
            'import os\nimport paddle\nos.environ["FLAGS_npu_jit_compile"] = "0"\n',
            ("FLAGS_npu_jit_compile",),
            ("warning",),
        ),
        Invalid(
            'import os\nfrom paddle import nn\ndef main():\n    os.environ["FLAGS_npu_storage_format"] = "0"\n',
            ("FLAGS_npu_storage_format",),
            ("warning",),
        ),
    )

    def concerns(self, option: Option) -> bool:
        """Only of these it is known when they are read."""
        return option.name == _DEVICES or option.name.startswith(_PADDLE)

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Look above a setting of the script's own environment."""
        if setting.form is not Form.SUBSCRIPT:
            return
        here = innermost(context.document, setting.statement.start)
        if here.document.kind is not Kind.PYTHON or _STARTS.search(here.document.text):
            return
        from npu_lsp.languages.python.first_use import imported_before, npu_used_before

        of_paddle = option.name.startswith(_PADDLE)
        read = (
            imported_before(here.document, here.offset, "paddle")
            if of_paddle
            else npu_used_before(here.document, here.offset)
        )
        if read is not None:
            related = [Related(here.span(read), self.say(context, "here"))]
            yield self.finding(context, setting.key, "imported" if of_paddle else "used", of=option, related=related)
