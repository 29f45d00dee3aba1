"""NPU401: an option or a value that the target's version doesn't have."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.availability import values_on
from npu_lsp.catalog.components import title_of
from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import allowed_value, shown
from npu_lsp.rules.fixes.remove import take_out
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_DROPPED = """
[options.our_flag]
summary = "Ours."
[options.our_flag.atc]
type = "string"
values = ["a", "b"]
changes = [ { version = "6.0", added = ["b"] }, { version = "8.0", dropped = ["b"] }, { version = "9.0", added = ["a"] } ]
"""


class NotOnTarget(Rule):
    """An option or a value that came with a later version, or went before the target's.

    ## What it does
    Compares the version that first has an option or a value with that of the same component (CANN, torch_npu, vLLM-Ascend)
    in `target` of the configuration, or with the CANN toolkit on this machine. Without a target the newest version counts,
    and nothing is too new. (Options that are gone are the business of NPU302.)

    ## Why is this bad?
    An older tool stops at a flag or a value that it doesn't know; `parameter_map` and the environment ignore it.

    ## Example
    With `target.cann = "6.0"`:
    ```sh
    atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --precision_mode_v2=fp16
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --precision_mode=force_fp16
    ```

    ## Fix safety
    Unsafe: the fix takes out an option that the target doesn't know; elsewhere it may count. Values have none.

    ## Configuration
    - `target`: the versions that the code must run on
    """

    code = "NPU401"
    title = Text(en="Not in the target's version", zh="目标版本不支持")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "option": Text(
            en='"{option}" comes with {component} {since}, and {target} {version}: {result}. Use a newer one, or do without it.',
            zh="“{option}”自 {component} {since} 起支持，{target} {version}，{result}。请升级 {component}，或不使用该配置项。",
        ),
        "early": Text(
            en='"{option}" takes {value} from {component} {since} on, and {target} {version}: {result}. Use another value.',
            zh="“{option}”自 {component} {since} 起支持取值 {value}，{target} {version}，{result}。请使用其他取值。",
        ),
        "late": Text(
            en='"{option}" no longer takes {value} in {component} {version}: {result}. Use another value.',
            zh="{component} {version} 中“{option}”不再支持取值 {value}，{result}。请使用其他取值。",
        ),
        "configured": Text(en="the target is", zh="目标版本为"),
        "stated": Text(en="this file names", zh="本文件使用的版本为"),
        "stops": Text(en="the tool stops with an error", zh="执行时会报错"),
        "ignored": Text(en="it is silently ignored", zh="会被静默忽略"),
    }
    VALID = (
        Valid(
            'vllm serve m --kv-transfer-config \'{"kv_connector": "UCMConnector", "kv_connector_module_path": "ucm.a"}\'\n',
            Kind.SHELL,
            target={"vllm-ascend": "0.11.0"},
        ),
        # It went, and came back.
        *(
            Valid(
                'vllm serve m --kv-transfer-config \'{"kv_connector": "MooncakeConnector"}\'\n',
                Kind.SHELL,
                target={"vllm-ascend": each},
            )
            for each in ("0.9.0", "0.13.0", "0.21.0")
        ),
        "atc --model=a.onnx --precision_mode_v2=fp16\n",
        Valid("atc --model=a.onnx --precision_mode_v2=fp16\n", Kind.SHELL, target={"cann": "7.0"}),
        Valid('op.parameter_map["precision_mode"].s = b"allow_mix_precision_fp16"\n', target={"cann": "6.3"}),
        Valid("export MINDIE_LOG_LEVEL=debug\n", Kind.SHELL, target={"mindie": "1.0"}),
    )
    INVALID = (
        told("atc --model=a.onnx‹ «--precision_mode_v2»=fp16→›\n", target={"cann": "6.0"}),
        told(
            'vllm serve m --additional-config \'{"refresh": true‹, "«enable_mlapo»": true→›}\'\n',
            "warning unsafe",
            target={"vllm-ascend": "0.19"},
        ),
        told("atc --external_weight=«2»\n", target={"cann": "8.0"}),
        told("atc --output_type=«HIF4»\n", target={"cann": "9.0"}),
        told(
            'op.parameter_map["precision_mode"].s = b"«allow_mix_precision_fp16»"\n',
            "warning",
            Kind.PYTHON,
            target={"cann": "6.0"},
        ),
        told("atc --our_flag=«b»\n", target={"cann": "8.5"}, files={"my-options.toml": _DROPPED}),
        told(
            "pip install vllm-ascend==0.19.1rc1\nvllm serve m --additional-config '{‹\"«enable_mlapo»\": true→›}'\n",
            "warning unsafe",
        ),
        told(
            "```sh\npip install torch_npu==2.1.0.post8\n```\n```python\n"
            "config = torch_npu.profiler._ExperimentalConfig(aic_metrics=torch_npu.profiler.«AiCMetrics.MemoryAccess»)\n"
            "```\n",
            kind=Kind.MARKDOWN,
        ),
    )

    def concerns(self, option: Option) -> bool:
        return bool(option.since or option.changes or any(allowed.since for allowed in option.values))

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        target = context.target
        version = target.newest(option.component)
        if version is None:
            return
        component = title_of(option.component)
        silent = option.surface.row.silent
        severity = Severity.WARNING if silent else None
        result = self.say(context, "ignored" if silent else "stops")
        if target.lacks(option.since, option.component):
            yield self.finding(
                context,
                setting.key,
                "option",
                of=option,
                severity=severity,
                fixes=take_out(setting, option, block, context),
                since=option.since,
                component=component,
                version=version,
                target=self.say(context, "configured" if target.version(option.component) else "stated"),
                result=result,
            )
            return
        allowed = allowed_value(option, setting.value)
        if allowed is None:
            return
        here = option._replace(values=values_on(option, target))
        if allowed_value(here, setting.value) is not None or any(
            Companions.of_block(block, context).of(None, name) for name in option.extended_by
        ):
            return  # Or code of one's own has it.
        since = allowed.since or next(
            (
                change.version
                for change in option.changes
                if allowed.value in change.added and target.lacks(change.version, option.component)
            ),
            None,
        )
        yield self.finding(
            context,
            setting.value.inside,
            "early" if since else "late",
            of=option,
            severity=severity,
            value=shown(allowed.value),
            since=since,
            component=component,
            version=version,
            target=self.say(context, "configured" if target.version(option.component) else "stated"),
            result=result,
        )
