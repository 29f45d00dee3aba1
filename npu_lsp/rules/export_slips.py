"""Slips in what a script exports: with blanks around its `=`, not exported, taken out at once, and exported in any case."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import Fixable, Valid, told
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class ExportSpace(SyntaxRule):
    """An assignment to a variable with blanks around `=`.

    ## What it does
    Looks for `export X = v`, `export X =v`, `export X= v` and `X = v` where `X` is a variable of the NPU.

    ## Why is this bad?
    The shell doesn't assign `v`: it exports `X` as it is, or empty, or tries to run `X` as a command.

    ## Fix safety
    Safe: the assignment can't have been meant otherwise. Unsafe where the variable is set elsewhere in the file, too: then one of
    two values wins that didn't so far.
    """

    code = "NPU712"
    fault = SyntaxFault.EXPORT_SPACE
    title = Text(en="Blanks around the equal sign of a variable", zh="环境变量赋值的等号两侧有空格")
    messages = {
        "found": Text(
            en='With blanks around "=", "{name}" doesn\'t get this value. Remove the blanks.',
            zh="“{name}”的等号两侧有空格，变量不会得到该取值。请删除空格。",
        ),
        "mend": Text(en="Remove the blanks", zh="删除空格"),
    }
    examples_fixed = "safe"
    VALID = (
        "export ASCEND_DEVICE_ID=0\n",
        Valid(
            "```c\ntypedef enum\n{\n    ASCEND_DEVICE_ID = 14,  // a\n    ASCEND_DEVICE_ID = 0xffff,\n} a;\n```\n",
            Kind.MARKDOWN,
        ),
        Valid("```cpp\nASCEND_DEVICE_ID = 5;\nint a;\n```\n", Kind.MARKDOWN),
        Valid("```\nenum {\n  ASCEND_DEVICE_ID = 5\n};\n```\n", Kind.MARKDOWN),
        "if [[ ASCEND_DEVICE_ID = 0 ]]; then :; fi\n",
        Valid("```text\nCXXFLAGS := -O2\nASCEND_DEVICE_ID = 0\n\nall:\n\texport X=1 && ./run\n```\n", Kind.MARKDOWN),
        Valid("```\nifndef A\nendif\nASCEND_HOME_PATH = ${A}/b\nexport B=1\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        "export «ASCEND_DEVICE_ID = 0→ASCEND_DEVICE_ID=0»\n",
        told("export TASK_QUEUE_ENABLE=1\nexport «TASK_QUEUE_ENABLE= 0→TASK_QUEUE_ENABLE=0»\n", "error unsafe"),
        "f() {\n  local «ASCEND_DEVICE_ID = 5→ASCEND_DEVICE_ID=5»\n}\n",
    )


class LostExport(SyntaxRule):
    """A variable that is exported in a shell of its own, which ends before anything can read it.

    ## What it does
    Looks for `os.system("export X=v")` and the like in Python, and for `!export X=v` in notebooks, where `X` is a
    variable of the NPU and the shell does nothing else. A shell that goes on to run something is left alone.

    ## Why is this bad?
    A process can't change the environment of the one that started it. The shell sets the variable and ends; the script
    goes on without it, and nothing says so.

    ## Fix safety
    Unsafe: the variable takes effect from then on, and it must be set before the library that reads it is loaded.
    """

    code = "NPU604"
    fault = SyntaxFault.LOST_EXPORT
    safety = Safety.UNSAFE
    title = Text(en="Variable set in a process that ends at once", zh="在随即结束的子进程中设置的环境变量")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='"{name}" is set in a shell that ends at once, so this process never sees it. Set it with {instead}.',
            zh="“{name}”只在一个随即结束的 Shell 中设置，本进程不会得到该值。请用 {instead} 设置。",
        ),
        "mend": Text(en="Set it with {instead}", zh="改用 {instead} 设置"),
    }
    examples_in = Kind.PYTHON
    VALID = (
        'import os\nos.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"\n',
        'import os\nos.system("export ASCEND_GLOBAL_LOG_LEVEL=3; python3 train.py")\n',
        'import os\nos.system("ASCEND_GLOBAL_LOG_LEVEL=3 python3 train.py")\n',
        'import os\nos.system("export MY_OWN=3")\n',
    )
    INVALID = (
        '‹os.system("export «ASCEND_GLOBAL_LOG_LEVEL»=3")→os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"›\n',
        'import subprocess\nsubprocess.run("export «RANK_ID»=0 && export DEVICE_ID=1", shell=True)\n',
    )


class UnsetAtOnce(SyntaxRule):
    """A variable that is exported and taken out of the environment on the next line.

    ## What it does
    Looks for `unset X` right behind `export X=v` where `X` is a variable of the NPU.

    ## Why is this bad?
    Nothing runs between the two: the variable has no effect.

    ## Fix safety
    There is none: which of the two was meant nobody knows.
    """

    code = "NPU717"
    fault = SyntaxFault.UNSET_AT_ONCE
    title = Text(en="Variable that is unset right behind its export", zh="导出后立即取消的环境变量")
    severity = Severity.WARNING
    fixable = Fixable.NEVER
    messages = {
        "found": Text(
            en='"{name}" is set on the line above and taken away here before anything runs. Remove one of the two.',
            zh="“{name}”在上一行设置，此处又立即取消，两行之间没有运行任何命令。请删除其中一行。",
        ),
    }
    VALID = (
        "export HCCL_WHITELIST_DISABLE=1\n",
        "unset HCCL_BUFFSIZE\nexport HCCL_BUFFSIZE=1\n",
        "export HCCL_BUFFSIZE=1\npython train.py\nunset HCCL_BUFFSIZE\n",
        "export MY_OWN=1\nunset MY_OWN\n",
    )
    INVALID = (
        "export HCCL_WHITELIST_DISABLE=1\n«unset HCCL_WHITELIST_DISABLE»\n",
        "export HCCL_BUFFSIZE=1\n«unset HCCL_BUFFSIZE»\n",
    )


class HalfCondition(SyntaxRule):
    """A condition that was to decide about two exports, and decides about the first alone.

    ## What it does
    Looks for `condition || export X=1 && export Y=1` on a line where one of the two is a variable of the NPU.

    ## Why is this bad?
    For the shell `||` and `&&` are equally strong: it runs what stands behind `&&` where the condition holds, and where the first
    export has run. `Y` is set in any case.

    ## Fix safety
    Unsafe: the second variable isn't set in any case from then on.
    """

    code = "NPU723"
    fault = SyntaxFault.HALF_CONDITION
    safety = Safety.UNSAFE
    title = Text(en="Condition that covers the first of two exports", zh="条件只作用于第一个 export")
    severity = Severity.WARNING
    messages = {
        "found": Text(
            en='"{name}" is set in any case: "||" decides about "{governed}" alone. Put both exports in braces.',
            zh="“{name}”总会被设置：“||”只决定是否设置“{governed}”。请用花括号括住两个 export。",
        ),
        "mend": Text(en="Put both in braces", zh="用花括号括住两者"),
    }
    VALID = (
        "[ $A ] || { export HCCL_BUFFSIZE=1 && export TASK_QUEUE_ENABLE=1; }\n",
        "[ $A ] && export HCCL_BUFFSIZE=1 || export HCCL_BUFFSIZE=2\n",
        "[ $A ] || export HCCL_BUFFSIZE=1\nexport TASK_QUEUE_ENABLE=1\n",
        "export HCCL_BUFFSIZE=1\n[ $A ] || export MY_OWN=1 && export YOUR_OWN=1\n",
        'echo "[ $A ] || export HCCL_BUFFSIZE=1 && export TASK_QUEUE_ENABLE=1"\n',
        "[ $A ] || export HCCL_BUFFSIZE=1 && export TASK_QUEUE_ENABLE=$(cat a)\n",
    )
    INVALID = (
        "export HCCL_CONNECT_TIMEOUT=600\n[ $A ] || ‹→{ ›export HCCL_BUFFSIZE=1 && «export TASK_QUEUE_ENABLE=1»‹→; }›\n",
    )
