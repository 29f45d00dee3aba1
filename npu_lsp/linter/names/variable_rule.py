"""What is said of variables that nobody knows, whether they are set or read."""

from __future__ import annotations

from npu_lsp.languages.model import Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.meant import MeantVariable
from npu_lsp.linter.removed import Removed
from npu_lsp.linter.rule import Invalid, Rule
from npu_lsp.linter.values import shown
from npu_lsp.linter.wording import apart
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class VariableRule(Rule):
    """A rule with the message `silent_near`, and these."""

    messages = {
        "silent_several": Text(
            en='Unknown option "{option}" is silently ignored at run time. Did you mean {near}?',
            zh="未知配置项“{option}”，运行时会被静默忽略。是否应为 {near}？",
        ),
        "silent_gone": Text(
            en='Unknown option "{option}" is silently ignored at run time, and "{near}", which it is close to, no longer exists{since}. '
            "{why} Remove it.",
            zh="未知配置项“{option}”，运行时会被静默忽略；与其相近的“{near}”{since}也已移除：{why}请删除。",
        ),
    }
    INVALID = (
        # Prefixes are those of the catalog, and the slip may stand in one; of two that are as close one is there already.
        *(
            Invalid(f"export {wrong}=1\n", (wrong,), ("warning unsafe",), f"export {right}=1\n", kind=Kind.SHELL)
            for wrong, right in (
                ("MS_SCHED_POTR", "MS_SCHED_PORT"),
                ("HCLL_BUFFSIZE", "HCCL_BUFFSIZE"),
                ("ASCEBD_RT_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES"),
                ("TORCH_NPU_SANITIZR", "TORCH_NPU_SANITIZER"),
                ("SLOG_PRINT_TP_STDOUT", "ASCEND_SLOG_PRINT_TO_STDOUT"),
                ("CPU_AFFINTY_CONF", "CPU_AFFINITY_CONF"),
                ("PYTHORCH_NPU_ALLOC_CONF", "PYTORCH_NPU_ALLOC_CONF"),
                # A letter of a short word is lost, or a sign between words, or both changed places.
                ("PYTORCH_NU_ALLOC_CONF", "PYTORCH_NPU_ALLOC_CONF"),
                ("TAK_QUEUE_ENABLE", "TASK_QUEUE_ENABLE"),
                ("HCCLBUFFSIZE", "HCCL_BUFFSIZE"),
                ("CPUA_FFINITY_CONF", "CPU_AFFINITY_CONF"),
                # One of vLLM itself.
                ("VLLM_BTCH_INVARIANT", "VLLM_BATCH_INVARIANT"),
                # Its end was pasted behind it once more; a word is written in full; a name that nobody ever read.
                ("ASCEND_RT_VISIBLE_DEVICESVISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES"),
                ("HCCL_BUFFER_SIZE", "HCCL_BUFFSIZE"),
                ("NPU_DETECT", "NPU_ASD_ENABLE"),
                # One of its words is shorter or longer, or has another end.
                ("HCCL_RDMA_RETRY_COUNT", "HCCL_RDMA_RETRY_CNT"),
                ("HCCL_EXECUTION_TIMEOUT", "HCCL_EXEC_TIMEOUT"),
                ("ASCEND_LAUNCH_BLOCK", "ASCEND_LAUNCH_BLOCKING"),
                ("HCCL_ALGORITHM", "HCCL_ALGO"),
                # Close to one that has no page.
                ("MS_DEV_SAVE_GRAPTHS_SORT_MODE", "MS_DEV_SAVE_GRAPHS_SORT_MODE"),
            )
        ),
        Invalid(
            "export HCCL_EXEC_TIMOUT=9\nexport HCCL_EXEC_TIMEOUT=9\n",
            ("HCCL_EXEC_TIMOUT",),
            ("warning unsafe",),
            "export HCCL_EXEC_TIMEOUT=9\nexport HCCL_EXEC_TIMEOUT=9\n",
            kind=Kind.SHELL,
        ),
        # In front of a command that a variable keeps.
        Invalid(
            'BASE="HCCL_BUFFSIZ=200 vllm serve $model --port 8100"\nALL="$BASE --seed 1"\neval "$ALL &"\n',
            ("HCCL_BUFFSIZ",),
            ("warning unsafe",),
            'BASE="HCCL_BUFFSIZE=200 vllm serve $model --port 8100"\nALL="$BASE --seed 1"\neval "$ALL &"\n',
            kind=Kind.SHELL,
        ),
        # Each time that it is kept.
        Invalid(
            'B="HCCL_BUFFSIZ=2 vllm serve m"\nA="$B --seed 1"\neval "$A &"\nB="HCCL_BUFFSIZ=1 vllm serve n"\nA="$B --seed 1"\neval "$A &"\n',
            ("HCCL_BUFFSIZ", "HCCL_BUFFSIZ"),
            ("warning unsafe", "warning unsafe"),
            'B="HCCL_BUFFSIZE=2 vllm serve m"\nA="$B --seed 1"\neval "$A &"\nB="HCCL_BUFFSIZE=1 vllm serve n"\nA="$B --seed 1"\neval "$A &"\n',
            kind=Kind.SHELL,
        ),
        # What was meant is gone, or may be either of two.
        Invalid(
            "export VLLM_ASCEND_ENABEL_TOPK_OPTIMIZE=1\n",
            ("VLLM_ASCEND_ENABEL_TOPK_OPTIMIZE",),
            ("warning",),
            kind=Kind.SHELL,
        ),
        Invalid(
            "export ASCEND_NNRE_HOME=/a\n",
            ("ASCEND_NNRE_HOME",),
            ("warning unsafe unsafe",),
            "export ASCEND_NNAE_HOME=/a\n",
            kind=Kind.SHELL,
        ),
        # Either of two may lack the word.
        Invalid(
            "export ASCEND_LOG_LEVEL=3\n",
            ("ASCEND_LOG_LEVEL",),
            ("info unsafe unsafe",),
            "export ASCEND_GLOBAL_LOG_LEVEL=3\n",
            kind=Kind.SHELL,
        ),
        # Two slips, and a word that is missing.
        Invalid(
            "export ASCEND_GLOBLA_LOG_LEVLE=3\nexport HCCL_EXEC_TIMEOOUT=1\nexport HCCL_RDMA_PER_CONNECTION=2\n",
            ("ASCEND_GLOBLA_LOG_LEVLE", "HCCL_EXEC_TIMEOOUT", "HCCL_RDMA_PER_CONNECTION"),
            ("info unsafe", "warning unsafe", "info unsafe"),
            "export ASCEND_GLOBAL_LOG_LEVEL=3\nexport HCCL_EXEC_TIMEOUT=1\nexport HCCL_RDMA_QPS_PER_CONNECTION=2\n",
            kind=Kind.SHELL,
        ),
    )

    def mistyped(self, setting: Setting, meant: MeantVariable, context: Context) -> Finding:
        """Return what there is to say of a variable that is set under a name that nobody reads."""
        removed = Removed.of(meant.gone) if meant.gone is not None else None
        several = len(meant.names) > 1
        return self.finding(
            context,
            setting.key,
            "silent_gone" if removed else "silent_several" if several else "silent_near",
            of=setting,
            severity=Severity.WARNING if meant.sure else Severity.INFO,
            fixes=[fix for name in meant.names for fix in self.renamed(context, setting, name)],
            near=removed.option.name
            if removed
            else apart(map(shown, meant.names), context.language)
            if several
            else meant.names[0],
            since=self.since(context, removed.option, removed.gone.version) if removed else "",
            why=removed.gone.why.to(context.language) if removed else "",
        )
