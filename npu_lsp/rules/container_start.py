"""NPU247, NPU251, NPU254 and NPU255: containers that get no NPU, one that another has, a hidden toolkit, or little shared memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from math import prod

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.containers import containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import launches
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.text import lazy_re as re
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
    """

    code = "NPU247"
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
        (
            "docker run --device /dev/davinci0 --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc \\\n"
            "    -v /usr/local/Ascend/driver:/usr/local/Ascend/driver quay.io/ascend/vllm-ascend:v0.18.0 vllm serve model\n"
        ),
        _RUN.format("--device /dev/davinci0", _SERVE),
        _RUN.format("--privileged", _SERVE),
        _RUN.format("--runtime ascend", _SERVE),
        _RUN.format("-e ASCEND_VISIBLE_DEVICES=0 --runtime=ascend", _SERVE),
        _RUN.format("-e ASCEND_VISIBLE_DEVICES=0 --device /dev/davinci0", _SERVE),
        _RUN.format("$DEVICES", _SERVE),
        # What is done inside may need none.
        _RUN.format("", "python proxy.py"),
        # Braces, an alias, and what a template fills in.
        Valid(f"{_POD}      resources: {{limits: {{huawei.com/Ascend910: 8}}}}\n", Kind.YAML),
        Valid(f"{_POD}      resources:\n        limits: {{cpu: 8, 'huawei.com/Ascend910': 8}}\n", Kind.YAML),
        Valid(f"{_POD}      resources: *npus\n", Kind.YAML),
        Valid(f"{_POD}      resources:\n        limits:\n          <<: *npus\n", Kind.YAML),
        Valid(f"{_POD}      resources:\n        claims:\n          - name: npu\n", Kind.YAML),
        Valid(f"{_POD}      resources:\n        {{{{- toYaml .Values.resources | nindent 8 }}}}\n", Kind.YAML),
    )
    INVALID = (
        "docker «run» quay.io/ascend/vllm-ascend:v0.18.0 vllm serve model\n",
        Invalid(_RUN.format("-e ASCEND_VISIBLE_DEVICES=0", _SERVE), ("run",), ("info",), kind=Kind.SHELL),
        Invalid(_POD, ("quay.io/ascend/vllm-ascend:v0.18.0",), ("warning",), kind=Kind.YAML),
        Invalid(
            f"{_POD}      resources:\n        # huawei.com/Ascend910: 8\n        limits: {{cpu: 8}}\n",
            ("quay.io/ascend/vllm-ascend:v0.18.0",),
            ("warning",),
            kind=Kind.YAML,
        ),
        told(
            "services:\n  a:\n    image: «quay.io/ascend/vllm-ascend:v0.18.0»\n    command: vllm serve m\n",
            kind=Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        if context.document.kind in PAGES or context.parsed.damaged:
            return
        for container in containers(context):
            if container.block.command is not None and container.asks_runtime:
                yield self.finding(
                    context, container.block.head, "runtime", surface=Surface.CONTAINER, severity=Severity.INFO
                )
            if container.is_without_npus and _engines(context).within(container.span):
                message = "found" if container.block.command is not None or _is_compose(context) else "pod"
                yield self.finding(context, container.block.head, message, surface=Surface.CONTAINER)


def _is_compose(context: Context) -> bool:
    # Few texts have a container: the readers of YAML aren't loaded for others.
    from npu_lsp.languages.hosts.services import services

    return bool(services(context.document))


@Memoized
def _engines(context: Context) -> EnclosedIntervalIndex:
    return EnclosedIntervalIndex(each.block.head for each in launches(context) if each.program.name == "vllm")


_NOT_TOGETHER = re.compile(r"profiles|service_completed_successfully")
_SERVICES = """services:
  a:
    image: ascend/a
    devices: [/dev/davinci0, /dev/davinci_manager, /dev/devmm_svm, /dev/hisi_hdc]
    volumes: [/usr/local/Ascend/driver:/usr/local/Ascend/driver]
  b:
    image: ascend/b
    devices: [/dev/davinci%d, /dev/davinci_manager, /dev/devmm_svm, /dev/hisi_hdc]
    volumes: [/usr/local/Ascend/driver:/usr/local/Ascend/driver]
"""


class DeviceOfTwoContainers(Rule):
    """One NPU that two containers of a file are given.

    ## What it does
    Compares the devices of the services of a Compose file, which are started together. Files with profiles say nothing, and those in
    which a service waits for the end of another one.

    ## Why is this bad?
    An NPU belongs to the container that opens it first. The other one stops: "the device is used", unless the driver was told to share
    it (`npu-smi set -t device-share`).

    ## Example
    ```yaml
    services:
      a: { image: ascend/a, devices: [/dev/davinci0] }
      b: { image: ascend/b, devices: [/dev/davinci0] }
    ```

    Use instead:
    ```yaml
    services:
      a: { image: ascend/a, devices: [/dev/davinci0] }
      b: { image: ascend/b, devices: [/dev/davinci1] }
    ```
    """

    code = "NPU255"
    title = Text(en="One NPU for two containers", zh="两个容器使用同一 NPU")
    severity = Severity.WARNING
    messages = {
        "found": Text(
            en='"{device}" belongs to another container of this file, too: the one that starts later stops, unless the driver shares it (`npu-smi set -t device-share`). Give each an NPU of its own.',
            zh="“{device}”同时分配给本文件的另一个容器，除非驱动已开启设备共享（`npu-smi set -t device-share`），否则后启动的容器会报错退出。请为每个容器分配独立的 NPU。",
        ),
    }
    VALID = (
        Valid(_SERVICES % 1, Kind.YAML),
        # Commands for several machines, of which one is taken.
        Valid(
            "guide:\n"
            + "".join(f"  {name}: |\n    docker run --device /dev/davinci0 ascend/image\n" for name in ("a2", "a3")),
            Kind.YAML,
        ),
        *(
            Valid((_SERVICES % 0).replace("  b:\n", f"  b:\n    {apart}\n"), Kind.YAML)
            for apart in ("profiles: [other]", "depends_on: {a: {condition: service_completed_successfully}}")
        ),
    )
    INVALID = (Invalid(_SERVICES % 0, ("/dev/davinci0",), ("warning",), kind=Kind.YAML),)

    def check_file(self, context: Context) -> Iterator[Finding]:
        if context.document.kind is not Kind.YAML or _NOT_TOGETHER.search(context.document.text):
            return
        seen: dict[str, tuple[int, Setting]] = {}
        for number, container in enumerate(containers(context)):
            # Of several commands one may be meant for each machine.
            for device, setting in container.cards if container.block.command is None else ():
                owner, first = seen.setdefault(device, (number, setting))
                if owner != number:
                    yield self.finding(
                        context,
                        setting.value.inside,
                        "found",
                        of=setting,
                        related=self.set_here(context, first),
                        device=device,
                    )


_BRINGS = re.compile(r"(?:^|/)(?:vllm-ascend|cann|mindie|torch-npu)[:@]|sglang:\S{0,124}cann")
"""Images that have CANN inside."""
_HIDING = re.compile(r"/usr/local/Ascend(?:/(?:ascend-toolkit|cann|nnal)(?:/latest)?)?/?")
_COVERED = "docker run --privileged {} quay.io/ascend/vllm-ascend:v0.18.0 bash\n"


class MountCoversToolkit(Rule):
    """A mount of the host's folder of Ascend over that of an image which has CANN itself.

    ## What it does
    Looks for containers of images that have CANN (vLLM-Ascend, CANN, MindIE, SGLang for NPUs) and that mount `/usr/local/Ascend`,
    `ascend-toolkit` or `nnal` of the host over theirs.

    ## Why is this bad?
    The host's CANN takes the place of the one that the image was made with, or there is none any more: libraries of two versions
    meet, `set_env.sh` is missing. Only the driver belongs to the host.
    """

    code = "NPU251"
    title = Text(en="Mount that covers the CANN of an image", zh="挂载覆盖了镜像自带的 CANN")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.CONTAINER})
    messages = {
        "found": Text(
            en='"{path}" of the host covers the CANN that the image brings: another version takes its place, or none. Mount /usr/local/Ascend/driver alone.',
            zh="挂载宿主机的“{path}”会覆盖镜像自带的 CANN，导致版本不一致或缺失。请仅挂载 /usr/local/Ascend/driver。",
        ),
    }
    VALID = (
        "docker run --privileged -v /usr/local/Ascend/driver:/usr/local/Ascend/driver quay.io/ascend/vllm-ascend:v0.18.0 bash\n",
        "docker run --privileged -v /usr/local/Ascend:/usr/local/Ascend ascend/ubuntu:22.04 bash\n",
        _COVERED.format("-v /usr/local/Ascend:/host"),
    )
    INVALID = (
        "docker run --privileged -v «/usr/local/Ascend:/usr/local/Ascend» quay.io/ascend/vllm-ascend:v0.18.0 bash\n",
        told(
            "services:\n  a:\n    image: quay.io/ascend/cann:8.5.0-910b-ubuntu22.04-py3.11\n    volumes:\n"
            "      - «/usr/local/Ascend/ascend-toolkit:/usr/local/Ascend/ascend-toolkit»\n",
            kind=Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for container in containers(context):
            if not any(map(_BRINGS.search, container.texts("image"))):
                continue
            for mount in container.mounts:
                if _HIDING.fullmatch(mount.target) and mount.source.startswith("/"):
                    yield self.finding(
                        context, mount.setting.value.inside, "found", of=mount.setting, path=mount.target.rstrip("/")
                    )


_SHARING = (
    "docker run --privileged --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc "
    "-v /usr/local/Ascend/driver:/usr/local/Ascend/driver -v /usr/local/bin/npu-smi:/usr/local/bin/npu-smi "
    "-v /etc/ascend_install.info:/etc/ascend_install.info {} quay.io/ascend/vllm-ascend:v0.18.0 vllm serve m -tp {}\n"
)


_SHARING_POD = """apiVersion: v1
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
    """

    code = "NPU254"
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
        "docker run --privileged --shm-size=16g quay.io/ascend/vllm-ascend:v0.18.0 vllm serve model -tp 8\n",
        _SHARING.format("--shm-size=1g", 8),
        _SHARING.format("--ipc host", 8),
        _SHARING.format("-v /dev/shm:/dev/shm", 8),
        _SHARING.format("$MORE", 8),
        _SHARING.format("--net=host", 1),
        _SHARING.format("--tmpfs /dev/shm:size=16g", 8),
        # Copies of a model don't pass their data through it.
        _SHARING.format("--net=host", "1 -dp 4"),
    )
    INVALID = (
        "docker «run» --privileged quay.io/ascend/vllm-ascend:v0.18.0 vllm serve model -tp 8\n",
        told(
            "services:\n  a:\n    image: «quay.io/ascend/vllm-ascend:v0.18.0»\n    privileged: true\n"
            "    command: vllm serve m -tp 8\n",
            kind=Kind.YAML,
        ),
        Invalid(_SHARING_POD, ("quay.io/ascend/vllm-ascend:v0.18.0",), ("warning",), kind=Kind.YAML),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
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
