"""NPU230, NPU231 and NPU232: parts of a deployment of MindIE that don't go together, by the rows of `deployment.toml`."""

from __future__ import annotations

from npu_lsp.linter.deployment.constraint_rule import ConstraintRule
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Invalid, Valid, told
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


def _server(sizes: str) -> str:
    return (
        '{"BackendConfig": {"multiNodesInferEnabled": false,\n'
        f' "ModelDeployConfig": {{"ModelConfig": [{{"worldSize": 8, {sizes}}}]}}}}}}\n'
    )


def _deployment(pods: int, sizes: str) -> str:
    return (
        f'{{"deploy_config": {{"single_p_instance_pod_num": {pods}, "p_pod_npu_num": 8}},\n'
        f' "mindie_server_prefill_config": {{"BackendConfig": {{"ModelDeployConfig": {{"ModelConfig": [{{{sizes}}}]}}}}}}}}\n'
    )


def _pymotor(pods: int, data: object, tensor: object) -> str:
    return (
        f'{{"motor_deploy_config": {{"single_p_instance_pod_num": {pods}, "p_pod_npu_num": 16, "image_name": "a", "job_id": "a",\n'
        ' "hardware_type": "800I_A3"}, "motor_engine_prefill_config": {"engine_type": "vllm", "engine_config":\n'
        f' {{"model": "/mnt/a", "data_parallel_size": {data}, "tensor_parallel_size": {tensor}, "kv_transfer_config": {{}}}}}}}}\n'
    )


class SizesDisagree(ConstraintRule):
    """Parallel sizes of MindIE or PyMotor that don't come to the number of NPUs.

    ## What it does
    Multiplies `dp`, `tp`, `cp` and `pp`, and `moe_ep` and `moe_tp`, and compares with `worldSize`, or with pods times NPUs of a pod
    where `deploy_config` tells how many there are. A size that is left out is 1.

    ## Why is this bad?
    The server stops with an error, after it has loaded the weights.
    """

    code = "NPU231"
    title = Text(en="Parallel sizes that don't come to the number of NPUs", zh="并行参数之积与卡数不一致")
    severity = Severity.ERROR
    kinds = frozenset({"product", "fits"})
    messages = {
        "fits": Text(
            en="{expected}: the first takes more NPUs than the second has. {why}",
            zh="{expected}，前者超过后者的卡数。{why}",
        ),
        "product": Text(
            en="{expected}: these must be the same. {why}",
            zh="{expected}，两者须一致。{why}",
        ),
    }
    examples_in = Kind.MINDIE
    VALID = (
        (
            '{"BackendConfig": {"multiNodesInferEnabled": false,\n'
            ' "ModelDeployConfig": {"ModelConfig": [{"worldSize": 8, "dp": 2, "tp": 4}]}}}\n'
        ),
        _server('"dp": 2'),
        _server('"dp": "2", "tp": 8'),
        _deployment(2, '"dp": 2, "tp": 8, "moe_ep": 4, "moe_tp": 4'),
        _pymotor(1, 2, 8),
        _pymotor(4, 1, 32).replace('"tensor', '"nnodes": 2, "tensor'),
    )
    INVALID = (
        (
            '{"BackendConfig": {"multiNodesInferEnabled": false,\n'
            ' "ModelDeployConfig": {"ModelConfig": [{"worldSize": 8, "dp": «2», "tp": 8}]}}}\n'
        ),
        _deployment(1, '"dp": «2», "tp": 8'),
        _deployment(2, '"moe_ep": «4», "moe_tp": 1'),
        _pymotor(1, 1, "«32»"),
        _pymotor(1, "«4»", 8),
    )


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


def _served(names: str) -> str:
    """Return a deployment of PyMotor whose prefill serves `a`."""
    engine = (
        '"engine_type": "vllm", "engine_config": {"model": "/mnt/a", "kv_transfer_config": {}, "served_model_name":'
    )
    return f'{{"motor_engine_prefill_config": {{{engine} "a"}}}},\n "motor_engine_decode_config": {{{engine} {names}}}}}}}\n'


