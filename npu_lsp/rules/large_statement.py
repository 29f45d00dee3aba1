"""NPU004: a statement, or all of a file, that is too large or nested too deep to be read."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.linter.rule import Fixable, Invalid
from npu_lsp.linter.severity import Severity
from npu_lsp.linter.syntax_rule import SyntaxRule
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_NESTED = "op.parameter_map['precision_mode'].s = "


class LargeStatement(SyntaxRule):
    """A statement, or all of a file, that is too large or nested too deep to be read.

    ## What it does
    Reports a Python statement that names options and is left unread: it has more than 100,000 characters, more than 3,000
    arguments and elements, more than 60 brackets inside one another, or a chain of more than 200 operators. In shell it
    reports, once for a script, commands that stand in more than 100 conditions, lists and groups, or in more than 50
    substitutions. Of a text that sets options in more than 1,000 places, and of a configuration file of more than 3,000 entries,
    the first ones are checked, and it says how many are left. A script that the parser of shell would take too long for, and a
    configuration file of more than 30,000 lines and commas, are left unread as a whole.

    ## Why is this bad?
    Nothing in it was checked, so that a clean report would say too much. Statements of that size are generated.

    ## Example
    ```python
    config = NPURunConfig(**{"a": {"a": {"a": {"a": {}}}}})  # and so on, 60 times
    ```

    Use instead:
    ```python
    config = NPURunConfig(precision_mode="allow_mix_precision")
    ```
    """

    code = "NPU004"
    fault = SyntaxFault.LARGE_STATEMENT
    title = Text(en="Statement that is too large", zh="过大的语句")
    severity = Severity.WARNING
    fixable = Fixable.NEVER
    messages = {
        "found": Text(
            en="The statement is too large or nested too deep to be read. It was not checked.",
            zh="语句过大或嵌套过深，无法读取，未被检查。",
        ),
        "entries": Text(
            en="The file has more than {most} entries, or is as long as if it had. It was not checked.",
            zh="文件的条目超过 {most} 条，或篇幅与此相当，未被检查。",
        ),
        "time": Text(
            en="The script takes too long to be read. It was not checked.",
            zh="脚本的解析耗时过长，无法读取，未被检查。",
        ),
        "beginning": Text(
            en="The file sets options in {places} places. Only the first {checked} were checked, which leaves {left} unchecked.",
            zh="文件中有 {places} 处设置选项，仅检查了前 {checked} 处，其余 {left} 处未检查。",
        ),
        "places": Text(
            en="The file sets options in more than {most} places. It was not checked.",
            zh="文件中设置选项的位置超过 {most} 处，未被检查。",
        ),
    }
    examples_in = Kind.PYTHON
    VALID = (
        _NESTED + "(" * 9 + '"allow_mix_precision"' + ")" * 9 + "\n",
        "x = " + "(" * 99 + "1" + ")" * 99 + "\n",
        "ask('''HCCL_BUFFSIZE=200 os.environ\n" + "a log\n" * 20_000 + "''')\n",
    )
    INVALID = (
        Invalid(_NESTED + "(\n" + "(" * 60 + "1" + ")" * 61 + "\n", (_NESTED + "(",), ("warning",)),
        Invalid("atc --model=a\n" * 1002, ("atc --model=a",), ("warning",), kind=Kind.SHELL),
        Invalid("atc --model=a;" * 1002 + "\n", (("atc --model=a;" * 8)[:100],), ("warning",), kind=Kind.SHELL),
        Invalid("a=(\n" * 201 + "export HCCL_BUFFSIZE=200\n", ("a=(",), ("warning",), kind=Kind.SHELL),
        Invalid("".join(f"R{n}:on\n" for n in range(3001)), ("R0:on",), ("warning",), kind=Kind.FUSION_SWITCH),
        Invalid("UBFusion:on\n" * 30_001, ("UBFusion:on",), ("warning",), kind=Kind.FUSION_SWITCH),
        Invalid(_NESTED + "1" + " + 1" * 300 + "\n", ((_NESTED + "1" + " + 1" * 300)[:100],), ("warning",)),
    )
