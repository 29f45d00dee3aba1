"""NPU126, NPU603 and NPU606: settings that come when what reads them has begun."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.languages.innermost import innermost
from npu_lsp.languages.model import Block, Form, Setting, SyntaxFault
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

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
    """

    code = "NPU606"
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
    examples_in = Kind.PYTHON
    VALID = (
        (
            'import os\nos.environ["ASCEND_RT_VISIBLE_DEVICES"] = "1"\nimport torch\nimport torch_npu\n'
            "torch.npu.set_device(0)\n"
        ),
        f"{_IMPORTS}{_SET}torch.npu.set_device(0)\n",
        f"{_IMPORTS}def f():\n    torch.npu.set_device(0)\n{_SET}",
        f"{_IMPORTS}if x:\n    torch.npu.set_device(0)\n{_SET}",
        f"{_IMPORTS}torch.npu.set_device(0)\n{_SET}os.system('python a.py')\n",
        'import os\nos.environ["FLAGS_npu_jit_compile"] = "0"\nimport paddle\n',
        'import os\nimport paddle_utils\nos.environ["FLAGS_npu_jit_compile"] = "0"\n',
    )
    INVALID = (
        (
            "import os\nimport torch\nimport torch_npu\ntorch.npu.set_device(0)\n"
            'os.environ["«ASCEND_RT_VISIBLE_DEVICES»"] = "1"\n'
        ),
        'import os\nimport paddle\nos.environ["«FLAGS_npu_jit_compile»"] = "0"\n',
        'import os\nfrom paddle import nn\ndef main():\n    os.environ["«FLAGS_npu_storage_format»"] = "0"\n',
    )

    def concerns(self, option: Option) -> bool:
        return option.name == _DEVICES or option.name.startswith(_PADDLE)

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        if setting.form is not Form.SUBSCRIPT:
            return
        here = innermost(context.document, setting.statement.start)
        if here.document.kind is not Kind.PYTHON or _starts_others(here.document):
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


@Memoized
def _starts_others(document: Document) -> bool:
    return _STARTS.search(document.text) is not None


