"""NPU105: a value that isn't written as its option needs it."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from npu_lsp.catalog.grammar import ValueProblem, check
from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import shown, text_of
from npu_lsp.rules.glued_flag import flags_in
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_LONGEST = 20_000
"""No tool is given longer values, and messages quote them."""
_MOST = 10
"""How many mistakes of one value are worth a finding each."""
_SENTENCE = re.compile("[\"'][\uff08\uff0c\uff1a\uff1b\u3002][\u4e00-\u9fff]")
"""What a page goes on with behind the quotes of a value."""
_NAME = re.compile(r"[a-z]+(?:_[a-z]+)+|[\u4e00-\u9fff]{3,40}[ ]?[A-Z]{0,8}")
_QUOTED = re.compile(r'"[^"]*"')


class InvalidFormat(Rule):
    """A value of the wrong form, with the wrong part underlined.

    ## What it does
    Reads values that have a form of their own (shapes, profiles, steps, core counts, lists, paths, JSON, ...) as the tool
    reads them, and underlines the part that doesn't fit. What is wrong with several parts in the same way is told once.

    ## Why is this bad?
    The tool stops with an error that names the option at best, often minutes after the start. Where it doesn't check,
    it takes the value for another one.

    ## Fix safety
    Safe where the tool rejects the value as it is, and one sign tells what was meant: a full-width `；`, a blank too
    many, a `;` at the end. Unsafe where the tool takes it.
    """

    code = "NPU105"
    title = Text(en="Value of the wrong form", zh="取值格式错误")
    tried = True
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "rejected": Text(
            en='"{option}": {problem}; the tool stops with an error.{example}',
            zh="“{option}”：{problem}，执行时会报错。{example}",
        ),
        "silent": Text(
            en='"{option}": {problem}; the tool runs on all the same.{example}',
            zh="“{option}”：{problem}，执行时不会因此退出。{example}",
        ),
        "example": Text(en=" Write it as in {example}.", zh="写法示例：{example}。"),
    }
    examples_fixed = "safe"
    VALID = (
        Valid(
            '```json\n{"Version": "1.0.0", "ServerConfig": {"ipAddress": "改成主节点 IP", "port": 1025}, '
            '"BackendConfig": {"ModelDeployConfig": {"maxSeqLen": 2560}}}\n```\n',
            Kind.MARKDOWN,
        ),
        'atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --input_shape="data:1,3,224,224"\n',
        Valid('```sh\nHCCL_ALGO="level0:NA;level1:ring"：用于说明\n```\n', Kind.MARKDOWN),
        # What switches it on is off in the same script.
        "export PROFILING_MODE=false\nexport PROFILING_OPTIONS='{'\n",
        "export HCCL_IF_IP=141.xx.xx.2\nexport HCCL_IF_IP=192.168.x.x\n",
        Valid('```sh\natc --model=a.onnx --input_shape="model_input_name:model_input_shape"\n```\n', Kind.MARKDOWN),
        "parallel atc --model={1} --framework=5 --output={1.} ::: *.onnx\n",
        Valid('custom_op.parameter_map["dump_step"].s = tf.compat.as_bytes("0|5-10")\n'),
        "atc --input_shape=data:1,3,224,$SIZE\n",
        "atc --singleop=ops.json --output=out/\natc --output=out/ $MORE\n",
        "atc --model ~/resnet50.onnx --output ~/out/resnet50\n",
        'atc --input_shape="A:-1,32,208,208;B:;C:16,64,208,208"\n',
        'atc --input_shape="" --model=a.onnx\n',
        # Each of these is told as something else: quotes of a word processor, flags that stand together, another field.
        "atc --model=a.onnx --input_shape=“data:1,3”\n",
        'atc --model=a.onnx --input_shape="a:1,3"--output=b\n',
        "atc --singelop=ops.json --output=out/\n",
        Valid('custom_op.parameter_map["dump_step"].i = b"first"\n'),
    )
    INVALID = (
        'atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --input_shape="data:1,3,«224x224»"\n',
        # What reads it is closed source.
        told('atc --optypelist_for_implmode="‹Add«;»Mul→Add,Mul›"\n', "warning unsafe"),
        # A key of an earlier release; the path is to be filled in, which says nothing of the keys.
        told(
            'export MS_PROFILER_OPTIONS=\'‹{"start": true, "output_path": "/XXX", "«memory»": false}→{"start": true, "output_path": "/XXX", "profile_memory": false}›\'\n',
            "warning unsafe",
        ),
        told(
            "from mindspore import context\n"
            'context.set_context(enable_profiling=True, profiling_options="«training_trace:task_trace»")\n',
            "warning",
            Kind.PYTHON,
        ),
        "atc --model=«~»/resnet50.onnx\n",
        "atc --model=a.onnx --output=out«/»\n",
        "atc --singleop=ops.json --output=«~»/out\n",
        'atc --model=a.onnx --input_shape="«;»"\n',
        told('```sh\natc --model=a.onnx --input_shape="data:1,3,«22x»,224"\n```\n', kind=Kind.MARKDOWN),
        # Nobody knows what was meant.
        'atc --model=a.pb --input_fp16_nodes="«;»"\n',
        told('custom_op.parameter_map["dump_step"].s = tf.compat.as_bytes("0«｜»5-x")\n', kind=Kind.PYTHON),
        # What switches it on is off.
        told(
            'op.parameter_map["enable_dump"].b = False\nop.parameter_map["dump_step"].s = b"«first»"\n',
            "warning",
            Kind.PYTHON,
        ),
        told(
            'op.parameter_map["profiling_mode"].b = False\nop.parameter_map["profiling_options"].s = b"«{»"\n',
            "warning",
            Kind.PYTHON,
        ),
        told(
            'op.parameter_map["optimization_switch"].s = b"‹ConstantFoldingPass:«off »→ConstantFoldingPass:off›"\n',
            "warning unsafe",
            Kind.PYTHON,
        ),
        told("export VLLM_ASCEND_MLA_FIA_SPLIT=«on»\n", "warning"),
        told('export HCCL_ALGO="‹level0:NA;level1:«HD_R»→level0:NA;level1:H-D_R›"\n', "warning safe"),
        told(
            'custom_op.parameter_map["experimental_accelerate_train_mode"].s = tf.compat.as_bytes("fast|step|«0.95»")\n',
            kind=Kind.PYTHON,
        ),
        'atc --input_shape="data:1,3,«22x»,224" --model=a.onnx\n',
        told('custom_op.parameter_map["dump_step"].s = tf.compat.as_bytes("‹0«｜»5-10→0|5-10›")\n', kind=Kind.PYTHON),
        'atc --dynamic_batch_size="«a:-1»,b:-1" --model=a.onnx --input_shape="a:-1,3"\n',
        told(
            'custom_op.parameter_map["local_device_list"].s = tf.compat.as_bytes("‹0,« 1», 2→0,1,2›")\n',
            kind=Kind.PYTHON,
        ),
        told('vllm serve m --speculative-config \'«"method": "ngram"}»\'\n'),
    )

    def concerns(self, option: Option) -> bool:
        return option.grammar is not None

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        text = text_of(setting.value)
        if option.grammar is None or not text or len(text) > _LONGEST or not self._is_judged(setting, option, context):
            return
        companions = Companions.of_block(block, context)
        grammar = _form(option.grammar, companions)
        problems = list(check(grammar, text, option.surface))
        if not problems:
            return
        if context.document.kind in PAGES and (
            _SENTENCE.search(context.text(setting.value.inside))
            or any(_NAME.fullmatch(text[p.start : p.end]) for p in problems)
        ):
            return  # `input_name:input_shape`, 改成主节点 IP: a page tells what stands there.
        if option.surface.row.environment and companions.unread(setting, option, partly=True):
            return  # What switches it on is off in the same script.
        fixes = self._fixes(setting, option, text, grammar, problems, context)
        unread = companions.unread(setting, option)
        # Of a value that isn't written letter by letter, all of it is underlined: once.
        for problem in islice(_told(problems), None if setting.value.content is not None else 1):
            rejected = option.enforced and problem.certain and not unread
            yield self.finding(
                context,
                setting.value.part(problem.start, problem.end),
                "rejected" if rejected else "silent",
                of=option,
                # Whether what a script starts reads a variable, nobody knows.
                severity=None if rejected and not option.surface.row.environment else Severity.WARNING,
                fixes=fixes,
                problem=problem.message.to(context.language),
                example=self._example(option, context),
            )

    def _is_judged(self, setting: Setting, option: Option, context: Context) -> bool:
        """Return whether a value is one that the grammar is for, and nothing else is told of it."""
        in_its_slot = setting.slot is None or (option.slot is not None and setting.slot == option.slot.value)
        return in_its_slot and not any(flags_in(setting, context))

    def _example(self, option: Option, context: Context) -> str:
        return self.say(context, "example", example=shown(option.examples[0])) if option.examples else ""

    def _fixes(
        self,
        setting: Setting,
        option: Option,
        text: str,
        grammar: str,
        problems: Sequence[ValueProblem],
        context: Context,
    ) -> list[Fix]:
        """Return the fix that mends all that is wrong with the value, if that is possible."""
        mended = text
        for problem in reversed(problems):
            if problem.instead is None:
                return []
            mended = mended[: problem.start] + problem.instead + mended[problem.end :]
        if any(check(grammar, mended, option.surface)):
            return []
        safety = Safety.SAFE if option.enforced and all(p.certain for p in problems) else Safety.UNSAFE
        return self.changed(context, setting, mended, safety=safety)


def _told(problems: Iterable[ValueProblem]) -> list[ValueProblem]:
    """Return the first problem of each sort in the order of the text, and of two that meet the one that stops the tool.

    The same slip in several parts of a value is one, and so is what two questions find at one place.
    """
    apart: list[ValueProblem] = []
    for problem in sorted(problems, key=lambda each: (not each.certain, each.start)):
        at = bisect(apart, problem.start, key=_start)
        before = apart[at - 1].end if at else 0
        behind = apart[at].start if at < len(apart) else problem.end
        if before <= problem.start and problem.end <= behind:
            apart.insert(at, problem)
    sorts = {_QUOTED.sub('""', problem.message.en): problem for problem in reversed(apart)}
    return sorted(sorts.values(), key=_start)[:_MOST]


def _start(problem: ValueProblem) -> int:
    return problem.start


def _form(grammar: str, companions: Companions) -> str:
    """Return the grammar; what ATC writes for single operators goes into a folder, so that any path will do."""
    if grammar == "output-file" and (companions.of(None, "singleop") or not companions.complete(None, "singleop")):
        return "output-path"
    return grammar
