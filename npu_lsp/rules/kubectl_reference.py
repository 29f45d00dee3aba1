"""NPU261: a file, a ConfigMap or a namespace that `kubectl` is given under a mistyped name."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.near import slip_of
from npu_lsp.languages.shell.script import commands
from npu_lsp.languages.shell.words import ShellWord
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import texts
from npu_lsp.linter.deployment.parts import manifest_in
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_PROGRAM = "kubectl"
_MOVES = re.compile(r"(?:c(?<!\wc)(?:d|hdir)|p(?<!\wp)ushd)\b")
_FILES = frozenset({"-f", "--filename", "--from-file", "--from-env-file"})
_SPACES = frozenset({"-n", "--namespace"})
_MAPS = (("create", "configmap"), ("create", "cm"))
_MOST = 500
_POD = (
    "apiVersion: v1\nkind: Pod\nspec:\n  volumes:\n    - name: a\n      configMap:\n        name: boot-script\n"
    "  containers:\n    - name: a\n"
)
_BESIDE = {"boot/boot.sh": "set -e\n", "pods/server.yaml": _POD}
_SCRIPT = (
    "export ASCEND_GLOBAL_LOG_LEVEL=3\nkubectl create configmap {map} --from-file=./boot/{file} -n {space}\n"
    "kubectl create configmap other --from-file=a=./boot/boot.sh -n mindie\nkubectl apply -f ./pods/{pod} -n mindie\n"
)
_RIGHT = {"map": "boot-script", "file": "boot.sh", "space": "mindie", "pod": "server.yaml"}


class _Given(NamedTuple):
    """A word that `kubectl` is given."""

    kind: str
    """`file`, `map` or `namespace`."""
    text: str
    span: Span


def _script(**other: str) -> str:
    return _SCRIPT.format(**{**_RIGHT, **other})


class KubectlReference(Rule):
    """A file, a ConfigMap or a namespace that `kubectl` is given under a mistyped name.

    ## What it does
    Looks at the commands of `kubectl` in a script: files that aren't there while one with nearly that name is, namespaces that differ
    by a letter from that of the other commands, and ConfigMaps that differ so from one that the applied files ask for.

    ## Why is this bad?
    The command fails and the script goes on, or the pods wait for a ConfigMap that nobody creates.

    ## Example
    ```sh
    export ASCEND_GLOBAL_LOG_LEVEL=3
    kubectl create configmap boot-script --from-file=./boot.sh -n mindi
    kubectl create configmap config --from-file=./config.json -n mindie
    kubectl apply -f ./server.yaml -n mindie
    ```

    Use instead:
    ```sh
    export ASCEND_GLOBAL_LOG_LEVEL=3
    kubectl create configmap boot-script --from-file=./boot.sh -n mindie
    kubectl create configmap config --from-file=./config.json -n mindie
    kubectl apply -f ./server.yaml -n mindie
    ```

    ## Fix safety
    Unsafe: there may be two things with names that are so close.
    """

    code = "NPU261"
    name = "kubectl-reference"
    title = Text(en="Mistyped name in a command of kubectl", zh="kubectl 命令中的名称拼写错误")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "file": Text(
            en='There is no "{value}". Did you mean "{near}"?',
            zh="不存在“{value}”，是否应为“{near}”？",
        ),
        "map": Text(
            en='The files that are applied ask for no ConfigMap "{value}", but for "{near}", which nothing here creates.',
            zh="部署文件不引用 ConfigMap“{value}”，而引用了此处未创建的“{near}”。",
        ),
        "namespace": Text(
            en='The namespace is "{value}" here, and "{near}" in the other commands.',
            zh="此处的命名空间为“{value}”，其他命令为“{near}”。",
        ),
    }
    VALID = (
        Valid(_script(), Kind.SHELL, files=_BESIDE),
        # Another one, one that is filled in, and where the script went elsewhere.
        Valid(_script(file="start.sh", space="$SPACE", map="config"), Kind.SHELL, files=_BESIDE),
        Valid("cd ..\n" + _script(file="boots.sh"), Kind.SHELL, files=_BESIDE),
    )
    INVALID = (
        Invalid(
            _script(file="boots.sh"),
            ("./boot/boots.sh",),
            ("warning unsafe",),
            _script(),
            kind=Kind.SHELL,
            files=_BESIDE,
        ),
        Invalid(
            _script(pod="servers.yaml"),
            ("./pods/servers.yaml",),
            ("warning unsafe",),
            _script(),
            kind=Kind.SHELL,
            files=_BESIDE,
        ),
        Invalid(_script(space="mindi"), ("mindi",), ("warning unsafe",), _script(), kind=Kind.SHELL, files=_BESIDE),
        Invalid(
            _script(map="boot-scripts"),
            ("boot-scripts",),
            ("warning unsafe",),
            _script(),
            kind=Kind.SHELL,
            files=_BESIDE,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at the commands of a script together."""
        document = context.document
        if document.kind is not Kind.SHELL or _PROGRAM not in document.text:
            return
        given = list(_given(document))
        spaces = Counter(each.text for each in given if each.kind == "namespace")
        folder = Path(document.path).absolute().parent if document.path and not _MOVES.search(document.text) else None
        wanted = _wanted(given, folder)
        for each in given:
            near = None
            if each.kind == "namespace":
                near = slip_of(each.text, spaces)
                near = near if near is not None and spaces[near] > spaces[each.text] else None
            elif each.kind == "map":
                near = slip_of(each.text, wanted) if each.text not in wanted else None
            elif folder is not None and not surroundings.exists(folder / each.text):
                around, name = posixpath.split(each.text)
                name = slip_of(name, surroundings.names_in(folder / around, _MOST)) or ""
                near = posixpath.join(around, name) if name else None
            if near is not None:
                fix = Fix(self.say(context, "rename", near=near), (Edit(each.span, near),), Safety.UNSAFE)
                yield self.finding(context, each.span, each.kind, fixes=[fix], value=each.text, near=near)


