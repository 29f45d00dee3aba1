"""NPU104: a value that the option doesn't take."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.availability import values_on
from npu_lsp.catalog.model import Option, Scalar
from npu_lsp.catalog.near import distance
from npu_lsp.languages.model import Block, Setting, Value, ValueKind
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.meant import is_another_release
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.linter.values import allows, is_comparable, listed, nearest, same, says_no, shown, text_of
from npu_lsp.rules.glued_flag import flags_in
from npu_lsp.rules.padded_value import is_padded
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

_SURE = 5
"""Letters of a word in which a slip makes no other word."""
_REGISTERS = re.compile(r"\bregister_?\w*\(")
"""Code that adds to what a name may be: `ToolParserManager.register_module("own")`."""
_NUMBERED = re.compile(r"V\d+\Z")
_CONFIG = "from torch_npu.profiler import *\nfrom torch_npu.profiler import _ExperimentalConfig\n"
_MAIN_PPO = "python3 -m verl.trainer.main_ppo +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_mode={}\n"
_SEVERAL = (
    'vllm serve m --kv-transfer-config \'{{"kv_connector": "MultiConnector", "kv_role": "kv_both", "kv_connector_extra_config": '
    '{{"connectors": [{{"kv_connector": "MooncakeConnectorV1"}}, {{"kv_connector": "{}"}}]}}}}\'\n'
)


class ValueNotAllowed(Rule):
    """A value that is not in the option's list.

    ## What it does
    Compares each known value with the list of values that the option takes on its surface. Variables and placeholders
    are left alone.

    ## Why is this bad?
    Where the tool checks the value, the run stops with an error, often after minutes of preparation. Where it doesn't,
    the value is taken for another one.

    ## Fix safety
    Unsafe: the fix puts the nearest listed value in its place, and only you know whether you meant that one.
    """

    code = "NPU104"
    title = Text(en="Value that the option doesn't take", zh="配置项不支持的取值")
    tried = True
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "rejected_near": Text(
            en='"{option}" does not take {value} and stops with an error. Did you mean {near}? It takes: {listed}.',
            zh="“{option}”不支持取值 {value}，执行时会报错。是否应为 {near}？可选值：{listed}。",
        ),
        "rejected": Text(
            en='"{option}" does not take {value} and stops with an error. It takes: {listed}.{auto}',
            zh="“{option}”不支持取值 {value}，执行时会报错。可选值：{listed}。{auto}",
        ),
        "auto": Text(en=" Without it, the tool chooses by itself.", zh="不设置时由工具自动选择。"),
        "constant_near": Text(
            en='"{option}" does not take {value}. Did you mean {near}? It takes: {listed}.',
            zh="“{option}”不支持取值 {value}。是否应为 {near}？可选值：{listed}。",
        ),
        "constant": Text(
            en='"{option}" does not take {value}. It takes: {listed}.',
            zh="“{option}”不支持取值 {value}。可选值：{listed}。",
        ),
        "dropped": Text(
            en='"{option}" no longer takes {value}{since}. Use another value.',
            zh="“{option}”{since}不再支持取值 {value}，请使用其他取值。",
        ),
        "open_near": Text(
            en='"{option}" takes other values than the listed ones, but {value} is only a slip away from {near}. Did you mean that?',
            zh="“{option}”可取列表以外的值，但 {value} 与 {near} 仅有笔误之差。是否应为 {near}？",
        ),
        "counts": Text(
            en='"{option}" takes every text for "{otherwise}", {value} too. Leave it out to turn it off.',
            zh="“{option}”只要设置即视为“{otherwise}”，{value} 也不例外。如需关闭，请勿设置该项。",
        ),
        "silent_near": Text(
            en='"{option}" does not know {value}, and the tool runs on all the same. Did you mean {near}? It takes: {listed}.',
            zh="“{option}”不识别取值 {value}，执行时不会因此退出。是否应为 {near}？可选值：{listed}。",
        ),
        "silent": Text(
            en='"{option}" does not know {value}, and the tool runs on all the same. It takes: {listed}.',
            zh="“{option}”不识别取值 {value}，执行时不会因此退出。可选值：{listed}。",
        ),
    }
    VALID = (
        "atc --model=a.onnx --log=info--framework=5\n",
        "vllm serve m --omni --quantization int8 --additional-config '{}'\n",
        # The class asks nobody which devices there are; the command has a list.
        Valid('from vllm import LLM\nllm = LLM("m", device="npu")\n'),
        Valid('custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("must_keep_origin_dtype")\n'),
        Valid('custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes(FLAGS.precision_mode)\n'),
        'atc --precision_mode="$MODE"\n',
        "export NPU_ENABLE_PERF=True\n",
        "export ATB_MATMUL_SHUFFLE_K_ENABLE=false\n",
        "export ATB_MATMUL_SHUFFLE_K_ENABLE=None\n",
        Valid(_CONFIG + "_ExperimentalConfig(profiler_level='Level1', aic_metrics=AiCMetrics[name])\n"),
        Valid(_CONFIG + "_ExperimentalConfig(export_type=[ExportType.Db, 'text'], aic_metrics='ACL_AICORE_NONE')\n"),
        Valid("[ByOpType]\nAdd=high_percision\n", Kind.OP_PRECISION),
        Valid("config = NPURunConfig(precision_mode=None)\n"),
        Valid("config = NPURunConfig(precision_mode={'a': 1})\n"),
        Valid('custom_op.parameter_map["precision_mode"].i = 7\n'),
        Valid('custom_op.parameter_map["precision_mode"].i = b"x"\n'),
        Valid('custom_op.parameter_map["graph_run_mode"].i = None\n'),
        Valid('custom_op.parameter_map["precision_mode"].s = b" force_fp16"\n'),
        Valid(_CONFIG + "_ExperimentalConfig(aic_metrics='none')\n"),
        Valid(_CONFIG + "_ExperimentalConfig(host_sys=['cpu', 'mem'])\n"),
        Valid("config = NPURunConfig(graph_run_mode={'a': 1}, precision_mode='')\n"),
        Valid('custom_op.parameter_map["precision_mode"].s = 7\n'),
        Valid('custom_op.parameter_map["precision_mode"].s = b""\n'),
        Valid('custom_op.parameter_map["graph_run_mode"].i = b"x"\n'),
        "export AOE_MODE=\n",
        # MindSpore passes over the whole dict on a CPU.
        Valid(
            "from mindspore import set_context\n"
            'set_context(device_target="CPU", ascend_config={"precision_mode": "fp32"})\n'
        ),
        "export IGNORE_INFER_ERROR=yes\nexport PLOG_REDIRECT_TO_OUTPUT=False\n",
        "msprof --aic-metrics=Custom:0x1,0x2 ./main\nexport MS_ENABLE_LCCL=oon HCOMM_DEBUG_CONFIG=^data_op\n",
        # Names of other jobs are taken, too.
        Valid('custom_op.parameter_map["job"].s = b"trainer"\n'),
        # What is registered by a file of one's own, or in the text itself, is known to it alone.
        "vllm serve m --enable-auto-tool-choice --tool-parser-plugin ./own.py --tool-call-parser own\n",
        Valid(
            "from vllm import LLM\nfrom own import register_reasoning\n"
            'register_reasoning("own")\nllm = LLM("m", reasoning_parser="own")\n'
        ),
        "git clone https://github.com/own/vllm\nvllm serve m --load-format own\n",
        "vllm serve m -q None --reasoning-parser None --distributed-executor-backend own.Executor\n",
        _SEVERAL.format("AscendStoreConnector"),
        _SEVERAL.format("ConnectorOfAnInstalledPackage"),
        _SEVERAL.format("AscendHcclConnectorV1"),
        Valid('from vllm import LLM\nllm = LLM(model="m", quantization="AWQ")\n'),
        # The next version no longer takes it.
        Valid("export VLLM_ASCEND_ENABLE_FUSED_MC2=2\n", Kind.SHELL, target={"vllm-ascend": "0.23"}),
    )
    INVALID = (
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --precision_mode=«force_fp61→force_fp16»\n",
        "vllm serve m --reasoning-parser «deepseek-r1→deepseek_r1»\n",
        "vllm serve m --quantization «w8a8»\n",
        Invalid(
            _SEVERAL.format("AscendStoreConecter"),
            ("AscendStoreConecter",),
            ("error unsafe",),
            _SEVERAL.format("AscendStoreConnector"),
            kind=Kind.SHELL,
        ),
        told(
            _CONFIG + "_ExperimentalConfig(profiler_level=«ProfilerLevel.level1→ProfilerLevel.Level1»)\n",
            kind=Kind.PYTHON,
        ),
        told(_CONFIG + "_ExperimentalConfig(host_sys=[HostSystem.MEM, «HostSystem.CPUS»])\n", kind=Kind.PYTHON),
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --log=«erorr→error»\n",
        told(
            'custom_op.parameter_map["precision_mode"].s = tf.compat.as_bytes("«Allow_Mix_Precision→allow_mix_precision»")\n',
            kind=Kind.PYTHON,
        ),
        _MAIN_PPO.format("«FULLL→FULL»"),
        told("engine_kwargs:\n  sglang:\n    tp_size: 2\n    attention_backend: «asend→ascend»\n", kind=Kind.YAML),
        "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --precision_mode=«force_fp61→force_fp16»\n",
        "atc --model=a.onnx --framework=«4» --output=a --soc_version=Ascend310P3\n",
        # Neither the tool nor what it takes it for is off.
        told("export ACL_OP_COMPILER_CACHE_MODE=«off»\n", "warning"),
        # What the tool doesn't look at stops nothing.
        told(
            'op.parameter_map["enable_dump"].b = False\nop.parameter_map["dump_mode"].s = b"«al»"\n',
            "warning",
            Kind.PYTHON,
        ),
        told("export ACL_DUMP_DATA=«2»\n", "warning"),
        told("export ATB_MATMUL_SHUFFLE_K_ENABLE=«true»\n", "warning"),
        told("export VLLM_ASCEND_ENABLE_FUSED_MC2=«2»\n", target={"vllm-ascend": "0.24"}),
        # Nobody says which version runs.
        *(
            Invalid(text, (value,), ("info",), kind=Kind.SHELL)
            for text, value in (
                ("export VLLM_ASCEND_ENABLE_FUSED_MC2=2\n", "2"),
                ("vllm serve m --additional-config '{\"enable_fused_mc2\": 2}'\n", "2"),
                ("vllm serve m --additional-config '{}' --convert reward\n", "reward"),
            )
        ),
        # Others are taken, too, and this is one letter from a listed one.
        told("msprof --aic-metrics=«PipeUtilisation→PipeUtilization» ./main\n", "warning unsafe"),
        # It is no list of chips, and the NPU is found without it.
        told("vllm serve m --device «npu»\n", target={"vllm-ascend": "0.9"}),
        "export AOE_MODE=«3»\n",
        told(
            "import torch_npu\n"
            "torch_npu.profiler._ExperimentalConfig(profiler_level=torch_npu.profiler.«ProfilerLevel.Level9»)\n",
            kind=Kind.PYTHON,
        ),
        told('config = NPURunConfig(precision_mode="«force_fp61→force_fp16»")\n', kind=Kind.PYTHON),
        told("config = NPURunConfig(graph_run_mode=«3»)\n", kind=Kind.PYTHON),
        told("export ASCEND_DUMP_SCENE=«aic_err_brief_dum→aic_err_brief_dump»\n", "warning unsafe"),
        # What turns it on, whatever it says.
        told("export INDUCTOR_ASCEND_CHECK_ACCURACY=«0»\n", "warning"),
        # What the tool takes for something else, or puts its default in the place of.
        told("export SGLANG_NPU_USE_MLAPO=«on»\nexport MS_SUPPORT_BINARY=«true»\n", "warning"),
    )

    def concerns(self, option: Option) -> bool:
        """Only those with a list; where others work, too, it shows the slips in a listed one."""
        return bool(option.values) and not (option.open and option.grammar)

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Compare a known value with the option's list; of a list of constants, each."""
        if option.open:
            slip = _slip(option, setting.value)
            if slip is not None and not is_another_release(context, setting.surface):
                yield self.finding(
                    *(context, setting.value.inside, "open_near"),
                    of=option,
                    severity=Severity.WARNING,
                    fixes=self.changed(context, setting, slip),
                    value=shown(setting.value.data, setting.form),
                    near=shown(slip, setting.form),
                )
        elif setting.value.kind is ValueKind.LIST:
            members = (item for item in setting.value.items if item.kind is ValueKind.MEMBER)
            for item in members:
                yield from self._check(setting._replace(value=item), option, block, context, within=True)
        else:
            yield from self._check(setting, option, block, context)

    def _check(
        self, setting: Setting, option: Option, block: Block, context: Context, *, within: bool = False
    ) -> Iterator[Finding]:
        """Compare a value, or with `within` one in a list, which no writer changes alone."""
        value = setting.value
        if not value.known or not is_comparable(setting, option) or _is_of_omni(option, setting, context):
            return
        dropped = _dropped(option, value, context)
        if dropped is not None:
            yield self.finding(
                *(context, value.inside, "dropped"),
                of=option,
                severity=None if option.enforced else Severity.WARNING,
                holds_since=dropped,
                value=shown(value.data, setting.form),
            )
            return
        if allows(option, value) or is_padded(option, setting) or _may_be_taken(option, value, context):
            return
        text = text_of(value)
        if _is_what_it_counts_as(option, text) or any(flags_in(setting, context)):
            return
        companions, near = Companions.of_block(block, context), nearest(option, value)
        if companions.within_ignored(setting) or _may_be_registered(option, text, companions, near):
            return
        unread = companions.unread(setting, option)
        yield self.finding(
            context,
            value.inside,
            _message(option, value, unread=unread, near=near is not None),
            of=option,
            # A variable that nothing rejects changes little: the default holds.
            severity=Severity.WARNING if unread or (option.surface.row.environment and not option.enforced) else None,
            fixes=[] if within else self.changed(context, setting, near),
            value=shown(text if text is not None else value.data, setting.form),
            near=shown(near, setting.form),
            otherwise=option.otherwise,
            listed=listed(option, context.language, setting.form),
            auto=self.say(context, "auto") if option.default == "auto" else "",
        )


