"""NPU261: a file, a ConfigMap, a namespace or a flag that `kubectl` is given under a mistyped name."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.near import alike, slip_of
from npu_lsp.languages.shell.script import commands_of
from npu_lsp.languages.shell.words import ShellWord
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import texts
from npu_lsp.linter.deployment.parts import manifest_in
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_PROGRAM = "kubectl"
_MOVES = re.compile(r"(?:c(?<!\wc)(?:d|hdir)|p(?<!\wp)ushd)\b")
_FLAGS = {
    **dict.fromkeys(("-f", "--filename", "--from-file", "--from-env-file"), "file"),
    **dict.fromkeys(("-n", "--namespace"), "namespace"),
}
_ELSEWHERE = re.compile(r"\A(?:[/~-]|\Z)|[:*]")
"""What is no file of the script's folder, or many."""
_WORD = re.compile(r"[\w.-]+")
_FLAG = re.compile(r"--([a-z][a-z-]*)(?=$|=)")
_MAPS = (("create", "configmap"), ("create", "cm"))
_ALIKE = 0.85
_MOST, _MOST_SPACES = 500, 20
"""Files of a folder, and namespaces, that names are compared with."""
_POD = (
    "apiVersion: v1\nkind: Pod\nspec:\n  volumes:\n    - name: a\n      configMap:\n        name: boot-script\n"
    "  containers:\n    - name: a\n"
)
_BESIDE = {"boot/boot.sh": "set -e\n", "pods/server.yaml": _POD}
_APART = {**_BESIDE, "pods/server.yaml": _POD.replace("spec:", "metadata:\n  namespace: default\nspec:", 1)}
_SCRIPT = (
    "export ASCEND_GLOBAL_LOG_LEVEL=3\nkubectl create configmap {map} --from-file=./boot/{file} -n {space}\n"
    "kubectl create configmap other --from-file=a=./boot/boot.sh -n mindie\nkubectl apply -f ./pods/{pod} -n mindie\n"
)
_RIGHT = {"map": "boot-script", "file": "boot.sh", "space": "mindie", "pod": "server.yaml"}


class _Given(NamedTuple):
    """A word that `kubectl` is given."""

    kind: str
    """`file`, `map`, `namespace` or `flag`."""
    text: str
    span: Span
    command: int = 0
    """Which command of the script."""


def _script(**other: str) -> str:
    return _SCRIPT.format(**{**_RIGHT, **other})