def _given(document: Document) -> Iterator[_Given]:
    for simple in commands(document.text, 0, len(document.text)):
        if simple.words and simple.words[0].text == _PROGRAM:
            yield from _words(simple.words)


def _words(words: Sequence[ShellWord]) -> Iterator[_Given]:
    said = [word.text for word in words]
    plain = [(word, text) for word, text in zip(words[1:], said[1:], strict=True) if text and not text.startswith("-")]
    if len(plain) > 2 and (plain[0][1], plain[1][1]) in _MAPS and plain[2][0].bare:
        yield _Given("map", plain[2][1] or "", plain[2][0].span)
    for at, (word, text) in enumerate(zip(words, said, strict=True)):
        flag, equals, value = (text or "").partition("=")
        if flag not in _FILES and flag not in _SPACES:
            continue
        if not equals:
            word, value = (words[at + 1], said[at + 1] or "") if at + 1 < len(words) else (word, "")
        value = value.rpartition("=")[2] if flag in _FILES else value
        span = Span(word.end - len(value), word.end)
        # What is in quotes or filled in ends elsewhere, or isn't known.
        if word.bare and value and not value.startswith(("/", "-", "~")) and ":" not in value and "*" not in value:
            yield _Given("file" if flag in _FILES else "namespace", value, span)


def _wanted(given: Sequence[_Given], folder: Path | None) -> frozenset[str]:
    """Return the ConfigMaps that the applied files ask for and that the script doesn't create."""
    made = {each.text for each in given if each.kind == "map"}
    found = [
        surroundings.once(_asked, folder, each.text) for each in given if each.kind == "file" and folder is not None
    ]
    return frozenset().union(*found) - made


def _asked(folder: Path, name: str) -> frozenset[str]:
    document = manifest_in(folder, name)
    parts = texts(document) if document is not None else ()
    return frozenset(entry.text for part in parts for entry in part if entry.path[-2:] == ("configMap", "name"))
