"""NPU217: what a connector of KV caches says of its server and its peers, against what the server is started with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.launch.kv_transfer import Connector, connectors, number, of_mooncake
from npu_lsp.linter.launch.launch import Launch, launches
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_ORDERED = ("MooncakeConnector", "MooncakeConnectorV1", "MooncakeHybridConnector")
"""Those that refuse a prefill whose tensors are split less than those of decode."""
_ASSERTING = _ORDERED[1:]
"""Those of vLLM-Ascend alone: vLLM has a `MooncakeConnector`, too."""
_BOTH = "kv_both"
_SIZES = {"tp_size": "tensor", "dp_size": "data", "pp_size": "pipeline"}


def _config(role: str, prefill: str, decode: str, more: str = "", name: str = "MooncakeConnectorV1") -> str:
    extra = f'"kv_connector_extra_config": {{"prefill": {{{prefill}}}, "decode": {{{decode}}}}}'
    return f'\'{{"kv_connector": "{name}", "kv_role": "{role}", {more}{extra}}}\''


def _serve(flags: str, role: str, prefill: str, decode: str, more: str = "", name: str = "MooncakeConnectorV1") -> str:
    return f"vllm serve m {flags} --kv-transfer-config {_config(role, prefill, decode, more, name)}\n"


_FOUR = '"tp_size": 4, "dp_size": 1'
_TWO = '"tp_size": 2, "dp_size": 2'


class TransferTopology(Rule):
    """Sizes and ids in `--kv-transfer-config` that contradict the server's own arguments.

    ## What it does
    Compares `prefill` in `kv_connector_extra_config` with the parallel sizes of a server that is the `kv_producer`, and `decode` with
    those of a `kv_consumer`; both for `kv_both`. Looks, with Mooncake's connectors, for a `prefill` whose `tp_size` is less than that of
    `decode`, a `decode` with `pp_size`, sides without `tp_size` or `dp_size`, and for an `engine_id` that both sides of one file have.

    ## Why is this bad?
    Both sides compute from these numbers which rank has which part of the cache. vLLM-Ascend compares them with the server's own
    when it starts, and stops; before 0.13 it computed wrong ranks and ports. The rest fails when it starts, or with the first request.
    """

    code = "NPU217"
    title = Text(en="Connector that contradicts its server", zh="KV 传输配置与服务参数不一致")
    severity = Severity.ERROR
    messages = {
        "own": Text(
            en='"{option}" of "{side}" is {count}, but this server ({role}) is started with "{other}" {number}; vLLM-Ascend compares the two and stops. Make them equal.',
            zh="“{side}”的“{option}”为 {count}，但本服务（{role}）启动时“{other}”为 {number}，vLLM-Ascend 启动校验会报错退出。请保持一致。",
        ),
        "order": Text(
            en='"tp_size" of "prefill" is {count}, less than that of "decode" ({number}); the connector stops with an error. Split prefill at least as much.',
            zh="“prefill”的“tp_size”为 {count}，小于“decode”的 {number}，连接器会报错退出。P 节点的张量并行数不能小于 D 节点。",
        ),
        "stages": Text(
            en='"pp_size" of "decode" is {count}; the connector stops with an error. Only prefill may have several stages.',
            zh="“decode”的“pp_size”为 {count}，连接器会报错退出。仅 P 节点支持流水线并行。",
        ),
        "engine": Text(
            en='"engine_id" "{count}" is that of the other side, too; the connector stops with an error at the first transfer. Each server has one of its own.',
            zh="“engine_id”“{count}”与另一侧相同，首次传输时连接器会报错。每个服务的 engine_id 须唯一。",
        ),
        "missing": Text(
            en='"{option}" of "{side}" is missing in "kv_connector_extra_config"; this connector stops with an error. Both sides need "tp_size" and "dp_size".',
            zh="“kv_connector_extra_config”中“{side}”缺少“{option}”，该连接器会报错退出。prefill 与 decode 均须配置“tp_size”和“dp_size”。",
        ),
        "first": Text(en="It stands here, too", zh="此处已使用"),
    }
    VALID = (
        (
            'vllm serve m --tensor-parallel-size 4 --kv-transfer-config \'{"kv_connector": "MooncakeConnectorV1", "kv_role": "kv_consumer",\n'
            '  "kv_connector_extra_config": {"prefill": {"dp_size": 1, "tp_size": 8}, "decode": {"dp_size": 1, "tp_size": 4}}}\'\n'
        ),
        _serve("-tp 4", "kv_producer", _FOUR, _TWO),
        _serve("-tp 2 --data-parallel-size 2", "kv_consumer", _FOUR, _TWO),
        _serve("-tp 4", "kv_both", _FOUR, '"dp_size": 1', name="C"),
        # What of it stands elsewhere nobody knows.
        'vllm serve m -tp 8 --kv-transfer-config \'{"kv_connector": "MooncakeConnectorV1", "kv_role": "kv_producer", "kv_connector_extra_config": \'$MORE\'}\'\n',
        _serve("-tp $TP", "kv_producer", _FOUR, _TWO),
        _serve('"$@"', "kv_producer", _FOUR, _TWO),
        'vllm serve m -tp 8 --kv-transfer-config \'{"kv_connector": "MooncakeConnectorV1"}\'\n',
        "vllm serve m -tp 8 --kv-transfer-config '{\"kv_connector\"'\n",
        'vllm serve m -tp 8 --kv-transfer-config "$CONFIG"\n',
        # How many copies there are, a load balancer may know.
        _serve("-tp 4 --data-parallel-rank 0 --data-parallel-size 2", "kv_producer", _FOUR, _TWO),
        (
            _serve("-tp 4", "kv_producer", _FOUR, _TWO, '"engine_id": "0", ')
            + _serve("-tp 2 --data-parallel-size 2", "kv_consumer", _FOUR, _TWO, '"engine_id": "1", ')
        ),
        Valid(
            "```bash\n"
            + _serve("-tp 4", "kv_producer", _FOUR, _TWO, '"engine_id": "0", ')
            + "```\n```bash\n"
            + _serve("-tp 2 --data-parallel-size 2", "kv_consumer", _FOUR, _TWO, '"engine_id": "0", ')
            + "```\n",
            Kind.MARKDOWN,
        ),
        # Each side may set the variable to something else.
        (
            _serve("-tp 4", "kv_producer", _FOUR, _TWO, '"engine_id": "$ENGINE", ')
            + _serve("-tp 2 --data-parallel-size 2", "kv_consumer", _FOUR, _TWO, '"engine_id": "$ENGINE", ')
        ),
        2 * _serve("-tp 4", "kv_producer", _FOUR, _TWO, '"engine_id": "0", '),
    )
    INVALID = (
        (
            'vllm serve m --tensor-parallel-size 4 --kv-transfer-config \'{"kv_connector": "MooncakeConnectorV1", "kv_role": "kv_consumer",\n'
            '  "kv_connector_extra_config": {"prefill": {"dp_size": 1, "tp_size": 8}, "decode": {"dp_size": 1, "tp_size": «8»}}}\'\n'
        ),
        Invalid(_serve("-tp 8", "kv_producer", _FOUR, _TWO), ("4",), ("error",), kind=Kind.SHELL),
        # vLLM-Ascend compares them whatever the connector, and for both sides where a server is both.
        Invalid(_serve("-tp 8", "kv_producer", _FOUR, _TWO, name="NixlConnector"), ("4",), ("error",), kind=Kind.SHELL),
        _serve("-tp 4", "kv_both", _FOUR, '"tp_size": «8»', name="C"),
        _serve("-tp 4", "kv_producer", '"tp_size": 4, "dp_size": «2»', '"tp_size": 2, "dp_size": 2'),
        told(
            "from vllm import LLM\n"
            'LLM("m", tensor_parallel_size=2, kv_transfer_config={"kv_connector": "C",\n'
            ' "kv_role": "kv_consumer", "kv_connector_extra_config": {"decode": {"tp_size": «4»}}})\n',
            kind=Kind.PYTHON,
        ),
        _serve("-tp 4", "kv_consumer", _FOUR, '"tp_size": «2»'),
        Invalid(
            _serve("-tp 4 --data-parallel-size 2", "kv_producer", _FOUR, _TWO), ("1",), ("error",), kind=Kind.SHELL
        ),
        Invalid(
            _serve("-tp 4", "kv_consumer", _TWO, '"tp_size": 4, "dp_size": 1'), ("2",), ("error",), kind=Kind.SHELL
        ),
        _serve("-tp 2", "kv_consumer", _FOUR, '"tp_size": 2, "pp_size": «2»'),
        (
            _serve("-tp 4", "kv_producer", _FOUR, _TWO, '"engine_id": "0", ')
            + _serve("-tp 2 --data-parallel-size 2", "kv_consumer", _FOUR, _TWO, '"engine_id": "«0»", ')
        ),
        Invalid(
            'vllm serve m -tp 8 --kv-transfer-config \'{"kv_connector": "MultiConnector", "kv_role": "kv_producer", '
            f'"kv_connector_extra_config": {{"connectors": [{_config("kv_producer", _FOUR, _TWO)[1:-1]}]}}}}\'\n',
            ("4",),
            ("error",),
            kind=Kind.SHELL,
        ),
        # vLLM-Ascend asks for both, whatever stands there under another name.
        (
            'vllm serve m -tp 4 --kv-transfer-config \'{"kv_connector": "«MooncakeConnectorV1»", "kv_role": "kv_producer",\n'
            '  "kv_connector_extra_config": {"prefil": {"dp_size": 1, "tp_size": 4}, "decode": {"dp_size": 1, "tp_size": 4}}}\'\n'
        ),
    )

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        """Look at each connector of a server; one contradiction is enough for it."""
        for connector in connectors(launch):
            mooncake = of_mooncake(connector)
            found = (
                (mooncake and (self._stages(connector, launch, context) or self._order(connector, launch, context)))
                or ((mooncake or not connector.within) and self._own(connector, launch, context))
                or (
                    mooncake and (self._engine(connector, launch, context) or self._missing(connector, launch, context))
                )
            )
            if found:
                yield found

    def _own(self, connector: Connector, launch: Launch, context: Context) -> Finding | None:
        """Compare with the server's own sizes, as vLLM-Ascend does for each side that the server is (`check_kv_extra_config`)."""
        sides = ("prefill", "decode") if connector.role == _BOTH and not connector.within else (connector.side,)
        for side, (key, what) in product(sides, _SIZES.items()):
            told = number(connector, f"{side}.{key}")
            size = launch.size(what)
            if side is None or told is None or size is None or told[0] == size.number:
                continue
            # A page shows a part, and how many copies there are, a load balancer may know.
            if not size.said and (context.document.kind in PAGES or what == "pipeline"):
                continue
            if what == "data" and launch.is_set("data-parallel-rank"):
                continue
            option = size.said[0].name if size.said else (launch.program.copies if what == "data" else None)
            return self._finding(
                launch,
                "own",
                context,
                told,
                self.set_here(context, size.said[0]) if size.said else [],
                option=key,
                side=side,
                role=connector.role or "",
                other=option or launch.program.multiplied[what],
                number=size.number,
            )
        return None

    def _order(self, connector: Connector, launch: Launch, context: Context) -> Finding | None:
        prefill, decode = number(connector, "prefill.tp_size"), number(connector, "decode.tp_size")
        if connector.name not in _ORDERED or prefill is None or decode is None or prefill[0] >= decode[0]:
            return None
        return self._finding(launch, "order", context, prefill, option="tp_size", number=decode[0])

    def _stages(self, connector: Connector, launch: Launch, context: Context) -> Finding | None:
        stages = number(connector, "decode.pp_size")
        if connector.name not in _ORDERED or stages is None or stages[0] == 1:
            return None
        return self._finding(launch, "stages", context, stages, option="pp_size")

    def _missing(self, connector: Connector, launch: Launch, context: Context) -> Finding | None:
        """Look for sizes that the connector asserts (`_get_prefill_decode_size`, in each release since 0.10.1rc1)."""
        name = connector.fields.get("kv_connector")
        if connector.name not in _ASSERTING or connector.role is None or not connector.complete or name is None:
            return None
        needed = list(product(("prefill", "decode"), ("tp_size", "dp_size")))
        missing = [(side, key) for side, key in needed if f"{side}.{key}" not in connector.fields]
        # Where nothing of it stands, it may be left out: an example speaks of other things.
        if not missing or len(missing) == len(needed):
            return None
        side, key = missing[0]
        return self._finding(launch, "missing", context, (connector.name, name.span), option=key, side=side)

    def _engine(self, connector: Connector, launch: Launch, context: Context) -> Finding | None:
        """Look for a server of the other side above that has the same id."""
        mine = connector.fields.get("engine_id")
        if mine is None or connector.side is None or "$" in str(mine.data):
            return None
        for other in launches(context):
            if other is launch:
                return None
            if context.document.kind in PAGES and other.block.text != launch.block.text:
                continue
            for each in connectors(other):
                its = each.fields.get("engine_id")
                if its is not None and its.data == mine.data and each.side not in (None, connector.side):
                    seen = Related(its.span, self.say(context, "first"))
                    return self._finding(launch, "engine", context, (mine.data, mine.span), [seen], option="engine_id")
        return None

    def _finding(
        self,
        launch: Launch,
        message: str,
        context: Context,
        told: tuple[object, Span],
        related: list[Related] | None = None,
        *,
        option: str,
        side: str = "",
        role: str = "",
        other: str = "",
        number: int = 0,
    ) -> Finding:
        return self.finding(
            context,
            told[1],
            message,
            option=option,
            surface=launch.block.surface,
            related=related or (),
            count=told[0],
            side=side,
            role=role,
            other=other,
            number=number,
        )
