"""NPU302: an option that the target no longer has."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, FactKind, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity, Tag
from npu_lsp.linter.gpu_habits import runs_on_gpus
from npu_lsp.linter.removed import Removed, is_switch
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import same, text_of
from npu_lsp.linter.wording import apart
from npu_lsp.rules.fixes.move import move
from npu_lsp.rules.fixes.remove import removal
from npu_lsp.rules.fixes.rename import rename
from npu_lsp.rules.fixes.to_key import to_key
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class RemovedOption(Rule):
    """An option that the target's version no longer knows.

    ## What it does
    Reports each setting of an option that was removed, in the version it was removed or, where no page tells the
    version, in every one. Where nothing says which version runs, and some that are still supported have the option, it is
    information.

    ## Why is this bad?
    In `parameter_map` and in the environment a removed option is silently ignored: the script no longer does
    what it says. `NPURunConfig` raises an exception, and `atc` stops.

    ## Fix safety
    Moving the value to the new name is unsafe: it takes effect from then on. Taking the setting out is safe where it is
    ignored and nothing takes its place; where something does, it may be that which was meant, where the command fails with
    it, it is not known what was, and an environment variable may be read by the script itself.
    """

    code = "NPU302"
    title = Text(en="Option that no longer exists", zh="已移除的配置项")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "replaced": Text(
            en='"{option}" no longer exists{since}. {why} Use "{replacement}" instead.',
            zh="“{option}”{since}已移除：{why}请改用“{replacement}”。",
        ),
        "alone": Text(
            en='"{option}" no longer exists{since}. {why} Remove it.', zh="“{option}”{since}已移除：{why}请删除。"
        ),
        "shared": Text(
            en='"{option}" no longer exists{since}. {why} {readers} reads it still: remove it where that does not run.',
            zh="“{option}”{since}已移除：{why}{readers} 仍会读取该变量，如不使用 {readers}，请删除。",
        ),
        "beside": Text(
            en='"{option}" no longer exists{since}. {why} "{replacement}", which takes its place, is set here too: remove the old name unless an older version still runs this.',
            zh="“{option}”{since}已移除：{why}此处已设置替代它的“{replacement}”，如不再运行旧版本，请删除旧名称。",
        ),
        "default": Text(
            en='"{option}" no longer exists{since}, and its value is what "{replacement}" has by default: the line changes nothing. Remove it.',
            zh="“{option}”{since}已移除，且该取值就是“{replacement}”的默认值，此行不起作用，可删除。",
        ),
    }
    examples_say = Severity.WARNING
    VALID = (
        # The script knows itself which of the two counts.
        "if [ $OLD ]; then\n  export SLOG_PRINT_TO_STDOUT=1\nelse\n  export ASCEND_SLOG_PRINT_TO_STDOUT=1\nfi\n",
        "atc --model=a.onnx --output=a\n",
        Valid(
            'LLM("m", additional_config={"dynamic_eplb": True, "torchair_graph_config": {"enabled": True}})\n',
            target={"vllm-ascend": "0.11"},
        ),
        Valid('op.parameter_map["auto_tune_mode"].s = b""\n'),
        # On GPUs nobody knows which vLLM runs.
        Valid("export VLLM_USE_V1=1\nvllm serve m\n", Kind.SHELL, target={"vllm-ascend": "0.12"}),
        Valid("a:\n  env:\n    VLLM_USE_V1: '1'\n  resources:\n    limits:\n      nvidia.com/gpu: 1\n", Kind.YAML),
        Valid("atc --model=a.onnx --head_stream=1\n", Kind.SHELL, target={"cann": "1.32"}),
        "if [ $mindie = 2.0 ]; then\n  export MINDIE_LLM_LOG_TO_STDOUT=1\nelse\n  unset MINDIE_LLM_LOG_TO_STDOUT\nfi\n",
        Valid(
            'from mindspore import context\ncontext.set_context(auto_tune_mode="RL,GA")\n',
            target={"mindspore": "1.10"},
        ),
    )
    INVALID = (
        told("export «SLOG_PRINT_TO_STDOUT→ASCEND_SLOG_PRINT_TO_STDOUT»=1\n", "warning unsafe unsafe"),
        # A variable that became a key is moved where its server is there.
        told(
            "‹export «VLLM_ASCEND_ENABLE_NZ»=0\n"
            '→›vllm serve m --additional-config \'{‹→"weight_nz_mode": 0, ›"refresh": true}\'\n',
            "warning unsafe unsafe",
            target={"vllm-ascend": "0.30"},
        ),
        told("‹export «VLLM_ASCEND_ENABLE_MLAPO»=0\n→›", "info unsafe"),
        told(
            'vllm serve m --additional-config \'{‹"«dynamic_eplb»": true→"eplb_config": {"dynamic_eplb": true}›‹, "«torchair_graph_config»": {"enabled": true}→›}\'\n',
            ("info unsafe unsafe", "info unsafe"),
        ),
        told(
            'DYNAMIC_EPLB=true vllm serve m --additional-config \'{‹"«dynamic_eplb»": true→"eplb_config": {"dynamic_eplb": true}›‹, "«torchair_graph_config»": {"enabled": true}→›}\'\n',
            ("warning unsafe unsafe", "warning safe"),
            target={"vllm-ascend": "0.14"},
        ),
        told(
            "args:\n  - --additional-config\n"
            '  - \'{‹→"ascend_compilation_config": {"enable_npugraph_ex": false}, ›"npugraph_ex_config": {‹"«enable»": false→›}}\'\n',
            "info unsafe unsafe",
            Kind.YAML,
        ),
        told("atc‹ «--head_stream»=1→›\n", "error unsafe"),
        # What takes its place is there.
        told(
            'vllm serve m --additional-config \'{‹"«dynamic_eplb»": true, →›"eplb_config": {"dynamic_eplb": true}}\'\n',
            target={"vllm-ascend": "0.14"},
        ),
        told('config = NPURunConfig(‹«mstune_mode»="1", →›aoe_mode="1")\n', "error unsafe", Kind.PYTHON),
        # Its value is the default of what takes its place.
        told("vllm serve m --additional-config '{‹\"«dynamic_eplb»\": false→›}'\n", "info unsafe"),
        told(
            'vllm serve m --additional-config \'{‹"«enable_sleep_mode_extra_cleanup»": false→"rl_config": {"sleep_mode_extra_cleanup": false}›}\'\n',
            "error unsafe unsafe",
            target={"vllm-ascend": "0.28"},
        ),
        told('‹op.parameter_map["«es_cluster_config»"].s = b""\n→›', "warning safe", Kind.PYTHON),
        told(
            '‹op.parameter_map["«fp_point»"].s = b"conv"\n→›op.parameter_map["profiling_options"].s = b"{}"\n',
            kind=Kind.PYTHON,
        ),
        # Another product reads it, so that what the script does may depend on it.
        told("‹export «VLLM_ENABLE_MC2»=1\n→›", target={"vllm-ascend": "0.9.1"}),
        "export ASCEND_SLOG_PRINT_TO_STDOUT=1\n‹export «SLOG_PRINT_TO_STDOUT»=1\n→›",
        told("‹export «MINDIE_LLM_LOG_TO_STDOUT»=1\n→›export MINDIE_LOG_TO_STDOUT=1\n", "hint unsafe"),
        told(
            "from mindspore import context\ncontext.set_context(device_id=0‹, «enable_auto_mixed_precision»=True→›)\n",
            "info unsafe",
            Kind.PYTHON,
        ),
        told(
            'from mindspore import context\ncontext.set_context(device_id=0‹, «auto_tune_mode»="RL,GA"→›)\n',
            "warning safe",
            Kind.PYTHON,
            target={"mindspore": "2.7"},
        ),
        told("‹export «SLOG_PRINT_TO_STDOUT»=0\n→›", "info unsafe"),
        told('export «PTCOPY_ENABLE»=1\necho "with $PTCOPY_ENABLE"\n', "info"),
        told("export «VLLM_ASCEND_ENABLE_FLASHCOMM→VLLM_ASCEND_ENABLE_FLASHCOMM1»=1\n", "info unsafe unsafe"),
        told("‹export «PTCOPY_ENABLE»=1\n→›", "info unsafe"),
        # vLLM's own: those of the release that goes with vLLM-Ascend's.
        told("export HCCL_BUFFSIZE=512\n‹export «VLLM_USE_V1»=1\n→›", target={"vllm-ascend": "0.12"}),
        told('‹op.parameter_map["«auto_tune_mode»"].s = b"RL,GA"\n→›', "error unsafe", Kind.PYTHON),
        "‹export «SLOG_PRINT_TO_STDOUT»=$LOG\n→›",
        told("export «ASDOPS_LOG_PATH→ASCEND_PROCESS_LOG_PATH»=$LOGS\n", "info unsafe unsafe"),
        told(
            "export «ASDOPS_LOG_PATH→ASCEND_PROCESS_LOG_PATH»=$LOGS\n", "warning unsafe unsafe", target={"cann": "8.3"}
        ),
    )

    def concerns(self, option: Option) -> bool:
        return option.removed is not None

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        removed = Removed.of(option)
        if removed is None or removed.is_there(context.target):
            return
        gone = removed.gone
        if (
            _is_told_elsewhere(setting, removed, context)
            or _is_unset_apart(setting, block)
            or _is_of_gpus(option, context)
        ):
            return
        if is_switch(setting, gone.replacement, context):
            return
        if gone.rejected and text_of(setting.value) == "":
            return  # Nothing is what the tool takes.
        new = removed.heir(context)
        default = removed.silent and new is not None and any(same(setting.value, each.value) for each in new.defaults)
        # Variables reach each other through a file.
        there = context.names if option.surface.row.environment else context.by_name(block)
        beside = removed.silent and new is not None and new.name in there
        idle = default or (beside and context.is_assumed(gone.version, option.component))
        yield self.finding(
            context,
            setting.key,
            "default" if default else "beside" if beside else removed.message,
            of=option,
            # Whoever knows that it changes nothing takes it out; nothing breaks until then.
            severity=Severity.INFO
            if default
            else removed.severity(idle=idle, named=context.target.knows(option.component)),
            fixes=self._fixes(setting, removed, None if default or beside else new, block, context),
            tags=(Tag.DEPRECATED,),
            holds_since=gone.version,
            why=gone.why.to(context.language),
            replacement=gone.replacement,
            readers=apart(gone.readers, context.language),
        )

    def _fixes(
        self, setting: Setting, removed: Removed, new: Option | None, block: Block, context: Context
    ) -> list[Fix]:
        """Return the move to the `new` one, or to a key, and the removal."""
        option = removed.option
        moves = _renaming(setting, option, new, block, context) or to_key(setting, option, block, context)
        if new is not None and new.surface.row.nested == "entries" and not moves:
            return []  # It goes to its new place once another one has made the group: taken out, it would be lost.
        safety = Safety.SAFE if removed.dead else Safety.UNSAFE
        title = self.say(context, "remove", option=option.name)
        return [*moves, *removal(context, title, [setting], safety=safety)]


def _is_unset_apart(setting: Setting, block: Block) -> bool:
    """Return whether the script takes it out of the environment in another branch: it knows itself where it still counts."""
    return any(
        fact.kind is FactKind.UNSET_APART and fact.value is not None and fact.value.data == setting.name
        for fact in block.facts
    )


def _is_of_gpus(option: Option, context: Context) -> bool:
    """Return whether nobody names a release of vLLM-Ascend, and the text is for GPUs."""
    ours = option.component == "vllm-ascend" and not context.target.knows(option.component)
    return ours and runs_on_gpus(context.document)


def _is_told_elsewhere(setting: Setting, removed: Removed, context: Context) -> bool:
    """Return whether the group around a key is gone as a whole, or the keys in a group have each a place of their own."""
    owner = context.catalog.option(setting.surface, setting.name.rpartition(".")[0])
    if owner is not None and owner.removed is not None and owner.removed.replacement is None:
        return standing(owner, context.target).removed
    return removed.option.type == "dict" and removed.gone.replacement is not None


def _renaming(setting: Setting, option: Option, new: Option | None, block: Block, context: Context) -> list[Fix]:
    """Return the move to the replacement: it takes effect, which the old name didn't."""
    if new is None or (new.values and not setting.value.known):
        return []
    if option.surface.row.nested == "entries":
        return move(setting, option, block, context)
    return [fix._replace(safety=Safety.UNSAFE) for fix in rename(setting, option, block, context)]
