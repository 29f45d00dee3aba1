"""NPU246: a container whose root can't open the NPUs that it gets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Block
from npu_lsp.linter.containers import Container, containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

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
    name = "no-rights-to-devices"
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
        Valid(_DROP.format("--cap-add DAC_OVERRIDE"), Kind.SHELL),
        Valid(_DROP.format("--user 1000:1000"), Kind.SHELL),
        Valid("docker run --cap-drop ALL ascend-tools bash\n", Kind.SHELL),
        # The group of the whole pod, and an image that isn't run as root.
        Valid(_POD.format("      securityContext:\n        fsGroup: 1001\n", "a"), Kind.YAML),
        Valid(_POD.format("", "mindie:1.0.0-800I-A2"), Kind.YAML),
    )
    INVALID = (
        Invalid(_DROP.format("-it"), ("ALL",), ("warning",), kind=Kind.SHELL),
        Invalid(_POD.format("", "a"), ("ALL",), ("warning",), kind=Kind.YAML),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at each container."""
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
