"""NPU110: a word on a command line that belongs to no flag."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import COMMANDS
from npu_lsp.languages.model import Block, FactKind, SyntaxFault
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.companions import Companions
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.names.meant import is_another_release
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span


class StrayWord(Rule):
    """A word that is neither a flag nor the value of one.

    ## What it does
    Looks for words on the command line that no flag takes: a file's name alone, a flag that lost its dashes, the rest of
    a value with a blank in it that isn't quoted. What variables add (`$more`, `"$@"`) is left alone.

    ## Why is this bad?
    ATC stops at the first such word.

    ## Fix safety
    Safe where nothing else may set the same option: a flag that lost its dashes stops the command. Other words have no fix.
    """

    code = "NPU110"
    title = Text(en="Word that belongs to no flag", zh="不属于任何参数的内容")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    surfaces = COMMANDS
    messages = {
        "flag": Text(
            en='"{word}" is no flag without "--", and {tool} stops with an error. Write "--{word}".',
            zh="“{word}”缺少“--”，{tool} 会报错退出。请写成“--{word}”。",
        ),
        "word": Text(
            en='"{word}" belongs to no flag, and {tool} stops with an error. Name its flag, or quote the value that it is a part of.',
            zh="“{word}”不属于任何参数，{tool} 会报错退出。请补充参数名，或为含空格的取值加引号。",
        ),
        "dashes": Text(en='Write "--{word}"', zh="改为“--{word}”"),
    }
    examples_fixed = "safe"
    VALID = (
        "atc --model=model.onnx --framework=5 --output=a --soc_version=Ascend310P3\n",
        # Older releases take a value there.
        "git clone https://github.com/own/vllm\nvllm serve m --enable-chunked-prefill false\n",
        Valid(
            "guide: |\n  ```bash\n  vllm serve m --max-model-len 8 --additional-config '{}' \\\n    ...\n  ```\n",
            Kind.YAML,
        ),
        "vllm serve m --additional-config '{}' \\\n  ...\n",
        "vllm serve m --max-model-len 8 \\\n  {{caching}} \\\n  --port 80 \\\n  {{decoding}}\n",
        Valid("a: |-\n  ```bash\n  vllm serve m --port 80 \\\n    {{caching}} \\\n    --seed 1\n  ```\n", Kind.YAML),
        Valid(
            "args:\n  - |\n    vllm serve \\\n      --model {{ .Values.model.path }} \\\n      --port {{ .Values.port }}\n",
            Kind.YAML,
        ),
        "torchrun --nproc_per_node=8 -- train.py --run=a --depth=12 b\n",
        "atc converts models\n",
        # The tool is found in one of two places.
        (
            "C=../bin/converter_lite\nif a; then\n  C=./converter_lite\nfi\n"
            "$C --fmk=MINDIR --modelFile=a --outputFile=b\n"
        ),
        Valid(
            "a.om:\n\tatc --model=$(firstword $(filter %.onnx,$^)) --framework=5 $(if $(D),--log=debug)\n",
            Kind.MAKEFILE,
        ),
        "find . -name '*.onnx' -exec atc --model={} --framework=5 --output=a \\;\n",
        "parallel atc --model={1} --framework=5 --output={1.} ::: *.onnx\n",
        "atc --model a.onnx --framework=5 2>&1 | tee atc.log\n",
        "atc --model=a.onnx $more\n",
        "atc a.onnx b.om\n",
        Valid("```sh\natc a.onnx --framework=5\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        "atc «model.onnx» --framework=5 --output=a --soc_version=Ascend310P3\n",
        # What is one slip, and what isn't.
        "atc --model=a.onnx «b» c --framework=5 «d»\n",
        "atc --model=a.onnx «b» «other=c»\n",
        "atc --model=a.onnx «framework»\n",
        told("```sh\natc --model=a.onnx b other=c «framework=5→--framework=5» log\n```\n", kind=Kind.MARKDOWN),
        "atc «a.onnx» --framework=5\n",
        "atc --model=a.onnx «framework=5→--framework=5»\n",
        told("```sh\natc --model=a.pb «framework=3→--framework=3» --output=a\n```\n", kind=Kind.MARKDOWN),
        # Which of the two was meant, nobody knows; and what is handed on may hold the other one.
        told("atc --model=a --framework=5 «framework=3→--framework=3»\n", "error unsafe"),
        told('atc --model=a.onnx «framework=5→--framework=5» "$@"\n', "error unsafe"),
        "atc --model=a.onnx --input_shape=a:1, «3,» 224\n",
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Report the words that the reader could give to no flag; pages say "atc" in prose, too, but no `flag=value` in it."""
        if not block.settings or _has_torn_json(block, context):
            return
        if "{{" in context.text(block.command or block.span):
            return  # What a template fills in may hold blanks, `{{ .Values.model }}`, and become flags or nothing.
        is_page = context.document.kind in PAGES
        end = len(context.document.text)
        for fact in block.facts:
            if fact.kind == FactKind.STRAY_WORD:
                goes_on = end <= fact.span.start and not context.document.text[end : fact.span.start].strip(" \t\\\r\n")
                end = fact.span.end
                word = context.text(fact.span)
                if goes_on and "=" not in word:
                    continue  # What is not quoted, or was pasted in, is one slip however many words it has.
                name, equals, _ = word.partition("=")
                option = context.lookup(block.surface, name) if equals else None
                known = option is not None
                if (is_page and not known) or _was_value(word, block, context):
                    continue
                yield self.finding(
                    context,
                    fact.span,
                    "flag" if known else "word",
                    surface=block.surface,
                    fixes=self._with_dashes(word, fact.span.start, option, block, context),
                    word=word,
                    tool=block.surface.row.tool,
                )

    def _with_dashes(self, word: str, start: int, option: Option | None, block: Block, context: Context) -> list[Fix]:
        """Return the fix that makes a word a flag; none where there is no such `option`."""
        if option is None:
            return []
        companions = Companions.of_block(block, context)
        alone = companions.shows_all(option.name) and not companions.of(None, option.name)
        edits = [Edit(Span(start, start), "--")]
        return self.fix(context, "dashes", edits, Safety.SAFE if alone else Safety.UNSAFE, word=word)


def _was_value(word: str, block: Block, context: Context) -> bool:
    """Return whether a switch of another release may take the word: those of older ones took true and false."""
    return word.lower() in ("true", "false") and is_another_release(context, block.surface)


def _has_torn_json(block: Block, context: Context) -> bool:
    """Return whether JSON in the command is told to be none: without its quotes, its pieces are words."""
    around = block.command or block.span
    slips = (each for each in context.parsed.syntax if each.kind is SyntaxFault.JSON_SYNTAX)
    return any(each.span.within(around) for each in islice(slips, MOST_OF_ONE))
