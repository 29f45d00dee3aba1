"""NPU403: an option for inference in a training, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option, Scenario
from npu_lsp.catalog.surfaces import where
from npu_lsp.languages.model import Block
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Related, Severity
from npu_lsp.linter.rule import Fixable, Rule
from npu_lsp.linter.values import allowed_value, number_of, shown
from npu_lsp.rules.fixes.remove import take_out
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_MODE = "graph_run_mode"
_SCENARIOS: dict[float | None, Scenario] = {0: "inference", 1: "training"}


class ScenarioMismatch(Rule):
    """An option or a value that works only in the other scenario.

    ## What it does
    Where `graph_run_mode` in the same block says what the run is, compares that with the scenario that an option or a
    value is for.

    ## Why is this bad?
    The option has no effect, or the graph is built for another purpose than the run's.

    ## Example
    ```python
    custom_op.parameter_map["graph_run_mode"].i = 1
    custom_op.parameter_map["frozen_variable"].b = True
    ```

    Use instead:
    ```python
    custom_op.parameter_map["graph_run_mode"].i = 0
    custom_op.parameter_map["frozen_variable"].b = True
    ```

    ## Fix safety
    Unsafe: the fix takes the option out; only you know whether the scenario is the slip.
    """

    code = "NPU403"
    title = Text(en="Option for the other scenario", zh="配置项与运行场景不符")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    surfaces = where(lambda row: row.adapter)
    messages = {
        "inference": Text(
            en='"{option}"{value} is for inference only, but graph_run_mode = 1 says that this is a training. Remove it, or set graph_run_mode to 0.',
            zh="“{option}”{value}仅适用于推理，但 graph_run_mode 为 1（训练）。请删除该配置，或将 graph_run_mode 设为 0。",
        ),
        "training": Text(
            en='"{option}"{value} is for training only, but graph_run_mode = 0 says that this is inference. Remove it, or set graph_run_mode to 1.',
            zh="“{option}”{value}仅适用于训练，但 graph_run_mode 为 0（推理）。请删除该配置，或将 graph_run_mode 设为 1。",
        ),
        "value": Text(en=" = {value}", zh="的取值 {value} "),
        "other": Text(en="graph_run_mode is set here", zh="graph_run_mode 在此处设置"),
    }
    examples_in = Kind.PYTHON
    VALID = (
        # What is no number is told of, and nobody knows which one was meant.
        "config = NPURunConfig(graph_run_mode='1', aoe_mode='2')\n",
        'op.parameter_map["graph_run_mode"].s = b"1"\nop.parameter_map["aoe_mode"].s = b"2"\n',
        'op.parameter_map["graph_run_mode"].i = mode\nop.parameter_map["aoe_mode"].s = b"2"\n',
        "config = NPURunConfig(graph_run_mode=7, aoe_mode='2')\n",
        'op.parameter_map["frozen_variable"].b = True\n',
        'op.parameter_map["graph_run_mode"].i = 0\nop.parameter_map["frozen_variable"].b = True\n',
        'op.parameter_map["graph_run_mode"].i = 1\nop.parameter_map["frozen_variable"].b = False\n',
        'op.parameter_map["graph_run_mode"].i = 1\nop.parameter_map["frozen_variable"].s = b"0"\n',
        'op.parameter_map["graph_run_mode"].i = 1\nop.parameter_map["dump_mode"].s = b"all"\n',
    )
    INVALID = (
        'op.parameter_map["graph_run_mode"].i = 1\n‹op.parameter_map["«frozen_variable»"].b = True\n→›',
        "config = NPURunConfig(graph_run_mode=0‹, «aoe_mode»='2'→›)\n",
        'op.parameter_map["graph_run_mode"].i = 1\n‹op.parameter_map["«precision_mode»"].s = b"force_fp16"\n→›',
    )

    def concerns(self, option: Option) -> bool:
        """Only what names the scenario: without it no option is for another one."""
        return option.name == _MODE

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        companions = Companions.of_block(block, context)
        for setting, option in companions.pairs:
            modes = [mode for mode, _ in companions.of(setting, _MODE)]
            scenarios = {_SCENARIOS.get(number_of(mode.value)) for mode in modes}
            if len(scenarios) != 1:
                continue
            scenario = scenarios.pop()
            allowed = allowed_value(option, setting.value)
            told = option.scenario or (allowed.scenario if allowed is not None else None)
            if scenario is None or told is None or told == scenario or setting.value.data in (0, "0"):
                continue
            value = (
                ""
                if option.scenario or allowed is None
                else self.say(context, "value", value=shown(allowed.value, setting.form))
            )
            yield self.finding(
                context,
                setting.key,
                told,
                of=option,
                fixes=take_out(setting, option, block, context),
                related=[Related(modes[0].key, self.say(context, "other"))],
                value=value,
            )
