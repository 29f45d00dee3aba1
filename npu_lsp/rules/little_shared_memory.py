"""NPU254: a container whose processes are to pass data through 64 MB of shared memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from math import prod

from npu_lsp.linter.containers import containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.launch.launch import launches
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.linter.severity import Severity
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_RUN = (
    "docker run --privileged --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc "
    "-v /usr/local/Ascend/driver:/usr/local/Ascend/driver -v /usr/local/bin/npu-smi:/usr/local/bin/npu-smi "
    "-v /etc/ascend_install.info:/etc/ascend_install.info {} quay.io/ascend/vllm-ascend:v0.18.0 vllm serve m -tp {}\n"
)


_POD = """apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
    - name: a
      image: quay.io/ascend/vllm-ascend:v0.18.0
      command: [vllm, serve, m, -tp, "8"]
      resources:
        limits:
          huawei.com/Ascend910: 8
        requests:
          huawei.com/Ascend910: 8
"""


class LittleSharedMemory(Rule):
    """A container whose processes are to pass data through 64 MB of shared memory.

    ## What it does
    Looks at containers of vLLM-Ascend's images that start several processes for one copy of a model, and that are given no shared
    memory: neither by `--shm-size` or `--ipc`, nor by a mount of `/dev/shm`. Docker and Kubernetes give 64 MB then, unless a host was
    set up otherwise.

    ## Why is this bad?
    The processes of an engine pass what they have to say through shared memory. Under load one of them dies with a bus error.

    ## Example
    ```sh
    docker run --privileged quay.io/ascend/vllm-ascend:v0.18.0 vllm serve model -tp 8
    ```

    Use instead:
    ```sh
    docker run --privileged --shm-size=16g quay.io/ascend/vllm-ascend:v0.18.0 vllm serve model -tp 8
    ```
    """

    code = "NPU254"
    name = "little-shared-memory"
    title = Text(en="Container with little shared memory", zh="容器共享内存过小")
    severity = Severity.WARNING
    messages = {
        "found": Text(
            en="{number} processes pass their data through the 64 MB of shared memory that a container gets: under load one dies with a bus error. {remedy}",
            zh="{number} 个进程通过容器默认的 64 MB 共享内存交换数据，负载较高时会因 bus error 退出。{remedy}",
        ),
        "docker": Text(en="Add `--shm-size=16g`, or `--ipc=host`.", zh="请添加 `--shm-size=16g` 或 `--ipc=host`。"),
        "compose": Text(en="Add `shm_size: 16g`, or `ipc: host`.", zh="请添加 `shm_size: 16g` 或 `ipc: host`。"),
        "kubernetes": Text(
            en="Mount an `emptyDir` with `medium: Memory` at `/dev/shm`.",
            zh="请将 `medium: Memory` 的 `emptyDir` 挂载到 `/dev/shm`。",
        ),
    }
    VALID = (
        Valid(_RUN.format("--shm-size=1g", 8), Kind.SHELL),
        Valid(_RUN.format("--ipc host", 8), Kind.SHELL),
        Valid(_RUN.format("-v /dev/shm:/dev/shm", 8), Kind.SHELL),
        Valid(_RUN.format("$MORE", 8), Kind.SHELL),
        Valid(_RUN.format("--net=host", 1), Kind.SHELL),
        Valid(_RUN.format("--tmpfs /dev/shm:size=16g", 8), Kind.SHELL),
        # Copies of a model don't pass their data through it.
        Valid(_RUN.format("--net=host", "1 -dp 4"), Kind.SHELL),
    )
    INVALID = (
        Invalid(_RUN.format("--net=host", 8), ("run",), ("warning",), kind=Kind.SHELL),
        Invalid(
            "services:\n  a:\n    image: quay.io/ascend/vllm-ascend:v0.18.0\n    privileged: true\n    command: vllm serve m -tp 8\n",
            ("quay.io/ascend/vllm-ascend:v0.18.0",),
            ("warning",),
            kind=Kind.YAML,
        ),
        Invalid(_POD, ("quay.io/ascend/vllm-ascend:v0.18.0",), ("warning",), kind=Kind.YAML),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at what each container starts."""
        found = containers(context)
        starts = [container.span.start for container in found]
        counted: dict[int, int] = {}
        for started in launches(context):
            at = bisect_right(starts, started.block.head.start) - 1
            sizes = started.factors() if at >= 0 and found[at].holds(started.block.head) else None
            counted[at] = max(counted.get(at, 1), prod(size.number for size in sizes or ()))
        for at, number in counted.items():
            if number > 1 and found[at].has_little_shared_memory and "hostIPC" not in context.document.text:
                called = "kubernetes" if "apiVersion:" in context.document.text else "compose"
                remedy = self.say(context, called if found[at].block.command is None else "docker")
                yield self.finding(context, found[at].block.head, "found", number=number, remedy=remedy)
