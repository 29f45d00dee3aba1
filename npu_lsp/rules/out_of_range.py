"""NPU106: a number that is too small or too large."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting, ValueKind
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import number_of, text_of
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_DAY = 24 * 3600
"""In seconds. A time-out of days in thousands of seconds was meant to be in milliseconds; one of years means "never"."""

_TIMEOUTS = "recovery"
"""The group of the time-outs for steps of a run, none of which is meant to end within a second."""
_INTEGER = re.compile(r"[+-]?\d{1,39}\Z", re.ASCII)
_DECIMAL = re.compile(r"[+-]?\d{0,39}\.\d{1,39}\Z", re.ASCII)


class OutOfRange(Rule):
    """A number outside the range that the option takes, or one in the wrong unit.

    ## What it does
    Compares known numbers with the option's range. For options in seconds it also points out numbers that only make
    sense in milliseconds.

    ## Why is this bad?
    The tool stops with an error, or quietly takes the nearest number that it likes.

    ## Fix safety
    Unsafe: only a time-out in the wrong unit has a fix, and only you know whether it is one.
    """

    code = "NPU106"
    title = Text(en="Number out of range", zh="数值超出取值范围")
    tried = True
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "rejected": Text(
            en='"{option}" is {value}, but must be {range}{unit}; the tool stops with an error.',
            zh="“{option}”取值为 {value}，应{range}{unit}，执行时会报错。",
        ),
        "silent": Text(
            en='"{option}" is {value}, but should be {range}{unit}; the tool runs on all the same.',
            zh="“{option}”取值为 {value}，应{range}{unit}，执行时不会因此退出。",
        ),
        "clamped": Text(
            en='"{option}" is {value}, but goes {range}{unit}: the nearest of these counts. Write that one.',
            zh="“{option}”取值为 {value}，有效范围{range}{unit}，实际按范围内最接近的值处理。请直接写该值。",
        ),
        "between": Text(en="from {low} to {high}", zh="介于 {low} 与 {high} 之间"),
        "more": Text(en="more than {low}", zh="大于 {low}"),
        "within": Text(en="more than {low} and at most {high}", zh="大于 {low} 且不大于 {high}"),
        "least": Text(en="at least {low}", zh="不小于 {low}"),
        "most": Text(en="at most {high}", zh="不大于 {high}"),
        "unit": Text(en=" ({unit})", zh="（单位 {unit}）"),
        "seconds": Text(
            en='"{option}" is in milliseconds: {value} of them are less than a second. If you mean seconds, write {milliseconds}.',
            zh="“{option}”的单位是毫秒，{value} 毫秒不足一秒。若原意为秒，请写 {milliseconds}。",
        ),
        "milliseconds": Text(
            en='"{option}" is in seconds: {value} of them are {hours} hours. If you mean milliseconds, write {seconds}.',
            zh="“{option}”的单位是秒，{value} 秒约为 {hours} 小时。若原意为毫秒，请写 {seconds}。",
        ),
    }
    examples_in = Kind.PYTHON
    VALID = (
        'custom_op.parameter_map["local_rank_id"].i = 7\n',
        'custom_op.parameter_map["hccl_timeout"].i = 86400\n',
        # A whole number of thousands, but of less than a day; and times that are no time-outs.
        'custom_op.parameter_map["hccl_timeout"].i = 86000\n',
        'custom_op.parameter_map["graph_exec_timeout"].i = 1000\n',
        "config = NPURunConfig(keep_checkpoint_every_n_hours=0.5)\n",
        'custom_op.parameter_map["local_rank_id"].i = rank\n',
        # NPU104 tells that the field is another one.
        'custom_op.parameter_map["local_rank_id"].f = 8\n',
        'custom_op.parameter_map["hccl_timeout"].i = 600\n',
        # It is in milliseconds, and so is what waits for less than a second: a connection, a look.
        'custom_op.parameter_map["graph_exec_timeout"].i = 600000\n',
        Valid("export ASCEND_CONNECT_TIMEOUT=500\n", Kind.SHELL),
        Valid("export TORCH_HCCL_COORD_CHECK_MILSEC=500\n", Kind.SHELL),
        'custom_op.parameter_map["input_fusion_size"].i = 25 * 1024 * 1024\n',
        Valid("atc --static_model_ops_lower_limit=-1\n", Kind.SHELL),
    )
    INVALID = (
        'custom_op.parameter_map["local_rank_id"].i = «8»\n',
        "mindspore.set_context(save_graphs=«4»)\n",
        'LLM("m", additional_config={"scheduler_config": {"profiling_chunk_config": {"smooth_factor": «1.5»}}})\n',
        told('custom_op.parameter_map["input_fusion_size"].i = «1024 * 1024 * 1024»\n', "warning", Kind.PYTHON),
        told('custom_op.parameter_map["hccl_timeout"].i = «36000000→36000»\n', "hint unsafe", Kind.PYTHON),
        told('custom_op.parameter_map["graph_exec_timeout"].i = «600→600000»\n', "hint unsafe", Kind.PYTHON),
        # They have no limits.
        told('custom_op.parameter_map["event_sync_timeout"].i = «1→1000»\n', "hint unsafe", Kind.PYTHON),
        told(
            '{"BackendConfig": {"ModelDeployConfig": {"ModelConfig": [{"kv_link_timeout": «1080000→1080»}]}}, "ServerConfig": {}}\n',
            "hint unsafe",
            Kind.MINDIE,
        ),
        "config = NPURunConfig(keep_checkpoint_every_n_hours=«0»)\n",
        'import npu_bridge\nos.environ["RANK_ID"] = "«-1»"\n',
        told("atc --static_model_ops_lower_limit=«-2»\n"),
        told("torchrun pretrain_gpt.py --swap-optimizer --ema-decay «1.5»\n"),
        told("export ATB_OPSRUNNER_KERNEL_CACHE_LOCAL_COUNT=«0»\n", "info"),
    )

    def concerns(self, option: Option) -> bool:
        return option.unit in ("s", "ms") or any(
            end is not None for end in (option.minimum, option.maximum, option.above)
        )

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        number = _number(setting, option)
        if number is None:
            return
        if setting.slot is not None and (option.slot is None or setting.slot != option.slot.value):
            return
        place = setting.value.inside
        if _is_outside(number, option):
            if Companions.of_block(block, context).within_ignored(setting):
                return
            yield self.finding(
                context,
                place,
                "rejected" if option.enforced else "clamped" if option.clamped else "silent",
                of=option,
                severity=None if option.enforced else Severity.INFO if option.clamped else Severity.WARNING,
                value=number,
                range=self._range(option, context),
                unit=self.say(context, "unit", unit=option.unit) if option.unit else "",
            )
        else:
            yield from self._in_other_unit(setting, option, number, context)

    def _in_other_unit(self, setting: Setting, option: Option, number: float, context: Context) -> Iterator[Finding]:
        """Report a time that is allowed, and looks as if it were meant in another unit."""
        place = setting.value.inside
        if option.unit == "s" and _DAY <= number < 1000 * _DAY and number % 1000 == 0:
            yield self.finding(
                context,
                place,
                "milliseconds",
                of=option,
                severity=Severity.HINT,
                fixes=self.changed(context, setting, int(number // 1000)),
                value=number,
                hours=round(number / 3600),
                seconds=int(number // 1000),
            )
        elif option.unit == "ms" and option.group == _TIMEOUTS and 0 < number < 1000:
            yield self.finding(
                context,
                place,
                "seconds",
                of=option,
                severity=Severity.HINT,
                fixes=self.changed(context, setting, int(number * 1000)),
                value=number,
                milliseconds=int(number * 1000),
            )

    def _range(self, option: Option, context: Context) -> str:
        low, high = option.minimum, option.maximum
        if option.above is not None:
            return self.say(context, "more" if high is None else "within", low=option.above, high=high)
        message = "between" if low is not None and high is not None else "least" if low is not None else "most"
        return self.say(context, message, low=low, high=high)


def _is_outside(number: float, option: Option) -> bool:
    low, high, above = option.minimum, option.maximum, option.above
    beyond = (low is not None and number < low) or (high is not None and number > high)
    return beyond or (above is not None and number <= above)


def _number(setting: Setting, option: Option) -> int | float | None:
    """Return the number that a value is; the environment holds numbers as texts."""
    text = text_of(setting.value) if option.surface.row.environment else None
    if text is None and option.type == "float" and setting.value.known and setting.value.kind is ValueKind.WORD:
        text = str(setting.value.data)
    if text is not None:
        whole = option.type != "float"
        return int(text) if _INTEGER.match(text) else float(text) if not whole and _DECIMAL.match(text) else None
    return number_of(setting.value)