_COMPONENT = "mindspore"
_SETUP = "import mindspore as ms\nfrom mindspore.communication import init\n"


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
    fault = SyntaxFault.SET_BEHIND_INIT
    title = Text(en="Device chosen below init()", zh="init() 之后才设置设备")
    severity = Severity.WARNING
    messages = {
        "found": Text(
            en="{function} stands below init(), which opens the device as it is set up by then: this comes too late. Move it above init().",
            zh="{function} 位于 init() 之后，init() 执行时已按当时的配置打开设备，此处设置为时已晚。请移到 init() 之前。",
        ),
    }
    examples_in = Kind.PYTHON
    VALID = (
        (
            _SETUP
            + 'ms.set_context(device_target="Ascend", device_id=i)\ninit()\nms.set_auto_parallel_context(device_num=8)\n'
        ),
        _SETUP + "ms.set_context(device_id=i)\ninit()\nms.set_context(device_id=j)\n",
        _SETUP + "init()\nms.set_context(mode=0, max_call_depth=2000)\n",
        _SETUP + "if many:\n    init()\nelse:\n    ms.set_context(device_id=0)\n",
        _SETUP + "if many:\n    init()\nms.set_context(device_id=0)\n",
        _SETUP + "def start():\n    init()\ndef choose():\n    ms.set_context(device_id=0)\n",
        "import mindspore as ms\nfrom colorama import init\ninit()\nms.set_context(device_id=0)\n",
    )
    INVALID = (
        told(_SETUP + 'init()\n«ms.set_context»(mode=0, device_target="Ascend", device_id=i)\n', "info", Kind.PYTHON),
        told(_SETUP + "init()\n«ms.set_context»(mode=0, device_id=i)\n", kind=Kind.PYTHON, target={"mindspore": "2.1"}),
        _SETUP + 'ms.set_context(mode=0, device_target="Ascend")\ninit()\n«ms.set_ps_context»(enable_ps=True)\n',
        (
            "import mindspore as ms\nfrom mindspore.communication.management import init\ndef run():\n"
            '    init()\n    if npu:\n        «ms.set_device»("Ascend", 1)\n'
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        named = context.target.newest(_COMPONENT) is not None
        for found in context.parsed.syntax:
            if found.kind is self.fault:
                function = found.arguments["function"]
                sure = named or function != "set_context"
                severity = None if sure else Severity.INFO
                yield self.finding(context, found.span, "found", severity=severity, function=function)


# What such a file exports is for the shell that sources it.
_SOURCED = re.compile(r"(?:.*[-_.])?(?:set)?(?:env|environment|vars|profile|bashrc)(?:[-_.].*)?", re.IGNORECASE)


class ExportedTooLate(Rule):
    """A variable that a script exports below the command that should read it.

    ## What it does
    Looks in shell scripts for variables of the NPU that are exported, for the first time, below the last command that could
    read them. Exports in branches, loops and functions are left alone, and so are files that others source (`set_env.sh`).

    ## Why is this bad?
    A command gets the environment as it is when it starts. The export comes too late and has no effect.
    """

    code = "NPU603"
    title = Text(en="Variable exported too late", zh="环境变量设置过晚")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.ENV})
    messages = {
        "late": Text(
            en='"{option}" is exported below "{command}", and no command follows that could read it. Move it above.',
            zh="“{option}”在“{command}”之后才设置，其后没有命令会读取它。请移到该命令之前。",
        ),
    }
    VALID = (
        "export ASCEND_GLOBAL_LOG_LEVEL=1\npython3 train.py\n",
        "python3 train.py\nif x; then\nexport ASCEND_GLOBAL_LOG_LEVEL=1\nfi\n",
        "python3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\npython3 b.py\n",
        "export ASCEND_GLOBAL_LOG_LEVEL=1\npython3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=3\n",
        "source set_env.sh\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n",
        "python3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n./run.sh\n",
        "python3 a.py; export ASCEND_GLOBAL_LOG_LEVEL=1\n",
        # Nobody knows what belongs to which case.
        "case $MODE in\npython3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n",
        Valid("```sh\npython3 a.py\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n```\n", Kind.MARKDOWN),
        "python3 a.py\nASCEND_GLOBAL_LOG_LEVEL=1 python3 b.py\n",
        "python3 -m pip install numpy\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n",
        "python3 setup.py install\natc --help\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n",
    )
    INVALID = (
        "python3 train.py\nexport «ASCEND_GLOBAL_LOG_LEVEL»=1\n",
        "atc --model=a.onnx \\\n  --output=a\nexport «DUMP_GE_GRAPH»=2\n",
    )

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        document = context.document
        if document.kind is not Kind.SHELL or setting.branch:
            return
        text, start = document.text, setting.statement.start
        at_edge = text[start - 1] in "\r\n"  # In front of the first line nothing runs.
        if not at_edge or not text.startswith("export", start) or context.parsed.damaged or _is_sourced(document):
            return
        if _first(context).get(setting.name) != setting.key.start:
            return
        from npu_lsp.languages.shell.order import nothing_runs_after, ran_before

        if not nothing_runs_after(document, setting.statement.end):
            return
        command = ran_before(document, start)
        if command is None:
            return
        yield self.finding(context, setting.key, "late", of=option, command=command)


@Memoized
def _is_sourced(document: Document) -> bool:
    return _SOURCED.fullmatch(re.split(r"[\\/]", document.path)[-1]) is not None


@Memoized
def _first(context: Context) -> dict[str, int]:
    """Return where each variable of the file is set first."""
    found: dict[str, int] = {}
    for block in context.parsed.blocks:
        for setting in block.settings if block.surface.row.environment else ():
            found[setting.name] = min(setting.key.start, found.get(setting.name, setting.key.start))
    return found
