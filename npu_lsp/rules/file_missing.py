"""NPU810: an option that points to a file which isn't there."""

from __future__ import annotations

import os
from collections.abc import Iterator

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import SCRIPTS
from npu_lsp.linter.context import Context
from npu_lsp.linter.files.referenced import pointer, takes_file
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Rule, Valid, silent, told
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized

# The words cd, pushd and chdir, in a form that the search engine can skip most of a text with: it runs at each change.
_MOVES = re.compile(r"(?:c(?<!\wc)(?:d|hdir)|p(?<!\wp)ushd)\b")
_ABOVE = 3
"""So many folders above the script may be where it is started."""
_SHOWN = 80
_HERE = ("./", "../")
"""Who writes that means the folder that the script is started in, mostly its own."""


class FileMissing(Rule):
    """A configuration file that an option names and that can't be found.

    ## What it does
    Looks for the files that options such as `fusion_switch_file`, `op_precision_mode` and `insert_op_conf` name with a
    relative path: in the script's folder and in those above it. Absolute paths, scripts that change the folder, and
    scripts that mention the file elsewhere (they may create it) are left alone. It is a hint, and information where the path
    begins with `./`, since nobody knows where the script will be started.

    ## Why is this bad?
    The tool stops with an error when it can't open the file, in training often after minutes.

    ## Example
    ```sh
    atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --fusion_switch_file=swich.cfg
    ```

    Use instead:
    ```sh
    atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3 --fusion_switch_file=switch.cfg
    ```
    """

    code = "NPU810"
    title = Text(en="File that isn't there", zh="引用的文件不存在")
    severity = Severity.HINT
    messages = {
        "missing": Text(
            en='There is no "{file}" beside this script or above it. If "{option}" finds none where the script is started, the tool stops with an error.',
            zh="在脚本所在目录及其上级目录中均未找到“{file}”。若运行目录下也没有该文件，“{option}”会导致工具报错退出。",
        ),
    }
    VALID = (
        Valid("atc --fusion_switch_file=switch.cfg\n", Kind.SHELL, files={"switch.cfg": "ALL:off\n"}),
        silent("atc --fusion_switch_file=/opt/switch.cfg\n"),
        silent('atc --fusion_switch_file="$DIR/switch.cfg"\n'),
        silent("cd conf\natc --fusion_switch_file=switch.cfg\n"),
        silent("echo ALL:off > switch.cfg\natc --fusion_switch_file=switch.cfg\n"),
        # The folder may hold one.
        silent("# atc reads op_cache.ini\natc --model=a.onnx --op_compiler_cache_dir=cache\n"),
        Valid("```sh\natc --fusion_switch_file=switch.cfg\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        told("atc --fusion_switch_file=«conf/switch.cfg»\n", "hint"),
        told("atc --insert_op_conf=«./aipp.cfg»\n", "info"),
        told('op.parameter_map["op_precision_mode"].s = b"«op_precision.ini»"\n', "hint", Kind.PYTHON),
    )

    def concerns(self, option: Option) -> bool:
        return takes_file(option)

    def check_setting(self, setting: Setting, option: Option, block: Block, context: Context) -> Iterator[Finding]:
        document = context.document
        if document.kind not in SCRIPTS or not document.path:
            return
        found = pointer(setting, option)
        if found is None or found.kind is Kind.OP_CACHE or os.path.isabs(found.written):
            return
        name = os.path.basename(found.written)
        if document.text.count(name) != 1 or _moves(context.document):
            return
        folder = os.path.dirname(os.path.abspath(document.path))
        for _ in range(1 + _ABOVE):
            if surroundings.exists(os.path.join(folder, found.written)):
                return
            folder = os.path.dirname(folder)
        yield self.finding(
            context,
            setting.value.inside,
            "missing",
            of=option,
            severity=Severity.INFO if found.written.startswith(_HERE) else None,
            file=found.written[:_SHOWN],
        )


@Memoized
def _moves(document: Document) -> bool:
    """Return whether the script goes to another folder; each of its files asks."""
    return _MOVES.search(document.text) is not None
