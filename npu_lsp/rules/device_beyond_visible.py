"""NPU228: a device by a number that the visible ones don't have."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Surface
from npu_lsp.languages.innermost import innermost
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import device_ids
from npu_lsp.linter.rule import Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_VISIBLE = "ASCEND_RT_VISIBLE_DEVICES"
_CHOSEN = {
    Kind.PYTHON: re.compile(
        r"npu(?:(?<=\bnpu)\.set_device\([ \t]*(?P<id>\d{1,3})[ \t]*\)|(?<=[\"']npu):(?P<named>\d{1,3})[\"'])"
    ),
    Kind.SHELL: re.compile(r"[ =\"']npu:(?P<id>\d{1,3})(?P<named>)(?![\w:.,])"),
}
"""Where a device is chosen by its number."""
_MOST = 20

_SET = 'import os\nos.environ["ASCEND_RT_VISIBLE_DEVICES"] = "4,5"\nimport torch\nimport torch_npu\n'


class DeviceBeyondVisible(Rule):
    """A device by a number that the visible ones don't have.

    ## What it does
    Compares `torch.npu.set_device(4)`, `"npu:4"` and `--device npu:4` with `ASCEND_RT_VISIBLE_DEVICES`, where the text sets that
    once, in front. A script that sets it in a branch or a function is left alone.

    ## Why is this bad?
    What is visible is counted from 0 anew: with `4,5` there are `npu:0` and `npu:1`. Another number stops with an invalid device id.
    """

    code = "NPU228"
    title = Text(en="Device that is not visible", zh="不可见的设备")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.ENV})
    messages = {
        "found": Text(
            en='"{option}" leaves {count} visible, which are counted from 0 anew: {number} stops with an invalid device id. The last one is {last}.',
            zh="“{option}”仅使 {count} 个设备可见，并从 0 重新编号：{number} 会因设备 ID 无效而报错，最大为 {last}。",
        ),
    }
    VALID = (
        "ASCEND_RT_VISIBLE_DEVICES=4,5 python infer.py --device npu:0\n",
        Valid(f"{_SET}torch.npu.set_device(1)\nx = torch.zeros(1, device='npu:0')\n"),
        Valid(f"torch.npu.set_device(4)\n{_SET}"),
        Valid(f"{_SET}os.environ['ASCEND_RT_VISIBLE_DEVICES'] = '0,1,2,3,4'\ntorch.npu.set_device(4)\n"),
        "if a; then\n  export ASCEND_RT_VISIBLE_DEVICES=0\nfi\npython a.py --device npu:4\n",
        "ASCEND_RT_VISIBLE_DEVICES=0 python a.py\npython a.py --device npu:4\n",
    )
    INVALID = (
        "ASCEND_RT_VISIBLE_DEVICES=4,5 python infer.py --device npu:«4»\n",
        told(f"{_SET}torch.npu.set_device(«4»)\n", kind=Kind.PYTHON),
        told(f"{_SET}torch.npu.set_device('npu:«5»')\n", kind=Kind.PYTHON),
        "export ASCEND_RT_VISIBLE_DEVICES=6\npython a.py --device=npu:«6»\n",
    )

    def concerns(self, option: Option) -> bool:
        return option.name == _VISIBLE

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Look behind the setting, and for the prefix of a command, in that command."""
        here, ids = innermost(context.document, setting.statement.start), device_ids(setting)
        pattern = _CHOSEN.get(here.document.kind)
        if ids is None or pattern is None or setting.branch or len(context.named(Surface.ENV, _VISIBLE)) > 1:
            return
        start = here.offset
        command = block.command
        end = len(here.document.text) if command is None else start + command.end - setting.statement.start
        for count, found in enumerate(pattern.finditer(here.document.text, start, end)):
            number = found["id"] or found["named"]
            if int(number) >= len(ids) and count < _MOST:
                at = found.start("id" if found["id"] else "named")
                span = here.span(Span(at, at + len(number)))
                yield self.finding(
                    *(context, span, "found"), of=option, number=number, count=len(ids), last=len(ids) - 1
                )
