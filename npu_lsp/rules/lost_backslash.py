"""NPU701: a flag that a missing backslash cuts off its command."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.linter.findings import Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class LostBackslash(SyntaxRule):
    r"""A line of flags that doesn't belong to the command above it.

    ## What it does
    Looks for lines that start with a flag below a command of `atc`, `aoe` or another known program, or one that starts a Python script,
    whose last line doesn't end in a backslash. A comment or an empty line between two lines of one command cuts it as well, and so does a
    comment behind a backslash. A command is reported once, over all lines that it lacks.

    ## Why is this bad?
    The shell runs the command without the flags below, and then tries to run `--flag` as a command of its own. Conversion goes on
    with defaults, and the error is one line in a long log.

    ## Example
    ```sh
    atc --model=a.onnx --framework=5 --output=a
        --soc_version=Ascend310P3
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --framework=5 --output=a \
        --soc_version=Ascend310P3
    ```

    ## Fix safety
    Safe: the flags can only have been meant for the command above. Comments in between move above it.
    """

    code = "NPU701"
    name = "lost-backslash"
    fault = SyntaxFault.LOST_BACKSLASH
    title = Text(en="Flag cut off by a missing backslash", zh="缺少续行符，参数未生效")
    severity = Severity.ERROR
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
    VALID = (
        Valid("atc --model=a.onnx \\\n    --output=a\n", Kind.SHELL),
        Valid("atc --model=a.onnx\nls --all\n", Kind.SHELL),
        Valid("python train.py --help\n--learning-rate  of the first step\n", Kind.SHELL),
        Valid("python train.py\n--learning-rate  of the first step\n", Kind.SHELL),
    )
    INVALID = (
        Invalid(
            "python convert_ckpt.py\n  --use-mcore-models \\\n  --model-type GPT\n",
            ("--use-mcore-models",),
            ("error safe",),
            "python convert_ckpt.py \\\n  --use-mcore-models \\\n  --model-type GPT\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "torchrun pretrain_gpt.py \\\n  --use-ascend-mc2 \\\n  --distributed-backend nccl\n  --load a\n",
            ("--load",),
            ("error safe",),
            "torchrun pretrain_gpt.py \\\n  --use-ascend-mc2 \\\n  --distributed-backend nccl \\\n  --load a\n",
            kind=Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx --output=a\n    --soc_version=Ascend310P3\n",
            ("--soc_version",),
            ("error safe",),
            "atc --model=a.onnx --output=a \\\n    --soc_version=Ascend310P3\n",
            Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx\n    --output=a\n    --soc_version=Ascend310P3\n",
            ("--output=a\n    --soc_version",),
            ("error safe",),
            "atc --model=a.onnx \\\n    --output=a \\\n    --soc_version=Ascend310P3\n",
            Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx # old\n    --output=a\n",
            ("# old",),
            ("error safe",),
            "# old\natc --model=a.onnx \\\n    --output=a\n",
            Kind.SHELL,
        ),
        Invalid(
            "atc --model=a.onnx \\  # the model\n    --framework=5 \\ # ONNX\n    --output=a\n",
            ("\\  # the model\n    --framework=5 \\ # ONNX",),
            ("error safe",),
            "# the model\n# ONNX\natc --model=a.onnx \\\n    --framework=5 \\\n    --output=a\n",
            Kind.SHELL,
        ),
        # The comment behind the last backslash is the same slip.
        Invalid(
            "atc --model=a.onnx \\  # the model\n    --framework=5 \\ # ONNX\n    --output=a \\  # OM\nls\n",
            ("\\  # the model\n    --framework=5 \\ # ONNX\n    --output=a \\  # OM",),
            ("error safe",),
            "# the model\n# ONNX\n# OM\natc --model=a.onnx \\\n    --framework=5 \\\n    --output=a\nls\n",
            Kind.SHELL,
        ),
    )

    def wording(self, mistake: SyntaxFinding) -> str:
        """Return the message for what cuts the flags off, and how often."""
        once = super().wording(mistake)
        return {"found": "several", "comment": "comments"}[once] if "count" in mistake.arguments else once
