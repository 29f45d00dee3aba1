"""NPU131: a value that a script's own parser refuses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from npu_lsp.catalog.near import nearest
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.languages.model import Declared, Setting
from npu_lsp.languages.placeholders import is_placeholder
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.names.meant import is_another_release
from npu_lsp.linter.names.parsed import is_fork
from npu_lsp.linter.names.script_flags import Given, ScriptParser, longer, parsers
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.wording import likely
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_FILES = {
    "convert_weight.py": "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--ckpt_path', type=str)\n"
    "parser.add_argument('--num-workers', type=int)\n"
    "parser.add_argument('--dtype', choices=['fp16', 'bf16'])\nargs = parser.parse_args()\n"
}
_WORD = re.compile(r"\w[\w.-]*")
_IS_NONE = re.compile(
    r"(?!(?i:none|null|auto|true|false|[-+]?(?:inf(?:inity)?|nan)|[-+]?0x[\da-f_]+|[-+]?0b[01_]+)\Z)(?![-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\Z)[\d_.+-]*[A-Za-z][\w.+-]*"
)
"""A word that is no number; YAML takes those with `0x`, too."""
_TO_FILL_IN = re.compile(r"[A-Zijknx]|[A-Z]{1,20}(?:_[A-Z0-9]{1,20}){1,6}")
"""What usage lines show for a number: `--node-count N --layers NUM_LAYERS`, `--rank n`."""
_WORD_FOR_NONE = re.compile(r"(?i:none|null|auto|true|false)\Z")
"""What a file of settings may hold in the place of a number, and `argparse` refuses."""
_LLM = "python convert_ckpt_v2.py --load-dir a --save-dir b --target-tensor-parallel-size 2 "


class ArgumentValue(Rule):
    """An argument of a script without the value that it takes, or with one that isn't among its choices.

    ## What it does
    Looks at commands such as `python convert_weight.py --dtype fp61`, as NPU130 does, and compares what stands behind a long flag
    with what the script's own parser allows, and those of Megatron's arguments that take certain words alone in each of its releases,
    and in those of MindSpeed and its family, with what one of them takes. Of a script's own parser, Megatron, ms-swift and LLaMA-Factory
    it is known which arguments are numbers, and which words others take.

    ## Why is this bad?
    `argparse` stops with `expected one argument` or `invalid choice`.

    ## Fix safety
    Unsafe: from then on another value takes effect.
    """

    code = "NPU131"
    title = Text(en="Value that the script doesn't take", zh="脚本不支持的参数取值")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "lacks": Text(
            en='"{option}" of {script} takes a value, and none stands behind it: the script stops with an error.',
            zh="{script} 的“{option}”需要取值，但后面没有值，脚本会报错退出。",
        ),
        "choice": Text(
            en='"{option}" of {script} doesn\'t take "{value}": the script stops with an error. Allowed: {choices}.',
            zh="{script} 的“{option}”不支持“{value}”，脚本会报错退出。可选值：{choices}。",
        ),
        "near": Text(
            en='"{option}" of {script} doesn\'t take "{value}": the script stops with an error. Did you mean "{near}"?',
            zh="{script} 的“{option}”不支持“{value}”，脚本会报错退出。是否应为“{near}”？",
        ),
        "number": Text(
            en='"{option}" of {script} takes a number, and "{value}" is none: it stops with an error.',
            zh="{script} 的“{option}”须为数值，“{value}”不是数值，会报错退出。",
        ),
        "replace": Text(en='Replace with "{near}"', zh="替换为“{near}”"),
    }
    examples_say = Severity.WARNING
    VALID = (
        Valid("python convert_weight.py --num-workers N\n", Kind.SHELL, files=_FILES),
        Valid("python convert_weight.py --num-workers num-workers\n", Kind.SHELL, files=_FILES),
        "python convert_ckpt_v2.py --load-dir a --save-dir b --target-tensor-parallel-size 2\n",
        Valid("python convert_weight.py --ckpt_path a --dtype bf16\n", Kind.SHELL, files=_FILES),
        Valid("python convert_weight.py --ckpt_path $HERE/a --dtype $TYPE\n", Kind.SHELL, files=_FILES),
        Valid("python convert_weight.py --ckpt_path $ARGS\n", Kind.SHELL, files=_FILES),
        # With a blank in it, it is no flag.
        Valid("python convert_weight.py --ckpt_path '--a 1' --dtype bf16\n", Kind.SHELL, files=_FILES),
        Valid(
            "python convert_weight.py --ckpt_path a --dtype int8\n",
            Kind.SHELL,
            files={name: text + "parser.add_argument('--dtype', choices=['int8'])\n" for name, text in _FILES.items()},
        ),
        _LLM + "--load-model-type hf --save-model-type mg\n",
        # Megatron and its other forks keep their scripts in `tools`, a project's own copy as well.
        "python ours/tools/checkpoint/convert_ckpt.py --model-type EVA --load-dir a --save-dir b --target-tensor-parallel-size 2\n",
        # Of another fork of Megatron, as its other flags tell.
        (
            "torchrun pretrain_gpt.py --tokenizer-type OursTokenizer --deepspeed --zero-stage 2 --no-pipeline-parallel "
            "--num-key-value-heads 8 --tensor-model-parallel-size 2\n"
        ),
        Valid("finetuning_type: lora\nstage: sft\nmodel_name_or_path: m\nseed: 0x2A\n", Kind.YAML),
        "swift sft --model m --tuner_type mine --deepspeed ./zero_2.json --attn_impl flash_attention_4\n",
        "swift sft --model m --max_grad_norm infinity --learning_rate 1.e-5 --warmup_ratio .1\n",
    )
    INVALID = (
        "swift rlhf --model m --rlhf_type «grppo→grpo»\n",
        # The settings of transformers look it up in an enumeration.
        "export HCCL_BUFFSIZE=1\nswift sft --model m --lr_scheduler_type «Cosine→cosine»\n",
        "python convert_ckpt_v2.py «--load-dir» --load-dir a --save-dir b --target-tensor-parallel-size 2\n",
        "swift sft --model m --learning_rate «le-4» --max_length 1_024\n",
        told("finetuning_type: lora\nstage: «stf»\nmodel_name_or_path: m\n", kind=Kind.YAML),
        told("python convert_weight.py --ckpt_path a --dtype '«fp_16→fp16»'\n", "error unsafe", files=_FILES),
        told("python convert_weight.py --num-workers «none»\n", "error", files=_FILES),
        "torchrun pretrain_gpt.py --use-ascend-mc2 --clip-grad «none» --lr 1e-5 --micro-batch-size $N\n",
        "python preprocess_data.py --input a --output-prefix b --tokenizer-type PretrainedFromHF --workers «auto»\n",
        told("python convert_weight.py «--ckpt_path» --dtype=«int4»\n", "error", files=_FILES),
        "torchrun pretrain_gpt.py --use-ascend-mc2 --position-embedding-type «rotary»\n",
        "torchrun pretrain_gpt.py --use-ascend-mc2 --lr-decay-style «cosin→cosine»\n",
        _LLM + "«--load-dir» --save-model-type «huggingface»\n",
        "swift sft --model m --deepspeed «zero_2→zero2»\n",
        "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=«grop→grpo» data.truncation=ours\n",
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for given, parser in parsers(context):
            for each in given:
                yield from self._look(each, parser, context)
        for block in context.parsed.blocks:
            facts = context.catalog.plain("other_flags").get(block.surface.value, {})
            closed, numbers, open_ = facts.get("choices", {}), facts.get("numbers", ()), facts.get("open", {})
            for setting in block.settings if closed or numbers or open_ else ():
                if setting.name in open_:
                    yield from self._registered(setting, open_[setting.name], context)
                else:
                    yield from self._of_tool(setting, closed.get(setting.name, ()), numbers, context)

    def _registered(self, setting: Setting, words: Sequence[str], context: Context) -> Iterator[Finding]:
        """Compare a text with words beside which others may be registered: only what is close to one of them is told."""
        value = setting.value
        text = value.data if value.known else None
        if not isinstance(text, str) or value.content is None or text in words or not _WORD.fullmatch(text):
            return
        if nearest(text, words, wrong=True) is not None and not is_fork(context, setting.surface):
            yield self._refused(
                context.text(setting.key), text, value.content, words, setting.surface.row.tool, context
            )

    def _of_tool(
        self, setting: Setting, choices: Sequence[str], numbers: Collection[str], context: Context
    ) -> Iterator[Finding]:
        """Compare a text with what the argument of a library takes: one of some words, or a number."""
        value = setting.value
        text = value.data if value.known else None
        if not isinstance(text, str) or is_placeholder(text):
            return
        if choices and text not in choices and value.content is not None and _WORD.fullmatch(text):
            if _takes_others(setting, text, choices, context):
                return
            script = "Megatron" if setting.surface is Surface.MINDSPEED else setting.surface.row.tool
            yield self._refused(context.text(setting.key), text, value.content, choices, script, context)
        elif (setting.name in numbers or setting.name.replace("-", "_") in numbers) and _is_no_number(
            text, parsed=setting.surface is Surface.MINDSPEED
        ):
            tool = "Megatron" if setting.surface is Surface.MINDSPEED else setting.surface.row.tool
            yield self.finding(
                context, value.span, "number", of=setting, severity=Severity.WARNING, value=text, script=tool
            )

    def _look(self, given: Given, parser: ScriptParser, context: Context) -> Iterator[Finding]:
        name = longer(given.name, parser)
        said = parser.flags[name] if name is not None else None
        if said is None:
            return
        severity = Severity.WARNING if parser.owner else None
        if said.takes and not given.values and not given.glued:
            # A variable that stands there may hold the value, though it holds nothing that is known.
            if given.following is not None and not context.text(Span(given.key.end, given.following)).strip(
                " \t\\\r\n"
            ):
                yield self.finding(
                    context, given.key, "lacks", option=given.name, script=parser.script, severity=severity
                )
            return
        if given.value is not None:
            yield from self._compare(given, said, parser, given.value, context)

    def _compare(
        self, given: Given, said: Declared, parser: ScriptParser, value: tuple[str, Span], context: Context
    ) -> Iterator[Finding]:
        severity = Severity.WARNING if parser.owner else None
        text, span = value
        if context.text(span) != text:
            # A quote stands behind it.
            span = Span(span.start - 1, span.end - 1)
        if is_placeholder(text) or text == given.name.lstrip("-") or context.text(span) != text:
            return  # `--device_id device_id` is what a manual shows.
        if said.number and _is_no_number(text, parsed=True):
            yield self.finding(
                context, span, "number", severity=severity, option=given.name, value=text, script=parser.script
            )
        elif said.choices and text not in said.choices:
            yield self._refused(given.name, text, span, said.choices, parser.script, context, severity)

    def _refused(
        self,
        option: str,
        value: str,
        span: Span,
        choices: Sequence[str],
        script: str,
        context: Context,
        severity: Severity | None = Severity.WARNING,
    ) -> Finding:
        near = nearest(value, choices, wrong=True)
        return self.finding(
            context,
            span,
            "near" if near else "choice",
            option=option,
            value=value,
            script=script,
            severity=severity,
            fixes=self.fix(context, "replace", (Edit(span, near),), Safety.UNSAFE, near=near) if near else [],
            near=near or "",
            choices=likely(choices, value, context.language),
        )


def _is_no_number(text: str, *, parsed: bool) -> bool:
    """Return whether a text is no number, and none that is to be filled in, as `N`; `parsed`: `argparse` alone reads it."""
    return (_IS_NONE.fullmatch(text) is not None and not _TO_FILL_IN.fullmatch(text)) or (
        parsed and _WORD_FOR_NONE.match(text) is not None
    )


def _takes_others(setting: Setting, text: str, choices: Sequence[str], context: Context) -> bool:
    """Return whether a fork, or a release that nobody knows here, may take a word."""
    if setting.surface is not Surface.MINDSPEED and is_fork(context, setting.surface):
        return True
    return is_another_release(context, setting.surface) and nearest(text, choices, wrong=True) is None
