"""NPU225: a variable in the environment of a deployment that no process gets as it is written."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.languages.model import ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.parts import ConfigPart, deployment_of
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_ENVIRONMENT = "env_"
_NOTHING = {ValueKind.NONE: "None", ValueKind.LIST: "[…]", ValueKind.DICT: "{…}"}
"""What Python writes of values that are no texts and no numbers."""


def _environment(variables: str) -> str:
    return f'{{"mindie_common_env": {{{variables}}}, "mindie_server_decode_env": {{"HCCL_BUFFSIZE": 512}}}}\n'


class DeploymentEnvironment(Rule):
    """A variable in the environment of a MindIE deployment that no process gets as it is written.

    ## What it does
    Looks for variables of `mindie_env.json` that are `null`, lists or objects, and for those that a part has twice.

    ## Why is this bad?
    `deploy_ac_job.py` writes `export NAME=VALUE` with what Python prints of the value, such as `None`. Of two it takes the last one.

    ## Example
    ```json
    {"mindie_common_env": {"HCCL_EXEC_TIMEOUT": [60]}}
    ```

    Use instead:
    ```json
    {"mindie_common_env": {"HCCL_EXEC_TIMEOUT": 60}}
    ```
    """

    code = "NPU225"
    name = "deployment-environment"
    title = Text(en="Variable of a deployment that is lost", zh="部署环境变量取值无效")
    severity = Severity.ERROR
    messages = {
        "value": Text(
            en='"{option}" becomes {value} in `boot.sh`. Write a number or a text.',
            zh="“{option}”在 `boot.sh` 中会变为 {value}，应配置为数字或字符串。",
        ),
        "twice": Text(
            en='"{option}" stands twice in "{part}", and only the last one counts: this one is lost.',
            zh="“{part}”中重复设置了“{option}”，只有最后一个生效。",
        ),
        "last": Text(en="It stands here, too", zh="此处再次设置"),
    }
    VALID = (
        Valid(_environment('"HCCL_EXEC_TIMEOUT": 60, "HCCL_BUFFSIZE": 120'), Kind.JSON),
        # An editor takes such a variable away.
        Valid('{"env": {"HCCL_EXEC_TIMEOUT": null}}\n', Kind.JSON),
    )
    INVALID = (
        Invalid(_environment('"HCCL_EXEC_TIMEOUT": null'), ("null",), ("error",), kind=Kind.JSON),
        Invalid(_environment('"HCCL_EXEC_TIMEOUT": [60]'), ("[60]",), ("error",), kind=Kind.JSON),
        Invalid(
            _environment('"HCCL_BUFFSIZE": 120, "HCCL_BUFFSIZE": 240'), ("HCCL_BUFFSIZE",), ("warning",), kind=Kind.JSON
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at the parts of an environment."""
        deployment = deployment_of(context)
        for role, part in deployment.parts.items() if deployment is not None else ():
            if part.own and role.startswith(_ENVIRONMENT):
                yield from self._part(part, context)

    def _part(self, part: ConfigPart, context: Context) -> Iterator[Finding]:
        for setting, _, _ in part.settings.values():
            written = _NOTHING.get(setting.value.kind)
            if written is not None:
                yield self.finding(context, setting.value.span, "value", option=setting.name, value=written)
        for setting in part.twice:
            last = part.settings[setting.name].setting
            yield self.finding(
                context,
                setting.key,
                "twice",
                severity=Severity.WARNING,
                related=[Related(last.key, self.say(context, "last"))],
                option=setting.name,
                part=part.called,
            )
