"""NPU237: what Kubernetes, its scheduler or MindCluster refuses in a file with NPUs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from npu_lsp.catalog.near import alike, nearest, slip_of
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import Path, keys, manifests, quantity
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.launch.launch import whole
from npu_lsp.linter.rule import Fixable, Invalid, Rule, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit

if TYPE_CHECKING:
    from npu_lsp.languages.hosts.manifest import ManifestEntry

_RESOURCE = "huawei.com/"
_LEADERS = {"pytorch": "Master", "mindspore": "Scheduler", "tensorflow": "Chief"}
"""What an AscendJob needs by its framework, besides workers (mind-cluster: `ascend-operator/pkg/controllers/v1/ascendjob_validate.go`)."""
_WORKER, _CONTAINER = "Worker", "ascend"
_SPECS = ("spec", "replicaSpecs")
_AROUND = (("metadata",), ("metadata", "labels"), ("spec",), _SPECS)
_CLOSE = 0.6
_OPEN = re.compile(r"[$<%{]")
_NEAR = 0.85
_TEXTS = frozenset({"annotations", "labels", "matchLabels", "nodeSelector", "selector"})
_KEYED = _TEXTS - {"selector"}
_NO_TEXT = re.compile(r"[-+]?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|(?i:true|false|yes|no|on|off)")
_FILLED_IN = frozenset({"grt-group/deploy-server"})
"""Labels that the script of MindIE-Motor writes anew (mindie-motor: `deploy_ac_job.py`)."""
_MODULE = re.compile(r"module-(?:910b|a3)-(?P<npus>[0-9]+)(?:-[a-z-]+)?")


def _file(
    memory: str = "12Gi", limit: str = "16Gi", *, app: str = "a", kind: str = "Deployment", npus: str = "limits"
) -> str:
    return (
        f"apiVersion: apps/v1\nkind: {kind}\nmetadata:\n  name: a\nspec:\n  selector:\n    matchLabels:\n      app: {app}\n"
        "  template:\n    metadata:\n      labels:\n        app: a\n    spec:\n      containers:\n        - name: a\n          image: a\n"
        '          env:\n            - name: ASCEND_GLOBAL_LOG_LEVEL\n              value: "3"\n          resources:\n'
        f"            requests:\n              memory: {memory}\n              huawei.com/Ascend910: 8\n"
        f"            limits:\n              memory: {limit}\n"
        + "              huawei.com/Ascend910: 8\n"
        * (npus == "limits")
    )


def _job(framework: str = "pytorch", role: str = "Master", *, replicas: int = 1, name: str = "ascend") -> str:
    return (
        f"apiVersion: mindxdl.gitee.com/v1\nkind: AscendJob\nmetadata:\n  name: a\n  labels:\n    framework: {framework}\n"
        f"spec:\n  replicaSpecs:\n    {role}:\n      replicas: {replicas}\n      template:\n        spec:\n"
        f"          containers:\n            - name: {name}\n              image: a\n"
        '              env:\n                - name: ASCEND_GLOBAL_LOG_LEVEL\n                  value: "3"\n'
    )


class ManifestRefused(Rule):
    """What Kubernetes, its scheduler or MindCluster refuses in a file with NPUs.

    ## What it does
    Looks for selectors that no label of the pods fits, quantities that are none or larger than their limit, NPUs without a limit or
    with another one, labels, annotations and variables that are no texts, AscendJobs without what MindCluster asks for, names close to
    those of labels, annotations and resources of MindCluster, and words close to those that `kind`, `schedulerName`, `queue`,
    `accelerator`, `accelerator-type` and `ring-controller.atlas` take.

    ## Why is this bad?
    The file is refused, or the pods wait for ever.

    ## Example
    ```yaml
    resources:
      requests:
        memory: 12GB
    ```

    Use instead:
    ```yaml
    resources:
      requests:
        memory: 12Gi
    ```

    ## Fix safety
    Unsafe: another word may be that of a cluster of one's own.
    """

    code = "NPU237"
    title = Text(en="Kubernetes file that is refused", zh="Kubernetes 部署文件会被拒绝")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "word": Text(
            en='"{option}" knows no "{value}". Did you mean "{near}"?',
            zh="“{option}”没有取值“{value}”，是否应为“{near}”？",
        ),
        "key": Text(
            en='MindCluster reads no label or annotation "{value}". Did you mean "{near}"?',
            zh="MindCluster 不读取标签或注解“{value}”，是否应为“{near}”？",
        ),
        "resource": Text(
            en='No device plugin of MindCluster offers "{value}", and the pods wait for ever. Did you mean "{near}"?',
            zh="MindCluster 的设备插件不提供“{value}”，Pod 会一直等待调度，是否应为“{near}”？",
        ),
        "label": Text(
            en='The selector asks for "{option}" {value}, but the pods have {other}, and Kubernetes refuses the file.',
            zh="选择器要求“{option}”为 {value}，但 Pod 的标签为 {other}，Kubernetes 会拒绝该文件。",
        ),
        "quantity": Text(
            en='"{value}" is no quantity of "{option}", and Kubernetes refuses the file. Write such as 12Gi.',
            zh="“{value}”不是合法的“{option}”数量，Kubernetes 会拒绝该文件，应形如 12Gi。",
        ),
        "over": Text(
            en='"{option}" is {value} in requests, and more than the limit, {other}: Kubernetes refuses the file.',
            zh="“{option}”的 requests 为 {value}，超过 limits 的 {other}，Kubernetes 会拒绝该文件。",
        ),
        "unlimited": Text(
            en='"{option}" stands in requests and not in limits, and Kubernetes refuses the file. Write it in both.',
            zh="“{option}”只出现在 requests 中，Kubernetes 会拒绝该文件，limits 中也须配置。",
        ),
        "unequal": Text(
            en='"{option}" is {value} in requests and {other} in limits, and Kubernetes refuses the file: devices must be the same in both.',
            zh="“{option}”的 requests 为 {value}，limits 为 {other}，Kubernetes 会拒绝该文件：设备资源的两者须相等。",
        ),
        "module": Text(
            en="No node of {value} has {other} NPUs for a pod, and the pods wait for ever.",
            zh="{value} 的节点没有 {other} 张卡，Pod 会一直等待调度。",
        ),
        "framework": Text(
            en='An AscendJob needs the label "framework" with {expected}: MindCluster refuses the job.',
            zh="AscendJob 须有标签“framework”，取值为 {expected}，否则 MindCluster 会拒绝该任务。",
        ),
        "role": Text(
            en='A job for {other} takes {expected}, and MindCluster refuses "{value}".',
            zh="{other} 任务只支持 {expected}，MindCluster 会拒绝“{value}”。",
        ),
        "leader": Text(
            en='"{option}" has 1 replica, and MindCluster refuses {value}.',
            zh="“{option}”的副本数只能为 1，MindCluster 会拒绝 {value}。",
        ),
        "container": Text(
            en='A container of "{option}" must be called "{near}", or MindCluster refuses the job.',
            zh="“{option}”中须有名为“{near}”的容器，否则 MindCluster 会拒绝该任务。",
        ),
        "text": Text(
            en="Labels and annotations are texts, and Kubernetes refuses {value}. Put it into quotes.",
            zh="标签和注解须为字符串，Kubernetes 会拒绝 {value}，请加引号。",
        ),
        "variable": Text(
            en='Variables are texts, and Kubernetes refuses {value} for "{option}". Put it into quotes.',
            zh="环境变量的取值须为字符串，Kubernetes 会拒绝“{option}”的取值 {value}，请加引号。",
        ),
        "quote": Text(en="Put {value} into quotes", zh="为 {value} 加引号"),
    }
    examples_in = Kind.YAML
    VALID = (
        _file(),
        _job(),
        _job("mindspore", "Worker"),
        _job("$FRAMEWORK", "Scheduler", name="$NAME"),
        _file("512Mi", '"1.5Gi"'),
        # HAMi's device plugin offers chips by name, and parts of one.
        *(
            _file().replace("huawei.com/Ascend910", f"huawei.com/Ascend{each}")
            for each in ("910B", "910B3", "910A", "910C-core")
        ),
        # It belongs to no container here.
        "apiVersion: v1\nkind: ConfigMap\naccelerator-type: module-a3-4\n",
    )
    INVALID = (
        _job("«pytroch→pytorch»"),
        Invalid(_job().replace("framework", "frame"), ("AscendJob",), ("error",), kind=Kind.YAML),
        _job(role="«Scheduler»"),
        Invalid(_job(replicas=2), ("2",), ("error",), kind=Kind.YAML),
        _job(name="«asend→ascend»"),
        _file().replace("    spec:\n", "    spec:\n      nodeSelector:\n        accelerator-type: «module-a3-4»\n"),
        told(
            _job().replace("    framework:", "    ring-controller.atlas: «ascend910b→ascend-910b»\n    framework:"),
            "warning unsafe",
            Kind.YAML,
        ),
        _file("«12GB»"),
        _file("«32Gi»"),
        _file().replace("memory: 12Gi", "cpu: «128»").replace("memory: 16Gi", "cpu: 64000m"),
        _file(app="«b»"),
        Invalid(_file(npus=""), ("8",), ("error",), kind=Kind.YAML),
        told(_file(kind="«Deploymnt→Deployment»"), "warning unsafe", Kind.YAML),
        Invalid(
            _file().replace("        app: a\n    spec", "        app: a\n        fault: true\n    spec"),
            ("true",),
            ("error safe",),
            _file().replace("        app: a\n    spec", '        app: a\n        fault: "true"\n    spec'),
            kind=Kind.YAML,
        ),
        told(
            _file().replace('value: "3"\n', 'value: "3"\n            - name: A\n              value: «0→"0"»\n'),
            "error safe",
            Kind.YAML,
        ),
        told(
            _file().replace("  template", "  schedulingPolicy:\n    queue: «defualt→default»\n  template"),
            "warning unsafe",
            Kind.YAML,
        ),
        Invalid(
            _file().replace("  name: a\nspec", "  annotations:\n    sp-block: 16\nspec", 1),
            ("16",),
            ("error safe",),
            _file().replace("  name: a\nspec", '  annotations:\n    sp-block: "16"\nspec', 1),
            kind=Kind.YAML,
        ),
        told(
            _job().replace(
                "    framework:", "    «rnig-controller.atlas→ring-controller.atlas»: ascend-910b\n    framework:"
            ),
            "warning unsafe",
            Kind.YAML,
        ),
        told(
            _file().replace("  name: a\nspec", '  annotations:\n    «sp-bblock→sp-block»: "16"\nspec', 1),
            "warning unsafe",
            Kind.YAML,
        ),
        _file().replace("Ascend910: 8\n            limits", "Ascend910: «4»\n            limits"),
        told(
            _file().replace(
                "huawei.com/Ascend910: 8\n            limits",
                "«huawe.icom/Ascend910→huawei.com/Ascend910»: 8\n            limits",
            ),
            "warning unsafe",
            Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for found, every in zip(manifests(context), keys(context), strict=False):
            by_path = {entry.path: entry for entry in found}
            if not any(entry.kind == "other" and entry.path in _AROUND for entry in every):
                yield from self._job(by_path, every, context)
            asked = _asked(by_path)
            yield from self._labels(by_path, context)
            for entry in found:
                yield from self._key(entry, context)
                yield from self._entry(entry, by_path, asked, context)

    def _key(self, entry: ManifestEntry, context: Context) -> Iterator[Finding]:
        """Tell a slip in a label, an annotation, a node selector or a resource of MindCluster."""
        around, key = entry.path[-2] if len(entry.path) > 1 else "", entry.path[-1]
        kind = "resource" if around in ("requests", "limits") and "/" in key else "key" if around in _KEYED else ""
        if kind and "data" not in entry.path:
            known = context.catalog.plain("deployment")["resources" if kind == "resource" else "labels"]
            names = known["names"]
            near = (
                None
                if key in names or key in known.get("others", ())
                else nearest(key, names, careful=True) or slip_of(key, names)
            )
            if near is not None:
                fixes = self.renamed_at(context, entry.key, near)
                yield self.finding(
                    context, entry.key, kind, severity=Severity.WARNING, fixes=fixes, value=key, near=near
                )

    # branches: one arm for each kind of entry.
    def _entry(
        self,
        entry: ManifestEntry,
        by_path: Mapping[Path, ManifestEntry],
        asked: Mapping[Path, str | None],
        context: Context,
    ) -> Iterator[Finding]:
        key = entry.path[-1]
        words = context.catalog.plain("deployment")["words"]["of"].get(key, ())
        if words and (key != "kind" or len(entry.path) == 1) and entry.text not in words:
            folded = {word.casefold(): word for word in words}
            near = alike(entry.text.casefold(), folded, _NEAR)
            if near is not None and _numbers(near) == _numbers(entry.text):
                word = folded[near]
                fixes = self.renamed_at(context, entry.span, word)
                yield self.finding(
                    context,
                    entry.span,
                    "word",
                    severity=Severity.WARNING,
                    fixes=fixes,
                    option=key,
                    value=entry.text,
                    near=word,
                )
        elif entry.path[-2:-1] and entry.path[-2] in _TEXTS and _NO_TEXT.fullmatch(entry.text):
            if context.document.text[entry.span.start - 1] in "\"'" or key in _FILLED_IN or "data" in entry.path:
                return
            edits = (Edit(entry.span, f'"{entry.text}"'),)
            fixes = [Fix(self.say(context, "quote", value=entry.text), edits, Safety.SAFE)]
            yield self.finding(context, entry.span, "text", fixes=fixes, value=entry.text)
        elif key == "value" and entry.path[-3:-2] == ("env",) and _NO_TEXT.fullmatch(entry.text):
            name = by_path.get((*entry.path[:-1], "name"))
            known = name is not None and context.catalog.option(Surface.ENV, name.text) is not None
            if name is not None and not known and context.document.text[entry.span.start - 1] not in "\"'":
                edits = (Edit(entry.span, f'"{entry.text}"'),)
                fixes = [Fix(self.say(context, "quote", value=entry.text), edits, Safety.SAFE)]
                yield self.finding(context, entry.span, "variable", fixes=fixes, option=name.text, value=entry.text)
        if key == "accelerator-type" and (size := _MODULE.fullmatch(entry.text)) is not None:
            npus = asked.get(entry.path[:-2]) if len(entry.path) > 1 else None
            if (whole(npus) or 0) > int(size["npus"]):
                yield self.finding(context, entry.span, "module", value=entry.text, other=npus)
        elif key == "sizeLimit" and quantity(entry.text) is None and re.match(r"[0-9]", entry.text):
            yield self.finding(context, entry.span, "quantity", option=key, value=entry.text)
        elif entry.path[-3:-1] == ("resources", "requests"):
            yield from self._amount(entry, by_path, context)

    def _job(
        self, by_path: Mapping[Path, ManifestEntry], every: Sequence[ManifestEntry], context: Context
    ) -> Iterator[Finding]:
        """Look at what MindCluster asks of an AscendJob; a part that is laid over another one is none."""
        kind, frame = by_path.get(("kind",)), by_path.get(("metadata", "labels", "framework"))
        roles = {entry.path[2]: entry for entry in every if entry.path[:-1] == _SPECS}
        if kind is None or kind.text != "AscendJob" or not roles or ("metadata", "name") not in by_path:
            return
        if frame is None or (frame.text not in _LEADERS and not _OPEN.search(frame.text)):
            near = alike(frame.text, _LEADERS, _CLOSE) if frame is not None else None
            place, expected = (frame or kind).span, ", ".join(_LEADERS)
            fixes = self.renamed_at(context, place, near) if near else []
            yield self.finding(context, place, "framework", fixes=fixes, expected=expected)
        for role, entry in roles.items():
            yield from self._role(role, entry, by_path, frame, context)

    def _role(
        self,
        role: str,
        entry: ManifestEntry,
        by_path: Mapping[Path, ManifestEntry],
        frame: ManifestEntry | None,
        context: Context,
    ) -> Iterator[Finding]:
        leader = _LEADERS.get(frame.text) if frame is not None else None
        if leader is not None and frame is not None and role not in (leader, _WORKER):
            yield self.finding(
                context, entry.key, "role", value=role, other=frame.text, expected=f"{leader}, {_WORKER}"
            )
        count = by_path.get((*_SPECS, role, "replicas"))
        if role == leader and count is not None and whole(count.text) not in (None, 1):
            yield self.finding(context, count.span, "leader", option=role, value=count.text)
        around = (*_SPECS, role, "template", "spec", "containers")
        names = [each for path, each in by_path.items() if path[:-2] == around and path[-1] == "name"]
        if names and not any(each.text == _CONTAINER or _OPEN.search(each.text) for each in names):
            fixes = self.renamed_at(context, names[0].span, _CONTAINER)
            yield self.finding(context, names[0].span, "container", fixes=fixes, option=role, near=_CONTAINER)

    def _amount(
        self, entry: ManifestEntry, by_path: Mapping[Path, ManifestEntry], context: Context
    ) -> Iterator[Finding]:
        key = entry.path[-1]
        around = entry.path[:-2]
        limit = by_path.get((*around, "limits", key))
        one, most = quantity(entry.text), quantity(limit.text) if limit is not None else None
        if key.startswith(_RESOURCE):
            if limit is None and entry.text.isdigit():
                yield self.finding(context, entry.span, "unlimited", option=key)
            elif limit is not None and one is not None and most is not None and one != most:
                yield self.finding(context, entry.span, "unequal", option=key, value=entry.text, other=limit.text)
        elif key in ("memory", "cpu"):
            written = [each for each in (entry, limit) if each is not None]
            wrong = [each for each in written if quantity(each.text) is None and re.match(r"[0-9]", each.text)]
            for each in wrong:
                yield self.finding(context, each.span, "quantity", option=key, value=each.text)
            if one is not None and most is not None and limit is not None and one > most:
                yield self.finding(context, entry.span, "over", option=key, value=entry.text, other=limit.text)

    def _labels(self, by_path: Mapping[Path, ManifestEntry], context: Context) -> Iterator[Finding]:
        for path, entry in by_path.items():
            if path[:3] == ("spec", "selector", "matchLabels"):
                label = by_path.get(("spec", "template", "metadata", "labels", path[-1]))
                if label is not None and label.text != entry.text:
                    yield self.finding(
                        context, entry.span, "label", option=path[-1], value=entry.text, other=label.text
                    )


def _asked(by_path: Mapping[Path, ManifestEntry]) -> Mapping[Path, str | None]:
    """Return how many NPUs are asked for below each path, `None` where that is said more than once."""
    found: dict[Path, str | None] = {}
    for path, entry in by_path.items():
        if path[-2:-1] == ("requests",) and path[-1].startswith(_RESOURCE):
            for end in range(len(path)):
                around = path[:end]
                found[around] = None if around in found else entry.text
    return found


def _numbers(text: str) -> Sequence[str]:
    return re.findall(r"[0-9]+", text)
