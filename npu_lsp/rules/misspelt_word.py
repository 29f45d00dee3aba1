"""NPU139: a name that nobody here knows, with a word in it that is a common one with a slip."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.misspelt_words import misspelt_words
from npu_lsp.linter.names.unknown import is_known
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class MisspeltWord(Rule):
    """A flag or a key that nobody here knows, with a common word in it that has a slip.

    ## What it does
    Looks at flags in scripts and pages and at keys of JSON in texts about NPUs: names of a project's own programs mostly. A word
    that stands in no public repository, and is one that many have but for two letters that changed places, one too many, one missing, or another
    one in a long word, is reported, unless something else is told of that place.

    ## Why is this bad?
    A program stops at a flag that it doesn't know, and a key is left unread. Where the program itself writes the word so, nothing is wrong.

    ## Fix safety
    Unsafe: the program may write it so.

    ## Configuration
    - `known`: names (or globs) that are right
    """

    code = "NPU139"
    title = Text(en="Common word with a slip in a name", zh="名称中的常用单词拼写有误")
    severity = Severity.INFO
    fixable = Fixable.ALWAYS
    weak = True
    messages = {
        "found": Text(
            en='"{option}" is no known name, and "{word}" in it is no word: "{near}" is likely meant. Look at what the program takes.',
            zh="“{option}”不是已知名称，其中的“{word}”疑为“{near}”的误写。请核对程序实际接受的名称。",
        ),
    }
    VALID = (
        "export HCCL_BUFFSIZE=1\npython run.py --train_dataset a --quantizer_state b --trian c\n",
        Valid('import torch_npu\np.add_argument("--trian_dataset")\n', Kind.PYTHON),
        # The text says it more than once.
        "export HCCL_BUFFSIZE=1\npython run.py --trian_dataset a\npython run.py --trian_dataset b\n",
    )
    INVALID = (
        "export HCCL_BUFFSIZE=1\npython run.py --«trian_dataset→train_dataset» a --«ckeckpoint-path→checkpoint-path» b\n",
        told(
            "```sh\nexport HCCL_BUFFSIZE=1\n```\n\nSet `--«use-distirbuted-cache→use-distributed-cache»`.\n",
            kind=Kind.MARKDOWN,
        ),
        told(
            '```json\n{"«diable_names→disable_names»": []}\n```\n\n```sh\nexport HCCL_BUFFSIZE=1\n```\n',
            kind=Kind.MARKDOWN,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        known = {setting.key.start for block in context.parsed.blocks for setting in block.settings}
        for span, word, near in islice(misspelt_words(context.document), MOST_OF_ONE):
            name = context.text(span)
            if span.start not in known and not is_known(name, context):
                fixes = self.renamed_at(context, span, name.replace(word, near))
                yield self.finding(context, span, "found", fixes=fixes, option=name, word=word, near=near)
