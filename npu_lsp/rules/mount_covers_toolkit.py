"""NPU251: a mount that covers what an image brings."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.containers import containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_BRINGS = re.compile(r"(?:^|/)(?:vllm-ascend|cann|mindie|torch-npu)[:@]|sglang:\S{0,124}cann")
"""Images that have CANN inside."""
_HIDING = re.compile(r"/usr/local/Ascend(?:/(?:ascend-toolkit|cann|nnal)(?:/latest)?)?/?")
_RUN = "docker run --privileged {} quay.io/ascend/vllm-ascend:v0.18.0 bash\n"


class MountCoversToolkit(Rule):
    """A mount of the host's folder of Ascend over that of an image which has CANN itself.

    ## What it does
    Looks for containers of images that have CANN (vLLM-Ascend, CANN, MindIE, SGLang for NPUs) and that mount `/usr/local/Ascend`,
    `ascend-toolkit` or `nnal` of the host over theirs.

    ## Why is this bad?
    The host's CANN takes the place of the one that the image was made with, or there is none any more: libraries of two versions
    meet, `set_env.sh` is missing. Only the driver belongs to the host.

    ## Example
    ```sh
    docker run --privileged -v /usr/local/Ascend:/usr/local/Ascend quay.io/ascend/vllm-ascend:v0.18.0 bash
    ```

    Use instead:
    ```sh
    docker run --privileged -v /usr/local/Ascend/driver:/usr/local/Ascend/driver quay.io/ascend/vllm-ascend:v0.18.0 bash
    ```
    """

    code = "NPU251"
    name = "mount-covers-toolkit"
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
        Valid(_RUN.format("-v /usr/local/Ascend/driver:/usr/local/Ascend/driver"), Kind.SHELL),
        Valid("docker run --privileged -v /usr/local/Ascend:/usr/local/Ascend ascend/ubuntu:22.04 bash\n", Kind.SHELL),
        Valid(_RUN.format("-v /usr/local/Ascend:/host"), Kind.SHELL),
    )
    INVALID = (
        Invalid(
            _RUN.format("-v /usr/local/Ascend:/usr/local/Ascend"),
            ("/usr/local/Ascend:/usr/local/Ascend",),
            ("warning",),
            kind=Kind.SHELL,
        ),
        Invalid(
            "services:\n  a:\n    image: quay.io/ascend/cann:8.5.0-910b-ubuntu22.04-py3.11\n    volumes:\n"
            "      - /usr/local/Ascend/ascend-toolkit:/usr/local/Ascend/ascend-toolkit\n",
            ("/usr/local/Ascend/ascend-toolkit:/usr/local/Ascend/ascend-toolkit",),
            ("warning",),
            kind=Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at what each container mounts."""
        for container in containers(context):
            if not any(map(_BRINGS.search, container.texts("image"))):
                continue
            for mount in container.mounts:
                if _HIDING.fullmatch(mount.target) and mount.source.startswith("/"):
                    yield self.finding(
                        context, mount.setting.value.inside, "found", of=mount.setting, path=mount.target.rstrip("/")
                    )
