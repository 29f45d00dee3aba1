"""NPU112: a flag and its value in one word of a list, or a flag with a blank behind it."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import COMMANDS
from npu_lsp.languages.model import Block, FactKind
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit


class BlankInFlag(Rule):
    """A flag and its value that are one word, or a flag that ends with a blank.

    ## What it does
    Looks for words of argument lists, and for quoted words, that are a known flag with a blank in it: `- --quantization ascend`.
    No shell splits what stands in a list of YAML, JSON or Python.

    ## Why is this bad?
    For argparse a word with a blank in it is no flag, so the program stops with "unrecognized arguments".

    ## Example
    ```yaml
    command: ["vllm", "serve", "model", "--quantization ascend"]
    ```

    Use instead:
    ```yaml
    command: ["vllm", "serve", "model", "--quantization=ascend"]
    ```

    ## Fix safety
    Safe: the command stopped before.
    """

    code = "NPU112"
    name = "blank-in-flag"
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
    VALID = (
        Valid("vllm serve m --quantization ascend\n", Kind.SHELL),
        Valid('command: ["vllm", "serve", "m", "--quantization", "ascend"]\n', Kind.YAML),
        # A shell splits it.
        Valid("command: vllm serve m --quantization ascend\n", Kind.YAML),
        Valid('vllm serve m --chat-template "a b"\n', Kind.SHELL),
    )
    INVALID = (
        Invalid(
            'command: ["vllm", "serve", "m", "--quantization ascend"]\n',
            (" ",),
            ("error safe",),
            'command: ["vllm", "serve", "m", "--quantization=ascend"]\n',
            kind=Kind.YAML,
        ),
        Invalid(
            "command:\n- vllm\n- serve\n- m\n- '--additional-config '\n- '{}'\n",
            (" ",),
            ("error safe",),
            "command:\n- vllm\n- serve\n- m\n- '--additional-config'\n- '{}'\n",
            kind=Kind.YAML,
        ),
        Invalid(
            'import subprocess\nsubprocess.run(["vllm", "serve", "m", "--port 8000"])\n',
            (" ",),
            ("error safe",),
            'import subprocess\nsubprocess.run(["vllm", "serve", "m", "--port=8000"])\n',
        ),
    )

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Report the blanks that the reader found."""
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
