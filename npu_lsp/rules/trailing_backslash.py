"""NPU703: a backslash that joins a command with the next one."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class TrailingBackslash(SyntaxRule):
    r"""A backslash at the end of a command's last line.

    ## What it does
    Looks for a backslash behind the last flag of a command, where the next line is a command of its own, and in pages where no line
    follows.

    ## Why is this bad?
    The shell takes the next line for more words of this command: it isn't run, and ATC stops at words that are no flags. Whoever
    pastes the command of a page that ends so into a terminal waits for it, and what is pasted next is taken for words of it.

    ## Example
    ```sh
    atc --model=a.onnx --output=a \
    echo done
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --output=a
    echo done
    ```

    ## Fix safety
    Safe: both commands are run, as their lines say.
    """

    code = "NPU703"
    name = "trailing-backslash"
    fault = SyntaxFault.TRAILING_BACKSLASH
    title = Text(en="Backslash that joins the next command to this one", zh="末尾多余的续行符")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='This backslash makes "{command}" on the next line a part of the command, which stops with an error. Remove the backslash.',
            zh="此处的续行符把下一行的“{command}”并入当前命令，命令会报错退出。请删除该续行符。",
        ),
        "end": Text(
            en="Nothing follows this backslash: pasted into a terminal, the command waits, and takes what is pasted next for words of its own. Remove the backslash.",
            zh="该续行符后已无内容：粘贴到终端后命令不会执行，随后粘贴的内容会被并入该命令。请删除该续行符。",
        ),
        "mend": Text(en="Remove the backslash", zh="删除续行符"),
    }
    VALID = (
        Valid("vllm serve m --max-model-len 8 \\\n  {{caching}} \\\n  --port 80 \\\n  {{decoding}}\n", Kind.SHELL),
        Valid("atc --model=a.onnx \\\n\nls\n", Kind.SHELL),
        # A script that ends so runs all the same; a part of a command is put into others.
        Valid("atc --model=a.onnx \\\n", Kind.SHELL),
        Valid("```sh\n--enable_small_channel=1 \\\n--output=b \\\n```\n", Kind.MARKDOWN),
        # There is more, which nobody shows.
        Valid("vllm serve m \\\n  --port 8000 \\\n  ...\n", Kind.SHELL),
    )
    INVALID = (
        # Behind the flags of a script it is what the shell has.
        Invalid(
            "torchrun pretrain_gpt.py --use-ascend-mc2 \\\n  --swap-attention \\\nset +x\n",
            ("\\",),
            ("error safe",),
            "torchrun pretrain_gpt.py --use-ascend-mc2 \\\n  --swap-attention\nset +x\n",
            Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx \\\nexit 0\n", ("\\",), ("error safe",), "atc --model=a.onnx\nexit 0\n", Kind.SHELL
        ),
        Invalid(
            "```sh\nvllm serve m \\\n  --port 80 \\\n```\n",
            ("\\",),
            ("warning safe",),
            "```sh\nvllm serve m \\\n  --port 80\n```\n",
            Kind.MARKDOWN,
        ),
    )

    def is_one(self, found: SyntaxFinding, context: Context) -> bool:
        """Only a page is pasted from."""
        return "reason" not in found.arguments or BY_KIND[context.document.kind].page

    def severity_of(self, found: SyntaxFinding) -> Severity | None:
        """Return how bad it is: what is pasted next is seen before it runs."""
        return Severity.WARNING if "reason" in found.arguments else None
