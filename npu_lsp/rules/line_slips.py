"""Slips where lines are joined: backslashes that are lost, too many or behind blanks, and commands that run into each other."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Valid, told
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class BlankAfterBackslash(SyntaxRule):
    r"""A backslash at the end of a line with blanks behind it.

    ## What it does
    Looks for blanks between a backslash and the end of its line in commands of tools whose flags are known, and of `docker run`.

    ## Why is this bad?
    The backslash then joins no lines: it makes the blank a part of the command. The flags below are cut off, and the tool gets a
    parameter of one blank, at which ATC stops.

    ## Example
    ```sh
    atc --model=a.onnx --framework=5 \␣
        --output=a
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --framework=5 \
        --output=a
    ```

    ## Fix safety
    Safe: the lines are joined, as the backslash says. Where nothing follows that could be joined, the backslash goes. In front of a
    comment it stays where the line below goes on with the command.
    """

    code = "NPU702"
    fault = SyntaxFault.BLANK_AFTER_BACKSLASH
    title = Text(en="Blanks behind a backslash", zh="续行符后有空格")
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en="Blanks behind the backslash keep it from joining the lines, and the command ends here. Remove them.",
            zh="续行符“\\”后有空白字符，无法续行，命令在此处被截断。请删除多余的空白字符。",
        ),
        "comment": Text(
            en="The backslash in front of the comment joins no lines: the command gets the blank behind it as a parameter. Remove it.",
            zh="注释前的反斜杠无法续行，其后的空格会被当作一个参数传给命令。请删除该反斜杠。",
        ),
        "mend_comment": Text(en="Remove the backslash", zh="删除反斜杠"),
        "mend": Text(en="Remove the blanks", zh="删除多余的空白字符"),
    }
    examples_fixed = "safe"
    VALID = ("atc --model=a.onnx \\\n    --output=a\n",)
    INVALID = (
        "docker run -d \\\n    --name serve --rm «\\ →\\»\n    quay.io/ascend/vllm-ascend:v0.23.0rc1-310p\n",
        "atc --model=a.onnx «\\ →\\»\n    --output=a\n",
        "docker run -it «\\ →\\»\n--ipc=host \\\n    quay.io/ascend/vllm-ascend:v0.23.0rc1-310p\n",
        "atc --model=a.onnx --output=a‹ «\\ # the end»→  # the end›\nls\n",
        # The line below is meant to go on with it: whoever takes the backslash away loses it all the same.
        "docker run --rm \\\n    --name serve «\\ # the server»\n    quay.io/ascend/vllm-ascend:v0.23.0rc1-310p\n",
    )


class TrailingBackslash(SyntaxRule):
    r"""A backslash at the end of a command's last line.

    ## What it does
    Looks for a backslash behind the last flag of a command, where the next line is a command of its own, and in pages where no line
    follows.

    ## Why is this bad?
    The shell takes the next line for more words of this command: it isn't run, and ATC stops at words that are no flags. Whoever
    pastes the command of a page that ends so into a terminal waits for it, and what is pasted next is taken for words of it.

    ## Fix safety
    Safe: both commands are run, as their lines say.
    """

    code = "NPU703"
    fault = SyntaxFault.TRAILING_BACKSLASH
    title = Text(en="Backslash that joins the next command to this one", zh="末尾多余的续行符")
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
    examples_fixed = "safe"
    VALID = (
        "vllm serve m --max-model-len 8 \\\n  {{caching}} \\\n  --port 80 \\\n  {{decoding}}\n",
        "atc --model=a.onnx \\\n\nls\n",
        # A script that ends so runs all the same; a part of a command is put into others.
        "atc --model=a.onnx \\\n",
        Valid("```sh\n--enable_small_channel=1 \\\n--output=b \\\n```\n", Kind.MARKDOWN),
        # A file is called as a command of the shell is, and so is a value that more flags follow.
        *(
            f"torchrun --nproc_per_node 8 \\\n  {words}\nexport HCCL_BUFFSIZE=200\n"
            for words in ("export.py --x 1", "source/train.py --x 1", "train.py --mode \\\n  echo \\\n  --x 1")
        ),
        # There is more, which nobody shows.
        "vllm serve m \\\n  --port 8000 \\\n  ...\n",
    )
    INVALID = (
        "atc --model=a.onnx --output=a‹ «\\»→›\necho done\n",
        # Behind the flags of a script it is what the shell has.
        "torchrun pretrain_gpt.py --use-ascend-mc2 \\\n  --swap-attention‹ «\\»→›\nset +x\n",
        "atc --model=a.onnx‹ «\\»→›\nexit 0\n",
        told("```sh\nvllm serve m \\\n  --port 80‹ «\\»→›\n```\n", "warning safe", Kind.MARKDOWN),
    )

    def is_one(self, found: SyntaxFinding, context: Context) -> bool:
        """Only a page is pasted from."""
        return "reason" not in found.arguments or BY_KIND[context.document.kind].page

    def severity_of(self, found: SyntaxFinding) -> Severity | None:
        """Return how bad it is: what is pasted next is seen before it runs."""
        return Severity.WARNING if "reason" in found.arguments else None


class LostBackslash(SyntaxRule):
    r"""A line of flags that doesn't belong to the command above it.

    ## What it does
    Looks for lines that start with a flag below a command of `atc`, `aoe` or another known program, or one that starts a Python script,
    whose last line doesn't end in a backslash. A comment or an empty line between two lines of one command cuts it as well, and so does a
    comment behind a backslash. A command is reported once, over all lines that it lacks.

    ## Why is this bad?
    The shell runs the command without the flags below, and then tries to run `--flag` as a command of its own. Conversion goes on
    with defaults, and the error is one line in a long log.

    ## Fix safety
    Safe: the flags can only have been meant for the command above. Comments in between move above it.
    """

    code = "NPU701"
    fault = SyntaxFault.LOST_BACKSLASH
    title = Text(en="Flag cut off by a missing backslash", zh="缺少续行符，参数未生效")
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='"{flag}" is not part of the command above, which ends without a backslash: it is run without this flag. End the line above with "\\".',
            zh="上一行末尾缺少续行符，“{flag}”不属于上面的命令，命令执行时不带该参数。请在上一行末尾加“\\”。",
        ),
        "several": Text(
            en='The command ends above "{flag}" and is run without the flags below: {count} lines lack a backslash. End each of them with "\\".',
            zh="命令在“{flag}”之前结束，执行时不带后面的参数：共 {count} 行末尾缺少续行符。请在这些行末尾加“\\”。",
        ),
        "comment": Text(
            en='A comment ends the command here: it is run without "{flag}" and what follows. Move the comment above the command.',
            zh="命令在注释处结束，执行时不带“{flag}”及其后的参数。请将注释移到命令之前。",
        ),
        "comments": Text(
            en='A comment ends the command here: it is run without "{flag}" and what follows. Move the {count} comments above the command.',
            zh="命令在注释处结束，执行时不带“{flag}”及其后的参数。请将这 {count} 处注释移到命令之前。",
        ),
        "mend": Text(en="Join with the command above", zh="与上面的命令合并"),
        "mend_comment": Text(en="Move the comments above the command", zh="将注释移到命令之前"),
    }
    examples_fixed = "safe"
    VALID = (
        "atc --model=a.onnx \\\n    --output=a\n",
        "atc --model=a.onnx\nls --all\n",
        "python train.py --help\n--learning-rate  of the first step\n",
        "python train.py\n--learning-rate  of the first step\n",
        "Usage: python train.py --lr-decay 1e-4\n           --load a\n",
        "torchrun train.py \\\n  --lr 1e-4 \\\n  ...\n  --use-fused-rmsnorm \\\n  --load a\n",
    )
    INVALID = (
        "atc --model=a.onnx --framework=5 --output=a‹→ \\›\n    «--soc_version»=Ascend310P3\n",
        "python convert_ckpt.py‹→ \\›\n  «--use-mcore-models» \\\n  --model-type GPT\n",
        "torchrun pretrain_gpt.py \\\n  --use-ascend-mc2 \\\n  --distributed-backend nccl‹→ \\›\n  «--load» a\n",
        (
            "atc --model=a.onnx‹→ \\›\n    «--output=a\n    --soc_version→--output=a \\\n"
            "    --soc_version»=Ascend310P3\n"
        ),
        "‹→# old\n›atc --model=a.onnx‹ «# old»\n→ \\\n›    --output=a\n",
        (
            "‹→# the model\n# ONNX\n›atc --model=a.onnx‹ «\\  # the model\n    --framework=5 \\ # ONNX»\n→ \\\n"
            "    --framework=5 \\\n›    --output=a\n"
        ),
        # The comment behind the last backslash is the same slip.
        (
            "‹→# the model\n# ONNX\n# OM\n›atc --model=a.onnx‹ «\\  # the model\n    --framework=5 \\ # ONNX\n"
            "    --output=a \\  # OM»→ \\\n    --framework=5 \\\n    --output=a›\nls\n"
        ),
    )

    def wording(self, mistake: SyntaxFinding) -> str:
        """Return the message for what cuts the flags off, and how often."""
        once = super().wording(mistake)
        return {"found": "several", "comment": "comments"}[once] if "count" in mistake.arguments else once


class GluedLines(SyntaxRule):
    r"""A line of flags that is joined to the value above without a blank.

    ## What it does
    Looks for a backslash right behind a word, where the next line starts with a flag in its first column.

    ## Why is this bad?
    A backslash at the end of a line and the line end behind it both go, and nothing takes their place: the value above goes on
    with `--flag=...`. ATC gets a value that makes no sense, and never sees the flag.

    ## Fix safety
    Safe: the flag can only have been meant as one.
    """

    code = "NPU713"
    fault = SyntaxFault.GLUED_LINES
    title = Text(en="Flag glued to the line above", zh="续行符前缺少空格，参数与上一行粘连")
    messages = {
        "found": Text(
            en='"{flag}" becomes a part of the value above: there is no blank before the backslash, and none before the flag. Put one in.',
            zh="续行符前没有空格，“{flag}”会与上一行的取值连成一体。请在续行符前加空格。",
        ),
        "mend": Text(en="Put a blank before the backslash", zh="在续行符前加空格"),
    }
    examples_fixed = "safe"
    VALID = (
        "atc --model=a.onnx \\\n--output=a\n",
        "atc --model=a.onnx\\\n    --output=a\n",
    )
    INVALID = ("atc --model=a.onnx --framework=5‹→ ›\\\n«--output»=a\n",)


class RepeatedCommand(SyntaxRule):
    """A command whose name stands twice.

    ## What it does
    Looks for `atc atc ...` and the like.

    ## Why is this bad?
    The second one is an argument that is no flag: ATC stops at it.

    ## Fix safety
    Safe: the command fails as it is.
    """

    code = "NPU708"
    fault = SyntaxFault.REPEATED_COMMAND
    title = Text(en="Command written twice", zh="命令重复")
    messages = {
        "found": Text(
            en='The second "{command}" is taken as an argument, and the command stops with an error. Remove it.',
            zh="第二个“{command}”会被当作参数，命令报错退出。请删除。",
        ),
        "mend": Text(en='Remove the second "{command}"', zh="删除第二个“{command}”"),
    }
    examples_fixed = "safe"
    VALID = (
        "atc --model=a.onnx\n",
        "echo 'atc atc'\n",
    )
    INVALID = ("atc‹ «atc»→› --model=a.onnx --output=a\n",)
