"""NPU245: a device that the driver doesn't have."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.containers import containers, meant
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit

_GLUED = re.compile(r"/dev/\w+--?[a-z][\w-]*")


class UnknownDevicePath(Rule):
    """A device that the driver doesn't have.

    ## What it does
    Reports paths below `/dev` that are nearly those of the NPU's driver: `/dev/dav_manager` for `/dev/davinci_manager`.

    ## Why is this bad?
    `docker` stops, since there is no such device, or the container lacks the one that was meant.

    ## Example
    ```sh
    docker run --device /dev/davinci0 --device /dev/dav_manager image bash
    ```

    Use instead:
    ```sh
    docker run --device /dev/davinci0 --device /dev/davinci_manager image bash
    ```

    ## Fix safety
    Unsafe: another device may be meant.
    """

    code = "NPU245"
    name = "unknown-device-path"
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
        Valid("docker run --device /dev/davinci0 --device /dev/davinci_manager_docker --privileged x\n", Kind.SHELL),
        Valid("docker run --device /dev/davinci0 --device /dev/infiniband --privileged x\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "docker run --privileged --device /dev/davinci0\\\n--device /dev/davinci1 x bash\n",
            ("/dev/davinci0\\\n--device",),
            ("error",),
            kind=Kind.SHELL,
        ),
        Invalid(
            "docker run --privileged --device /dev/davinci0 --device=/dev/dav_manager x bash\n",
            ("/dev/dav_manager",),
            ("error unsafe",),
            "docker run --privileged --device /dev/davinci0 --device=/dev/davinci_manager x bash\n",
            Kind.SHELL,
        ),
        Invalid(
            "services:\n  a:\n    image: ascend\n    privileged: true\n    devices:\n      - /dev/davinci_manger:/dev/davinci_manger\n",
            ("/dev/davinci_manger:/dev/davinci_manger",),
            ("error unsafe",),
            "services:\n  a:\n    image: ascend\n    privileged: true\n    devices:\n      - /dev/davinci_manager:/dev/davinci_manager\n",
            Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at each device."""
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
