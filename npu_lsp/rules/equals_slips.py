"""Slips around a `=`: doubled, lost, with a blank before or behind it, and a variable that no command gets."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import SyntaxFault, SyntaxFinding
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import told
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text


class DoubleEquals(SyntaxRule):
    """A flag or a variable with `==`.

    ## What it does
    Looks for `--flag==value` in commands of `atc` and `aoe`, and for `X==value` where `X` is a variable of the NPU.
    `HCCL_SOCKET_IFNAME==eth0` is right, as the interface is then called exactly so, and left alone.

    ## Why is this bad?
    The second sign is a part of the value: `=value` is what the tool gets.

    ## Fix safety
    Safe: the value can't start with an equal sign. Unsafe where the same is set elsewhere in the file, too: then one of two
    values wins that didn't so far.
    """

    code = "NPU710"
    fault = SyntaxFault.DOUBLE_EQUALS
    title = Text(en="Two equal signs in an assignment", zh="赋值中有两个等号")
    messages = {
        "found": Text(
            en='With "==", the value of "{name}" starts with "=". Write one equal sign.',
            zh="“{name}”后写了两个等号，取值会以“=”开头。请只保留一个等号。",
        ),
        "mend": Text(en="Remove one equal sign", zh="删除一个等号"),
    }
    examples_fixed = "safe"
    VALID = (
        "export HCCL_SOCKET_IFNAME==eth0\n",
        "export ASCEND_GLOBAL_LOG_LEVEL=3\n",
        "[ ASCEND_GLOBAL_LOG_LEVEL == 3 ]\n",
    )
    INVALID = (
        "export ASCEND_GLOBAL_LOG_LEVEL«==→=»3\n",
        told("export ASCEND_GLOBAL_LOG_LEVEL«==→=»3\nexport ASCEND_GLOBAL_LOG_LEVEL=1\n", "error unsafe"),
        "atc --log«==→=»info\n",
    )

    def is_one(self, mistake: SyntaxFinding, context: Context) -> bool:
        """Leave variables alone whose values may start with the sign, as `=eth0` does."""
        option = context.catalog.option(Surface.ENV, mistake.arguments["name"])
        return option is None or not any(example.startswith("=") for example in map(str, option.examples))


class LostEquals(SyntaxRule):
    """An export that lost its `=`, or the blank behind `export`.

    ## What it does
    Looks for `export X /path` and `exportX=v` where `X` is a variable of the NPU.

    ## Why is this bad?
    The shell takes the first for two names, exports `X` as it is and stops at the other; the second sets a variable of another name.

    ## Fix safety
    Safe: nothing else can have been meant.
    """

    code = "NPU714"
    fault = SyntaxFault.LOST_EQUALS
    title = Text(en="Export without an equal sign", zh="导出环境变量缺少等号")
    messages = {
        "found": Text(
            en='"{name}" doesn\'t get this value: there is no "=" between them. Write it.',
            zh="“{name}”与取值之间缺少“=”，变量不会得到该取值。请补上等号。",
        ),
        "glued": Text(
            en='"{name}" isn\'t set: there is no blank behind "export". Write it.',
            zh="“export”后缺少空格，“{name}”没有被设置。请补上空格。",
        ),
        "mend": Text(en='Write the "="', zh="补上等号"),
        "mend_glued": Text(en="Write the blank", zh="补上空格"),
    }
    examples_fixed = "safe"
    VALID = (
        "export ASCEND_DEVICE_ID=0\n",
        "export ASCEND_DEVICE_ID RANK_ID\n",
        "export MY_OWN /a\nexportMY_OWN=1\n",
    )
    INVALID = (
        "export «ASCEND_PROCESS_LOG_PATH»‹ →=›/var/log/npu\n",
        "«exportHCCL_BUFFSIZE→export HCCL_BUFFSIZE»=200\n",
    )


class SpaceAfterEquals(SyntaxRule):
    """A flag with a blank behind its `=`.

    ## What it does
    Looks for `--flag= value` in commands of `atc` and `aoe`.

    ## Why is this bad?
    The flag gets an empty value, and the value becomes a word of its own, at which ATC stops.

    ## Fix safety
    Safe: only blanks go.
    """

    code = "NPU706"
    fault = SyntaxFault.SPACE_AFTER_EQUALS
    title = Text(en="Blank behind `=`", zh="等号后有空格")
    messages = {
        "found": Text(
            en='With a blank behind "=", "{flag}" gets an empty value, and what follows is a word that the tool doesn\'t expect. Remove the blank.',
            zh="“{flag}”的等号后有空格，参数取值为空，后面的内容成为多余的单词并导致报错。请删除空格。",
        ),
        "mend": Text(en="Remove the blanks", zh="删除空格"),
    }
    examples_fixed = "safe"
    VALID = (
        "atc --model=$x $y\n",
        "atc --insert_op_conf= --output=a\n",
    )
    INVALID = ("atc «--model= a.onnx→--model=a.onnx» --output=a\n",)


class SpaceBeforeEquals(SyntaxRule):
    """A flag with a blank in front of its `=`.

    ## What it does
    Looks for `--flag =value` and `--flag = value` in commands of `atc` and `aoe`.

    ## Why is this bad?
    The flag's value is then `=value`, sign included, or just `=`: the tool rejects it, or looks for a file of that name.

    ## Fix safety
    Safe: only blanks go.
    """

    code = "NPU705"
    fault = SyntaxFault.SPACE_BEFORE_EQUALS
    title = Text(en="Blank in front of `=`", zh="等号前有空格")
    messages = {
        "found": Text(
            en='With a blank in front of "=", the value of "{flag}" starts with "=", which the tool takes literally. Write "{flag}=value" without blanks.',
            zh="“{flag}”的等号前有空格，等号会被当作取值的一部分。请去掉空格，写作“{flag}=取值”。",
        ),
        "mend": Text(en="Remove the blanks", zh="删除空格"),
    }
    examples_fixed = "safe"
    VALID = ("atc --model=a.onnx --output a\n",)
    INVALID = (
        "atc «--model =a.onnx→--model=a.onnx» «--output = a→--output=a»\n",
        "atc «--model =a.onnx→--model=a.onnx» --output=a\n",
    )


class LonelyAssignment(SyntaxRule):
    """Assignments on a line of their own, with the command that should get them on the next line.

    ## What it does
    Looks for `X=v`, or several, alone on a line above a command, where a variable of the NPU is among them and the script neither exports nor uses any.

    ## Why is this bad?
    Without the command on the same line the variables are the shell's own, and the command below doesn't get them.

    ## Example
    ```sh
    HCCL_BUFFSIZE=200 ASCEND_RT_VISIBLE_DEVICES=0
    python train.py
    ```

    Use instead:
    ```sh
    export HCCL_BUFFSIZE=200 ASCEND_RT_VISIBLE_DEVICES=0
    python train.py
    ```

    ## Fix safety
    Unsafe: the variables take effect from then on.
    """

    code = "NPU716"
    fault = SyntaxFault.LONELY_ASSIGNMENT
    safety = Safety.UNSAFE
    title = Text(en="Assignments that the command below doesn't get", zh="下一行命令得不到的变量赋值")
    severity = Severity.WARNING
    messages = {
        "found": Text(
            en='"{name}" stays in the shell: "{command}" on the next line doesn\'t get it. Put a backslash at the end of this line, or "export" in front.',
            zh="“{name}”只是 Shell 变量，下一行的“{command}”得不到。请在本行末尾加反斜杠，或在行首加“export”。",
        ),
        "mend": Text(en="Put a backslash at the end of the line", zh="在行尾加反斜杠"),
    }
    VALID = (
        "HCCL_BUFFSIZE=200 RANK_ID=0 \\\npython train.py\n",
        "HCCL_BUFFSIZE=200 RANK_ID=0\nexport HCCL_BUFFSIZE RANK_ID\npython train.py\n",
        "A=1 B=2\npython train.py\n",
        *(
            f"{said}\nHCCL_BUFFSIZE=200\npython train.py\n"
            for said in ("set -ea", "true; set -o allexport", "declare -x HCCL_BUFFSIZE")
        ),
    )
    INVALID = (
        ("«ASCEND_RT_VISIBLE_DEVICES=2,3→ASCEND_RT_VISIBLE_DEVICES=2,3 \\»\n vllm serve m --tensor-parallel-size 2\n"),
        (
            "set -a; . ./.env; set +a\n"
            "«HCCL_BUFFSIZE=200 ASCEND_RT_VISIBLE_DEVICES=0→HCCL_BUFFSIZE=200 ASCEND_RT_VISIBLE_DEVICES=0 \\»\n"
            "python train.py\n"
        ),
    )
