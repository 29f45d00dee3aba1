"""NPU230: a setting that doesn't suit the deployment that it is a part of."""

from __future__ import annotations

from npu_lsp.linter.deployment.constraint_rule import ConstraintRule
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Invalid, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


def _config(mode: str, distributed: str, more: str = "") -> str:
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

    ## Example
    ```json
    {"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "decode_distribute_enable": 1},
     "mindie_server_decode_config": {"ServerConfig": {"inferMode": "dmi", "distDPServerEnabled": false}}}
    ```

    Use instead:
    ```json
    {"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "decode_distribute_enable": 1},
     "mindie_server_decode_config": {"ServerConfig": {"inferMode": "dmi", "distDPServerEnabled": true}}}
    ```
    """

    code = "NPU230"
    name = "scene-mismatch"
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
    VALID = (
        Valid(_config("dmi", "true"), Kind.MINDIE),
        Valid('{"ServerConfig": {"inferMode": "standard", "distDPServerEnabled": false}}\n', Kind.MINDIE),
        Valid(
            _ENVIRONMENT % 1,
            Kind.JSON,
            files={"user_config.json": _config("dmi", "true").replace("./conf/", "./")},
        ),
    )
    INVALID = (
        Invalid(
            '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "job_id": "my.job"}}\n',
            ("my.job",),
            ("error",),
            kind=Kind.MINDIE,
        ),
        Invalid(_config("standard", "true"), ("standard",), ("error",), kind=Kind.MINDIE),
        Invalid(_config("dmi", "false"), ("false",), ("error",), kind=Kind.MINDIE),
        Invalid(
            _config(
                "dmi",
                "true",
                ', "BackendConfig": {"npuDeviceIds": [[0, 1]], "ModelDeployConfig": {"ModelConfig": [{"tp": 1, "worldSize": 2}]}}',
            ),
            ("[", "2"),
            ("error", "error"),
            kind=Kind.MINDIE,
        ),
        Invalid(
            '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "hardware_type": "800I_A2",\n'
            ' "mindie_env_path": "./conf/mindie_env_a3.json"}}\n',
            ("./conf/mindie_env_a3.json",),
            ("warning",),
            kind=Kind.MINDIE,
        ),
    )
