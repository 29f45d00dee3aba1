"""NPU244: a container that gets NPUs, and lacks what they need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Form
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.linter.containers import Container, containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit

_CARD = "--device /dev/davinci0"
_REST = "--device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc"
_DRIVER = "-v /usr/local/Ascend/driver:/usr/local/Ascend/driver"
_LIB, _INFO = "/usr/local/Ascend/driver/lib64", "/usr/local/Ascend/driver/version.info"
_TOOLS = "-v /usr/local/bin/npu-smi:/usr/local/bin/npu-smi -v /etc/ascend_install.info:/etc/ascend_install.info"
_IMAGE = "quay.io/ascend/vllm-ascend:v0.18.0"


def _run(*flags: str, image: str = _IMAGE) -> str:
    return " ".join(("docker run", *flags, image, "bash")) + "\n"


class ContainerLacks(Rule):
    r"""A container that gets NPUs, and lacks what they need.

    ## What it does
    Looks at `docker run`, podman, nerdctl and Compose with a `/dev/davinciN`: beside that a container needs `/dev/davinci_manager`,
    `/dev/devmm_svm` and `/dev/hisi_hdc`, on Ascend 950 `/dev/ummu` and `/dev/uburma` for `devmm_svm`, and the host's driver, on
    Ascend 950 its whole folder; with `/dev/davinci_manager` and an image for NPUs it needs a `/dev/davinciN`. For an image of vLLM-Ascend `npu-smi` and `/etc/ascend_install.info` are looked for, too, which its
    own command mounts, and in scripts with Mooncake for `/etc/hccn.conf`. Nothing is said where all devices are there (`--privileged`, `-v /dev:/dev`), where Ascend Docker Runtime or a
    device plugin adds them, of boards with the NPU on the host's chip, and where variables may hold more flags.

    ## Why is this bad?
    No NPU is found inside: the first call that uses one fails, or libraries of the driver are missing.

    ## Example
    ```sh
    docker run --device /dev/davinci0 -it quay.io/ascend/vllm-ascend:v0.18.0 bash
    ```

    Use instead:
    ```sh
    docker run --device /dev/davinci0 --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc \
        -v /usr/local/Ascend/driver:/usr/local/Ascend/driver -v /usr/local/bin/npu-smi:/usr/local/bin/npu-smi \
        -v /etc/ascend_install.info:/etc/ascend_install.info -it quay.io/ascend/vllm-ascend:v0.18.0 bash
    ```

    ## Fix safety
    Unsafe: the driver may be installed in another folder of the host.
    """

    code = "NPU244"
    title = Text(en="Container without what its NPUs need", zh="容器缺少 NPU 所需的设备或挂载")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = frozenset({Surface.CONTAINER})
    messages = {
        "needs": Text(
            en="The container gets {card}, but not {missing}: no NPU can be used inside. Add what is missing.",
            zh="容器映射了 {card}，但缺少 {missing}，容器内无法使用 NPU。请补充。",
        ),
        "tools": Text(
            en="The container gets {card}, but not {missing}, which vLLM-Ascend's own command mounts: what asks for the NPU's driver, version or address inside doesn't find it. Add what is missing.",
            zh="容器映射了 {card}，但未挂载 {missing}（vLLM-Ascend 官方启动命令均有），容器内无法获取 NPU 的驱动、版本或地址信息。请补充。",
        ),
        "none": Text(
            en="The container gets /dev/davinci_manager, but no NPU (/dev/davinci0, …): none can be used inside. Add those that it is to use.",
            zh="容器映射了 /dev/davinci_manager，但未映射任何 NPU（/dev/davinci0 等），容器内无法使用 NPU。请补充所需的设备。",
        ),
        "add": Text(en="Add {missing}", zh="补充 {missing}"),
    }
    VALID = (
        _run(_CARD, _REST, _DRIVER, _TOOLS),
        _run(_CARD, _REST, _DRIVER, image="ubuntu:22.04"),
        _run(_REST, _DRIVER, image="ubuntu:22.04"),
        _run(_REST, _DRIVER, "--privileged"),
        _run(_REST, _DRIVER, "--env-file npu.env"),
        _run(_REST, _DRIVER, "--device /dev/vdavinci100:/dev/davinci0"),
        _run(_REST, _DRIVER, "$DEVICES"),
        _run(_REST, _DRIVER, "-e ASCEND_VISIBLE_DEVICES=0"),
        _run(_CARD, _REST, f"-v {_LIB}:{_LIB} -v {_INFO}:{_INFO}", _TOOLS),
        _run(_CARD, "--privileged"),
        _run(_CARD, "--runtime ascend"),
        _run(_CARD, "-e ASCEND_VISIBLE_DEVICES=0"),
        _run(_CARD, "$DEVICES"),
        _run(_CARD, "-v /dev:/dev"),
        _run("-v $PWD:/work"),
        # A device that is misspelt is told as that.
        _run(_CARD, _REST.replace("davinci_m", "dav_m"), _DRIVER, _TOOLS),
        _run(_CARD, "--device /dev/svm0", image="ascend-310b"),
        # More is meant than is written down.
        _run(_CARD, "...", "--device /dev/davinci7"),
        # A guide with several containers: what stands in another one of its parts needs nothing in this one.
        Valid(
            f"run: |\n  {_run(_CARD, _REST, _DRIVER, _TOOLS)}serve: |\n  vllm serve m --kv-transfer-config"
            """ '{"kv_connector": "MooncakeConnectorV1"}'\n""",
            Kind.YAML,
        ),
        (
            _run(
                _CARD,
                "--device /dev/davinci_manager --device /dev/hisi_hdc --device /dev/ummu --device /dev/uburma",
                _DRIVER,
                _TOOLS,
            )
        ),
    )
    INVALID = (
        Invalid(_run(_REST, _DRIVER, _TOOLS), ("/dev/davinci_manager",), ("error",), None, Kind.SHELL),
        Invalid(
            _run(_CARD, _REST, f"-v {_INFO}:{_INFO}", _TOOLS),
            ("/dev/davinci0",),
            ("error unsafe",),
            _run(_CARD, _REST, _DRIVER.replace("-v", "--volume"), f"-v {_INFO}:{_INFO}", _TOOLS),
            Kind.SHELL,
        ),
        Invalid(
            _run(_CARD, "-it"),
            ("/dev/davinci0",),
            ("error unsafe",),
            _run(
                _CARD,
                _REST,
                _DRIVER.replace("-v", "--volume"),
                _TOOLS.replace("-v", "--volume"),
                "-it",
            ),
            Kind.SHELL,
        ),
        Invalid(
            f"docker run \\\n    {_CARD} \\\n    {_REST} {_DRIVER} \\\n    {_IMAGE}\n",
            ("/dev/davinci0",),
            ("warning unsafe",),
            f"docker run \\\n    {_CARD} \\\n    {_REST} {_TOOLS.replace('-v', '--volume')} {_DRIVER} \\\n    {_IMAGE}\n",
            Kind.SHELL,
        ),
        Invalid(
            _run(_CARD, _REST, _DRIVER, _TOOLS)[:-1] + " -c MooncakeConnectorV1\n",
            ("/dev/davinci0",),
            ("warning unsafe",),
            _run(_CARD, _REST, "--volume /etc/hccn.conf:/etc/hccn.conf", _DRIVER, _TOOLS)[:-1]
            + " -c MooncakeConnectorV1\n",
            Kind.SHELL,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for container in containers(context):
            if (manager := container.manages_none) is not None:
                yield self.finding(context, manager.value.inside, "none", of=manager)
            if (
                not container.cards
                or container.is_privileged
                or container.is_open
                or container.is_given
                or container.is_on_chip
            ):
                continue
            devices, driver = container.lacks_devices, container.lacks_driver
            tools = container.lacks_tools
            missing = [*devices, *([driver] if driver is not None else []), *tools]
            if not missing:
                continue
            card, setting = container.cards[0]
            hard = bool(devices) or driver is not None
            yield self.finding(
                context,
                setting.value.inside,
                "needs" if hard else "tools",
                of=setting,
                severity=None if hard else Severity.WARNING,
                fixes=self._fixes(container, devices, missing, context),
                card=card,
                missing=", ".join(missing),
            )

    def _fixes(
        self, container: Container, devices: Sequence[str], missing: Sequence[str], context: Context
    ) -> list[Fix]:
        last = container.devices[-1][1]
        if last.form is not Form.FLAG:
            return []
        writer = writer_for(last)
        edits: list[Edit] = []
        for path in missing:
            new = Added("device", path) if path in devices else Added("volume", f"{path}:{path}")
            edits += writer.add(context.document, container.block, last, new)
        if len(edits) != len(missing) or len({edit.span for edit in edits}) > 1:
            return []
        whole = Edit(edits[0].span, "".join(edit.text for edit in edits))
        return self.fix(context, "add", [whole], Safety.UNSAFE, missing=", ".join(missing))
