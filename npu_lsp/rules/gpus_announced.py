"""NPU259: a node of Ray that is told of GPUs, and has NPUs."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.gpu_habits import runs_on_npus
from npu_lsp.linter.launch.launch import Launch
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_DEVICES = "export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7\n"


class GpusAnnounced(Rule):
    """A node of Ray that is told of GPUs, and has NPUs.

    ## What it does
    Looks for `ray start --num-gpus`, in scripts that run on NPUs and don't tell of NPUs in `--resources`.

    ## Why is this bad?
    Ray takes the first kind of device that a node has: with GPUs announced it counts no NPUs, and vLLM stops with "Current node has
    no NPU available".

    ## Example
    ```sh
    export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7
    ray start --head --num-gpus=8
    ```

    Use instead:
    ```sh
    export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7
    ray start --head
    ```
    """

    code = "NPU259"
    name = "gpus-announced"
    title = Text(en="GPUs that a node of Ray is told of", zh="Ray 节点误配为 GPU 资源")
    severity = Severity.WARNING
    messages = {
        "found": Text(
            en='"{option}" announces GPUs, and Ray then counts no NPUs: who asks for one finds none. Leave it out, since Ray finds the NPUs itself, or write `--resources=\'{{"NPU": {count}}}\'`.',
            zh="“{option}”声明的是 GPU，Ray 将不再识别 NPU，申请 NPU 的任务无法调度。请删除（Ray 会自动识别 NPU），或改为 `--resources='{{\"NPU\": {count}}}'`。",
        ),
    }
    VALID = (
        Valid(f"{_DEVICES}ray start --head\n", Kind.SHELL),
        Valid("ray start --head --num-gpus=8\n", Kind.SHELL),
        Valid(f"{_DEVICES}ray start --head --num-gpus=0\n", Kind.SHELL),
        Valid(f"{_DEVICES}ray start --head --num-gpus=8 --resources='{{\"NPU\": 8}}'\n", Kind.SHELL),
        Valid(f"{_DEVICES}export CUDA_VISIBLE_DEVICES=0\nnvidia-smi\nray start --head --num-gpus=8\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(f"{_DEVICES}ray start --head --num-gpus=8\n", ("--num-gpus",), ("warning",), kind=Kind.SHELL),
        Invalid(
            f"{_DEVICES}ray start --address=10.0.0.1:6379 --num-gpus 8\n",
            ("--num-gpus",),
            ("warning",),
            kind=Kind.SHELL,
        ),
    )

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        """Look at a node of Ray."""
        if launch.program.name != "ray" or launch.is_set("resources"):
            return
        said, count = launch.setting("num-gpus"), launch.number("num-gpus")
        if said is not None and count is not None and count.number and runs_on_npus(context.document):
            yield self.finding(context, said.key, "found", of=said, count=count.number)
