"""NPU239: a field of a Kubernetes file that doesn't take its value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import Path, containers, manifests
from npu_lsp.linter.findings import Finding, Fix, Safety, Severity
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

if TYPE_CHECKING:
    from npu_lsp.languages.hosts.manifest import ManifestEntry

_PORTS = frozenset({"containerPort", "hostPort", "port", "targetPort"})
_NUMBERS = frozenset(
    {
        *("replicas", "minAvailable", "backoffLimit", "activeDeadlineSeconds", "terminationGracePeriodSeconds"),
        *("periodSeconds", "initialDelaySeconds", "timeoutSeconds", "failureThreshold", "successThreshold"),
        *("containerPort", "hostPort", "nodePort", "port", "fsGroup", "runAsUser", "runAsGroup", "defaultMode"),
    }
)
_SWITCHES = frozenset(
    {
        *("hostNetwork", "hostIPC", "hostPID", "privileged", "readOnly", "automountServiceAccountToken"),
        *("allowPrivilegeEscalation", "readOnlyRootFilesystem", "runAsNonRoot", "shareProcessNamespace"),
    }
)
_WORDS: Mapping[str, tuple[str, ...]] = {
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "restartPolicy": ("Always", "OnFailure", "Never", "ExitCode"),
    "protocol": ("TCP", "UDP", "SCTP"),
    "dnsPolicy": ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
    "fieldPath": (
        *("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"),
        *("status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
    ),
}
"""Whole sets (kubernetes: `pkg/apis/core/validation`); training operators add `ExitCode`."""
_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_WITH_UNIT = re.compile(r"[0-9]+ ?[A-Za-z]+")
_OPEN = re.compile(r"[$<%]")
_LAST_PORT = 65535
_NEAR = 0.5
_FIELDS = frozenset(
    """
    affinity annotations args automountServiceAccountToken capabilities clusterIP clusterIPs command configMap
    configMapKeyRef configMapRef containerPort containers defaultMode dnsConfig dnsPolicy emptyDir envFrom externalIPs
    failureThreshold fieldPath fieldRef fsGroup fsGroupChangePolicy hostIPC hostNetwork hostPID hostPath hostPort
    httpGet image imagePullPolicy imagePullSecrets initContainers initialDelaySeconds ipFamilies ipFamilyPolicy labels
    lifecycle limits livenessProbe loadBalancerIP matchLabels maxRetry medium metadata minAvailable minReadySeconds
    minResources mountPath nodeName nodePort nodeSelector periodSeconds persistentVolumeClaim plugins podAffinity
    podAntiAffinity podManagementPolicy policies preStop priorityClass priorityClassName privileged protocol queue
    readOnly readinessProbe replicaSpecs replicas requests resources restartPolicy revisionHistoryLimit runAsGroup
    runAsUser runPolicy runtimeClassName schedulerName schedulingPolicy seccompProfile securityContext selector
    serviceAccountName serviceName sessionAffinity sizeLimit startupProbe strategy subPath subPathExpr successPolicy
    successThreshold targetPort tasks tcpSocket template terminationGracePeriodSeconds timeoutSeconds tolerations
    topologyKey ttlSecondsAfterFinished updateStrategy valueFrom volumeClaimTemplates volumeMounts volumes
    """.split()  # noqa: SIM905 - a hundred lines otherwise
)
"""Fields of what runs NPUs; one so close to one of them that it is no other is misspelt."""
_ALIKE = 0.9
_NAMED_FREELY = frozenset(
    {"labels", "annotations", "matchLabels", "nodeSelector", "requests", "limits", "data", "env", "selector", "plugins"}
)
_MOST = 0o777
_KEYED = ("metadata.labels[", "metadata.annotations[")
"""Paths of fields that name one of several."""


def _pod(field: str = "", *, name: str = "a", mount: str = "/cache") -> str:
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: {name}\nspec:\n  containers:\n    - name: a\n{field}"
        '      env:\n        - name: ASCEND_GLOBAL_LOG_LEVEL\n          value: "3"\n'
        f"      volumeMounts:\n        - name: data\n          mountPath: /data\n"
        f"        - name: cache\n          mountPath: {mount}\n"
    )


class ManifestField(Rule):
    """A field of a Kubernetes file with NPUs that doesn't take its value.

    ## What it does
    Looks for numbers and switches that are texts, times with a unit, words that a field doesn't take, ports that there aren't, modes of
    files that lack the 0 in front, names with capital letters or `_`, misspelt fields, and mounts and variables that stand twice.

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
    Quotes around a number or a switch are taken away safely. Another word, field or mode is unsafe.
    """

    code = "NPU239"
    name = "manifest-field"
    title = Text(en="Field of a Kubernetes file that is refused", zh="Kubernetes 部署文件字段取值错误")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "text": Text(
            en='"{option}" is a text here, and Kubernetes refuses the file. Write {value} without quotes.',
            zh="“{option}”在此处为字符串，Kubernetes 会拒绝该文件，应去掉引号写作 {value}。",
        ),
        "unit": Text(
            en='"{option}" is a whole number without a unit: Kubernetes refuses {value}.',
            zh="“{option}”须为不带单位的整数，Kubernetes 会拒绝 {value}。",
        ),
        "word": Text(
            en='"{option}" doesn\'t take "{value}", and Kubernetes refuses the file. It takes: {near}.',
            zh="“{option}”不支持“{value}”，Kubernetes 会拒绝该文件，可选值：{near}。",
        ),
        "port": Text(
            en="There is no port {value}, and Kubernetes refuses the file: ports are from 1 to 65535.",
            zh="端口 {value} 不存在，Kubernetes 会拒绝该文件，取值范围为 1~65535。",
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
            en='Kubernetes knows no field "{option}". Did you mean "{near}"?',
            zh="Kubernetes 没有字段“{option}”，是否应为“{near}”？",
        ),
        "twice": Text(
            en='"{option}" is given to this container twice, and only the last one counts: {value}.',
            zh="该容器重复设置了“{option}”，只有最后一个生效：{value}。",
        ),
        "unquote": Text(en="Remove the quotes", zh="去掉引号"),
    }
    VALID = (
        Valid(_pod("      imagePullPolicy: IfNotPresent\n"), Kind.YAML),
        Valid(_pod("      imagePullPolicy: ${POLICY}\n", name="${NAME}"), Kind.YAML),
        Valid(_pod("      livenessProbe:\n        periodSeconds: 5\n"), Kind.YAML),
        Valid(_pod(mount="/data").replace("v1\nkind: Pod", "mindxdl.gitee.com/v1\nkind: AscendJob"), Kind.YAML),
        # What a configuration holds is nobody's but its reader's.
        Valid(
            'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  replicas: "2"\n  ASCEND_GLOBAL_LOG_LEVEL: "3"\n',
            Kind.YAML,
        ),
    )
    INVALID = (
        Invalid(
            _pod('      livenessProbe:\n        periodSeconds: "5"\n'),
            ("5",),
            ("error safe",),
            _pod("      livenessProbe:\n        periodSeconds: 5\n"),
            kind=Kind.YAML,
        ),
        Invalid(_pod("      livenessProbe:\n        periodSeconds: 5s\n"), ("5s",), ("error",), kind=Kind.YAML),
        Invalid(
            _pod('      securityContext:\n        privileged: "true"\n'),
            ("true",),
            ("error safe",),
            _pod("      securityContext:\n        privileged: true\n"),
            kind=Kind.YAML,
        ),
        Invalid(
            _pod("      imagePullPolicy: IfNotPresnt\n"),
            ("IfNotPresnt",),
            ("error unsafe",),
            _pod("      imagePullPolicy: IfNotPresent\n"),
            kind=Kind.YAML,
        ),
        Invalid(_pod("      ports:\n        - containerPort: 102500\n"), ("102500",), ("error",), kind=Kind.YAML),
        Invalid(
            _pod(
                "      env:\n        - name: A\n          valueFrom:\n            fieldRef:\n              fieldPath: status.podip\n"
            ),
            ("status.podip",),
            ("error unsafe",),
            _pod(
                "      env:\n        - name: A\n          valueFrom:\n            fieldRef:\n              fieldPath: status.podIP\n"
            ),
            kind=Kind.YAML,
        ),
        Invalid(
            _pod("      livenessProbe:\n        failureThresold: 5\n"),
            ("failureThresold",),
            ("warning unsafe",),
            _pod("      livenessProbe:\n        failureThreshold: 5\n"),
            kind=Kind.YAML,
        ),
        Invalid(
            _pod() + "  volumes:\n    - name: data\n      configMap:\n        defaultMode: 550\n",
            ("550",),
            ("error unsafe",),
            _pod() + "  volumes:\n    - name: data\n      configMap:\n        defaultMode: 0550\n",
            kind=Kind.YAML,
        ),
        Invalid(
            _pod().replace(
                'value: "3"\n',
                'value: "3"\n        - name: A\n          value: b\n        - name: A\n          value: c\n',
            ),
            ("A",),
            ("warning",),
            kind=Kind.YAML,
        ),
        Invalid(_pod(name="Infer_A"), ("Infer_A",), ("error",), kind=Kind.YAML),
        Invalid(_pod(mount="/data"), ("/data",), ("error",), kind=Kind.YAML),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        """Look at each text of the file by itself."""
        for found in manifests(context):
            mounted: set[tuple[Path, str]] = set()
            told: set[Path] = set()
            yield from self._twice(found, context)
            # The script of MindIE-Motor fills the mounts of a job's file in before it is used.
            filled = any(entry.path == ("kind",) and entry.text == "AscendJob" for entry in found)
            for entry in found:
                if entry.path[0] not in ("metadata", "spec") or _OPEN.search(entry.text):
                    continue
                yield from self._value(entry, context)
                yield from self._name(entry, context)
                yield from self._field(entry, told, context)
                place = (entry.path[:-2], entry.text)
                if entry.path[-1] == "mountPath" and place in mounted and not filled:
                    yield self.finding(context, entry.span, "mount", value=entry.text)
                mounted.add(place)

    # branches: one arm for each kind of value.
    def _value(self, entry: ManifestEntry, context: Context) -> Iterator[Finding]:
        key, text = entry.path[-1], entry.text
        around = Span(entry.span.start - 1, entry.span.end + 1)
        quoted = context.document.text[around.start] in "\"'"
        if quoted and ((key in _NUMBERS and text.isdecimal()) or (key in _SWITCHES and text in ("true", "false"))):
            fix = Fix(self.say(context, "unquote"), (Edit(around, text),), Safety.SAFE)
            yield self.finding(context, entry.span, "text", fixes=[fix], option=key, value=text)
        elif key in _NUMBERS and _WITH_UNIT.fullmatch(text):
            yield self.finding(context, entry.span, "unit", option=key, value=text)
        elif key in _PORTS and text.isdecimal() and not 0 < int(text) <= _LAST_PORT:
            yield self.finding(context, entry.span, "port", value=text)
        elif key == "defaultMode" and not quoted and re.fullmatch(r"[1-7][0-7]{2}", text) and int(text) > _MOST:
            fix = Fix(self.say(context, "rename", near=f"0{text}"), (Edit(entry.span, f"0{text}"),), Safety.UNSAFE)
            yield self.finding(context, entry.span, "mode", fixes=[fix], option=key, value=text, near=f"0{text}")
        elif key in _WORDS and text not in _WORDS[key] and not text.startswith(_KEYED):
            yield self.finding(
                context,
                entry.span,
                "word",
                fixes=self._meant(entry, _WORDS[key], context),
                option=key,
                value=text,
                near=", ".join(_WORDS[key]),
            )

    def _meant(self, entry: ManifestEntry, words: Sequence[str], context: Context) -> Sequence[Fix]:
        from difflib import get_close_matches

        near = get_close_matches(entry.text, words, 1, _NEAR)
        return [Fix(self.say(context, "rename", near=word), (Edit(entry.span, word),), Safety.UNSAFE) for word in near]

    def _field(self, entry: ManifestEntry, told: set[Path], context: Context) -> Iterator[Finding]:
        """Tell a misspelt field, once for all that stands below it."""
        for end, key in enumerate(entry.path, 1):
            around = entry.path[:end]
            if key in _NAMED_FREELY or around in told:
                return
            if key[0] == "[" or key in _FIELDS or (end == len(entry.path) and key in ("name", "value")):
                continue
            near = _field_meant(key)
            place = context.document.text.rfind(key, 0, entry.span.start) if near is not None else -1
            if near is not None and place >= 0:
                told.add(around)
                span = Span(place, place + len(key))
                fixes = [Fix(self.say(context, "rename", near=near), (Edit(span, near),), Safety.UNSAFE)]
                yield self.finding(
                    context, span, "field", severity=Severity.WARNING, fixes=fixes, option=key, near=near
                )
                return

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
        if named and not _NAME.fullmatch(entry.text):
            yield self.finding(context, entry.span, "name", value=entry.text)


@lru_cache(maxsize=1024)
def _field_meant(key: str) -> str | None:
    """Return the field that a key is a slip of; each manifest has the same keys that are none, and to compare them takes long."""
    from difflib import get_close_matches

    near = next(iter(get_close_matches(key, _FIELDS, 1, _ALIKE)), None)
    is_slip = near is not None and abs(len(near) - len(key)) <= 1 and near != f"{key}s" and key != f"{near}s"
    return near if is_slip else None
