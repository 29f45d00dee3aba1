"""NPU214 and NPU222: numbers of a rank table that don't go together, and entries of devices that HCCL refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import ip_address
from itertools import islice

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Invalid, Rule, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_COUNTS = {
    "server_count": "server_list",
    "group_count": "group_list",
    "group_list.instance_count": "group_list.instance_list",
}
_RANK = "server_list.device.rank_id"
_UNIQUE = ("server_list.server_id", _RANK)
"""Of these each has one of its own in the whole table."""
_ON_A_SERVER = ("server_list.device.device_id", "server_list.device.device_ip")
_DEVICE = re.compile(r"device\[\d+\]\Z")
_MOST = 5
"""Findings of one kind: a table that was pasted together has one slip."""


def _ranked(count: str, *ranks: str) -> str:
    devices = ", ".join(f'{{"device_id": "{at}", "rank_id": "{rank}"}}' for at, rank in enumerate(ranks))
    return f'{{"server_count": "{count}", "server_list": [{{"server_id": "a", "device": [{devices}]}}]}}\n'


class RankTable(Rule):
    """Counts and numbers in a rank table that contradict each other.

    ## What it does
    Counts servers and instances, and looks for ranks, servers and devices that stand twice, and for ranks that aren't there.

    ## Why is this bad?
    HCCL refuses the table, and the job doesn't start.
    """

    code = "NPU214"
    title = Text(en="Rank table that contradicts itself", zh="rank table 配置不一致")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.RANK_TABLE})
    messages = {
        "count": Text(
            en='"{option}" is {count}, but "{other}" has {number}. Make them the same.',
            zh="“{option}”为 {count}，但“{other}”有 {number} 个，两者须一致。",
        ),
        "twice": Text(
            en='"{option}" {value} stands twice; each must have one of its own.',
            zh="“{option}”{value} 重复，须全局唯一。",
        ),
        "device": Text(
            en='"{option}" {value} stands twice on one server; each device has a number of its own.',
            zh="同一 AI Server 内“{option}”{value} 重复。",
        ),
        "rank": Text(
            en='"{option}" is {value}, but with {number} devices the ranks go from 0 to {last}.',
            zh="“{option}”为 {value}，但共有 {number} 个 Device，取值范围为 0~{last}。",
        ),
        "first": Text(en="It stands here, too", zh="此处已使用"),
    }
    examples_in = Kind.RANK_TABLE
    VALID = (
        '{"server_count": "1", "server_list": [{"server_id": "a", "device": [{"device_id": "0", "rank_id": "0"}]}]}\n',
        # What is left empty doesn't stand twice.
        re.sub(r'"device_id": "."', '"device_id": null', _ranked("1", "0", "1")),
        re.sub(r'"device_id": "."', '"device_id": ""', _ranked("1", "0", "1")),
        _ranked("1", "0", "1"),
        _ranked("${N}", "0", "1"),
        _ranked("1", "${N}", "${N}"),
        (
            _ranked("1", "0", "1")
            .replace('"device_id": "0"', '"device_id": N')
            .replace('"device_id": "1"', '"device_id": N')
        ),
        '{"server_list": [{"device": [{"device_id": "0"}, {"device_id": "1"}]}]}\n',
        '{"server_count": "2"}\n',
        _ranked("12345678901", "0"),
        _ranked("\u0662", "0"),
        # How many there are isn't known while it is written, where they are listed twice, or not at all.
        _ranked("2", "0", "1").removesuffix("}\n"),
        '{"server_count": "1", "server_list": [{"device": []}, {"device": []}], "server_list": [{"device": []}]}\n',
        '{"group_list": [{"device_count": "8", "instance_count": "2"}]}\n',
    )
    INVALID = (
        '{"server_count": "«2»", "server_list": [{"server_id": "a", "device": [{"device_id": "0", "rank_id": "0"}]}]}\n',
        '{"group_count": "«3»", "group_list": [{"instance_count": "1", "instance_list": [{}]}, {"instance_count": "«4»", "instance_list": [{}, {}]}]}\n',
        _ranked("1", "0", "«0»"),
        _ranked("1", "0", "«2»"),
        _ranked("1", "0", "1").replace('"device_id": "1"', '"device_id": "«0»"'),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at a whole table; what a script fills in is no number."""
        if block.open:
            return
        by_name: dict[str, list[Setting]] = {}
        for setting in block.settings:
            by_name.setdefault(setting.name, []).append(setting)
        yield from self._counts(by_name, context)
        found = [*self._twice((("", s) for name in _UNIQUE for s in by_name.get(name, ())), "twice", context)]
        devices = ((_DEVICE.sub("", s.receiver), s) for name in _ON_A_SERVER for s in by_name.get(name, ()))
        found += self._twice(devices, "device", context)
        yield from found or self._ranks(by_name.get(_RANK, []), context)

    def _counts(self, by_name: dict[str, list[Setting]], context: Context) -> Iterator[Finding]:
        for count, counted in _COUNTS.items():
            lists = by_name.get(counted, [])
            for setting in by_name.get(count, ()):
                own = [each for each in lists if each.receiver == setting.receiver]
                number = _number(setting)
                if number is not None and len(own) == 1 and number != len(own[0].value.items):
                    yield self._finding(setting, "count", context, own[0], number=len(own[0].value.items))

    def _twice(self, settings: Iterable[tuple[str, Setting]], message: str, context: Context) -> Iterator[Finding]:
        seen: dict[tuple[str, str, str], Setting] = {}
        again: list[tuple[Setting, Setting]] = []
        for group, setting in settings:
            value = setting.value
            if value.known and value.data not in ("", None):
                first = seen.setdefault((group, setting.name, str(value.data)), setting)
                if first is not setting:
                    again.append((first, setting))
        for first, setting in islice(again, _MOST):
            yield self._finding(setting, message, context, first)

    def _ranks(self, ranks: list[Setting], context: Context) -> Iterator[Finding]:
        numbers = [(setting, _number(setting)) for setting in ranks]
        if all(number is not None for _, number in numbers):
            beyond = [setting for setting, number in numbers if number is not None and not 0 <= number < len(ranks)]
            for setting in beyond[:_MOST]:
                yield self._finding(setting, "rank", context, None, number=len(ranks))

    def _finding(
        self, setting: Setting, message: str, context: Context, other: Setting | None, *, number: int = 0
    ) -> Finding:
        return self.finding(
            context,
            setting.value.inside,
            message,
            of=setting,
            related=[Related(other.key, self.say(context, "first"))] if other is not None else [],
            count=setting.value.data,
            value=setting.value.data,
            other=other.name if other is not None else "",
            number=number,
            last=number - 1,
        )


