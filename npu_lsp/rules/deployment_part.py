"""NPU225 and NPU233: a variable or a part of a deployment that doesn't count as it is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from npu_lsp.catalog.near import alike
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.config_formats.json_files import tree
from npu_lsp.languages.config_formats.mindie import FIRST
from npu_lsp.languages.json.tree import Node
from npu_lsp.languages.model import ValueKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.parts import PROCESSES, ConfigPart, deployment_of
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.linter.values import text_of
from npu_lsp.linter.wording import listed
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_CONFIGS = (
    *("deploy_config", "mindie_ms_controller_config", "mindie_ms_coordinator_config"),
    *("mindie_server_prefill_config", "mindie_server_decode_config"),
)
_ENVIRONMENTS = (
    *("mindie_common_env", "mindie_ms_controller_env", "mindie_ms_coordinator_env"),
    *("mindie_server_prefill_env", "mindie_server_decode_env"),
)
_OF_PYMOTOR = ("motor_common_env", *(f"motor_{process}_env" for process in PROCESSES))
_ENOUGH = 3
"""So many of the parts tell what a file is."""
_SIGN = re.compile('"(?:mindie|motor)_')
_NEAR = 0.9
"""How much of a name must be that of a part that isn't there."""
_ALL = (*_CONFIGS, *_ENVIRONMENTS, *_OF_PYMOTOR, "version", "http_client_ctl_config", "node_manager_config")
_SINCE = "1.0.0"
_SCRIPT = "deploy_ac_job.py"
_EMPTY = ", ".join(f'"{name}": {{}}' for name in _CONFIGS if name not in ("deploy_config", _CONFIGS[-1]))
_DEPLOY = '"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8%s}'
_VARIABLES = ", ".join(f'"{name}": {{"HCCL_EXEC_TIMEOUT": 60}}' for name in _ENVIRONMENTS[:-1])


_FIRST = (
    '{"OtherParam": {"ServeParam": {"ipAddress": "127.0.0.1", "port": 1025}}, "ModelDeployParam": {"maxSeqLen": 2560,\n'
    ' "npuDeviceIds": [[0]], "ModelParam": [{"modelName": "a"}]}, "ScheduleParam": {"maxBatchSize": 200}}\n'
)


