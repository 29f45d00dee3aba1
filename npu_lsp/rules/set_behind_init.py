"""NPU126: MindSpore's device is chosen when `init()` has opened one."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text

_COMPONENT = "mindspore"
_IMPORTS = "import mindspore as ms\nfrom mindspore.communication import init\n"


class SetBehindInit(Rule):
    """A device or the parameter server that is set up below `init()`.

    ## What it does
    Looks for `set_ps_context`, for `set_device`, and for `device_id` and `device_target` of `set_context`, below an
    `init()` of `mindspore.communication` that runs first whenever they do. Where a device is chosen above `init()`, what follows it is left alone.
    Of `set_context` it is information where nobody names a version of MindSpore: older scripts choose the device by `DEVICE_ID` besides.

    ## Why is this bad?
    `init()` opens the device and its communication as the context is then. What comes later is too late: `set_device` raises
    an error, a `device_id` leaves each process on the device that was opened, and the parameter server isn't started.

    ## Example
    ```python
    init()
    mindspore.set_context(mode=mindspore.GRAPH_MODE, device_id=rank)
    ```

    Use instead:
    ```python
    mindspore.set_context(mode=mindspore.GRAPH_MODE, device_id=rank)
    init()
    ```
    """

    code = "NPU126"
    name = "set-behind-init"
    fault = SyntaxFault.SET_BEHIND_INIT
    title = Text(en="Device chosen below init()", zh="init() 之后才设置设备")
    severity = Severity.WARNING
    messages = {
        "found": Text(
            en="{function} stands below init(), which opens the device as it is set up by then: this comes too late. Move it above init().",
            zh="{function} 位于 init() 之后，init() 执行时已按当时的配置打开设备，此处设置为时已晚。请移到 init() 之前。",
        ),
    }
    VALID = (
        Valid(
            _IMPORTS
            + 'ms.set_context(device_target="Ascend", device_id=i)\ninit()\nms.set_auto_parallel_context(device_num=8)\n'
        ),
        Valid(_IMPORTS + "ms.set_context(device_id=i)\ninit()\nms.set_context(device_id=j)\n"),
        Valid(_IMPORTS + "init()\nms.set_context(mode=0, max_call_depth=2000)\n"),
        Valid(_IMPORTS + "if many:\n    init()\nelse:\n    ms.set_context(device_id=0)\n"),
        Valid(_IMPORTS + "if many:\n    init()\nms.set_context(device_id=0)\n"),
        Valid(_IMPORTS + "def start():\n    init()\ndef choose():\n    ms.set_context(device_id=0)\n"),
        Valid("import mindspore as ms\nfrom colorama import init\ninit()\nms.set_context(device_id=0)\n"),
    )
    INVALID = (
        Invalid(
            _IMPORTS + 'init()\nms.set_context(mode=0, device_target="Ascend", device_id=i)\n',
            ("ms.set_context",),
            ("info",),
        ),
        Invalid(
            _IMPORTS + "init()\nms.set_context(mode=0, device_id=i)\n",
            ("ms.set_context",),
            ("warning",),
            target={"mindspore": "2.1"},
        ),
        Invalid(
            _IMPORTS + 'ms.set_context(mode=0, device_target="Ascend")\ninit()\nms.set_ps_context(enable_ps=True)\n',
            ("ms.set_ps_context",),
            ("warning",),
        ),
        Invalid(
            "import mindspore as ms\nfrom mindspore.communication.management import init\n"
            'def run():\n    init()\n    if npu:\n        ms.set_device("Ascend", 1)\n',
            ("ms.set_device",),
            ("warning",),
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Report each, as sure as the version makes it."""
        named = context.target.newest(_COMPONENT) is not None
        for found in context.parsed.syntax:
            if found.kind is self.fault:
                function = found.arguments["function"]
                sure = named or function != "set_context"
                severity = None if sure else Severity.INFO
                yield self.finding(context, found.span, "found", severity=severity, function=function)
