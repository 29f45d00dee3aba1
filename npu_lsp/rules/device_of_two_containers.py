"""NPU255: one NPU that two containers of a file are given."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.model import Setting
from npu_lsp.linter.containers import containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.linter.severity import Severity
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

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
    name = "device-of-two-containers"
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
        *(
            Valid((_SERVICES % 0).replace("  b:\n", f"  b:\n    {apart}\n"), Kind.YAML)
            for apart in ("profiles: [other]", "depends_on: {a: {condition: service_completed_successfully}}")
        ),
    )
    INVALID = (Invalid(_SERVICES % 0, ("/dev/davinci0",), ("warning",), kind=Kind.YAML),)

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at the devices of all containers."""
        if context.document.kind is not Kind.YAML or _NOT_TOGETHER.search(context.document.text):
            return
        seen: dict[str, tuple[int, Setting]] = {}
        for number, container in enumerate(containers(context)):
            for device, setting in container.cards:
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
