"""NPU301: an option that is on its way out."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.model import Deprecation, Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity, Tag
from npu_lsp.linter.removed import is_switch
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.linter.values import same
from npu_lsp.rules.fixes import fixes_for
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_OPTIONS = """
[options.ASCEND_OUR_OLD]
summary = "Ours."
[options.ASCEND_OUR_OLD.env]
type = "string"
deprecated = { replacement = "ASCEND_OUR_NEW", fix = "rename", why = "Another name." }
[options.ASCEND_OUR_NEW]
summary = "Ours."
[options.ASCEND_OUR_NEW.env]
type = "string"
"""


class DeprecatedOption(Rule):
    r"""An option that still works and that a later version will drop.

    ## What it does
    Reports each setting of an option that the docs or the tool call deprecated, with the reason and the option that
    takes its place. Where nothing takes its place it is information, once for each option of a file; and so it is where nothing
    says which version runs, and some that are still supported came before the deprecation. For a `target` before it nothing
    is reported.

    ## Why is this bad?
    The tool prints a warning among thousands of log lines at best. When the option goes, the setting is ignored
    (`parameter_map`) or the command fails (`atc`).

    ## Fix safety
    Safe where what runs is proven to be the same: ATC turns the new text into that of the old option, GE reads the same from a
    file as from a list, the option has no effect, the target is known to have the new name, or the replacement is set already and wins. Unsafe elsewhere: to take out an
    option that still works, to copy a file of the toolkit that is installed here, or to write a name that something else may set (`**more`, `"$@"`).
    """

    code = "NPU301"
    title = Text(en="Deprecated option", zh="已废弃的配置项")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "replaced": Text(
            en='"{option}" is deprecated{since}. {why} Use "{replacement}" instead.',
            zh="“{option}”{since}已废弃：{why}请改用“{replacement}”。",
        ),
        "alone": Text(en='"{option}" is deprecated{since}. {why}', zh="“{option}”{since}已废弃：{why}"),
    }
    VALID = (
        "atc --op_precision_mode=op_precision.ini\n",
        # A script takes flags of its own, and tells of them; a page has a table of what they do.
        "case $1 in\n  --use-mc2) MC2=1 ;;\nesac\n",
        "cat <<EOF\noptions:\n  --use-mc2\n      faster\nEOF\n",
        Valid("# MindSpeed\n```shell\n--use-mc2   Enable MC2\n--swap-attention   Swap\n```\n", Kind.MARKDOWN),
        # Nothing is dumped, and `init_dump` would do that.
        "export ACL_DUMP_DATA=0\n",
        Valid(
            "vllm serve m --additional-config '{\"enable_balance_scheduling\": true}'\n",
            Kind.SHELL,
            target={"vllm-ascend": "0.24"},
        ),
    )
    INVALID = (
        told(
            'atc --model=a.onnx «--input_shape_range→--input_shape»="a:‹[1~8,3];b:[-1,2]→1~8,3;b:-1,2›" --output=a\n',
            "warning safe",
        ),
        # What else is put in may hold the group, too.
        told(
            'LLM("m", additional_config={‹"«enable_balance_scheduling»": True, →›"scheduler_config": {‹→"enable_balance_scheduling": True›}, **more})\n',
            kind=Kind.PYTHON,
            target={"vllm-ascend": "0.26"},
        ),
        told(
            "import torch_npu\nconfig = torch_npu.profiler._ExperimentalConfig(«msprof_tx→mstx»=True)\n",
            "info unsafe",
            Kind.PYTHON,
        ),
        told(
            "import torch_npu\nconfig = torch_npu.profiler._ExperimentalConfig(«msprof_tx→mstx»=True)\n",
            "warning safe",
            Kind.PYTHON,
            target={"torch-npu": "2.7.1"},
        ),
        told("export «ASCEND_OUR_OLD→ASCEND_OUR_NEW»=1\n", files={"my-options.toml": _OPTIONS}),
        told(
            'vllm serve m --additional-config \'{‹"«enable_balance_scheduling»": true→"scheduler_config": {"enable_balance_scheduling": true}›, "refresh": true}\'\n',
            "info unsafe",
        ),
        # To take the variable out would switch it off: it is moved.
        told(
            "‹export «VLLM_ASCEND_ENABLE_MLAPO»=1\n"
            '→›vllm serve m --additional-config \'{‹→"enable_mlapo": true, ›"refresh": true}\'\n',
            target={"vllm-ascend": "0.25"},
        ),
        told(
            'LLM("m", kv_transfer_config=kv, additional_config={"scheduler_config": {‹→"recompute_scheduler_enable": True›}‹, "«recompute_scheduler_enable»": True→›})\n',
            "warning safe",
            Kind.PYTHON,
            target={"vllm-ascend": "0.25"},
        ),
        # What else is handed over may hold the new name, too: an argument that is there twice stops the call.
        told(
            "import torch_npu\nconfig = torch_npu.profiler._ExperimentalConfig(**more, «msprof_tx→mstx»=True)\n",
            kind=Kind.PYTHON,
            target={"torch-npu": "2.7.1"},
        ),
        told(
            "import torch_npu\nmore = {'l2_cache': True}\n"
            "config = torch_npu.profiler._ExperimentalConfig(**more, «msprof_tx→mstx»=True)\n",
            "warning safe",
            Kind.PYTHON,
            target={"torch-npu": "2.7.1"},
        ),
        ('atc --model=a.onnx «--input_shape_range→--input_shape»="a:‹[1~8,3]→1~8,3›" "$@"\n'),
        # A page shows what to put into a script.
        told(
            '# MindSpeed\n```shell\nGPT_ARGS="\n  --num-layers ${LAYERS} \\\n  «--use-mc2→--use-ascend-mc2» \\\n  --swap-attention\n...\n```\n',
            "warning unsafe",
            Kind.MARKDOWN,
        ),
        # A file is written where no other one may be named.
        told(
            'atc --model=a.onnx «--op_select_implmode→--op_precision_mode»=‹high_precision→"$(dirname "$0")/op_precision.ini"›‹ «--optypelist_for_implmode»=Relu→›\n',
            "warning safe",
            creates={"op_precision.ini": "[ByOpType]\nRelu=high_precision\n"},
        ),
        told(
            "‹→import os\n"
            '›op.parameter_map["«op_select_implmode→op_precision_mode»"].s = ‹b"high_precision"→(os.path.join(os.path.dirname(os.path.abspath(__file__)), "op_precision.ini")).encode()›\n'
            '‹op.parameter_map["«optypelist_for_implmode»"].s = b"Relu"\n→›set_up(op)\n',
            kind=Kind.PYTHON,
            creates={"op_precision.ini": "[ByOpType]\nRelu=high_precision\n"},
        ),
        # One has no effect, the other one still works.
        told(
            '‹op.parameter_map["«graph_memory_max_size»"].s = b"1"\n'
            '→›‹op.parameter_map["«variable_format_optimize»"].b = True\n→›',
            ("warning safe", "info unsafe"),
            Kind.PYTHON,
        ),
        told("‹export «ENABLE_ACLNN»=1\n→›", "info unsafe"),
        "export «ACL_DUMP_DATA»=1\n",
        # What says what holds without it goes all the same: a key takes its place, or the command fails when the flag is gone.
        told(
            "‹export «VLLM_ASCEND_ENABLE_NZ»=1\n"
            '→›vllm serve m --additional-config \'{‹→"weight_nz_mode": 1, ›"refresh": true}\'\n',
            target={"vllm-ascend": "0.25"},
        ),
        told("export «VLLM_ASCEND_ENABLE_FLASHCOMM»=0\n", target={"vllm-ascend": "0.11"}),
        told("atc --model=a.onnx‹ «--shape_generalized_build_mode»=shape_precise→›\n", "info unsafe"),
        told(
            '‹op.parameter_map["«op_select_implmode»"].s = b"high_precision"\n'
            '→›op.parameter_map["op_precision_mode"].s = b"a"\n',
            "warning safe",
            Kind.PYTHON,
        ),
        told("atc --model=a.onnx‹ «--op_select_implmode»=high_performance→› --output=a\n", "warning safe unsafe"),
        told(
            'a.parameter_map["«enable_data_pre_proc»"].b = True\nb.parameter_map["enable_data_pre_proc"].b = True\n',
            "info",
            Kind.PYTHON,
        ),
        told(
            '‹os.environ["«VLLM_ASCEND_ENABLE_NZ»"] = "0"\n'
            '→›LLM("m", additional_config={"refresh": True‹→, "weight_nz_mode": 0›})\n',
            kind=Kind.PYTHON,
            target={"vllm-ascend": "0.25"},
        ),
        # Where nobody says that it is deprecated there, once is enough.
        *(
            Invalid(
                "import mindspore\nmindspore.set_context(save_graphs=1)\nmindspore.set_context(save_graphs=2)\n",
                ("save_graphs",) * len(says),
                says,
                target=target,
            )
            for says, target in ((("info",), {}), (("warning", "warning"), {"mindspore": "2.5"}))
        ),
        told(
            'op.parameter_map["«op_select_implmode»"].s = b"high_precision"\nif FLAGS.a:\n'
            '    op.parameter_map["«optypelist_for_implmode»"].s = b"Relu"\n',
            kind=Kind.PYTHON,
        ),
    )

    def concerns(self, option: Option) -> bool:
        return option.deprecated is not None

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        """Report a setting of a deprecated option, unless the target is older than the deprecation."""
        gone = option.deprecated
        if gone is None or context.target.at_least(gone.version, option.component) is False:
            return
        told = standing(option, context.target).removed or is_switch(setting, gone.replacement, context)
        if told or _is_default(setting, gone, option):
            return
        open_end = _is_open_end(gone, option)
        early = gone.fix == "manual" and context.is_assumed(gone.version, option.component)
        if (open_end or early) and not context.is_first(setting):
            return
        yield self.finding(
            context,
            setting.key,
            "replaced" if gone.replacement else "alone",
            of=option,
            severity=Severity.INFO if open_end else None,
            fixes=fixes_for(gone.fix, setting, option, block, context),
            tags=(Tag.DEPRECATED,),
            holds_since=gone.version,
            why=gone.why.to(context.language),
            replacement=gone.replacement,
        )


def _is_default(setting: Setting, gone: Deprecation, option: Option) -> bool:
    """Return whether a variable does nothing that something else would have to do: it has the value that holds without it."""
    if not setting.surface.row.environment or gone.replacement is not None or gone.keys:
        return False
    return same(setting.value, option.default)


def _is_open_end(gone: Deprecation, option: Option) -> bool:
    """Return whether there is nothing to do yet: the option works, and nothing takes its place."""
    return gone.fix is None or (gone.fix == "remove" and option.status != "no_effect")
