"""NPU232: two parts of a deployment that must say the same."""

from __future__ import annotations

from npu_lsp.linter.deployment.constraint_rule import ConstraintRule
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Invalid, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


def _both(one: int, two: int) -> str:
    return (
        f'{{"mindie_server_prefill_config": {{"BackendConfig": {{"ModelDeployConfig": {{"maxSeqLen": {one}}}}}}},\n'
        f' "mindie_server_decode_config": {{"BackendConfig": {{"ModelDeployConfig": {{"maxSeqLen": {two}}}}}}}}}\n'
    )


def _limits(most: int) -> str:
    return (
        '{"mindie_ms_coordinator_config": {"request_limit":\n'
        f' {{"single_node_max_requests": 4096, "max_requests": {most}}}}}}}\n'
    )


_SERVER = '{"ServerConfig": {"inferMode": "dmi", "maxLinkNum": 100, "port": 1025}, "BackendConfig": {"ModelDeployConfig": {}}}\n'
_CONTROLLER = '{"role_decision_methods": "digs", "digs_prefill_slo": 1000, "mindie_server_port": %s}\n'


class PartsDisagree(ConstraintRule):
    """Two parts of a MindIE deployment of which one contradicts the other.

    ## What it does
    Compares what prefill and decode, the controller and the coordinator, and the controller and the servers must have in common:
    lengths, names, ports, limits and time-outs; in one `user_config.json`, or in files of one folder.

    ## Why is this bad?
    Each part starts, and they miss each other: requests are refused, cut, or never answered.

    ## Example
    ```json
    {"mindie_ms_coordinator_config": {"request_limit": {"single_node_max_requests": 4096, "max_requests": 1000}}}
    ```

    Use instead:
    ```json
    {"mindie_ms_coordinator_config": {"request_limit": {"single_node_max_requests": 4096, "max_requests": 10000}}}
    ```
    """

    code = "NPU232"
    name = "parts-disagree"
    title = Text(en="Parts of a deployment that contradict each other", zh="部署文件之间配置矛盾")
    severity = Severity.ERROR
    kinds = frozenset({"equal", "least", "most", "differ", "sum"})
    messages = {
        "differ": Text(
            en='"{option}" is {value}, and so is "{other}", and they must not be the same. {why}',
            zh="“{option}”与“{other}”均为 {value}，两者不能相同。{why}",
        ),
        "sum": Text(
            en='"{option}" is {value}: with "{other}" it must be {expected} at least. {why}',
            zh="“{option}”为 {value}，与“{other}”之和不能小于 {expected}。{why}",
        ),
        "equal": Text(
            en='"{option}" is {value}, but "{other}" is {expected}, and they must be the same. {why}',
            zh="“{option}”为 {value}，“{other}”为 {expected}，两者须一致。{why}",
        ),
        "least": Text(
            en='"{option}" is {value}, and must not be less than "{other}" ({expected}). {why}',
            zh="“{option}”为 {value}，不能小于“{other}”（{expected}）。{why}",
        ),
        "most": Text(
            en='"{option}" is {value}, and must not be more than "{other}" ({expected}). {why}',
            zh="“{option}”为 {value}，不能大于“{other}”（{expected}）。{why}",
        ),
    }
    VALID = (
        Valid(_both(2560, 2560), Kind.MINDIE),
        Valid(_limits(10000), Kind.MINDIE),
        Valid(_CONTROLLER % 1025, Kind.MINDIE, files={"config.json": _SERVER}),
        Valid(_CONTROLLER % 2025, Kind.MINDIE),
    )
    INVALID = (
        Invalid(
            '{"deploy_config": {"p_pod_npu_num": 8, "p_instances_num": 1, "p_instances_scale_num": -1}}\n',
            ("-1",),
            ("error",),
            kind=Kind.MINDIE,
        ),
        Invalid(
            '{"exception_config": {}, "request_limit": {}, "http_config": {"status_port": "1029", "external_port": "1029"}}\n',
            ("1029",),
            ("error",),
            kind=Kind.MINDIE,
        ),
        Invalid(_both(2560, 4096), ("4096",), ("error",), kind=Kind.MINDIE),
        Invalid(_limits(1000), ("1000",), ("warning",), kind=Kind.MINDIE),
        Invalid(
            _CONTROLLER % 2025,
            ("2025",),
            ("warning",),
            kind=Kind.MINDIE,
            files={"config.json": _SERVER},
        ),
        Invalid(
            '{"BackendConfig": {"ModelDeployConfig": {"maxSeqLen": 2560},\n "ScheduleConfig": {"maxIterTimes": 20480}}}\n',
            ("20480",),
            ("warning",),
            kind=Kind.MINDIE,
        ),
    )
