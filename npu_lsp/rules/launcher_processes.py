"""NPU224: more processes of ms-swift or LLaMA-Factory than devices that they see."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.branches import dominates
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.environment import Environment
from npu_lsp.linter.launch.launch import device_ids, whole
from npu_lsp.linter.rule import Rule
from npu_lsp.text.bilingual import Text

_PROCESSES, _VISIBLE = "NPROC_PER_NODE", "ASCEND_RT_VISIBLE_DEVICES"
_TWO = "export ASCEND_RT_VISIBLE_DEVICES=0,1\n"


class LauncherProcesses(Rule):
    """More processes of ms-swift or LLaMA-Factory than devices that they see.

    ## What it does
    Compares `NPROC_PER_NODE` with the devices of `ASCEND_RT_VISIBLE_DEVICES`, in front of one command and in the exports of one script.

    ## Why is this bad?
    Each process takes a device of its own: those beyond the last one stop with an invalid device id, and the others wait for them.
    """

    code = "NPU224"
    title = Text(en="More processes of a trainer than devices", zh="训练进程数多于设备数")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.ENV})
    messages = {
        "found": Text(
            en='"{option}" starts {count} processes here, each on a device of its own, but "{other}" names only {number}; the others stop with an error. Make them as many.',
            zh="“{option}”在此启动 {count} 个进程，各占一个设备，但“{other}”只给出 {number} 个设备，多出的进程会报错退出。两者须一致。",
        ),
    }
    VALID = (
        "ASCEND_RT_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=2 swift sft --model Qwen/Qwen2.5-7B\n",
        f"{_TWO}NPROC_PER_NODE=2 swift sft --model m\n",
        f"{_TWO}NPROC_PER_NODE=$N swift sft --model m\n",
        f"NPROC_PER_NODE=4 swift sft --model m\n{_TWO}",
        "ASCEND_RT_VISIBLE_DEVICES=0 swift rollout\nNPROC_PER_NODE=4 swift sft --model m\n",
    )
    INVALID = (
        "ASCEND_RT_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=«4» swift sft --model Qwen/Qwen2.5-7B\n",
        "ASCEND_RT_VISIBLE_DEVICES=0 NPROC_PER_NODE=«2» llamafactory-cli train a.yaml\n",
        "export ASCEND_RT_VISIBLE_DEVICES=0,1\nexport NPROC_PER_NODE=«4»\nllamafactory-cli train a.yaml\n",
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        for setting in context.by_name(block).get(_PROCESSES, ())[-1:]:
            count = whole(setting.value.data) if setting.value.known else None
            visible = _visible(block, setting, context) if count is not None else None
            ids = device_ids(visible) if visible is not None else None
            if visible is not None and count is not None and ids is not None and count > len(ids):
                yield self.finding(
                    context,
                    setting.value.inside,
                    "found",
                    of=setting,
                    related=self.set_here(context, visible),
                    count=count,
                    other=visible.name,
                    number=len(ids),
                )


def _visible(block: Block, setting: Setting, context: Context) -> Setting | None:
    """Return what says which devices are visible where a number of processes is read."""
    if block.command is not None:
        return Environment(block, setting.branch, context).value(_VISIBLE)
    found = context.by_name(block).get(_VISIBLE, ())
    same = len(found) == 1 and dominates(found[0].branch, setting.branch) and dominates(setting.branch, found[0].branch)
    return found[0] if same else None
