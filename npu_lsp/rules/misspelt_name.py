"""NPU133: a name of another tool, with a slip, in a text that runs on NPUs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.miscalled import well_known
from npu_lsp.linter.names.unknown import is_known
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_NPU = "import torch\nimport torch_npu\n"


class MisspeltName(Rule):
    """A name that everybody writes, with a slip.

    ## What it does
    Looks in texts about NPUs for modules, packages, commands and their first words, variables of other tools, options of
    `docker run` and of installers, devices, backends and `localhost` whose names are close to well-known ones. What the project has
    under that name itself is not reported.

    ## Why is this bad?
    The command, the module or the device isn't found. A variable is set that nobody reads, or read that nothing sets.

    ## Fix safety
    Unsafe: from then on it is run, or read.

    ## Configuration
    - `known`: names (or globs) that are right
    """

    code = "NPU133"
    title = Text(en="Well-known name with a slip", zh="常用名称拼写错误")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "module": Text(
            en='Python has no module "{name}" to import. Did you mean "{near}"?',
            zh="没有名为“{name}”的 Python 模块。是否应为“{near}”？",
        ),
        "member": Text(
            en='The module has no "{name}", and Python stops with an error. Did you mean "{near}"?',
            zh="该模块没有“{name}”，Python 会报错退出。是否应为“{near}”？",
        ),
        "package": Text(
            en='No package for NPUs is called "{name}". Did you mean "{near}"?',
            zh="没有名为“{name}”的软件包。是否应为“{near}”？",
        ),
        "command": Text(
            en='"{name}" is no command here. Did you mean "{near}"?', zh="没有命令“{name}”。是否应为“{near}”？"
        ),
        "option": Text(
            en='"{name}" is no option here. Did you mean "{near}"?', zh="没有参数“{name}”。是否应为“{near}”？"
        ),
        "variable": Text(
            en='Nobody reads "{name}", so that it changes nothing. Did you mean "{near}"?',
            zh="“{name}”不会被读取，设置无效。是否应为“{near}”？",
        ),
        "unset": Text(
            en='Nothing sets "{name}", so that it is empty here. Did you mean "{near}"?',
            zh="没有任何地方设置“{name}”，此处为空。是否应为“{near}”？",
        ),
        "device": Text(
            en='PyTorch knows no device "{name}" and stops with an error. Did you mean "{near}"?',
            zh="PyTorch 没有设备“{name}”，会报错退出。是否应为“{near}”？",
        ),
        "backend": Text(
            en='There is no backend "{name}". Did you mean "{near}"?', zh="没有通信后端“{name}”。是否应为“{near}”？"
        ),
        "host": Text(en='"{name}" is no host. Did you mean "{near}"?', zh="没有主机“{name}”。是否应为“{near}”？"),
    }
    VALID = (
        "export OMP_NUM_THREADS=1\nexport HCCL_CONNECT_TIMEOUT=1200\n# OMP_NUM_THREAD=1\n",
        # Somebody's own: it is read, made here, or a file beside.
        "export HCCL_BUFFSIZE=1\nexport OMP_NUM_THREAD=1\nrun $OMP_NUM_THREAD\n",
        "export HCCL_BUFFSIZE=1\ntorchrn() { :; }\ntorchrn --nproc_per_node 8 a.py\n",
        Valid(_NPU + 'x.to("npu:" + str(rank))\ny.to("npu:"+f"{rank}")\ntorch.device("npu:%d" % rank)\n'),
        Valid(_NPU + "import mindspeed_ms\nfrom mindspeed_rl.utils import a\n"),
        Valid(_NPU + "from torch_npu.profiler import ProfilerActivity, profile, schedule\n"),
        Valid("import torch_nup\nx = x.npu()\n", files={"torch_nup.py": "\n"}),
        Valid(_NPU + 'x.to("npu:0")\nx.to("cpu")\nx.to(f"npu:{rank}")\nx.to("cuda:0")\ny = torch.device("meta")\n'),
        "npu-smi info -t usages -i 0\necho the vllm server runs\nvllm bench serve --model m\ndocker run -it --rm --name a ascend/image bash\n",
        "export HCCL_BUFFSIZE=1\nconverter_lite --fmk=ONNX --modelFile=a.onnx --outputFile=a --device=Ascend\n",
        # Behind the image stand the program's own; other commands, what is printed, and what other makers have.
        (
            "docker run --rm -it -e A='b c' --name n ascend/image find . -name a.so --label_file c\n"
            'docker run "${DEVICES[@]}" -v/a:/b --init ascend/image ./main -device 0 --host-name d\n'
        ),
        (
            "export HCCL_BUFFSIZE=1\nexport MCCL_SOCKET_IFNAME=eth0\nexport TF_CPP_MIN_VLOG_LEVEL=3\nxpu-smi discovery\n"
            "ipython --pdb a.py\ndockerd --debug\necho ---start\nprintf %s ---end---\npython a.py --device NPU\n"
        ),
        Valid(_NPU + 'import torch_xpu\ndevice = "ascend"\nEngine(device="NPU")\n'),
        Valid('import mindspore\nmindspore.get_ps_context("enable_ps")\n'),
        Valid("FROM ascend/image\nARG OMP_NUM_THREAD=1\nENV OMP_NUM_THREADS=$OMP_NUM_THREAD\n", Kind.DOCKERFILE),
        # The shell sets it, or it may be empty.
        Valid(
            "FROM ascend/image\nARG A MASTER_PORTS\nENV PYTHONPATH=/a:${PYTHONPATHS:-}\nENV MASTER_PORT=$MASTER_PORTS\n"
            "RUN for HF_ENDPOINTS in a b; do echo $HF_ENDPOINTS; done; read -r MASTER_ADDRS && echo $MASTER_ADDRS\n",
            Kind.DOCKERFILE,
        ),
        'export HCCL_BUFFSIZE=1\nexport MASTER_ADDR=local_host1\ncurl "http://lookaside:80"\n',
    )
    INVALID = (
        "export «OMP_NUM_THREAD→OMP_NUM_THREADS»=1\nexport HCCL_CONNECT_TIMEOUT=1200\n",
        *(
            Invalid(f"{wrong}\n", (mark,), ("warning unsafe",), wrong.replace(mark, right) + "\n", kind=Kind.SHELL)
            for wrong, mark, right in (
                ("export HCCL_BUFFSIZE=1\nexport LD_LIBARY_PATH=/a", "LD_LIBARY_PATH", "LD_LIBRARY_PATH"),
                ("export HCCL_BUFFSIZE=1\ntorchrn --nproc_per_node 8 a.py", "torchrn", "torchrun"),
                ("export HCCL_BUFFSIZE=1\npython -m torch.distributed.lauch a.py", "lauch", "launch"),
                (
                    "export HCCL_BUFFSIZE=1\npython -m vllm.entrypoint.openai.api_server -tp 2",
                    "entrypoint",
                    "entrypoints",
                ),
                ("export HCCL_BUFFSIZE=1\npython3 -m npu_end2end.py --data a", "npu_end2end.py", "npu_end2end"),
                ("export HCCL_BUFFSIZE=1\nvllm server m", "server", "serve"),
                ("export HCCL_BUFFSIZE=1\nnpu-smi inof -t usages", "inof", "info"),
                ("export HCCL_BUFFSIZE=1\npip install torch-nup==2.5.1", "torch-nup", "torch-npu"),
                ("docker run -it --network=host -privileged ascend/image", "-privileged", "--privileged"),
                ("docker run --net host --hsotname npu0 ascend/image bash", "--hsotname", "--hostname"),
                ("docker run --privilege -v /usr/local/Ascend/driver:/a b bash", "--privilege", "--privileged"),
                (
                    "export HCCL_BUFFSIZE=1\n./Ascend-cann-toolkit_8.0.0_linux-aarch64.run --instal",
                    "--instal",
                    "--install",
                ),
                ("export HCCL_BUFFSIZE=1\npython a.py ---model b", "---model", "--model"),
                ("export HCCL_BUFFSIZE=1\npython a.py ----model b", "----model", "--model"),
                ("export HCCL_BUFFSIZE=1\npython -m ais_bencn --model a.om", "ais_bencn", "ais_bench"),
                ("docker run --port 8000:8000 --rm ascend/image vllm serve m", "--port", "--publish"),
                ("export HCCL_BUFFSIZE=1\nexport MASTER_ADDR=locahost", "locahost", "localhost"),
                ("export HCCL_BUFFSIZE=1\npython a.py --device nup", "nup", "npu"),
            )
        ),
        *(
            Invalid(wrong, (mark,), ("warning unsafe",), wrong.replace(mark, right))
            for wrong, mark, right in (
                ("import torch_nup\nx = x.npu()\n", "torch_nup", "torch_npu"),
                ("from vllm_ascned.utils import a\n", "vllm_ascned", "vllm_ascend"),
                ("from torch_npu.contrib import transfer_to_gpu\n", "transfer_to_gpu", "transfer_to_npu"),
                ("import mindspore as ms\nms.set_contex(mode=0)\n", "set_contex", "set_context"),
                (_NPU + 'x.to("npu:O")\n', "npu:O", "npu:0"),
                (_NPU + 'x.to("NPU")\n', "NPU", "npu"),
                (_NPU + 'a.init_process_group(backend="hcc1")\n', "hcc1", "hccl"),
                (_NPU + "x.to(torch.bflot16)\n", "bflot16", "bfloat16"),
            )
        ),
        told("FROM ascend/image\nENV LD_LIBRARY_PATH=/a:$«LD_LIBARY_PATH→LD_LIBRARY_PATH»\n", kind=Kind.DOCKERFILE),
        told("torch==2.5.1\n«vllm_asend→vllm-ascend»==0.9.1\n", kind=Kind.REQUIREMENTS),
        told(
            "services:\n  a:\n    image: ascend/image\n    environment:\n      «OMP_NUM_THREAD→OMP_NUM_THREADS»: 1\n",
            kind=Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for each in well_known(context.document):
            span = Span(each.start, each.end)
            name = context.text(span)
            if is_known(name, context) or (
                each.kind == "module" and not name.endswith(".py") and _is_own(span, context)
            ):
                continue
            fixes = self.renamed_at(context, span, each.near)
            yield self.finding(context, span, each.kind, fixes=fixes, name=name, near=each.near)


def _is_own(span: Span, context: Context) -> bool:
    """Return whether the project has the package that a module stands in: what it has there nobody else knows."""
    text = context.document.text
    start = max(text.rfind(sign, 0, span.start) for sign in " \t\n") + 1
    top = text[start : span.end].partition(".")[0]
    line = context.document.line_text(context.document.line_of(span.start)).split()
    names = {top, line[1].partition(".")[0] if len(line) > 1 else top}
    folders = list(Path(context.document.path).absolute().parents)[:8] if context.document.path else []
    return any(
        surroundings.exists(folder / f"{name}{end}") for folder in folders for name in names for end in ("", ".py")
    )
