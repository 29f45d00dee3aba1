"""NPU132: a variable or an argument that a page calls by a mistyped name."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.in_pages import around, misnamed
from npu_lsp.linter.names.meant import meant_variable
from npu_lsp.linter.names.unknown import is_known
from npu_lsp.linter.rule import Fixable, Invalid, Rule, told
from npu_lsp.linter.versions.required import is_defined
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_OF_CHIPS = ("chip", "former")
_RIGHT, _WRONG = "use-fused-rmsnorm", "used-fused-rmsnorm"


class NameInPage(Rule):
    """A variable, a chip or an argument of MindSpeed that the text of a page calls by a name with a slip.

    ## What it does
    Looks at the words of Markdown outside of code that is read as such: variables such as `HCCL_BUFFSIZE`, and arguments of
    MindSpeed and its family such as `--use-fused-rmsnorm`; at names of chips in code, too. A name that is close to a known one, and is none, is reported. Lines that
    name another one, as release notes do, are left out.

    ## Why is this bad?
    Readers copy it: the variable is silently ignored, and the program stops at the argument.

    ## Example
    ```markdown
    Set `HCCL_BUFFSIZ` to 200.
    ```

    Use instead:
    ```markdown
    Set `HCCL_BUFFSIZE` to 200.
    ```

    ## Fix safety
    Unsafe: the page may mean something else.

    ## Configuration
    - `known`: names (or globs) that are right although the catalog doesn't have them
    """

    code = "NPU132"
    title = Text(en="Mistyped name in the text of a page", zh="文档正文中的名称拼写错误")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "variable": Text(
            en='No variable is called "{option}": whoever sets it changes nothing. Did you mean "{near}"?',
            zh="没有名为“{option}”的环境变量，设置后不会生效。是否应为“{near}”？",
        ),
        "argument": Text(
            en='No parser of MindSpeed and its family has an argument "{option}": programs stop at it. Did you mean "{near}"?',
            zh="MindSpeed 系列的参数解析器中没有“{option}”，程序会报错退出。是否应为“{near}”？",
        ),
        "chip": Text(
            en='No chip is called "{option}". Did you mean "{near}"?', zh="没有名为“{option}”的芯片。是否应为“{near}”？"
        ),
        "former": Text(
            en='"{option}" is called "{near}" since CANN 5.1, and tools don\'t take the old name.',
            zh="自 CANN 5.1 起，“{option}”改称“{near}”，工具不再接受旧名称。",
        ),
        "rename": Text(en='Rename to "{near}"', zh="改为“{near}”"),
    }
    examples_in = Kind.MARKDOWN
    VALID = (
        # Its parser has that one.
        "Train with Megatron-DeepSpeed:\n\n`--moe-loss-coeff`: scales the loss of the experts.\n",
        "Set `HCCL_BUFFSIZE` to 200, and pass `--use-fused-rmsnorm`.\n",
        "`NCCL_BUFFSIZE`, https://a.b/HCCL_BUFFSIZ.md, `MY_ASCEND_THING`, `--use-fused-thing`\n",
        "`HCCL_BUFFSIZ` was renamed.\n\n`HCCL_BUFFSIZ` → `HCCL_BUFFSIZE`\n",
        "`--num-layer` and `--context-parallel-sizes` of another program\n",
        # Another program's, though MindSpeed has one that differs by a sign.
        "`--tensor-model-parallel-size`, `--micro-batch-size`, `--use_legacy_models`\n",
        "`--use-fused-rmsnor` is short for it.\n",
        # Words with a number behind them, and a chip to come.
        "`huawei.com/Ascend910`, Append100, Amend12, Attend10 and Ascend970\n",
        # ms-swift's arguments have Megatron's names, with underscores.
        "`--use-ascend-mc2`, `--swap-attention`, and of ms-swift `--recompute_method` or `--task_type`\n",
    )
    INVALID = (
        # In a table of HTML, and in brackets.
        Invalid(
            f"<td>--{_WRONG}</td>\n\n【--{_WRONG}】\n",
            (f"--{_WRONG}", f"--{_WRONG}"),
            ("warning unsafe", "warning unsafe"),
            f"<td>--{_RIGHT}</td>\n\n【--{_RIGHT}】\n",
            kind=Kind.MARKDOWN,
        ),
        # A word too many, and a name that is long enough.
        (
            "`«--target-expert-model-parallel-size→--target-expert-parallel-size»` of MindSpeed, `--use-ascend-mc2`\n"
            "\n`«--use-distirbuted-optimizer→--use-distributed-optimizer»`\n"
        ),
        told(
            "`huawei.com/«Ascend91B0→Ascend910B»`, «Ascned310P→Ascend310P», «Ascend710→Ascend310P3» and `Ascend910B`\n",
            ("warning unsafe", "warning unsafe", "info unsafe"),
            Kind.MARKDOWN,
        ),
        # One dash, and a name that nobody else has by accident.
        (
            "加入`«-use-ascend-mc2→--use-ascend-mc2»`，并设置`«--nun-layers-per-virtual-pipeline-stage→--num-layers-per-virtual-pipeline-stage» N`。\n"
            "\n`--use-ascend-mc2`\n"
        ),
        "| name | what |\n|---|---|\n| «HCCL_BUFFSIZ→HCCL_BUFFSIZE» | size |\n",
        "«ASCEND_SLOG_PRING_TO_STDOUT→ASCEND_SLOG_PRINT_TO_STDOUT»: 0 or 1\n",
        Invalid(
            f"设置`--{_WRONG}`即可。\n",
            (f"--{_WRONG}",),
            ("warning unsafe",),
            f"设置`--{_RIGHT}`即可。\n",
            kind=Kind.MARKDOWN,
        ),
        "`--use-ascend-mc2`, `--swap-attention`:\n\n- `«--context_parallel-size→--context-parallel-size»`\n",
        "`--use-ascend-mc2`, `--swap-attention`, `«----num-layers-per-virtual-pipeline-stage→--num-layers-per-virtual-pipeline-stage» N`\n",
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for span, near, called in misnamed(context.document):
            option = context.text(span)
            if called in _OF_CHIPS and _is_set(span, context):
                continue
            if is_known(option, context) or is_defined(option.lstrip("-"), context.document.path, context.root):
                continue
            meant = None if near else meant_variable(option, context)
            names = meant.names if meant is not None else (near,)
            if len(names) == 1 and (
                called in _OF_CHIPS or not any(names[0] in text for text in around(span, context.document))
            ):
                yield self.finding(
                    context,
                    span,
                    "variable" if meant is not None else called,
                    option=option,
                    severity=Severity.INFO if called == "former" or (meant is not None and not meant.sure) else None,
                    fixes=self.renamed_at(context, span, names[0]),
                    near=names[0],
                )


def _is_set(span: Span, context: Context) -> bool:
    """Return whether a name is the value of a setting, or a part of one: the rules about that option tell of it."""
    values = (setting.value.span for block in context.parsed.blocks for setting in block.settings)
    return any(value.start <= span.start and span.end <= value.end for value in values)
