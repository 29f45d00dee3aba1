"""NPU254: a container whose processes are to pass data through 64 MB of shared memory."""

from __future__ import annotations

from collections.abc import Iterator

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


class LittleSharedMemory(Rule):
    """A container whose processes are to pass data through 64 MB of shared memory.

    ## What it does
    Looks at containers of vLLM-Ascend's images that start several processes, and that are given no shared memory: neither by
    `--shm-size` or `--ipc`, nor by a mount of `/dev/shm`. Docker and Kubernetes give 64 MB then, unless a host was set up otherwise.

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
            en="{number} processes pass their data through the 64 MB of shared memory that a container gets: under load one dies with a bus error. Add `--shm-size=16g`, or `--ipc=host`.",
            zh="{number} 个进程通过容器默认的 64 MB 共享内存交换数据，负载较高时会因 bus error 退出。请添加 `--shm-size=16g` 或 `--ipc=host`。",
        ),
    }
    VALID = (
        Valid(_RUN.format("--shm-size=1g", 8), Kind.SHELL),
        Valid(_RUN.format("--ipc host", 8), Kind.SHELL),
        Valid(_RUN.format("-v /dev/shm:/dev/shm", 8), Kind.SHELL),
        Valid(_RUN.format("$MORE", 8), Kind.SHELL),
        Valid(_RUN.format("--net=host", 1), Kind.SHELL),
    )
    INVALID = (Invalid(_RUN.format("--net=host", 8), ("run",), ("warning",), kind=Kind.SHELL),)

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at what each container starts."""
        for container in containers(context):
            if not container.has_little_shared_memory:
                continue
            counted = [
                started.processes.number
                for started in launches(context)
                if started.processes is not None and container.holds(started.block.head)
            ]
            if counted and max(counted) > 1 and "hostIPC" not in context.document.text:
                yield self.finding(context, container.block.head, "found", number=max(counted))