class KubectlReference(Rule):
    """A file, a ConfigMap, a namespace or a flag that `kubectl` is given under a mistyped name.

    ## What it does
    Looks at the commands of `kubectl` in a script: files that aren't there while one with nearly that name is, namespaces that differ
    by a letter from that of the other commands, flags that `kubectl` hasn't, ConfigMaps that differ so from one that the applied files ask for, and applied files
    whose pods are in another namespace than the ConfigMaps that the script creates for them.

    ## Why is this bad?
    The command fails and the script goes on, or the pods wait for a ConfigMap that nobody creates.

    ## Fix safety
    Unsafe: there may be two things with names that are so close.
    """

    code = "NPU261"
    title = Text(en="Mistyped name in a command of kubectl", zh="kubectl 命令中的名称拼写错误")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "file": Text(
            en='There is no "{value}". Did you mean "{near}"?',
            zh="不存在“{value}”，是否应为“{near}”？",
        ),
        "flag": Text(
            en='kubectl knows no flag "{value}", and the command fails. Did you mean "{near}"?',
            zh="kubectl 没有参数“{value}”，命令会失败，是否应为“{near}”？",
        ),
        "map": Text(
            en='The files that are applied ask for no ConfigMap "{value}", but for "{near}", which nothing here creates.',
            zh="部署文件不引用 ConfigMap“{value}”，而引用了此处未创建的“{near}”。",
        ),
        "namespace": Text(
            en='The namespace is "{value}" here, and "{near}" in the other commands.',
            zh="此处的命名空间为“{value}”，其他命令为“{near}”。",
        ),
        "apart": Text(
            en='What this file starts is in the namespace "{value}", and the ConfigMap "{option}" that it asks for is created in "{near}": its pods wait for ever. Use one namespace.',
            zh="该文件部署在命名空间“{value}”，而其引用的 ConfigMap“{option}”创建在“{near}”，Pod 会一直等待，须使用同一命名空间。",
        ),
    }
    VALID = (
        Valid(_script(), Kind.SHELL, files=_BESIDE),
        # Another one, one that is filled in, and where the script went elsewhere.
        Valid(_script(file="start.sh", space="$SPACE", map="config"), Kind.SHELL, files=_BESIDE),
        Valid("cd ..\n" + _script(file="boots.sh"), Kind.SHELL, files=_BESIDE),
    )
    INVALID = (
        (
            "export ASCEND_GLOBAL_LOG_LEVEL=3\n"
            "kubectl create configmap boot-script --from-file=./boot.sh -n «mindi→mindie»\n"
            "kubectl create configmap config --from-file=./config.json -n mindie\n"
            "kubectl apply -f ./server.yaml -n mindie\n"
        ),
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
        told(_script(map="«boot-scripts→boot-script»"), files=_BESIDE),
        told(_script(pod="«./pods/server.yaml»").replace("./pods/«./pods/", "«./pods/"), files=_APART),
        told(_script().replace("--from-file=./", "--«from-fle→from-file»=./", 1), files=_BESIDE),
        told(_script().replace("--from-file=./", "--«fro-file→from-file»=./", 1), files=_BESIDE),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        document = context.document
        if document.kind is not Kind.SHELL or _PROGRAM not in document.text:
            return
        facts = context.catalog.plain("deployment")["kubectl"]
        given = list(_given(document, frozenset(facts["verbs"])))
        folder = Path(document.path).absolute().parent if document.path and not _MOVES.search(document.text) else None
        yield from self._apart(given, folder, context)
        for each, near in _meant(given, folder, facts["flags"], document):
            fixes = self.renamed_at(context, each.span, near)
            yield self.finding(context, each.span, each.kind, fixes=fixes, value=each.text, near=near)

    def _apart(self, given: Sequence[_Given], folder: Path | None, context: Context) -> Iterator[Finding]:
        """Look for applied files of a namespace in which the script creates none of the ConfigMaps that they ask for."""
        spaces = {each.command: each.text for each in given if each.kind == "namespace"}
        made = {each.text: spaces.get(each.command, "") for each in given if each.kind == "map"}
        for each in given if folder is not None and made else ():
            if each.kind == "file" and folder is not None:
                own, asked = surroundings.once(_spaced, folder, each.text)
                there = {made[name]: name for name in sorted(asked & made.keys())}
                if own and len(there) == 1 and there.keys().isdisjoint({"", own}):
                    near, name = there.popitem()
                    if slip_of(own, [near]) is None:
                        yield self.finding(context, each.span, "apart", option=name, value=own, near=near)


def _meant(
    given: Sequence[_Given], folder: Path | None, flags: Sequence[str], document: Document
) -> Iterator[tuple[_Given, str]]:
    """Yield what is written wrong, with what it was meant to be."""
    spaces = Counter(each.text for each in given if each.kind == "namespace")
    common = [name for name, _ in spaces.most_common(_MOST_SPACES)]
    asked = Counter(posixpath.basename(each.text) for each in given if each.kind == "file")
    said = Counter(match[0] for match in _WORD.finditer(document.text)) if folder is not None else Counter()
    wanted = _wanted(given, folder)
    for each in given:
        near = None
        if each.kind == "namespace":
            near = slip_of(each.text, [name for name in common if spaces[name] > spaces[each.text]])
        elif each.kind == "flag" and each.text not in flags:
            near = alike(each.text, flags, _ALIKE)
        elif each.kind == "map" and each.text not in wanted:
            near = slip_of(each.text, wanted)
        # What stands elsewhere as well may be made by the script.
        elif each.kind == "file" and folder is not None and said[name := posixpath.basename(each.text)] <= asked[name]:
            near = _file_like(each.text, folder)
        if near is not None:
            yield each, near


def _spaced(folder: Path, name: str) -> tuple[str, frozenset[str]]:
    """Return the namespace of a file in which nothing is in another one, and the ConfigMaps that it asks for."""
    document = manifest_in(folder, name)
    parts = texts(document) if document is not None else ()
    spaces = {entry.text for part in parts for entry in part if entry.path == ("metadata", "namespace")}
    return spaces.pop() if len(spaces) == 1 else "", _asked(folder, name)


def _file_like(written: str, folder: Path) -> str | None:
    """Return the file whose name is close to one that isn't there."""
    if surroundings.exists(folder / written):
        return None
    around, name = posixpath.split(written)
    near = slip_of(name, surroundings.names_below(folder, around, _MOST))
    return posixpath.join(around, near) if near is not None else None


def _given(document: Document, verbs: Collection[str]) -> Iterator[_Given]:
    for number, simple in enumerate(commands_of(document)):
        if simple.words and simple.words[0].text == _PROGRAM:
            # Behind `--` stands what runs in a pod.
            end = next((at for at, word in enumerate(simple.words) if word.text == "--"), None)
            words = simple.words[:end]
            for each in (*_words(words), *_flags(words, verbs)):
                yield each._replace(command=number)


def _flags(words: Sequence[ShellWord], verbs: Collection[str]) -> Iterator[_Given]:
    if any(word.text in verbs for word in _plain(words)[:1]):
        for word in words:
            if (match := _FLAG.match(word.lead)) is not None:
                yield _Given("flag", match[1], Span(word.start + 2, word.start + match.end()))


def _plain(words: Sequence[ShellWord]) -> Sequence[ShellWord]:
    """Return the words that are no flags; the value of a flag may be among them."""
    return [word for word in words[1:] if word.bare and not word.lead.startswith("-")]


def _words(words: Sequence[ShellWord]) -> Iterator[_Given]:
    plain = _plain(words)
    if len(plain) > 2 and (plain[0].text, plain[1].text) in _MAPS:
        yield _Given("map", plain[2].text or "", plain[2].span)
    # With `logs`, `-f` follows what is written.
    flags = {**_FLAGS, "-f": ""} if any(word.text == "logs" for word in plain) else _FLAGS
    for word, behind in zip_longest(words, words[1:]):
        flag, equals, _ = (word.text or "").partition("=")
        kind = flags.get(flag)
        given = word if equals else behind
        # What is in quotes or filled in ends elsewhere, or isn't known.
        if kind and given is not None and given.bare:
            value = (given.text or "").rpartition("=")[2]
            if not _ELSEWHERE.search(value):
                yield _Given(kind, value, Span(given.end - len(value), given.end))


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
