"""NPU247: a container of vLLM-Ascend that is given no NPU."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.containers import containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import launches
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import EnclosedIntervalIndex

_RUN = "docker run -it --shm-size 16g {} quay.io/ascend/vllm-ascend:v0.18.0 {}\n"
_SERVE = "vllm serve m"
_POD = (
    "kind: Pod\nspec:\n  containers:\n    - name: a\n      image: quay.io/ascend/vllm-ascend:v0.18.0\n"
    "      command: [vllm, serve, m]\n"
)


class ContainerWithoutNpus(Rule):
    r"""A container of vLLM-Ascend that starts a server, and is given no NPU.

    ## What it does
    Looks for containers with an image of vLLM-Ascend in which an engine is started, and to which nothing gives an NPU: no
    `--device`, no `--privileged`, no runtime and no variable of Ascend Docker Runtime, no resource of a device plugin.

    ## Why is this bad?
    vLLM finds no device ("Failed to infer device type", "libascend_hal.so: cannot open shared object file") and stops.

    ## Example
    ```sh
    docker run quay.io/ascend/vllm-ascend:v0.18.0 vllm serve model
    ```

    Use instead:
    ```sh
    docker run --device /dev/davinci0 --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc \
        -v /usr/local/Ascend/driver:/usr/local/Ascend/driver quay.io/ascend/vllm-ascend:v0.18.0 vllm serve model
    ```
    """

    code = "NPU247"
    name = "container-without-npus"
    title = Text(en="Container that is given no NPU", zh="未分配 NPU 的容器")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.CONTAINER})
    messages = {
        "found": Text(
            en="This container starts vLLM-Ascend, and nothing gives it an NPU. Add `--device /dev/davinci0` for each, /dev/davinci_manager, /dev/devmm_svm, /dev/hisi_hdc and the driver, or start it with Ascend Docker Runtime.",
            zh="该容器启动 vLLM-Ascend，但未分配任何 NPU。请为每个 NPU 添加 `--device /dev/davinci0`，并映射 /dev/davinci_manager、/dev/devmm_svm、/dev/hisi_hdc 与驱动，或使用 Ascend Docker Runtime 启动。",
        ),
        "runtime": Text(
            en="ASCEND_VISIBLE_DEVICES is read by Ascend Docker Runtime alone: where that isn't the default runtime of Docker, this container gets no NPU and no driver. Add `--runtime=ascend`.",
            zh="ASCEND_VISIBLE_DEVICES 仅由 Ascend Docker Runtime 读取；若其不是 Docker 的默认 runtime，该容器将没有 NPU 和驱动。请补充 `--runtime=ascend`。",
        ),
        "pod": Text(
            en="This container starts vLLM-Ascend, and asks for no NPU. Add one to `resources.limits`, such as `huawei.com/Ascend910: 1`.",
            zh="该容器启动 vLLM-Ascend，但未申请 NPU。请在 `resources.limits` 中添加，例如 `huawei.com/Ascend910: 1`。",
        ),
    }
    VALID = (
        Valid(_RUN.format("--device /dev/davinci0", _SERVE), Kind.SHELL),
        Valid(_RUN.format("--privileged", _SERVE), Kind.SHELL),
        Valid(_RUN.format("--runtime ascend", _SERVE), Kind.SHELL),
        Valid(_RUN.format("-e ASCEND_VISIBLE_DEVICES=0 --runtime=ascend", _SERVE), Kind.SHELL),
        Valid(_RUN.format("-e ASCEND_VISIBLE_DEVICES=0 --device /dev/davinci0", _SERVE), Kind.SHELL),
        Valid(_RUN.format("$DEVICES", _SERVE), Kind.SHELL),
        # What is done inside may need none.
        Valid(_RUN.format("", "python proxy.py"), Kind.SHELL),
    )
    INVALID = (
        Invalid(_RUN.format("-e ASCEND_VISIBLE_DEVICES=0", _SERVE), ("run",), ("info",), kind=Kind.SHELL),
        Invalid(_RUN.format("-v /m:/m", _SERVE), ("run",), ("warning",), kind=Kind.SHELL),
        Invalid(_POD, ("quay.io/ascend/vllm-ascend:v0.18.0",), ("warning",), kind=Kind.YAML),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at each container."""
        if context.document.kind in PAGES or context.parsed.damaged:
            return
        for container in containers(context):
            if container.block.command is not None and container.asks_runtime:
                yield self.finding(
                    context, container.block.head, "runtime", surface=Surface.CONTAINER, severity=Severity.INFO
                )
            if container.is_without_npus and _engines(context).within(container.span):
                message = "found" if container.block.command is not None else "pod"
                yield self.finding(context, container.block.head, message, surface=Surface.CONTAINER)


@Memoized
def _engines(context: Context) -> EnclosedIntervalIndex:
    return EnclosedIntervalIndex(each.block.head for each in launches(context) if each.program.name == "vllm")
