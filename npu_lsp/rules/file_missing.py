"""NPU810: an option that points to a file which isn't there."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from npu_lsp.catalog.model import Option
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import SCRIPTS
from npu_lsp.linter.context import Context
from npu_lsp.linter.files.referenced import pointer, takes_file
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Rule, Valid, told
from npu_lsp.linter.versions.required import up_to_top
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span, before
from npu_lsp.text.word_search import Words

# The words cd, pushd and chdir, in a form that the search engine can skip most of a text with: it runs at each change.
_MOVES = re.compile(r"(?:c(?<!\wc)(?:d|hdir)|p(?<!\wp)ushd)\b")
_ABOVE = 3
"""So many folders above the script may be where it is started."""
_SHOWN = 80
_NAMED = re.compile(
    r"(?<![\w$./{}~@:\\-])(?:\./)?(?P<folder>[A-Za-z][\w.-]{0,60}(?:/[\w.-]{1,80}){0,8})/(?P<name>[\w.-]{1,120}\.(?:ya?ml|py|sh))(?![\w./*-])"
)
"""A file below a folder, as scripts that start something name their configuration and other scripts."""
_WRITES = re.compile(
    r"(?:>|\btee\b(?:[ \t]+-a)?|\b(?:touch|mv|cp|rm|mkdir|wget|curl)\b[^\n;|&]{0,200}|(?<=[ \t])-{1,2}(?:o|out|output|save|dump|log)[\w-]{0,30}[ \t=])[ \t]*\Z"
)
_MOST = 400
"""Files in one folder that are compared."""
_HERE = ("./", "../")
"""Who writes that means the folder that the script is started in, mostly its own."""


class FileMissing(Rule):
    """A configuration file that an option names and that can't be found.

    ## What it does
    Looks for the files that options such as `fusion_switch_file`, `op_precision_mode` and `insert_op_conf` name with a
    relative path: in the script's folder and in those above it. Absolute paths, scripts that change the folder, and
    scripts that mention the file elsewhere (they may create it) are left alone. It is a hint, and information where the path
    begins with `./`, since nobody knows where the script will be started. In a repository, a script that names another script or a YAML
    file is told where the folder is there and has no such file, but one whose name says a word more or less: a warning.

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
        "renamed": Text(
            en='There is no "{file}" in this repository: whatever opens it stops with an error. Was "{near}" meant?',
            zh="仓库中没有“{file}”，打开该文件时会报错退出。是否应为“{near}”？",
        ),
    }
    VALID = (
        Valid("atc --fusion_switch_file=switch.cfg\n", Kind.SHELL, files={"switch.cfg": "ALL:off\n"}),
        "atc --fusion_switch_file=/opt/switch.cfg\n",
        'atc --fusion_switch_file="$DIR/switch.cfg"\n',
        "cd conf\natc --fusion_switch_file=switch.cfg\n",
        "echo ALL:off > switch.cfg\natc --fusion_switch_file=switch.cfg\n",
        # The folder may hold one.
        "# atc reads op_cache.ini\natc --model=a.onnx --op_compiler_cache_dir=cache\n",
        Valid("```sh\natc --fusion_switch_file=switch.cfg\n```\n", Kind.MARKDOWN),
        *(
            Valid(f"export HCCL_BUFFSIZE=1\n{line}\n", Kind.SHELL, files={".git/HEAD": "", "conf/tune_4k_A3.yaml": ""})
            for line in (
                "python train.py conf/tune_4k_A3.yaml",
                "python train.py conf/other.yaml",
                "python train.py far/tune_4k.yaml",
                "sed s/a/b/ conf/tune_4k_A3.yaml > conf/tune_4k.yaml",
                "# python train.py conf/tune_4k.yaml",
                "cd ..\npython train.py conf/tune_4k.yaml",
                "python make.py -o conf/tune_4k.yaml",
                "cp $1 conf/tune_4k.yaml\npython train.py conf/tune_4k.yaml",
            )
        ),
        Valid(
            "export HCCL_BUFFSIZE=1\npython a.py conf/tune_4k.yaml\n", Kind.SHELL, files={"conf/tune_4k_A3.yaml": ""}
        ),
    )
    INVALID = (
        "atc --fusion_switch_file=«conf/switch.cfg»\n",
        told("atc --insert_op_conf=«./aipp.cfg»\n", "info"),
        told('op.parameter_map["op_precision_mode"].s = b"«op_precision.ini»"\n', kind=Kind.PYTHON),
        told(
            "export HCCL_BUFFSIZE=1\ntorchrun train.py «conf/tune_4k.yaml»\n",
            "warning",
            files={".git/HEAD": "", "conf/tune_4k_A3.yaml": "", "conf/tune_8k_A3.yaml": ""},
        ),
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
        if _of_settings(context).get(name, 0) != 1 or _moves(context.document):
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

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look for the scripts and the YAML files that a script names."""
        document = context.document
        if document.kind is not Kind.SHELL or not document.path or _moves(document):
            return
        folders = up_to_top(os.path.abspath(document.path), context.root)
        if not surroundings.exists(os.path.join(folders[-1], ".git")):
            return
        named = list(_NAMED.finditer(document.text))
        counts = _counts(document.text, {match["name"] for match in named})
        for match in named:
            said = before(document.text, match.start())
            if said is None or "#" in said or counts[match["name"]] != 1 or _WRITES.search(said):
                continue
            near = _renamed(match["folder"], match["name"], folders)
            if near is not None:
                yield self.finding(
                    *(context, Span(*match.span()), "renamed"),
                    severity=Severity.WARNING,
                    file=match[0][:_SHOWN],
                    near=near[:_SHOWN],
                )


def _counts(text: str, names: Collection[str]) -> Mapping[str, int]:
    """Return how often each of some names stands in a text, be it in a longer one: a search for each would read all of it again."""
    words = tuple(name.encode(errors="surrogatepass") for name in names)
    found = (
        Counter(number for number, _ in Words(words).places(text.encode(errors="surrogatepass")))
        if words
        else Counter[int]()
    )
    return {name: found[number] for number, name in enumerate(names)}


@Memoized
def _of_settings(context: Context) -> Mapping[str, int]:
    """Return how often the name of each file stands in a text that a setting names."""
    settings = (each for block in context.parsed.blocks for each in context.settings(block))
    named = {os.path.basename(found.written) for each in settings if (found := pointer(*each)) is not None}
    return _counts(context.document.text, named - {""})


def _renamed(below: str, name: str, folders: list[str]) -> str | None:
    """Return the only file that may be meant by one that isn't there, where its folder is."""
    stem, _, suffix = name.rpartition(".")
    close: set[str] = set()
    for folder in folders:
        names = surroundings.names_below(Path(folder), below, _MOST)
        if name in names:
            return None
        close |= {each for each in names if each.endswith(f".{suffix}") and _says_more(stem, each.rpartition(".")[0])}
    return next(iter(close)) if len(close) == 1 else None


def _says_more(stem: str, other: str) -> bool:
    """Return whether one of two names has a word more than the other, at its end."""
    short, long = sorted((stem, other), key=len)
    return long.startswith((f"{short}_", f"{short}-")) and not re.search(r"[_-]", long[len(short) + 1 :])


@Memoized
def _moves(document: Document) -> bool:
    """Return whether the script goes to another folder; each of its files asks."""
    return _MOVES.search(document.text) is not None
