"""NPU214: numbers of a rank table that don't go together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
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


def _table(count: str, *ranks: str) -> str:
    devices = ", ".join(f'{{"device_id": "{at}", "rank_id": "{rank}"}}' for at, rank in enumerate(ranks))
    return f'{{"server_count": "{count}", "server_list": [{{"server_id": "a", "device": [{devices}]}}]}}\n'


class RankTable(Rule):
    """Counts and numbers in a rank table that contradict each other.

    ## What it does
    Counts servers and instances, and looks for ranks, servers and devices that stand twice, and for ranks that aren't there.

    ## Why is this bad?
    HCCL refuses the table, and the job doesn't start.

    ## Example
    ```json
    {"server_count": "2", "server_list": [{"server_id": "a", "device": [{"device_id": "0", "rank_id": "0"}]}]}
    ```

    Use instead:
    ```json
    {"server_count": "1", "server_list": [{"server_id": "a", "device": [{"device_id": "0", "rank_id": "0"}]}]}
    ```
    """

    code = "NPU214"
    name = "rank-table"
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
    VALID = (
        # What is left empty doesn't stand twice.
        Valid(re.sub(r'"device_id": "."', '"device_id": null', _table("1", "0", "1")), Kind.RANK_TABLE),
        Valid(re.sub(r'"device_id": "."', '"device_id": ""', _table("1", "0", "1")), Kind.RANK_TABLE),
        Valid(_table("1", "0", "1"), Kind.RANK_TABLE),
        Valid(_table("${N}", "0", "1"), Kind.RANK_TABLE),
        Valid(_table("1", "${N}", "${N}"), Kind.RANK_TABLE),
        Valid(
            _table("1", "0", "1")
            .replace('"device_id": "0"', '"device_id": N')
            .replace('"device_id": "1"', '"device_id": N'),
            Kind.RANK_TABLE,
        ),
        Valid('{"server_list": [{"device": [{"device_id": "0"}, {"device_id": "1"}]}]}\n', Kind.RANK_TABLE),
        Valid('{"server_count": "2"}\n', Kind.RANK_TABLE),
        Valid(_table("12345678901", "0"), Kind.RANK_TABLE),
        Valid(_table("\u0662", "0"), Kind.RANK_TABLE),
        # How many there are isn't known while it is written, where they are listed twice, or not at all.
        Valid(_table("2", "0", "1").removesuffix("}\n"), Kind.RANK_TABLE),
        Valid(
            '{"server_count": "1", "server_list": [{"device": []}, {"device": []}], "server_list": [{"device": []}]}\n',
            Kind.RANK_TABLE,
        ),
        Valid('{"group_list": [{"device_count": "8", "instance_count": "2"}]}\n', Kind.RANK_TABLE),
    )
    INVALID = (
        Invalid(_table("2", "0", "1"), ("2",), ("error",), kind=Kind.RANK_TABLE),
        Invalid(
            '{"group_count": "3", "group_list": [{"instance_count": "1", "instance_list": [{}]}, '
            '{"instance_count": "4", "instance_list": [{}, {}]}]}\n',
            ("3", "4"),
            ("error", "error"),
            kind=Kind.RANK_TABLE,
        ),
        Invalid(_table("1", "0", "0"), ("0",), ("error",), kind=Kind.RANK_TABLE),
        Invalid(_table("1", "0", "2"), ("2",), ("error",), kind=Kind.RANK_TABLE),
        Invalid(
            _table("1", "0", "1").replace('"device_id": "1"', '"device_id": "0"'),
            ("0",),
            ("error",),
            kind=Kind.RANK_TABLE,
        ),
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
