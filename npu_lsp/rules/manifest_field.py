"""NPU239: a field of a Kubernetes file that doesn't take its value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent
from typing import TYPE_CHECKING

from npu_lsp.languages.placeholders import is_placeholder
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.kubernetes import FieldMistake, kind_of, mistakes
from npu_lsp.linter.deployment.manifests import Path, containers, keys, manifests
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

if TYPE_CHECKING:
    from npu_lsp.languages.hosts.manifest import ManifestEntry

_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_OPEN = re.compile(r"[$<%]")
_OF_ROLES = ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
"""Kinds whose names may be `system:a`."""
_PATCH = re.compile(r"(?<![a-z])patch|overlay|kustom")
"""What files are called that hold parts of others."""


def _pod(field: str = "", env: str = "", *, name: str = "a", mount: str = "/cache") -> str:
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: {name}\nspec:\n  containers:\n    - name: a\n      image: a\n{field}"
        f'      env:\n{env}        - name: ASCEND_GLOBAL_LOG_LEVEL\n          value: "3"\n'
        f"      volumeMounts:\n        - name: data\n          mountPath: /data\n"
        f"        - name: cache\n          mountPath: {mount}\n"
    )


_DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: a
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: a
          env:
            - name: ASCEND_GLOBAL_LOG_LEVEL
              value: "3"
"""


def _mended(text: str, wrong: str, right: str, told: str = "error unsafe") -> Invalid:
    return Invalid(text, (wrong.strip('"'),), (told,), text.replace(wrong, right), kind=Kind.YAML)


def _roles() -> str:
    """Return a service of MindCluster's infer operator: a role is a Deployment or a StatefulSet."""
    return (
        "apiVersion: mindcluster.huawei.com/v1\nkind: InferServiceSet\nspec:\n  template:\n    roles:\n      - name: prefill\n"
        "        workload:\n          apiVersion: apps/v1\n          kind: StatefulSet\n        services:\n          - name: a\n"
        "            spec:\n              ports:\n                - port: 1026\n        spec:\n          selector:\n"
        "            matchLabels:\n              app: a\n          template:\n            spec:\n"
        + indent(_pod().partition("spec:\n")[2], " " * 12)
    )


