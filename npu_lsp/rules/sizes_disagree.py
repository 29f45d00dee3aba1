"""NPU231: parallel sizes that don't come to the number of NPUs."""

from __future__ import annotations

from npu_lsp.linter.deployment.constraint_rule import ConstraintRule
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Invalid, Valid
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


class SizesDisagree(ConstraintRule):
    """Parallel sizes of MindIE that don't come to the number of NPUs.

    ## What it does
    Multiplies `dp`, `tp`, `cp` and `pp`, and `moe_ep` and `moe_tp`, and compares with `worldSize`, or with pods times NPUs of a pod
    where `deploy_config` tells how many there are. A size that is left out is 1.

    ## Why is this bad?
    The server stops with an error, after it has loaded the weights.

    ## Example
    ```json
    {"BackendConfig": {"multiNodesInferEnabled": false,
     "ModelDeployConfig": {"ModelConfig": [{"worldSize": 8, "dp": 2, "tp": 8}]}}}
    ```

    Use instead:
    ```json
    {"BackendConfig": {"multiNodesInferEnabled": false,
     "ModelDeployConfig": {"ModelConfig": [{"worldSize": 8, "dp": 2, "tp": 4}]}}}
    ```
    """

    code = "NPU231"
    name = "sizes-disagree"
    title = Text(en="Parallel sizes that don't come to the number of NPUs", zh="并行参数之积与卡数不一致")
    severity = Severity.ERROR
    kinds = frozenset({"product"})
    messages = {
        "product": Text(
            en="{expected}: these must be the same. {why}",
            zh="{expected}，两者须一致。{why}",
        ),
    }
    VALID = (
        Valid(_server('"dp": 2, "tp": 4'), Kind.MINDIE),
        Valid(_server('"dp": 2'), Kind.MINDIE),
        Valid(_server('"dp": "2", "tp": 8'), Kind.MINDIE),
        Valid(_deployment(2, '"dp": 2, "tp": 8, "moe_ep": 4, "moe_tp": 4'), Kind.MINDIE),
    )
    INVALID = (
        Invalid(_server('"dp": 2, "tp": 8'), ("2",), ("error",), kind=Kind.MINDIE),
        Invalid(_deployment(1, '"dp": 2, "tp": 8'), ("2",), ("error",), kind=Kind.MINDIE),
        Invalid(_deployment(2, '"moe_ep": 4, "moe_tp": 1'), ("4",), ("error",), kind=Kind.MINDIE),
    )