def _number(setting: Setting) -> int | None:
    """Return the whole number that a value is, or that its text says."""
    text = str(setting.value.data) if setting.value.known else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


_VERSION = "version"
_SUPER = "server_list.device.super_device_id"
_IP = "server_list.device.device_ip"
_ADDRESSES = (_IP, "server_list.device.backup_device_ip", "server_list.host_ip")
_FILLED_IN = re.compile(r"[<{$*]|x{1,3}\.|\bx+\b", re.IGNORECASE)


def _table(version: str, *devices: str, more: str = "") -> str:
    listed = ", ".join(f'{{"device_id": "{at}", {device}, "rank_id": "{at}"}}' for at, device in enumerate(devices))
    return f'{{"version": "{version}", "server_count": "1", "server_list": [{{"server_id": "a", {more}"device": [{listed}]}}]}}\n'


def _told(text: str, *marks: str) -> Invalid:
    return Invalid(text, marks, ("error",) * len(marks), kind=Kind.RANK_TABLE)


class RankTableDevice(Rule):
    """Addresses and numbers of devices in a rank table that HCCL refuses.

    ## What it does
    Looks at `device_ip`, `backup_device_ip` and `host_ip`, which are IP addresses of one family in the whole table, and at
    `super_device_id`, which no device of a table of version 1.2 may leave empty. Tables for Ascend 950 are of version 2.0.

    ## Why is this bad?
    HCCL refuses the table (EI0004), and the job doesn't start.
    """

    code = "NPU222"
    title = Text(en="Entry of a rank table that HCCL refuses", zh="rank table 中的设备配置非法")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.RANK_TABLE})
    messages = {
        "super": Text(
            en='"{option}" is empty, but a table of version 1.2 needs it for each device; HCCL stops with EI0004. `npu-smi info -t spod-info -i ID -c CHIP` shows it as SDID.',
            zh="“{option}”为空，而 version 为 1.2 时每个 Device 均须配置，HCCL 报错 EI0004。可执行 `npu-smi info -t spod-info -i ID -c CHIP` 查询（SDID）。",
        ),
        "form": Text(
            en="HCCL on Ascend 950 takes tables of version 2.0 alone, and this one is {value}: it is refused. Have the table made for this product.",
            zh="Ascend 950 上 HCCL 仅支持 version 为 2.0 的 rank table，此处为 {value}，校验失败。请按该产品重新生成。",
        ),
        "some": Text(
            en='This device has no "{option}", but others have one; a table of version 1.2 needs it for each device.',
            zh="该 Device 未配置“{option}”，而其他 Device 已配置；version 为 1.2 时须全部配置。",
        ),
        "address": Text(
            en='"{option}" is "{value}", which is no IP address; HCCL refuses the table. `/etc/hccn.conf` has the addresses of devices.',
            zh="“{option}”的取值“{value}”不是合法的 IP 地址，HCCL 校验失败。Device 网卡 IP 见 `/etc/hccn.conf`。",
        ),
        "family": Text(
            en='"{option}" is an IPv{family} address, but "{other}", the first one, is IPv{first}; devices of two families can\'t reach each other.',
            zh="“{option}”为 IPv{family} 地址，而首个 Device 的“{other}”为 IPv{first}，不同协议族的 Device 无法互通。",
        ),
    }
    examples_in = Kind.RANK_TABLE
    VALID = (
        '{"version": "1.2", "server_list": [{"server_id": "a", "device": [{"device_id": "0", "super_device_id": "0", "rank_id": "0"}]}]}\n',
        _table("1.2", '"super_device_id": "0"', '"super_device_id": "1"'),
        _table("1.0", '"super_device_id": ""'),
        _table("1.0", '"device_ip": "192.168.1.6"', '"device_ip": "192.168.1.7"'),
        _table("1.0", '"device_ip": "fe80::1"'),
        # What may be left empty, and what somebody fills in.
        _table("1.0", '"device_ip": ""'),
        _table("1.0", '"device_ip": "xx.xx.xx.xx"', '"device_ip": "<ip>"'),
        _table("1.2", '"device_ip": "10.0.0.1"', '"device_ip": "10.0.0.2"'),
        _table("${VERSION}", '"super_device_id": ""'),
    )
    INVALID = (
        '{"version": "1.2", "server_list": [{"server_id": "a", "device": [{"device_id": "0", "«super_device_id»": "", "rank_id": "0"}]}]}\n',
        told(_table("«1.0»", '"device_ip": "10.0.0.1"'), kind=Kind.RANK_TABLE, target={"products": ["950"]}),
        _told(_table("1.2", '"super_device_id": "0"', '"device_ip": "10.0.0.2"'), "rank_id"),
        _told(_table("1.0", '"device_ip": "192.168.1"'), "192.168.1"),
        _told(_table("1.0", '"device_ip": "192.168.1.256"'), "192.168.1.256"),
        _told(_table("1.0", '"device_ip": "node-0"', more='"host_ip": "host0", '), "host0", "node-0"),
        _told(_table("1.0", '"device_ip": "10.0.0.1", "backup_device_ip": "10.0.1"'), "10.0.1"),
        _told(_table("1.0", '"device_ip": "10.0.0.1"', '"device_ip": "fe80::2"'), "fe80::2"),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at a whole table; what a script fills in is left alone."""
        by_name = context.by_name(block)
        if not block.open:
            yield from self._super(by_name, context)
        for name in _ADDRESSES:
            wrong = (setting for setting in by_name.get(name, ()) if _family(setting) == 0)
            for setting in islice(wrong, _MOST):
                yield self.finding(context, setting.value.inside, "address", of=setting, value=setting.value.data)
        yield from self._families(by_name.get(_IP, ()), context)

    def _super(self, by_name: Mapping[str, Sequence[Setting]], context: Context) -> Iterator[Finding]:
        version = by_name.get(_VERSION, ())
        if context.products == ("950",) and len(version) == 1 and version[0].value.data in ("1.0", "1.2"):
            said = version[0]
            yield self.finding(context, said.value.inside, "form", of=said, value=said.value.data)
        if len(version) != 1 or version[0].value.data != "1.2":
            return
        settings = by_name.get(_SUPER, ())
        empty = [setting for setting in settings if setting.value.known and setting.value.data in ("", None)]
        for setting in empty[:_MOST]:
            yield self.finding(context, setting.key, "super", of=setting)
        having = {setting.receiver for setting in settings}
        ranks = by_name.get("server_list.device.rank_id", ())
        for setting in islice((each for each in ranks if having and each.receiver not in having), _MOST):
            yield self.finding(context, setting.key, "some", option=_SUPER, surface=setting.surface)

    def _families(self, settings: Sequence[Setting], context: Context) -> Iterator[Finding]:
        known = [(setting, family) for setting in settings if (family := _family(setting))]
        if not known:
            return
        first, expected = known[0]
        for setting, family in islice(((s, f) for s, f in known if f != expected), _MOST):
            yield self.finding(
                context,
                setting.value.inside,
                "family",
                of=setting,
                related=self.set_here(context, first),
                family=family,
                other=first.name,
                first=expected,
            )


def _family(setting: Setting) -> int | None:
    """Return the version of IP of an address, 0 where it is none, `None` where it is empty or somebody fills it in."""
    said = setting.value.data if setting.value.known else None
    if not isinstance(said, str) or not said or _FILLED_IN.search(said):
        return None
    try:
        return ip_address(said).version
    except ValueError:
        return 0