class PartsDisagree(ConstraintRule):
    """Two parts of a MindIE deployment of which one contradicts the other.

    ## What it does
    Compares what prefill and decode, the controller and the coordinator, and the controller and the servers must have in common:
    lengths, names, ports, limits and time-outs; in one `user_config.json`, or in files of one folder.

    ## Why is this bad?
    Each part starts, and they miss each other: requests are refused, cut, or never answered.
    """

    code = "NPU232"
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
    examples_in = Kind.MINDIE
    VALID = (
        '{"mindie_ms_coordinator_config": {"request_limit": {"single_node_max_requests": 4096, "max_requests": 10000}}}\n',
        _both(2560, 2560),
        _served('["a"]'),
        _served('["b", "a"]'),
        _limits(10000),
        Valid(_CONTROLLER % 1025, Kind.MINDIE, files={"config.json": _SERVER}),
        _CONTROLLER % 2025,
    )
    INVALID = (
        told(_served('"«b»"'), "warning", Kind.MINDIE),
        told(
            '{"mindie_ms_coordinator_config": {"request_limit": {"single_node_max_requests": 4096, "max_requests": «1000»}}}\n',
            "warning",
            Kind.MINDIE,
        ),
        '{"deploy_config": {"p_pod_npu_num": 8, "p_instances_num": 1, "p_instances_scale_num": «-1»}}\n',
        '{"exception_config": {}, "request_limit": {}, "http_config": {"status_port": "«1029»", "external_port": "1029"}}\n',
        Invalid(_both(2560, 4096), ("4096",), ("error",), kind=Kind.MINDIE),
        Invalid(
            _CONTROLLER % 2025,
            ("2025",),
            ("warning",),
            kind=Kind.MINDIE,
            files={"config.json": _SERVER},
        ),
        told(
            '{"BackendConfig": {"ModelDeployConfig": {"maxSeqLen": 2560},\n'
            ' "ScheduleConfig": {"maxIterTimes": «20480»}}}\n',
            "warning",
            Kind.MINDIE,
        ),
    )


def _scene(mode: str, distributed: str, more: str = "") -> str:
    return (
        '{"deploy_config": {"p_instances_num": 1, "d_instances_num": 1, "p_pod_npu_num": 8, "d_pod_npu_num": 8,\n'
        ' "single_p_instance_pod_num": 2, "single_d_instance_pod_num": 4, "decode_distribute_enable": 1, '
        '"mindie_env_path": "./conf/mindie_env.json"},\n'
        ' "mindie_server_decode_config": {"ServerConfig": '
        f'{{"inferMode": "{mode}", "distDPServerEnabled": {distributed}}}{more}}}}}\n'
    )


_ENVIRONMENT = (
    '{"mindie_common_env": {"DIST_PD_DISAGGREGATION": 1}, "mindie_server_decode_env": {"DP_PARTITION_UP_ENABLE": %s}}\n'
)


class SceneMismatch(ConstraintRule):
    """A setting that doesn't suit the deployment that it is a part of.

    ## What it does
    Looks at the files of a MindIE deployment together: what `deploy_config` asks for (one server for each rank, several pods, Atlas
    800I A3) decides what servers, controller and environment must say. The environment is the file that `mindie_env_path` names.

    ## Why is this bad?
    Each file is right by itself, so nothing complains before the pods run: a server stops, waits for others that never come, or
    answers alone.
    """

    code = "NPU230"
    title = Text(en="Setting that doesn't suit its deployment", zh="配置与部署场景不符")
    severity = Severity.ERROR
    kinds = frozenset({"value", "other", "form"})
    messages = {
        "value": Text(
            en='"{option}" is {value}, but must be {expected}: {why}',
            zh="“{option}”为 {value}，须为 {expected}：{why}",
        ),
        "form": Text(
            en='"{option}" is {value}, but must be {expected}: {why}',
            zh="“{option}”为 {value}，格式应为 {expected}：{why}",
        ),
        "other": Text(en='"{option}" can\'t be {value}: {why}', zh="“{option}”不能为 {value}：{why}"),
    }
    examples_in = Kind.MINDIE
    VALID = (
        (
            '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "decode_distribute_enable": 1},\n'
            ' "mindie_server_decode_config": {"ServerConfig": {"inferMode": "dmi", "distDPServerEnabled": true}}}\n'
        ),
        _scene("dmi", "true"),
        '{"ServerConfig": {"inferMode": "standard", "distDPServerEnabled": false}}\n',
        Valid(
            _ENVIRONMENT % 1,
            Kind.JSON,
            files={"user_config.json": _scene("dmi", "true").replace("./conf/", "./")},
        ),
    )
    INVALID = (
        (
            '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "decode_distribute_enable": 1},\n'
            ' "mindie_server_decode_config": {"ServerConfig": {"inferMode": "dmi", "distDPServerEnabled": «false»}}}\n'
        ),
        '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "job_id": "«my.job»"}}\n',
        _scene("«standard»", "true"),
        (
            _scene(
                "dmi",
                "true",
                ', "BackendConfig": {"npuDeviceIds": «[»[0, 1]], "ModelDeployConfig": {"ModelConfig": [{"tp": 1, "worldSize": «2»}]}}',
            )
        ),
        told(
            '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "hardware_type": "800I_A2",\n'
            ' "mindie_env_path": "«./conf/mindie_env_a3.json»"}}\n',
            "warning",
            Kind.MINDIE,
        ),
    )
