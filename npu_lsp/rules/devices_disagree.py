"""NPU213: lists of devices that don't match the numbers beside them."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Block, Setting, Value, ValueKind
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_DEVICES = "BackendConfig.npuDeviceIds"
_COPIES = "BackendConfig.modelInstanceNumber"
_SIZE = "BackendConfig.ModelDeployConfig.ModelConfig.worldSize"


def _config(devices: str, copies: int | str, size: int) -> str:
    return (
        f'{{"BackendConfig": {{"modelInstanceNumber": {copies}, "npuDeviceIds": {devices},\n'
        f' "ModelDeployConfig": {{"ModelConfig": [{{"worldSize": {size}}}]}}}}}}\n'
    )


class DevicesDisagree(Rule):
    """Devices of MindIE that don't match the number of models, or of devices for each.

    ## What it does
    Counts the lists in `npuDeviceIds`, of which `modelInstanceNumber` tells how many there are, and the devices in each, of which
    `worldSize` tells how many there are; none may stand in a list twice.

    ## Why is this bad?
    The server stops with an error when it starts.
    """

    code = "NPU213"
    title = Text(en="Devices that don't match their number", zh="NPU 列表与数量不一致")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.MINDIE})
    messages = {
        "flat": Text(
            en='"{option}" is a list of lists, one for each model, such as [[0, 1]]; the server stops with an error.',
            zh="“{option}”须为二维列表（每个模型实例一组），如 [[0, 1]]，否则服务报错退出。",
        ),
        "copies": Text(
            en='"{option}" has {count} lists, but "{other}" is {number}; the server stops with an error. Make them the same.',
            zh="“{option}”有 {count} 组，但“{other}”为 {number}，服务会报错退出。两者须一致。",
        ),
        "size": Text(
            en='"{option}" has a list of {count} devices, but "{other}" is {number}; the server stops with an error. Make them the same.',
            zh="“{option}”中有一组为 {count} 个 NPU，但“{other}”为 {number}，服务会报错退出。两者须一致。",
        ),
        "twice": Text(
            en='"{option}" names device {number} twice in one list; the server stops with an error. Remove one.',
            zh="“{option}”同一组中重复配置了 NPU {number}，服务会报错退出。请删除其中一个。",
        ),
    }
    examples_in = Kind.MINDIE
    VALID = (
        (
            '{"BackendConfig": {"modelInstanceNumber": 1, "npuDeviceIds": [[0, 1, 2, 3, 4, 5, 6, 7]],\n'
            ' "ModelDeployConfig": {"ModelConfig": [{"worldSize": 8}]}}}\n'
        ),
        _config("[[0, 1], [2, 3]]", 2, 2),
        _config("[[]]", 1, 0),
        # A number in quotes is told as that.
        _config("[[0, 1]]", '"2"', 2),
        '{"BackendConfig": {"npuDeviceIds": [[0, 1]]}}\n',
        '{"BackendConfig": {"npuDeviceIds": {}, "modelInstanceNumber": 2}}\n',
        _config("[[{}, {}]]", 1, 2),
    )
    INVALID = (
        (
            '{"BackendConfig": {"modelInstanceNumber": 1, "npuDeviceIds": [«[0, 1, 2, 3]»],\n'
            ' "ModelDeployConfig": {"ModelConfig": [{"worldSize": 8}]}}}\n'
        ),
        Invalid(_config("[[0, 1], [2, 3]]", 1, 2), ("npuDeviceIds",), ("error",), kind=Kind.MINDIE),
        _config("[[0, 1, «1»]]", 1, 3),
        Invalid(_config("[0, 1, 2, 3]", 1, 4), ("npuDeviceIds",), ("error",), kind=Kind.MINDIE),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Compare the list with the numbers; a list of another form is told by itself."""
        companions = Companions.of_block(block, context)
        for devices, _ in companions.of(None, _DEVICES):
            groups = devices.value.items
            if devices.value.kind is not ValueKind.LIST:
                continue
            if any(group.kind is not ValueKind.LIST for group in groups):
                if all(group.kind is ValueKind.INT for group in groups):
                    yield self.finding(context, devices.key, "flat", option=_DEVICES, surface=block.surface)
                continue
            copies = _number(companions, _COPIES)
            if copies is not None and len(groups) != copies.value.data:
                yield self._count(context, devices.key, "copies", len(groups), copies)
            size = _number(companions, _SIZE)
            for group in groups:
                again = _again(group)
                if size is not None and len(group.items) != size.value.data:
                    yield self._count(context, group.span, "size", len(group.items), size)
                elif again is not None:
                    yield self.finding(
                        context, again.span, "twice", option=_DEVICES, surface=block.surface, number=again.data
                    )

    def _count(self, context: Context, span: Span, message: str, count: int, other: Setting) -> Finding:
        return self.finding(
            context,
            span,
            message,
            option=_DEVICES,
            surface=Surface.MINDIE,
            related=self.set_here(context, other),
            count=count,
            other=other.name,
            number=other.value.data,
        )


def _number(companions: Companions, name: str) -> Setting | None:
    """Return where a number is set; of several models the first one's counts."""
    first = next((setting for setting, _ in companions.of(None, name)), None)
    return first if first is not None and first.value.kind is ValueKind.INT else None


def _again(group: Value) -> Value | None:
    seen: set[object] = set()
    for each in group.items:
        if each.known and each.data in seen:
            return each
        seen.add(each.data)
    return None
