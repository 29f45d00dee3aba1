"""NPU112 and NPU113: a flag and its value that are one word, and a switch that is given a value."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import COMMANDS, where
from npu_lsp.languages.model import Block, FactKind, Form, Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import says_no, text_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span


class BlankInFlag(Rule):
    """A flag and its value that are one word, or a flag that ends with a blank.

    ## What it does
    Looks for words of argument lists, and for quoted words, that are a known flag with a blank in it: `- --quantization ascend`.
    No shell splits what stands in a list of YAML, JSON or Python.

    ## Why is this bad?
    For argparse a word with a blank in it is no flag, so the program stops with "unrecognized arguments".

    ## Fix safety
    Safe: the command stopped before.
    """

    code = "NPU112"
    title = Text(en="Flag with a blank in it", zh="参数名与取值写在同一个元素中")
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS
    surfaces = COMMANDS
    messages = {
        "value": Text(
            en='The flag and its value are one word with a blank in it, which {tool} takes for no flag and stops. Write "=" between them.',
            zh="参数名与取值位于同一个元素且以空格分隔，{tool} 无法识别并报错退出。请用“=”连接，或拆分为两个元素。",
        ),
        "behind": Text(
            en="There is a blank behind the flag, so {tool} takes the word for no flag and stops. Remove the blank.",
            zh="参数名后有多余的空格，{tool} 无法识别并报错退出。请删除空格。",
        ),
        "join": Text(en='Write "=" instead of the blank', zh="将空格改为“=”"),
        "remove": Text(en="Remove the blank", zh="删除空格"),
    }
    examples_in = Kind.YAML
    examples_fixed = "safe"
    VALID = (
        Valid("vllm serve m --quantization ascend\n", Kind.SHELL),
        'command: ["vllm", "serve", "m", "--quantization", "ascend"]\n',
        # A shell splits it.
        "command: vllm serve m --quantization ascend\n",
        Valid('vllm serve m --chat-template "a b"\n', Kind.SHELL),
    )
    INVALID = (
        'command: ["vllm", "serve", "model", "--quantization« →=»ascend"]\n',
        "command:\n- vllm\n- serve\n- m\n- '--additional-config« →»'\n- '{}'\n",
        told('import subprocess\nsubprocess.run(["vllm", "serve", "m", "--port« →=»8000"])\n', kind=Kind.PYTHON),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        for fact in block.facts:
            if fact.kind is FactKind.GLUED_WORD:
                behind = not context.document.text[fact.span.end : fact.span.end + 1].strip("\"'\r\n\\,]")
                edits = [Edit(fact.span, "" if behind else "=")]
                yield self.finding(
                    context,
                    fact.span,
                    "behind" if behind else "value",
                    surface=block.surface,
                    fixes=self.fix(context, "remove" if behind else "join", edits, Safety.SAFE),
                    tool=block.surface.row.tool,
                )


_YES = frozenset({"true", "1", "on", "yes"})


class SwitchWithValue(Rule):
    """A switch with `=` and a value behind it.

    ## What it does
    Looks for `--flag=value` of flags that stand alone.

    ## Why is this bad?
    argparse stops with "ignored explicit argument": a switch is on where it stands, and off with `--no-` in front of its name, where
    there is such a flag.

    ## Fix safety
    Safe where the value says yes: the command stopped before. Else what was meant is for the user to look at.
    """

    code = "NPU113"
    title = Text(en="Value of a switch", zh="开关参数带有取值")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = COMMANDS | where(lambda row: row.beside)
    messages = {
        "found": Text(
            en='"--{option}" takes no value, and {tool} stops with an error. Leave "=" and what follows out.',
            zh="“--{option}”是开关参数，不接受取值，{tool} 会报错退出。请删除“=”及其后的内容。",
        ),
        "negated": Text(
            en='"--{option}" takes no value, and {tool} stops with an error. Write "--no-{option}" to switch it off.',
            zh="“--{option}”是开关参数，不接受取值，{tool} 会报错退出。如需关闭，请写“--no-{option}”。",
        ),
        "bare": Text(en="Remove the value", zh="删除取值"),
        "off": Text(en='Write "--no-{option}"', zh="改为“--no-{option}”"),
    }
    VALID = (
        "vllm serve m --enable-expert-parallel\n",
        "vllm serve m --no-enable-expert-parallel\n",
        "vllm serve m --port=8000\n",
        # A keyword is no flag.
        Valid('Runner("m", enable_expert_parallel=True, additional_config={"refresh": True})\n'),
    )
    INVALID = (
        told("vllm serve model --enable-expert-parallel«=true→»\n", "error safe"),
        "vllm serve m ‹--enable-prefix-caching«=False»→--no-enable-prefix-caching›\n",
        "python3 -m sglang.launch_server --model-path m --trust-remote-code«=$X»\n",
        told("torchrun pretrain_gpt.py --num-layers 2 --use-fused-swiglu«=true→» --use-fused-rmsnorm\n", "error safe"),
    )

    def concerns(self, option: Option) -> bool:
        return option.nargs == "0" or (option.type == "none" and option.surface.row.beside)

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        if setting.form is not Form.FLAG or setting.separator != "=" or context.has_slip(setting.own):
            return
        behind = Span(setting.key.end, max(setting.value.span.end, setting.key.end + 1))
        off = option.negatable and says_no(text_of(setting.value))
        yield self.finding(
            context,
            behind,
            "negated" if off else "found",
            of=option,
            fixes=self._fixes(setting, option, behind, context, off=off),
            tool=block.surface.row.tool,
        )

    def _fixes(self, setting: Setting, option: Option, behind: Span, context: Context, *, off: bool) -> list[Fix]:
        if off:
            edits = [Edit(Span(setting.key.start, behind.end), f"--no-{option.name}")]
            return self.fix(context, "off", edits, Safety.UNSAFE, option=option.name)
        yes = (text_of(setting.value) or "").strip().lower() in _YES
        return self.fix(context, "bare", [Edit(behind, "")], Safety.SAFE) if yes else []