def _slip(option: Option, value: Value) -> Scalar:
    """Return the listed value that a word is one letter from where others are taken, too; case alone, or a short word, makes another one."""
    text = text_of(value)
    if text is None or len(text) < _SURE or not text.replace("-", "_").isidentifier() or allows(option, value):
        return None
    near = nearest(option, value, careful=True)
    return near if isinstance(near, str) and near.casefold() != text.casefold() and distance(text, near, 1) else None


def _is_always(option: Option) -> bool:
    """Return whether the option has one value, and the tool takes any text for it."""
    return option.otherwise is not None and len(option.values) == 1


def _is_what_it_counts_as(option: Option, text: str | None) -> bool:
    """Return whether the tool takes a value outside the list for what it says: a no for no, and all others where it only knows yes."""
    if option.otherwise is None:
        return False
    no = says_no(text)
    return no == says_no(str(option.otherwise)) and (no or _is_always(option))


def _message(option: Option, value: Value, *, unread: bool, near: bool) -> str:
    if value.kind is ValueKind.MEMBER:
        said = "constant"
    elif option.enforced and not unread:
        said = "rejected"
    elif _is_always(option):
        return "counts"
    else:
        said = "silent"
    return f"{said}_near" if near else said


def _is_of_omni(option: Option, setting: Setting, context: Context) -> bool:
    """Return whether vLLM-Omni is started, which has ways of quantization of its own: `vllm serve m --omni --quantization int8`."""
    return option.name == "quantization" and "--omni" in context.text(setting.statement)


