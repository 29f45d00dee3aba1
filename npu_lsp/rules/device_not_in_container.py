"""NPU248: a device that a container is told to use, and that it doesn't get."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.linter.containers import containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import whole
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

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

    ## Example
    ```sh
    docker run --device /dev/davinci4 --device /dev/davinci5 -e ASCEND_RT_VISIBLE_DEVICES=4,5 ascend/image bash
    ```

    Use instead:
    ```sh
    docker run --device /dev/davinci4 --device /dev/davinci5 -e ASCEND_RT_VISIBLE_DEVICES=0,1 ascend/image bash
    ```
    """

    code = "NPU248"
    name = "device-not-in-container"
    title = Text(en="Device that a container doesn't have", zh="容器内不存在的设备")
    severity = Severity.ERROR
    messages = {
        "found": Text(
            en='"{option}" names device {id}, but the container gets {number} NPUs, which are counted from 0 inside: the last one is {last}.',
            zh="“{option}”指定了设备 {id}，但容器只有 {number} 个 NPU，容器内从 0 编号，最大为 {last}。",
        ),
    }
    VALID = (
        Valid(_RUN.format("-e ASCEND_RT_VISIBLE_DEVICES=0,1"), Kind.SHELL),
        Valid(_RUN.format("--privileged -e ASCEND_RT_VISIBLE_DEVICES=4"), Kind.SHELL),
        Valid(_RUN.format("-e ASCEND_RT_VISIBLE_DEVICES=$IDS"), Kind.SHELL),
        Valid("export ASCEND_RT_VISIBLE_DEVICES=4\n" + _RUN.format("-it"), Kind.SHELL),
    )
    INVALID = (
        Invalid(_RUN.format("-e ASCEND_RT_VISIBLE_DEVICES=4,5"), ("4,5",), ("error",), kind=Kind.SHELL),
        Invalid(_RUN.format("-e ASCEND_RT_VISIBLE_DEVICES=2"), ("2",), ("error",), kind=Kind.SHELL),
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
