"""NPU245, NPU246 and NPU248: devices that a container is to get and doesn't, or can't open."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Block
from npu_lsp.linter.containers import Container, containers, meant
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.launch.launch import whole
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Edit

_VISIBLE = "ASCEND_RT_VISIBLE_DEVICES"
_RUN = (
    "docker run --device /dev/davinci4 --device /dev/davinci5 --device /dev/davinci_manager "
    "-v /usr/local/Ascend/driver:/usr/local/Ascend/driver {} ascend/a bash\n"
)


class DeviceNotInContainer(Rule):
    """A device that a container is told to use, and that it doesn't get.

    ## What it does
    Compares `ASCEND_RT_VISIBLE_DEVICES` that a container gets with the number of its NPUs: those of `--device /dev/davinciN`, of
    Compose's `devices`, or of the resource in Kubernetes. Inside, they are counted from 0, whatever they are called on the host.

    ## Why is this bad?
    The device isn't found: the process stops with an invalid device id, or runs without an NPU.
    """

    code = "NPU248"
    title = Text(en="Device that a container doesn't have", zh="容器内不存在的设备")
    severity = Severity.ERROR
    messages = {
        "found": Text(
            en='"{option}" names device {id}, but the container gets {number} NPUs, which are counted from 0 inside: the last one is {last}.',
            zh="“{option}”指定了设备 {id}，但容器只有 {number} 个 NPU，容器内从 0 编号，最大为 {last}。",
        ),
    }
    VALID = (
        "docker run --device /dev/davinci4 --device /dev/davinci5 -e ASCEND_RT_VISIBLE_DEVICES=0,1 ascend/image bash\n",
        _RUN.format("-e ASCEND_RT_VISIBLE_DEVICES=0,1"),
        _RUN.format("--privileged -e ASCEND_RT_VISIBLE_DEVICES=4"),
        _RUN.format("-e ASCEND_RT_VISIBLE_DEVICES=$IDS"),
        "export ASCEND_RT_VISIBLE_DEVICES=4\n" + _RUN.format("-it"),
    )
    INVALID = (
        "docker run --device /dev/davinci4 --device /dev/davinci5 -e ASCEND_RT_VISIBLE_DEVICES=«4,5» ascend/image bash\n",
        _RUN.format("-e ASCEND_RT_VISIBLE_DEVICES=«2»"),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at what each container is told."""
        told = sorted(context.named(Surface.ENV, _VISIBLE), key=lambda each: each.key)
        starts = [setting.key.start for setting in told]
        for container in containers(context) if told else ():
            if container.npus is None:
                continue
            # Of many containers each is asked about what stands in it alone.
            first, last = bisect_left(starts, container.span.start), bisect_left(starts, container.span.end)
            for setting in told[first:last]:
                if not setting.value.known or not container.holds(setting.key):
                    continue
                parts = map(str.strip, str(setting.value.data).split(","))
                ids = [number for part in parts if (number := whole(part)) is not None]
                if ids and max(ids) >= container.npus:
                    yield self.finding(
                        context,
                        setting.value.inside,
                        "found",
                        of=setting,
                        id=max(ids),
                        number=container.npus,
                        last=container.npus - 1,
                    )


_GLUED = re.compile(r"/dev/\w+--?[a-z][\w-]*")


