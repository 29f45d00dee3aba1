"""NPU258: a container whose list of NPUs chooses none."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.containers import Container, containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import device_ids
from npu_lsp.linter.rule import Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_GIVEN, _VISIBLE = "ASCEND_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES"
_REST = (
    "--device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc "
    "-v /usr/local/Ascend/driver:/usr/local/Ascend/driver"
)


def _run(cards: Sequence[int], more: str) -> str:
    listed = " ".join(f"--device /dev/davinci{card}" for card in cards)
    return f"docker run {listed} {_REST} {more} ascend/a bash\n"


class DevicesNotChosen(Rule):
    """A container whose list of NPUs, or whose variable, chooses none.

    ## What it does
    Looks for containers that are given `--device /dev/davinciN` beside `--privileged`, where the first NPU isn't listed, and for
    `ASCEND_VISIBLE_DEVICES` beside a longer list of devices, where nothing sets `ASCEND_RT_VISIBLE_DEVICES`.

    ## Why is this bad?
    A privileged container has every device of the host, and its processes count from the first one. `ASCEND_VISIBLE_DEVICES` is read
    by Ascend Docker Runtime, which adds devices and takes none away: processes read `ASCEND_RT_VISIBLE_DEVICES`. They use NPUs that
    belong to others.
    """

    code = "NPU258"
    title = Text(en="Devices that aren't chosen", zh="未生效的设备选择")
    severity = Severity.WARNING
    surfaces = frozenset({Surface.CONTAINER})
    messages = {
        "privileged": Text(
            en="A privileged container has every NPU of the host: its processes take device 0 and those behind it, not {ids}. Leave `--privileged` out, or set ASCEND_RT_VISIBLE_DEVICES={ids} in it.",
            zh="特权容器可见主机的全部 NPU，容器内进程将从设备 0 开始使用，而非 {ids}。请去掉 `--privileged`，或在容器内设置 ASCEND_RT_VISIBLE_DEVICES={ids}。",
        ),
        "variable": Text(
            en='"{option}" takes no NPU away: the container gets all {number} that are listed, and its processes may use each. Set ASCEND_RT_VISIBLE_DEVICES={ids}, or list those alone.',
            zh="“{option}”不会减少设备：容器获得所列的全部 {number} 个 NPU，容器内进程均可使用。请设置 ASCEND_RT_VISIBLE_DEVICES={ids}，或仅映射所需设备。",
        ),
    }
    VALID = (
        "docker run --privileged -e ASCEND_RT_VISIBLE_DEVICES=6,7 ascend/image bash\n",
        _run((6, 7), "-it"),
        _run((0, 1), "--privileged"),
        _run((6, 7), "--privileged -e ASCEND_RT_VISIBLE_DEVICES=6,7"),
        _run((6, 7), "--privileged") + "export ASCEND_RT_VISIBLE_DEVICES=6,7\n",
        _run((6, 7), "--privileged $MORE"),
        _run((4, 5), "-e ASCEND_VISIBLE_DEVICES=4,5"),
        _run((4, 5, 6), "-e ASCEND_VISIBLE_DEVICES=4,5 -e ASCEND_RT_VISIBLE_DEVICES=0,1"),
        Valid(f"```sh\n{_run((6, 7), '--privileged')}```\n", Kind.MARKDOWN),
    )
    INVALID = (
        "docker run --privileged --device «/dev/davinci6» --device /dev/davinci7 ascend/image bash\n",
        _run((4, 5, 6), "-e ASCEND_VISIBLE_DEVICES=«4,5»"),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at each container; a page shows one, and tells the rest in prose."""
        if context.document.kind in PAGES or context.named(Surface.ENV, _VISIBLE):
            return
        told = sorted(context.named(Surface.ENV, _GIVEN), key=lambda each: each.key)
        starts = [setting.key.start for setting in told]
        for container in containers(context):
            ids = sorted({int(path.rpartition("davinci")[2]) for path, _ in container.cards})
            if not ids or container.is_open:
                continue
            first, last = bisect_left(starts, container.span.start), bisect_left(starts, container.span.end)
            yield from self._privileged(container, ids, context)
            yield from self._variable(container, ids, told[first:last], context)

    def _privileged(self, container: Container, ids: list[int], context: Context) -> Iterator[Finding]:
        if container.is_privileged and 0 not in ids and not container.is_given:
            setting = container.cards[0][1]
            listed = ",".join(map(str, ids))
            yield self.finding(context, setting.value.inside, "privileged", of=setting, ids=listed)

    def _variable(
        self, container: Container, ids: list[int], told: Sequence[Setting], context: Context
    ) -> Iterator[Finding]:
        for setting in told:
            chosen = device_ids(setting) if container.holds(setting.key) else None
            if chosen is not None and set(chosen) < set(ids):
                listed = ",".join(map(str, chosen))
                yield self.finding(context, setting.value.inside, "variable", of=setting, number=len(ids), ids=listed)
