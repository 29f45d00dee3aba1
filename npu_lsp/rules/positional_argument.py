"""NPU125: an argument without its name, where the function takes names only."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.findings import Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Valid
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class PositionalArgument(SyntaxRule):
    """An argument without its name, where the function takes names only.

    ## What it does
    Looks for calls such as `mindspore.set_context(0)`: `set_context`, `set_auto_parallel_context` and `set_ps_context` have no
    argument that may stand without its name.

    ## Why is this bad?
    Python raises `TypeError`, and nothing runs.

    ## Example
    ```python
    mindspore.set_context(0)
    ```

    Use instead:
    ```python
    mindspore.set_context(mode=0)
    ```

    ## Fix safety
    Unsafe: a number or a constant of a mode gets the name of that argument; other values are left to you.
    """

    code = "NPU125"
    name = "positional-argument"
    fault = SyntaxFault.POSITIONAL_ARGUMENT
    safety = Safety.UNSAFE
    title = Text(en="Argument without its name", zh="参数未写名称")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en="{function} takes arguments by name only: Python raises TypeError at {argument}. Write its name before it.",
            zh="{function} 的参数只能以关键字形式传入，{argument} 会触发 TypeError。请在其前写上参数名。",
        ),
        "mend": Text(en="Write the argument's name", zh="补上参数名"),
    }
    VALID = (
        Valid("import mindspore as ms\nms.set_context(mode=0)\n"),
        Valid("import mindspore as ms\nms.set_context(**config)\nms.set_context(*none)\n"),
        # Another library has a function of that name.
        Valid('import seaborn as sns\nsns.set_context("paper")\n'),
        Valid('import mindspore\nfrom seaborn import set_context\nset_context("paper")\n'),
    )
    INVALID = (
        Invalid(
            "import mindspore as ms\nms.set_context(0)\n",
            ("0",),
            ("error unsafe",),
            "import mindspore as ms\nms.set_context(mode=0)\n",
        ),
        Invalid(
            "```python\n>>> import mindspore as ms\n>>> ms.set_context(0)\nWARNING: a\n```\n",
            ("0",),
            ("error unsafe",),
            "```python\n>>> import mindspore as ms\n>>> ms.set_context(mode=0)\nWARNING: a\n```\n",
            kind=Kind.MARKDOWN,
        ),
        Invalid(
            'from mindspore import context\ncontext.set_context(context.GRAPH_MODE, device_target="Ascend")\n',
            ("context.GRAPH_MODE",),
            ("error unsafe",),
            'from mindspore import context\ncontext.set_context(mode=context.GRAPH_MODE, device_target="Ascend")\n',
        ),
        Invalid('import mindspore as ms\nms.set_context({"mode": 0})\n', ('{"mode": 0}',), ("error",)),
        Invalid("import mindspore as ms\nms.set_auto_parallel_context(8)\n", ("8",), ("error",)),
        Invalid("import mindspore as ms\nms.set_ps_context(True)\n", ("True",), ("error",)),
    )