class UnknownDevicePath(Rule):
    """A device that the driver doesn't have.

    ## What it does
    Reports paths below `/dev` that are nearly those of the NPU's driver: `/dev/dav_manager` for `/dev/davinci_manager`.

    ## Why is this bad?
    `docker` stops, since there is no such device, or the container lacks the one that was meant.

    ## Fix safety
    Unsafe: another device may be meant.
    """

    code = "NPU245"
    title = Text(en="Device path that doesn't exist", zh="不存在的设备路径")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.CONTAINER})
    messages = {
        "found": Text(
            en='The driver has no device "{path}"; "{near}" is meant. Write that.',
            zh="驱动没有设备“{path}”，应为“{near}”。",
        ),
        "glued": Text(
            en='docker gets "{path}" for a device, and takes what follows for the image: in front of the backslash a blank is missing. Put one there.',
            zh="docker 得到的设备为“{path}”，并把后面的内容当作镜像：反斜杠前缺少空格。请补上空格。",
        ),
    }
    VALID = (
        "docker run --device /dev/davinci0 --device /dev/davinci_manager_docker --privileged x\n",
        "docker run --device /dev/davinci0 --device /dev/infiniband --privileged x\n",
    )
    INVALID = (
        "docker run --device /dev/davinci0 --device «/dev/dav_manager→/dev/davinci_manager» image bash\n",
        "docker run --privileged --device «/dev/davinci0\\\n--device» /dev/davinci1 x bash\n",
        told(
            "services:\n  a:\n    image: ascend\n    privileged: true\n    devices:\n"
            "      - «/dev/davinci_manger:/dev/davinci_manger→/dev/davinci_manager:/dev/davinci_manager»\n",
            kind=Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for container in containers(context):
            for path, setting in container.devices:
                if _GLUED.fullmatch(path):
                    yield self.finding(context, setting.value.span, "glued", of=setting, path=path)
                    continue
                near = meant(path)
                if near is None:
                    continue
                new, content = str(setting.value.data).replace(path, near), setting.value.content
                edits = [Edit(content, new)] if content is not None else []
                yield self.finding(
                    context,
                    setting.value.inside,
                    "found",
                    of=setting,
                    fixes=self.fix(context, "change", edits, Safety.UNSAFE, value=new),
                    path=path,
                    near=near,
                )


_ALL = "ALL"
_NEEDED = frozenset({"DAC_OVERRIDE", "CAP_DAC_OVERRIDE", _ALL})
_DROP = "docker run --device /dev/davinci0 {} --cap-drop ALL --runtime ascend image bash\n"


_POD = (
    "spec:\n  template:\n    spec:\n{}      containers:\n        - name: a\n          image: {}\n          resources:\n            limits:\n"
    "              huawei.com/Ascend910: 1\n          securityContext:\n            capabilities:\n              drop: [ALL]\n"
)
_OF_POD = re.compile(r"^[ \t]*(?:fsGroup|supplementalGroups|runAsUser|runAsGroup)[ \t]*:", re.MULTILINE)
_BETWEEN = re.compile(r"^---", re.MULTILINE)
_OWN_USER = re.compile(r"mindie", re.IGNORECASE)
"""Images whose own deployment drops all capabilities (MindIE-Motor: `deploy_scripts/deployment/mindie_server.yaml`)."""


class NoRightsToDevices(Rule):
    """A container whose root can't open the NPUs that it gets.

    ## What it does
    Looks for containers with NPUs that drop all capabilities, or `DAC_OVERRIDE`, add none back, and run as no other user.

    ## Why is this bad?
    The files of the NPUs belong to the driver's own user and group. Root opens them only with `DAC_OVERRIDE`: without it no NPU is found.

    ## Example
    ```yaml
    securityContext:
      capabilities:
        drop: ["ALL"]
    ```

    Use instead:
    ```yaml
    securityContext:
      capabilities:
        drop: ["ALL"]
        add: ["DAC_OVERRIDE"]
    ```
    """

    code = "NPU246"
    title = Text(en="Container without the right to open its NPUs", zh="容器无权打开 NPU 设备")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.CONTAINER})
    messages = {
        "found": Text(
            en="Without CAP_DAC_OVERRIDE root can't open the NPUs' device files, which belong to the driver's user, and none is found. Add DAC_OVERRIDE back, or run as a user of that group.",
            zh="NPU 设备文件属于驱动用户，去除 CAP_DAC_OVERRIDE 后容器内的 root 无法打开，找不到 NPU。请加回 DAC_OVERRIDE，或以该用户组的用户运行。",
        ),
    }
    VALID = (
        _DROP.format("--cap-add DAC_OVERRIDE"),
        _DROP.format("--user 1000:1000"),
        "docker run --cap-drop ALL ascend-tools bash\n",
        # The group of the whole pod, and an image that isn't run as root.
        Valid(_POD.format("      securityContext:\n        fsGroup: 1001\n", "a"), Kind.YAML),
        Valid(_POD.format("", "mindie:1.0.0-800I-A2"), Kind.YAML),
    )
    INVALID = (
        Invalid(_DROP.format("-it"), ("ALL",), ("warning",), kind=Kind.SHELL),
        Invalid(_POD.format("", "a"), ("ALL",), ("warning",), kind=Kind.YAML),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for container in containers(context):
            if (
                not _has_npus(container)
                or container.is_privileged
                or container.block.open
                or container.settings("user")
                or _runs_as_another(container.block, context)
            ):
                continue
            if any(
                not each.value.known or str(each.value.data).upper() in _NEEDED
                for each in container.settings("cap-add")
            ):
                continue
            for setting in container.settings("cap-drop"):
                if setting.value.known and str(setting.value.data).upper() in _NEEDED:
                    yield self.finding(context, setting.value.inside, "found", of=setting)
                    break


def _has_npus(container: Container) -> bool:
    resources = (text.lower() for text in container.texts("resource"))
    return bool(container.cards) or any("ascend" in text or "npu" in text for text in resources)


def _runs_as_another(block: Block, context: Context) -> bool:
    """Return whether the pod around a container, or its image, says that it isn't root that opens the devices."""
    image = next((each.value.data for each in block.settings if each.name == "image"), None)
    if isinstance(image, str) and _OWN_USER.search(image):
        return True
    if context.document.kind is not Kind.YAML:
        return False
    starts, others = _PODS(context.document)
    return others[bisect_right(starts, block.span.start) - 1]


def _pods(document: Document) -> tuple[list[int], list[bool]]:
    """Return where each text of a file starts, and whether it says that it isn't root that runs its pods."""
    text = document.text
    between = [match.span() for match in _BETWEEN.finditer(text)]
    starts = [0, *(end for _, end in between)]
    ends = [*(start for start, _ in between), len(text)]
    return starts, [_OF_POD.search(text, start, end) is not None for start, end in zip(starts, ends, strict=True)]


_PODS = Memoized(_pods)