class DeploymentPart(Rule):
    """A part of a MindIE deployment that isn't there under its name.

    ## What it does
    Looks for the parts of `user_config.json` and of `mindie_env.json` or PyMotor's `env.json`, and for the file that `mindie_env_path` names where the script
    that reads it lies beside, and for `config.json` in the form that MindIE had up to 1.0.RC2.

    ## Why is this bad?
    `deploy_ac_job.py` or `deploy.py` stops with an error, or the variables of a role are left out silently.

    ## Fix safety
    Unsafe: what had no effect has one then.
    """

    code = "NPU233"
    title = Text(en="Part of a deployment that isn't there", zh="部署文件缺少组成部分")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "name": Text(
            en='The script that deploys knows no part "{written}", only "{near}": what it says has no effect.',
            zh="部署脚本不识别“{written}”，应为“{near}”，其中的配置不会生效。",
        ),
        "missing": Text(
            en='"{part}" is missing, and the deployment stops with an error.',
            zh="缺少“{part}”，部署脚本报错退出。",
        ),
        "older": Text(
            en="MindIE no longer reads {written}, which stood in `config.json` up to 1.0.RC2, and stops where {near} are missing. "
            "Write the file in the form of {since}.",
            zh="{written} 是 MindIE 1.0.RC2 及以前的写法，{since} 起不再读取，缺少 {near} 会报错退出，请改用新格式。",
        ),
        "file": Text(
            en='There is no file "{file}", and the deployment stops with an error.',
            zh="文件“{file}”不存在，部署脚本报错退出。",
        ),
    }
    examples_in = Kind.MINDIE
    VALID = (
        f'{{{_DEPLOY % ""}, {_EMPTY}, "mindie_server_decode_config": {{}}}}\n',
        Valid(_FIRST, Kind.MINDIE, {"mindie": "1.0.RC2"}),
        Valid(f'{{{_VARIABLES}, "mindie_server_decode_env": {{}}}}\n', Kind.JSON),
        '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "mindie_env_path": "./a.json"}}\n',
    )
    INVALID = (
        told(
            '{"mindie_common_env": {}, "mindie_ms_controller_env": {}, "mindie_ms_coordinator_env": {},\n'
            ' "mindie_server_prefill_env": {}, "«mindie_server_decoder_env→mindie_server_decode_env»": {"HCCL_EXEC_TIMEOUT": 60}}\n',
            kind=Kind.JSON,
        ),
        told(
            '{"motor_common_env": {}, "motor_controller_env": {}, "motor_coordinator_env": {},\n'
            ' "«motor_engine_prefil_env→motor_engine_prefill_env»": {"HCCL_EXEC_TIMEOUT": 60}}\n',
            kind=Kind.JSON,
        ),
        Invalid(_FIRST, ("OtherParam",), ("info",), kind=Kind.MINDIE),
        Invalid(_FIRST, ("OtherParam",), ("error",), kind=Kind.MINDIE, target={"mindie": "2.0"}),
        Invalid(f"{{{_DEPLOY % ''}, {_EMPTY}}}\n", ("{",), ("error",), kind=Kind.MINDIE),
        told(
            '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "mindie_env_path": "«./a.json»"}}\n',
            kind=Kind.MINDIE,
            files={_SCRIPT: "import json\n"},
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        document = context.document
        if document.kind in (Kind.MINDIE, Kind.JSON) and _SIGN.search(document.text) and not context.parsed.damaged:
            node, mistakes = tree(document)
            for parts, needed in ((_CONFIGS, _CONFIGS), (_ENVIRONMENTS, _ENVIRONMENTS[:1]), (_OF_PYMOTOR, ())):
                if node is not None and not mistakes:
                    yield from self._parts(node, parts, needed, context)
        if document.kind is Kind.MINDIE:
            yield from self._older(context)
        for setting in context.named(Surface.MINDIE_DEPLOY, "mindie_env_path"):
            written = text_of(setting.value)
            if not written or not document.path or written.startswith("/") or "\0" in written or "$" in written:
                continue
            folder = Path(document.path).absolute().parent
            if surroundings.is_file(folder / _SCRIPT) and not surroundings.exists(folder / written):
                yield self.finding(context, setting.value.inside, "file", of=setting, file=written)

    def _older(self, context: Context) -> Iterator[Finding]:
        """Tell the form of the first releases: an error where a later one is named, information where none is."""
        node, mistakes = tree(context.document)
        found = [each for each in node.members if each.key in FIRST] if node is not None and not mistakes else []
        if len(found) > 1 and context.target.at_least(_SINCE, "mindie"):
            named = [name for each in found for name in FIRST[each.key]]
            yield self.finding(
                context,
                found[0].key_span,
                "older",
                severity=Severity.INFO if context.is_assumed(_SINCE, "mindie") else Severity.ERROR,
                written=listed([each.key for each in found], context.language),
                near=listed(dict.fromkeys(named), context.language),
                since=_SINCE,
            )

    def _parts(
        self, node: Node, parts: tuple[str, ...], needed: tuple[str, ...], context: Context
    ) -> Iterator[Finding]:
        keys = {each.key for each in node.members}
        if len(keys.intersection(parts)) < _ENOUGH:
            return
        missing = [name for name in needed if name not in keys]
        for each in node.members:
            free = [name for name in parts if name not in keys] if each.key not in _ALL else []
            plain = {name.replace("_", ""): name for name in free}
            near = alike(each.key.replace("_", "").lower(), plain, _NEAR)
            near = plain[near] if near is not None else None
            if near is not None:
                fixes = self.renamed_at(context, each.key_span, near)
                yield self.finding(context, each.key_span, "name", fixes=fixes, written=each.key, near=near)
                missing = [name for name in missing if name != near]
        for name in missing:
            yield self.finding(context, Span(node.span.start, node.span.start + 1), "missing", part=name)


_ROLE = "env_"
_NOTHING = {ValueKind.NONE: "None", ValueKind.LIST: "[…]", ValueKind.DICT: "{…}"}
"""What Python writes of values that are no texts and no numbers."""


def _environment(variables: str) -> str:
    return f'{{"mindie_common_env": {{{variables}}}, "mindie_server_decode_env": {{"HCCL_BUFFSIZE": 512}}}}\n'


class DeploymentEnvironment(Rule):
    """A variable in the environment of a MindIE or PyMotor deployment that no process gets as it is written.

    ## What it does
    Looks for variables of `mindie_env.json`, or of PyMotor's `env.json`, that are `null`, lists or objects, and for those that a part has twice.

    ## Why is this bad?
    The script that deploys writes `export NAME=VALUE` with what Python prints of the value, such as `None`. Of two it takes the last one.

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
    title = Text(en="Variable of a deployment that is lost", zh="部署环境变量取值无效")
    severity = Severity.ERROR
    messages = {
        "value": Text(
            en='"{option}" becomes {value} in the script that exports it. Write a number or a text.',
            zh="“{option}”在导出它的脚本中会变为 {value}，应配置为数字或字符串。",
        ),
        "twice": Text(
            en='"{option}" stands twice in "{part}", and only the last one counts: this one is lost.',
            zh="“{part}”中重复设置了“{option}”，只有最后一个生效。",
        ),
        "last": Text(en="It stands here, too", zh="此处再次设置"),
    }
    examples_in = Kind.JSON
    VALID = (
        _environment('"HCCL_EXEC_TIMEOUT": 60, "HCCL_BUFFSIZE": 120'),
        # An editor takes such a variable away.
        '{"env": {"HCCL_EXEC_TIMEOUT": null}}\n',
    )
    INVALID = (
        _environment('"HCCL_EXEC_TIMEOUT": «null»'),
        _environment('"HCCL_EXEC_TIMEOUT": «null»')
        .replace("mindie_common", "motor_common")
        .replace("mindie_server", "motor_engine"),
        _environment('"HCCL_EXEC_TIMEOUT": «[60]»'),
        told(_environment('"«HCCL_BUFFSIZE»": 120, "HCCL_BUFFSIZE": 240'), "warning", Kind.JSON),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        deployment = deployment_of(context)
        for role, part in deployment.parts.items() if deployment is not None else ():
            if part.own and role.startswith(_ROLE):
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
