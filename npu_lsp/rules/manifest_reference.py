"""NPU260: a name in a Kubernetes file that differs by a letter from what it means."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from npu_lsp.catalog.near import alike, slip_of
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import VALUES, Path, keys
from npu_lsp.linter.deployment.parts import manifest_in
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, told
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

if TYPE_CHECKING:
    from npu_lsp.languages.hosts.manifest import ManifestEntry

_ABSOLUTE = re.compile(r"(?<![\w$}./:-])/[\w.-]+(?:/[\w.-]+)+")
_SAID = re.compile(r"^[ ]*(?:- )?(?P<key>namespace|image):[ ]+[\"']?(?P<value>[\w./:@-]+)", re.MULTILINE)
"""What files of one folder have in common."""
_SUFFIXES = (".yaml", ".yml")
_NUMBER = re.compile(r"[0-9]+|(?<![a-z])[a-z](?![a-z])")
_ALIKE = 0.85
_MOST = 40
"""So many files of a folder are looked at."""
_SERVING = ("Service", "InferServiceSet", "InferService", "InstanceSet")
"""Kinds with services in them."""
_NAME, _SPACE = ("metadata", "name"), ("metadata", "namespace")
_CALLED = "deploy-name"
"""A label with the name of its Deployment (mindie-motor: `deploy_scripts/deployment/mindie_server.yaml`)."""
_LABELS = (("template", "metadata", "labels"), ("metadata", "labels"))
Entries = Sequence["ManifestEntry"]


def _file(
    *,
    label: str = "mindie-server",
    space: str = "mindie",
    command: str = "/mnt/configmap/boot.sh",
    part: str = "boot.sh",
) -> str:
    return (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n  namespace: mindie\nspec:\n  selector:\n    matchLabels:\n"
        "      app: mindie-server\n  template:\n    metadata:\n      labels:\n        app: mindie-server\n    spec:\n      containers:\n"
        f'        - name: a\n          image: a\n          command: ["/bin/bash", "-c", "\n            {command}; \\n\n          "]\n'
        '          env:\n            - name: ASCEND_GLOBAL_LOG_LEVEL\n              value: "3"\n          volumeMounts:\n'
        f"            - name: boot\n              mountPath: /mnt/configmap/boot.sh\n              subPath: {part}\n"
        "            - name: mnt\n              mountPath: /mnt\n"
        "      volumes:\n        - name: boot\n          configMap:\n            name: boot\n"
        "        - name: mnt\n          hostPath:\n            path: /mnt\n"
        f"---\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  namespace: {space}\nspec:\n  ports:\n    - port: 80\n"
        f"  selector:\n    app: {label}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: boots\n  namespace: mindie\n"
    )


_OTHER = (
    "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: b\n  namespace: default\nspec:\n  containers: []\n"
    "  volumes:\n    - name: boot\n      configMap:\n        name: boot\n"
)


class ManifestReference(Rule):
    """A name in a Kubernetes file with NPUs that differs by a letter from what it means.

    ## What it does
    Compares the selectors of services with the labels of the pods beside, the labels of an object with those of its pods, and `deploy-name` with
    its name, namespaces with those of the other objects and files of the folder, images with those of the other files, paths in commands with what is
    mounted, and `subPath` with the name of the file at `mountPath`.

    ## Why is this bad?
    Kubernetes takes the file. The service has no pods, the pod waits for a ConfigMap of another namespace, or a file isn't where a
    command looks for it.

    ## Example
    ```yaml
    command: ["/bin/bash", "-c", "/mnt/configmaps/boot.sh"]
    volumeMounts:
      - name: boot
        mountPath: /mnt/configmap/boot.sh
        subPath: boot.sh
    ```

    Use instead:
    ```yaml
    command: ["/bin/bash", "-c", "/mnt/configmap/boot.sh"]
    volumeMounts:
      - name: boot
        mountPath: /mnt/configmap/boot.sh
        subPath: boot.sh
    ```

    ## Fix safety
    Unsafe: there may be two things with names that are so close.
    """

    code = "NPU260"
    title = Text(en="Name that differs by a letter from what it means", zh="Kubernetes 文件中的引用名称拼写错误")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "selector": Text(
            en='No pod of this file has "{option}" {value}, and the service reaches none. Did you mean "{near}"?',
            zh="该文件中没有 Pod 的“{option}”为 {value}，服务找不到后端，是否应为“{near}”？",
        ),
        "label": Text(
            en='"{option}" is {value} here, and "{near}" in the labels of the pods: what looks for one misses the other.',
            zh="“{option}”在此处为 {value}，Pod 的标签中为“{near}”，两者不一致。",
        ),
        "account": Text(
            en='This file makes "{near}", and nothing that is called "{value}".',
            zh="该文件创建的是“{near}”，没有名为“{value}”的对象。",
        ),
        "called": Text(
            en='"{option}" is {value} here, and what makes the pods is called "{near}": the two must be the same.',
            zh="“{option}”在此处为 {value}，须与创建 Pod 的对象名称“{near}”一致。",
        ),
        "namespace": Text(
            en='The namespace is "{value}" here, and "{near}" elsewhere: what is named there isn\'t found here.',
            zh="此处的命名空间为“{value}”，其他对象为“{near}”，跨命名空间无法引用。",
        ),
        "image": Text(
            en='The image is "{value}" here, and "{near}" in the other files of the folder.',
            zh="此处的镜像为“{value}”，同一目录的其他文件为“{near}”。",
        ),
        "command": Text(
            en='Nothing is mounted at "{value}". Did you mean "{near}", which is?',
            zh="“{value}”处没有挂载，是否应为已挂载的“{near}”？",
        ),
        "part": Text(
            en='"subPath" is "{value}", and the file is mounted as "{near}": the ConfigMap has no such key, and the pod doesn\'t start.',
            zh="“subPath”为“{value}”，但挂载后的文件名为“{near}”，ConfigMap 中没有该键，Pod 无法启动。",
        ),
    }
    examples_in = Kind.YAML
    VALID = (
        _file(),
        # Two roles, two numbers, a service for pods of another file, and another file under its own name.
        _file(label="mindie-server-p", space="mindie-2", part="start.sh"),
        _file(label="coordinator", space="default", command="/opt/boot.sh"),
        _file(space="${NAMESPACE}", command="/mnt/$MAPS/boot.sh", label="$LABEL"),
        _file(label="mindie-servers").replace("kind: Deployment", "kind: AscendJob"),
        # A ConfigMap of the pod's own namespace, and one of its name for another.
        _file().replace("name: boots\n", "name: boot\n") + _OTHER,
    )
    INVALID = (
        _file().replace("    spec:\n", "    spec:\n      serviceAccountName: «runer→runner»\n", 1)
        + "---\napiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: runner\n  namespace: mindie\n",
        _file(label="«mindie-servers→mindie-server»"),
        _file()
        .replace("metadata:\n  name: a\n", "metadata:\n  name: mindie-server\n", 1)
        .replace("    spec:\n", "        deploy-name: «mindie-sever→mindie-server»\n    spec:\n", 1),
        _file(space="«mindi→mindie»"),
        _file(command="«/mnt/configmaps/boot.sh→/mnt/configmap/boot.sh»"),
        _file().replace("name: boots\n  namespace: mindie", "name: boot\n  namespace: «default→mindie»"),
        _file(space="«default→mindie»"),
        _file(part="«boots.sh→boot.sh»"),
        Invalid(
            _file(),
            ("mindie", "mindie", "mindie"),
            ("warning unsafe",) * 3,
            _file().replace("namespace: mindie", "namespace: minder"),
            kind=Kind.YAML,
            files={f"{name}.yaml": "metadata:\n  namespace: minder\n" for name in "bcde"},
        ),
        told(
            _file().replace("image: a", "image: «minde:1.0→mindie:1.0»"),
            kind=Kind.YAML,
            files={"b.yaml": "containers:\n  - image: mindie:1.0\n", "c.yaml": "containers:\n  - image: mindie:1.0\n"},
        ),
        _file().replace("  namespace: mindie\nspec", "  labels:\n    app: «mindie-sever→mindie-server»\nspec", 1),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        parts = keys(context)
        if not parts:
            return
        said = [{entry.path: entry for entry in part if entry.kind in VALUES} for part in parts]
        labels: dict[str, set[str]] = {}
        for found in said:
            for name, text in _labels_of(found):
                labels.setdefault(name, set()).add(text)
        # The script of MindIE-Motor writes the selectors of a job's services anew.
        filled = any(_is_kind(found, "AscendJob") for found in said)
        for found in said:
            if any(_is_kind(found, kind) for kind in _SERVING) and not filled:
                yield from self._selector(found, labels, context)
            yield from self._labels(found, context)
        for part in parts:
            yield from self._paths(part, context)
        yield from self._accounts(said, context)
        yield from self._apart(said, context)
        yield from self._beyond(said, context)
        yield from self._shared("namespace", _SPACE, said, context)
        yield from self._shared("image", ("image",), said, context)

    def _near(self, kind: str, entry: ManifestEntry, near: str, context: Context, option: str | None = None) -> Finding:
        fixes = self.renamed_at(context, entry.span, near)
        return self.finding(context, entry.span, kind, option=option, fixes=fixes, value=entry.text, near=near)

    def _selector(
        self, found: Mapping[Path, ManifestEntry], labels: Mapping[str, AbstractSet[str]], context: Context
    ) -> Iterator[Finding]:
        for path, entry in found.items():
            of_service = path[:-1] == ("spec", "selector") or (
                path[-3:-1] == ("spec", "selector") and "services" in path
            )
            there = labels.get(path[-1], frozenset()) if of_service else frozenset()
            if entry.text not in there and there:
                # Where none fits, one without a part or with one more is close enough.
                near = slip_of(entry.text, there) or alike(entry.text, there, _ALIKE)
                if near is not None and _NUMBER.findall(near) == _NUMBER.findall(entry.text):
                    yield self._near("selector", entry, near, context, option=path[-1])

    def _labels(self, found: Mapping[Path, ManifestEntry], context: Context) -> Iterator[Finding]:
        pods: dict[str, set[str]] = {}
        for way, each in found.items():
            if way[-4:-1] == _LABELS[0]:
                pods.setdefault(way[-1], set()).add(each.text)
        for path, entry in found.items() if pods else ():
            there = pods.get(path[-1], set()) if path[:-1] == ("metadata", "labels") else set()
            near = slip_of(entry.text, there) if entry.text not in there else None
            if near is not None:
                yield self._near("label", entry, near, context, option=path[-1])
        name = found.get(_NAME)
        called = next((each for way, each in found.items() if way[-4:] == (*_LABELS[0], _CALLED)), None)
        if name is not None and called is not None and slip_of(called.text, [name.text]) is not None:
            yield self._near("called", called, name.text, context, option=_CALLED)

    def _accounts(self, said: Sequence[Mapping[Path, ManifestEntry]], context: Context) -> Iterator[Finding]:
        """Look for accounts and roles that the file makes, and names a letter off."""
        made: dict[str, set[str]] = {}
        for found in said:
            if ("kind",) in found and _NAME in found:
                made.setdefault(found[("kind",)].text, set()).add(found[_NAME].text)
        for found in said:
            for path, entry in found.items():
                kind = "ServiceAccount" if path[-1] == "serviceAccountName" else ""
                beside = found.get((*path[:-1], "kind")) if path[0] in ("roleRef", "subjects") else None
                if path[-1] == "name" and beside is not None:
                    kind = beside.text
                there = made.get(kind, set())
                near = slip_of(entry.text, there) if entry.text not in there else None
                if near is not None:
                    yield self._near("account", entry, near, context)

    def _apart(self, said: Sequence[Mapping[Path, ManifestEntry]], context: Context) -> Iterator[Finding]:
        """Look for ConfigMaps that the pods of another namespace name."""
        spaces = {
            (found[_NAME].text, found[_SPACE].text): found[_SPACE]
            for found in said
            if _is_kind(found, "ConfigMap") and _NAME in found and _SPACE in found
        }
        used = [
            (own, {entry.text for path, entry in found.items() if path[-2:] == ("configMap", "name")})
            for found in said
            if (own := found.get(_SPACE)) is not None
        ]
        # One that its own namespace uses has another of its name elsewhere.
        kept = {(name, own.text) for own, named in used for name in named}
        maps = {key[0]: space for key, space in spaces.items() if key not in kept}
        for own, named in used:
            for name in sorted(maps.keys() & named):
                # A letter that differs is told with those of the folder.
                if (name, own.text) in spaces or slip_of(maps[name].text, [own.text]) is not None:
                    continue
                yield self._near("namespace", maps.pop(name), own.text, context)

    def _beyond(self, said: Sequence[Mapping[Path, ManifestEntry]], context: Context) -> Iterator[Finding]:
        """Look for services whose pods are all in another namespace."""
        spaces: dict[frozenset[tuple[str, str]], set[str]] = {}
        for each in said:
            spaces.setdefault(frozenset(_labels_of(each)), set()).add(each[_SPACE].text if _SPACE in each else "")
        by_label: dict[tuple[str, str], list[frozenset[tuple[str, str]]]] = {}
        for labels in spaces:
            for label in labels:
                by_label.setdefault(label, []).append(labels)
        for found in said:
            wanted = {(path[-1], each.text) for path, each in found.items() if path[:-1] == ("spec", "selector")}
            own = found.get(_SPACE) if wanted and _is_kind(found, "Service") else None
            if own is None:
                continue
            pods = min((by_label.get(label, []) for label in wanted), key=len)
            there = {space for labels in pods if wanted <= labels for space in spaces[labels]}
            if len(there) == 1 and there.isdisjoint({"", own.text}):
                near = there.pop()
                if slip_of(own.text, [near]) is None:
                    yield self._near("namespace", own, near, context)

    def _paths(self, part: Entries, context: Context) -> Iterator[Finding]:
        """Look at the mounts of each container, and at the paths in its command."""
        found = [entry for entry in part if entry.path[-1] == "mountPath" and entry.kind in VALUES]
        meant: set[str] = set()
        for span, near in _misspelt(part, found, context):
            meant.add(near)
            value = context.document.text[slice(*span)]
            fixes = self.renamed_at(context, span, near)
            yield self.finding(context, span, "command", fixes=fixes, value=value, near=near)
        below = {entry.path[:-1]: entry for entry in part if entry.path[-1] == "subPath" and entry.kind in VALUES}
        for mount in found:
            entry, name = below.get(mount.path[:-1]), posixpath.basename(mount.text)
            if entry is not None and mount.text not in meant and slip_of(entry.text, [name]) is not None:
                yield self._near("part", entry, name, context)

    def _shared(
        self, key: str, end: Path, said: Sequence[Mapping[Path, ManifestEntry]], context: Context
    ) -> Iterator[Finding]:
        """Look for what stands elsewhere more often, in this file or in those beside it."""
        own = [entry for each in said for path, entry in each.items() if path[-len(end) :] == end]
        names = Counter(entry.text for entry in own)
        path = context.document.path
        if own and path:
            names.update(surroundings.once(_beside, FilePath(path).absolute().parent, FilePath(path).name)[key])
        for entry in own:
            near = slip_of(entry.text, names)
            if near is not None and names[near] >= names[entry.text] + (entry is own[0]):
                yield self._near(key, entry, near, context)


def _labels_of(found: Mapping[Path, ManifestEntry]) -> Iterator[tuple[str, str]]:
    """Yield the labels of the pods that a text makes."""
    for path, entry in found.items():
        if path[-4:-1] == _LABELS[0] or (path[:-1] == _LABELS[1] and _is_kind(found, "Pod")):
            yield path[-1], entry.text


def _is_kind(found: Mapping[Path, ManifestEntry], kind: str) -> bool:
    said = found.get(("kind",))
    return said is not None and said.text == kind


def _misspelt(part: Entries, found: Entries, context: Context) -> Iterator[tuple[Span, str]]:
    """Yield the paths in commands at which nothing is mounted, with what is mounted nearly there, once for each mount."""
    mounts: dict[Path, set[str]] = {}
    for mount in found:
        mounts.setdefault(mount.path[:-3], set()).add(mount.text)
    ends = (*(entry.key.start for entry in part[1:]), len(context.document.text))
    meant: set[str] = set()
    for entry, end in zip(part, ends, strict=True):
        here = mounts.get(entry.path[:-1], set()) if entry.path[-1] in ("command", "args") else set()
        for match in _ABSOLUTE.finditer(context.document.text, entry.key.end, end) if here else ():
            near = slip_of(match[0], here - meant) if not _is_mounted(match[0], here) else None
            if near is not None:
                meant.add(near)
                yield Span(*match.span()), near


def _is_mounted(path: str, mounts: AbstractSet[str]) -> bool:
    """Return whether a path is mounted, or its own folder is; what is mounted further up is a node's and has other things."""
    return path in mounts or posixpath.dirname(path) in mounts or f"{path}/" in mounts


def _beside(folder: FilePath, name: str) -> Mapping[str, Counter[str]]:
    """Return what the other Kubernetes files of a folder say, each thing once for a file."""
    found: dict[str, Counter[str]] = {"namespace": Counter(), "image": Counter()}
    for each in sorted(surroundings.names_below(folder, "", _MOST)):
        document = manifest_in(folder, each) if each.endswith(_SUFFIXES) and each != name else None
        if document is not None:
            for key, value in {(match["key"], match["value"]) for match in _SAID.finditer(document.text)}:
                found[key][value] += 1
    return found
