"""NPU120 and NPU259: what is for GPUs, in a text that runs on NPUs."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.gpu_habits import NAMES, Habit, gpu_habits, runs_on_npus
from npu_lsp.linter.launch.launch import Launch
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit


class GpuHabit(Rule):
    """Something that only GPUs read, in a text that certainly runs on NPUs.

    ## What it does
    Looks for variables of CUDA and NCCL, the process group `nccl`, `ddp_backend` nccl and gloo, attention backends of GPUs,
    `docker run --gpus`, and Ray's `TorchTrainer` on NPUs with `use_gpu=True` or without HCCL, in texts that import `torch_npu`, source CANN's `set_env.sh`, set variables of HCCL or `NPUS_PER_NODE`, or name an
    image or a device of Ascend, and that don't choose between devices. Nothing is said of a variable beside the one that NPUs read.

    ## Why is this bad?
    The NPU reads other names: the setting has no effect, all devices are visible, memory is split as it is by default. A process
    group of NCCL can't be made there.

    ## Fix safety
    Unsafe: the setting takes effect from then on.
    """

    code = "NPU120"
    title = Text(en="Setting for GPUs where NPUs run", zh="在 NPU 上使用 GPU 的配置")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "other_name": Text(
            en='An NPU doesn\'t read "{name}": the setting has no effect here. Its name for NPUs is "{near}".',
            zh="NPU 不读取“{name}”，此处的设置不生效。NPU 对应的环境变量是“{near}”。",
        ),
        "no_name": Text(
            en='An NPU doesn\'t read "{name}": HCCL takes the place of NCCL, and has no such setting. Remove it.',
            zh="NPU 不读取“{name}”：集合通信使用 HCCL 而不是 NCCL，没有对应配置。请删除。",
        ),
        "group": Text(
            en='NPUs have no process group "nccl", and the program stops with an error. Write "hccl".',
            zh="NPU 不支持通信后端“nccl”，创建进程组时会报错。请改为“hccl”。",
        ),
        "ddp": Text(
            en='The backend "{name}" doesn\'t connect NPUs. Write "hccl".',
            zh="通信后端“{name}”不能用于 NPU 之间的通信。请改为“hccl”。",
        ),
        "attention": Text(
            en='vLLM-Ascend has attention of its own, and "{name}" is a backend for GPUs. Remove the variable.',
            zh="vLLM-Ascend 使用自带的注意力后端，“{name}”是 GPU 的后端。请删除该环境变量。",
        ),
        "workers": Text(
            en='"{name}" asks for a GPU for each worker besides its NPU, and none is there: Ray waits for ever. Remove it.',
            zh="“{name}”使每个 worker 除 NPU 外还申请一块 GPU，Ray 会一直等待资源。请删除。",
        ),
        "trainer": Text(
            en='Without a GPU "{name}" connects its workers by "gloo", which has nothing for NPUs. Give it `torch_config=TorchConfig(backend="hccl")`.',
            zh='没有 GPU 时“{name}”使用通信后端“gloo”，不支持 NPU。请传入 `torch_config=TorchConfig(backend="hccl")`。',
        ),
        "gpus": Text(
            en='"{name}" asks for GPUs. NPUs come into a container by `--device /dev/davinci0` and the like, or by Ascend Docker Runtime with '
            "`-e ASCEND_VISIBLE_DEVICES=0`.",
            zh="“{name}”请求的是 GPU。容器使用 NPU 请通过 `--device /dev/davinci0` 等参数挂载，或在使用 Ascend Docker Runtime 时设置 `-e ASCEND_VISIBLE_DEVICES=0`。",
        ),
    }
    VALID = (
        "export CUDA_VISIBLE_DEVICES=0\npython train.py\n",
        # It chooses, or sets both.
        Valid(
            "import torch\ntry:\n    import torch_npu\nexcept ImportError:\n    pass\n"
            'dist.init_process_group("nccl" if torch.cuda.is_available() else "hccl")\n'
        ),
        Valid(
            "dist.init_process_group('nccl')  # Before\nimport torch_npu\ndist.init_process_group('hccl')  # Behind\n"
        ),
        Valid("import torch_npu\nfrom torch_npu.contrib import transfer_to_npu\ndist.init_process_group('nccl')\n"),
        "if [ $DEVICE = npu ]; then\n  source /usr/local/Ascend/ascend-toolkit/set_env.sh\nfi\nexport CUDA_VISIBLE_DEVICES=0\n",
        "export ASCEND_RT_VISIBLE_DEVICES=0\nexport CUDA_VISIBLE_DEVICES=0\n",
        "export HCCL_BUFFSIZE=1\nexport CUDA_VISIBLE_DEVICES=\nexport CUDA_DEVICE_MAX_CONNECTIONS=1\n",
        Valid(
            'TorchTrainer(f, torch_config=TorchConfig(backend="hccl"), scaling_config=ScalingConfig(resources_per_worker={"NPU": 1}))\n'
        ),
        Valid("import torch_npu\nTorchTrainer(f, scaling_config=ScalingConfig(use_gpu=True))\n"),
        "export NPU_VISIBLE_DEVICES=0,1\nvega run.yml\n",
        "export NPU_VISIBLE_DEVICES=0\npython a.py --npus $NPU_VISIBLE_DEVICES\n",
        Valid(
            'import os\nimport torch_npu\nos.environ["NPU_VISIBLE_DEVICES"] = "0"\nos.environ.get("NPU_VISIBLE_DEVICES")\n'
        ),
        Valid("`CUDA_VISIBLE_DEVICES=0` is for GPUs.\n```sh\nexport HCCL_BUFFSIZE=1\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        (
            "source /usr/local/Ascend/ascend-toolkit/set_env.sh\n"
            "export «CUDA_VISIBLE_DEVICES→ASCEND_RT_VISIBLE_DEVICES»=0,1\n"
        ),
        (
            "source /usr/local/Ascend/ascend-toolkit/set_env.sh\n"
            "«PYTORCH_CUDA_ALLOC_CONF→PYTORCH_NPU_ALLOC_CONF»='expandable_segments:True' \\\n"
            "«CUDA_VISIBLE_DEVICES→ASCEND_RT_VISIBLE_DEVICES»=0,1 \\\nmegatron sft\n"
            "export «NPU_VISIBLE_DEVICES→ASCEND_RT_VISIBLE_DEVICES»=0\necho $NPU_VISIBLE_DEVICES\n"
        ),
        "«NPU_VISIBLE_DEVICES→ASCEND_RT_VISIBLE_DEVICES»=0,2 deepspeed --num_gpus 2 train.py\n",
        # Nobody sets it for another device.
        (
            "if command -v npu-smi; then\n  export «NPU_VISIBLE_DEVICES→ASCEND_RT_VISIBLE_DEVICES»=0\nelse\n"
            "  export CUDA_VISIBLE_DEVICES=0\nfi\n"
        ),
        told(
            'import os\nimport torch_npu\nos.environ["«NCCL_BUFFSIZE→HCCL_BUFFSIZE»"] = "200"\n'
            'dist.init_process_group(backend=«"nccl"→"hccl"»)\n',
            ("warning unsafe", "error unsafe"),
            Kind.PYTHON,
        ),
        "export «PYTORCH_CUDA_ALLOC_CONF→PYTORCH_NPU_ALLOC_CONF»=expandable_segments:True\nNPUS_PER_NODE=8\n",
        "export HCCL_BUFFSIZE=200\npython train.py --ddp_backend «nccl→hccl»\n",
        told('import torch_npu\nargs = TrainingArguments(ddp_backend="«nccl→hccl»")\n', kind=Kind.PYTHON),
        told(
            "export HCCL_BUFFSIZE=200\nexport «NCCL_P2P_LEVEL»=NVL\nVLLM_ATTENTION_BACKEND=«XFORMERS» vllm serve m\n",
            ("info", "warning"),
        ),
        told(
            "import deepspeed\nimport torch_npu\ndeepspeed.init_distributed(dist_backend=«'nccl'→'hccl'»)\n"
            'dist.init_process_group(\n    init_method="env://",\n    backend=«"nccl"→"hccl"»,\n)\n',
            ("error unsafe", "error unsafe"),
            Kind.PYTHON,
        ),
        "docker run -it «--gpus all» quay.io/ascend/vllm-ascend:v0.9.1 bash\n",
        told(
            "from ray.train.torch import TorchTrainer\ntrainer = «TorchTrainer»(\n    train, "
            'scaling_config=ScalingConfig(num_workers=8, «use_gpu=True», resources_per_worker={"NPU": 1})\n)\n',
            ("warning", "warning"),
            Kind.PYTHON,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for habit in gpu_habits(context.document):
            if habit.what == "variable":
                yield from self._variable(habit, context)
                continue
            new = {"group": '"hccl"', "ddp": "hccl"}.get(habit.what)
            if habit.what == "group" and habit.name.startswith("'"):
                new = "'hccl'"
            yield self.finding(
                context,
                habit.span,
                habit.what,
                severity=Severity.ERROR if habit.what == "group" else None,
                fixes=self._change(habit, new, context) if new is not None else [],
                name=habit.name,
            )

    def _variable(self, habit: Habit, context: Context) -> Iterator[Finding]:
        catalog = context.catalog
        near = NAMES.get(habit.name) or habit.name.replace("NCCL_", "HCCL_")
        known = catalog.option(Surface.ENV, near) is not None
        if known and near in context.document.text:
            return  # Beside it stands the one that NPUs read.
        yield self.finding(
            context,
            habit.span,
            "other_name" if known else "no_name",
            severity=None if known else Severity.INFO,
            fixes=self._change(habit, near, context) if known else [],
            name=habit.name,
            near=near,
        )

    def _change(self, habit: Habit, new: str, context: Context) -> list[Fix]:
        return self.fix(context, "rename", (Edit(habit.span, new),), Safety.UNSAFE, near=new.strip("\"'"))


_DEVICES = "export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7\n"


class GpusAnnounced(Rule):
    """A node of Ray that is told of GPUs, and has NPUs.

    ## What it does
    Looks for `ray start --num-gpus`, in scripts that run on NPUs and don't tell of NPUs in `--resources`.

    ## Why is this bad?
    Newer releases of Ray take the first kind of device that they find on a node, in no certain order: with GPUs announced that may be
    these, and vLLM stops with "Current node has no NPU available". Older ones count all kinds.
    """

    code = "NPU259"
    title = Text(en="GPUs that a node of Ray is told of", zh="Ray 节点误配为 GPU 资源")
    severity = Severity.INFO
    messages = {
        "found": Text(
            en='"{option}" announces GPUs where there are NPUs: releases of Ray that count one kind of device on a node may then count no NPUs, and older ones count both. Leave it out, since Ray finds the NPUs itself, or write `--resources=\'{{"NPU": {count}}}\'`.',
            zh="“{option}”声明的是 GPU，而此处为 NPU：每个节点只统计一种设备的 Ray 版本可能因此不识别 NPU，较早的版本则两者都会统计。请删除（Ray 会自动识别 NPU），或改为 `--resources='{{\"NPU\": {count}}}'`。",
        ),
    }
    VALID = (
        "export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7\nray start --head\n",
        "ray start --head --num-gpus=8\n",
        f"{_DEVICES}ray start --head --num-gpus=0\n",
        f"{_DEVICES}ray start --head --num-gpus=8 --resources='{{\"NPU\": 8}}'\n",
        f"{_DEVICES}export CUDA_VISIBLE_DEVICES=0\nnvidia-smi\nray start --head --num-gpus=8\n",
    )
    INVALID = ("export ASCEND_RT_VISIBLE_DEVICES=0,1,2,3,4,5,6,7\nray start --head «--num-gpus»=8\n",)

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        if launch.program.name != "ray" or launch.is_set("resources"):
            return
        said, count = launch.setting("num-gpus"), launch.number("num-gpus")
        if said is not None and count is not None and count.number and runs_on_npus(context.document):
            yield self.finding(context, said.key, "found", of=said, count=count.number)