def _dropped(option: Option, value: Value, context: Context) -> str | None:
    """Return the version since which a value is taken no more, where nobody says which one runs."""
    if context.target.knows(option.component):
        return None
    last = None
    for change in option.changes:
        if any(same(value, each) for each in change.dropped):
            last = change.version
        elif any(same(value, each) for each in change.added):
            last = None
    return last


def _may_be_taken(option: Option, value: Value, context: Context) -> bool:
    """Return whether the version that runs takes a value that the newest one doesn't."""
    return context.target.knows(option.component) and any(
        same(value, each.value) for each in values_on(option, context.target)
    )


def _may_be_registered(option: Option, text: str | None, companions: Companions, near: Scalar) -> bool:
    """Return whether code may add a value: that of a fork, an installed package, a file that another option names, the text itself."""
    if "*" in option.extended_by and near is not None and _NUMBERED.sub("", str(text)) == str(near) != text:
        return True  # A package's own version of one is no slip.
    if near is None and ("*" in option.extended_by or is_another_release(companions.context, option.surface)):
        return True
    named = any(companions.of(None, name) for name in option.extended_by)
    return named or (bool(text and option.extended_by) and str(text) in _registered(companions.context.document))


@Memoized
def _registered(document: Document) -> str:
    """Return what stands behind the first call that adds a value; empty where there is none."""
    first = _REGISTERS.search(document.text)
    return document.text[first.end() :] if first is not None else ""