class ManifestField(Rule):
    """A field of a Kubernetes file with NPUs that doesn't take its value.

    ## What it does
    Looks for fields that Kubernetes doesn't know, lacks, or has twice, values of another type than a field takes, numbers out of its
    range, words that it doesn't take, ports that there aren't, modes of files that lack the 0 in front, names with capital letters
    or `_`, and mounts and variables that stand twice.

    ## Why is this bad?
    Kubernetes refuses the file.

    ## Example
    ```yaml
    spec:
      replicas: "2"
    ```

    Use instead:
    ```yaml
    spec:
      replicas: 2
    ```

    ## Fix safety
    Quotes around a number or a switch, those that a text lacks, and a blank behind a colon are safe. Another word, field or mode is
    unsafe.
    """

    code = "NPU239"
    title = Text(en="Field of a Kubernetes file that is refused", zh="Kubernetes 部署文件字段取值错误")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "quote": Text(
            en='"{option}" is a text here, and Kubernetes refuses the file. Write {value} without quotes.',
            zh="“{option}”在此处为字符串，Kubernetes 会拒绝该文件，应去掉引号写作 {value}。",
        ),
        "text": Text(
            en='"{option}" is a text, and Kubernetes refuses {value}. Put it into quotes.',
            zh="“{option}”须为字符串，Kubernetes 会拒绝 {value}，请加引号。",
        ),
        "number": Text(
            en='"{option}" is a whole number without a unit: Kubernetes refuses {value}.',
            zh="“{option}”须为不带单位的整数，Kubernetes 会拒绝 {value}。",
        ),
        "switch": Text(
            en='"{option}" is true or false: Kubernetes refuses {value}.',
            zh="“{option}”须为 true 或 false，Kubernetes 会拒绝 {value}。",
        ),
        "range": Text(
            en='"{option}" takes {expected}: Kubernetes refuses {value}.',
            zh="“{option}”的取值范围为 {expected}，Kubernetes 会拒绝 {value}。",
        ),
        "list": Text(
            en='"{option}" is a list, and Kubernetes refuses the file: each of its items begins with "- ".',
            zh="“{option}”须为列表，每项以“- ”开头，Kubernetes 会拒绝该文件。",
        ),
        "no-list": Text(
            en='"{option}" is no list, and Kubernetes refuses the file: nothing below it begins with "- ".',
            zh="“{option}”不是列表，其下各行不应以“- ”开头，Kubernetes 会拒绝该文件。",
        ),
        "single": Text(
            en='"{option}" takes one value and no list, and Kubernetes refuses the file: no brackets stand around it.',
            zh="“{option}”只接受单个值，不是列表，Kubernetes 会拒绝该文件，应去掉方括号。",
        ),
        "missing": Text(
            en='"{option}" lacks {expected}, and Kubernetes refuses the file.',
            zh="“{option}”缺少 {expected}，Kubernetes 会拒绝该文件。",
        ),
        "again": Text(
            en='"{option}" stands twice here: Kubernetes refuses the file, and before 1.25 it took the last one.',
            zh="此处重复设置了“{option}”：Kubernetes 会拒绝该文件，1.25 之前只取最后一个。",
        ),
        "glued": Text(
            en='A blank is missing behind "{option}:", and the file is no YAML.',
            zh="“{option}:”后缺少空格，文件不是合法的 YAML。",
        ),
        "word": Text(
            en='"{option}" doesn\'t take "{value}", and Kubernetes refuses the file. It takes: {expected}.',
            zh="“{option}”不支持“{value}”，Kubernetes 会拒绝该文件，可选值：{expected}。",
        ),
        "name": Text(
            en='Kubernetes refuses the name "{value}": it takes small letters, digits, "-" and ".", with a letter or digit at both ends.',
            zh="Kubernetes 会拒绝名称“{value}”：只能含小写字母、数字、“-”和“.”，且首尾为字母或数字。",
        ),
        "mount": Text(
            en='Two mounts of a container are at "{value}", and Kubernetes refuses the file.',
            zh="同一容器有两处挂载到“{value}”，Kubernetes 会拒绝该文件。",
        ),
        "mode": Text(
            en='"{option}" is a decimal number here, and Kubernetes takes at most 511: {value} is refused. Write {near}.',
            zh="“{option}”在此处为十进制数，最大为 511，Kubernetes 会拒绝 {value}，应写作 {near}。",
        ),
        "field": Text(
            en='Kubernetes knows no field "{option}" here, and refuses the file. Did you mean "{near}"?',
            zh="Kubernetes 在此处没有字段“{option}”，会拒绝该文件，是否应为“{near}”？",
        ),
        "unknown": Text(
            en='Kubernetes knows no field "{option}" here, and refuses the file.',
            zh="Kubernetes 在此处没有字段“{option}”，会拒绝该文件。",
        ),
        "twice": Text(
            en='"{option}" is given to this container twice, and only the last one counts: {value}.',
            zh="该容器重复设置了“{option}”，只有最后一个生效：{value}。",
        ),
        "unquote": Text(en="Remove the quotes", zh="去掉引号"),
        "into-quotes": Text(en="Put {value} into quotes", zh="为 {value} 加引号"),
        "blank": Text(en="Put a blank behind the colon", zh="在冒号后加空格"),
    }
    examples_in = Kind.YAML
    VALID = (
        _pod("      imagePullPolicy: IfNotPresent\n"),
        _pod("      imagePullPolicy: ${POLICY}\n", name="${NAME}"),
        # Of 0 Kubernetes makes what holds where nothing is said, and of `08` no octal number.
        _pod("      livenessProbe:\n        periodSeconds: 0\n        timeoutSeconds: 08\n"),
        (
            "apiVersion: mindxdl.gitee.com/v1\nkind: AscendJob\nspec:\n  replicaSpecs:\n    Master:\n      template:\n        spec:\n"
            + indent(_pod(mount="/data").partition("spec:\n")[2], " " * 8)
        ),
        _roles(),
        # An item in braces goes on for lines, as a text in quotes does.
        (
            _pod(
                '      command:\n        - "python a.py\n          image: b"\n',
                env="        - {name: A,\n           value: b}\n",
            )
            + "  tolerations:\n    - {key: a, operator: Exists,\n       effect: NoSchedule}\n"
        ),
        # What is laid over another file lacks what that has.
        _DEPLOYMENT,
        _DEPLOYMENT.replace("replicas: 3", "replicas: REPLICAS"),
        # A group that was there before.
        _DEPLOYMENT.replace("apps/v1", "extensions/v1beta1"),
        (_DEPLOYMENT.replace("  replicas: 3\n", "{% if a %}\n  replicas: 3\n{% else %}\n  replicas: 4\n{% endif %}\n")),
        _pod() + "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: system:A\n",
        # What a configuration holds is nobody's but its reader's.
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  replicas: "2"\n  ASCEND_GLOBAL_LOG_LEVEL: "3"\n',
    )
    INVALID = (
        _mended(_roles().replace("workload", "worklod"), "worklod", "workload"),
        # It belongs in `runPolicy`, which is no other name for it.
        (
            "apiVersion: mindxdl.gitee.com/v1\nkind: AscendJob\nspec:\n  «cleanPodPolicy»: None\n  replicaSpecs:\n    Master:\n      template:\n"
            "        spec:\n" + indent(_pod().partition("spec:\n")[2], " " * 8)
        ),
        _mended(_roles().replace("selector", "selectr", 1), "selectr", "selector"),
        _mended(_pod('      livenessProbe:\n        periodSeconds: "5"\n'), '"5"', "5", "error safe"),
        _pod("      livenessProbe:\n        periodSeconds: «5s»\n"),
        _mended(_pod('      securityContext:\n        privileged: "true"\n'), '"true"', "true", "error safe"),
        _mended(_pod("      imagePullPolicy: IfNotPresnt\n"), "IfNotPresnt", "IfNotPresent"),
        _mended(_DEPLOYMENT.replace("apps/v1", "app/v1"), "app/v1", "apps/v1"),
        _pod("      ports:\n        - containerPort: «102500»\n"),
        _mended(
            _pod(
                env="        - name: A\n          valueFrom:\n            fieldRef:\n              fieldPath: status.podip\n"
            ),
            "status.podip",
            "status.podIP",
        ),
        _mended(_pod("      livenessProbe:\n        failureThresold: 5\n"), "failureThresold", "failureThreshold"),
        _mended(
            _pod() + "  volumes:\n    - name: data\n      configMap:\n        name: a\n        defaultMode: 550\n",
            "550",
            "0550",
        ),
        told(
            _pod().replace(
                'value: "3"\n',
                'value: "3"\n        - name: «A»\n          value: b\n        - name: A\n          value: c\n',
            ),
            "warning",
            Kind.YAML,
        ),
        _pod("      «fileSystemId»: b\n"),
        told(_pod().replace("kind", "«kino→kind»"), "error unsafe", Kind.YAML),
        told(_pod().replace("apiVersion", "«apiVresion→apiVersion»"), "error unsafe", Kind.YAML),
        _pod("      livenessProbe:\n        periodSeconds: «-1»\n"),
        _pod() + "«spec»: {}\n",
        Invalid(_DEPLOYMENT.replace("env:", "image: b\n          env:"), ("replicas",), ("error",), kind=Kind.YAML),
        _pod("      tty: «ture»\n"),
        Invalid(
            _pod("      workingDir: 7\n"),
            ("7",),
            ("error safe",),
            _pod('      workingDir: "7"\n'),
            kind=Kind.YAML,
        ),
        Invalid(
            _pod("      workingDir:a\n"),
            ("workingDir",),
            ("error safe",),
            _pod("      workingDir: a\n"),
            kind=Kind.YAML,
        ),
        _pod("      «image»: b\n"),
        _pod("      ports:\n        «containerPort»: 80\n"),
        Invalid(_pod(name="[a]"), ("name",), ("error",), kind=Kind.YAML),
        _pod("      resources:\n        - «requests»:\n"),
        _pod("      ports:\n        - «hostPort»: 80\n"),
        _pod(name="«Infer_A»"),
        _pod(mount="«/data»"),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        yield from self._typed(context)
        for found in manifests(context):
            mounted: set[tuple[Path, str]] = set()
            yield from self._twice(found, context)
            # The script of MindIE-Motor fills the mounts of a job's file in before it is used.
            filled = any(entry.path == ("kind",) and entry.text == "AscendJob" for entry in found)
            # Objects of other groups have names of other forms: roles, and files that no cluster reads.
            known = kind_of(found, context.catalog) not in (None, *_OF_ROLES)
            for entry in found:
                if entry.path[0] not in ("metadata", "spec") or _OPEN.search(entry.text):
                    continue
                if known or "containers" in entry.path:
                    yield from self._name(entry, context)
                if entry.path[-1] == "mountPath":
                    place = (entry.path[:-2], entry.text)
                    if place in mounted and not filled:
                        yield self.finding(context, entry.span, "mount", value=entry.text)
                    mounted.add(place)

    def _typed(self, context: Context) -> Iterator[Finding]:
        """Tell what the types of Kubernetes' objects don't allow."""
        whole = "<<:" not in context.document.text and not _PATCH.search(context.document.path)
        for found in keys(context):
            for each in mistakes(found, context.catalog, whole=whole):
                kind = "unknown" if each.kind == "field" and not each.near else each.kind
                yield self.finding(
                    context,
                    each.span,
                    kind,
                    fixes=self._fixes(each, context),
                    option=each.name,
                    value=each.value,
                    near=each.near,
                    expected=each.expected,
                )

    def _fixes(self, mistake: FieldMistake, context: Context) -> Sequence[Fix]:
        kind, span, value = mistake.kind, mistake.span, mistake.value
        if kind == "quote":
            around = Span(span.start - 1, span.end + 1)
            return [Fix(self.say(context, "unquote"), (Edit(around, value),), Safety.SAFE)]
        if kind == "text":
            return [Fix(self.say(context, "into-quotes", value=value), (Edit(span, f'"{value}"'),), Safety.SAFE)]
        if kind == "glued":
            return [Fix(self.say(context, "blank"), (Edit(Span(span.end + 1, span.end + 1), " "),), Safety.SAFE)]
        if mistake.near:
            title = self.say(context, "rename", near=mistake.near)
            return [Fix(title, (Edit(span, mistake.near),), Safety.UNSAFE)]
        return []

    def _twice(self, found: Sequence[ManifestEntry], context: Context) -> Iterator[Finding]:
        """Tell variables of a container that stand there once more further down."""
        for container in containers(found):
            for name, last in container.twice:
                yield self.finding(
                    context, name.span, "twice", severity=Severity.WARNING, option=name.text, value=last.text
                )

    def _name(self, entry: ManifestEntry, context: Context) -> Iterator[Finding]:
        path = entry.path
        named = path in (("metadata", "name"), ("metadata", "namespace")) or (
            path[-1] == "name" and path[-3:-2] in (("containers",), ("volumes",))
        )
        if named and not _NAME.fullmatch(entry.text) and not is_placeholder(entry.text):
            yield self.finding(context, entry.span, "name", value=entry.text)
