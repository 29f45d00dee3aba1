"""Makes `npu_lsp/catalog/data/kubernetes.toml`: the fields of Kubernetes' objects, what they take, and which must be there.

`python -m tests.authoring.kubernetes MODELS CRD...`: the folder `kubernetes/client/models` of the package `kubernetes`, and files with
the definitions of further kinds (MindCluster's `ascend-operator.yaml` and `infer-operator.yaml`, Volcano's, LeaderWorkerSet's).
"""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

_FILE = Path(__file__).parents[2] / "npu_lsp/catalog/data/kubernetes.toml"
_KINDS = {
    **dict.fromkeys(
        (
            *("ConfigMap", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "Pod", "Secret", "Service"),
            "ServiceAccount",
        ),
        "v1",
    ),
    **dict.fromkeys(("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"), "apps/v1"),
    **dict.fromkeys(("CronJob", "Job"), "batch/v1"),
    "PriorityClass": "scheduling.k8s.io/v1",
    **dict.fromkeys(("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"), "rbac.authorization.k8s.io/v1"),
}
_FURTHER = {
    "AscendJob": "mindxdl.gitee.com/v1",
    "Job": "batch.volcano.sh/v1alpha1",
    **dict.fromkeys(("InferServiceSet", "InferService", "InstanceSet"), "mindcluster.huawei.com/v1"),
    "LeaderWorkerSet": "leaderworkerset.x-k8s.io/v1",
}
_WORKLOADS = ("DeploymentSpec", "StatefulSetSpec")
_WORKLOAD = "WorkloadSpec"
"""What a role of an InferService has: the fields of either, as `workload` beside it says."""
_QUANTITIES = frozenset({"limits", "requests", "capacity", "sizeLimit", "divisor", "overhead", "minResources"})
"""The package says that these are texts, but numbers are taken, too."""
_TYPED = re.compile(r'^        "(\w+)": "([^"\n]+)",?$', re.MULTILINE)
_TABLES = re.compile(r"^    (openapi_types|attribute_map): [^{\n]*\{\n(.*?)^    \}", re.MULTILINE | re.DOTALL)
_OPTIONAL = re.compile(r"^    (?:var)?_?(\w+?)_?: Optional\[", re.MULTILINE)
_RANGES = {
    **dict.fromkeys(
        ("replicas", "minReadySeconds", "initialDelaySeconds", "terminationGracePeriodSeconds"), (0, 2**31 - 1)
    ),
    **dict.fromkeys(("periodSeconds", "timeoutSeconds", "failureThreshold", "successThreshold"), (0, 2**31 - 1)),
    **dict.fromkeys(("backoffLimit", "parallelism", "completions", "revisionHistoryLimit"), (0, 2**31 - 1)),
    **dict.fromkeys(("fsGroup", "runAsUser", "runAsGroup"), (0, 2**31 - 1)),
    **dict.fromkeys(("containerPort", "port"), (1, 65535)),
    **dict.fromkeys(("hostPort", "nodePort", "targetPort"), (0, 65535)),
    **dict.fromkeys(("defaultMode", "mode"), (0, 0o777)),
}
"""What numbers may be (kubernetes: `pkg/apis/core/validation`, `pkg/apis/apps/validation`); `pkg/apis/core/v1/defaults.go` takes 0 as not said."""
_RESTARTS = ("Always", "OnFailure", "Never")
_SOME = ("In", "NotIn", "Exists", "DoesNotExist")
_WORDS: Mapping[str, Sequence[str]] = {
    "AscendJob.spec.replicaSpecs.restartPolicy": (*_RESTARTS, "ExitCode"),
    "AscendJob.spec.runPolicy.cleanPodPolicy": ("", "All", "Running", "None"),
    "AscendJob.spec.successPolicy": ("", "AllWorkers"),
    "AppArmorProfile.type": ("RuntimeDefault", "Localhost", "Unconfined"),
    "Container.imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "Container.restartPolicy": _RESTARTS,
    "Container.terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
    "ContainerPort.protocol": ("TCP", "UDP", "SCTP"),
    "CronJobSpec.concurrencyPolicy": ("Allow", "Forbid", "Replace"),
    "DaemonSetUpdateStrategy.type": ("RollingUpdate", "OnDelete"),
    "DeploymentStrategy.type": ("Recreate", "RollingUpdate"),
    "HTTPGetAction.scheme": ("HTTP", "HTTPS"),
    "HostPathVolumeSource.type": (
        *("", "DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"),
    ),
    "JobSpec.completionMode": ("NonIndexed", "Indexed"),
    "LabelSelectorRequirement.operator": _SOME,
    "NodeSelectorRequirement.operator": (*_SOME, "Gt", "Lt"),
    "ObjectFieldSelector.fieldPath": (
        *("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"),
        *("metadata.labels", "metadata.annotations"),
        *("status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
    ),
    "PersistentVolumeSpec.persistentVolumeReclaimPolicy": ("Retain", "Recycle", "Delete"),
    "PodSecurityContext.fsGroupChangePolicy": ("OnRootMismatch", "Always"),
    "PodSpec.dnsPolicy": ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
    "PodSpec.preemptionPolicy": ("PreemptLowerPriority", "Never"),
    "PodSpec.restartPolicy": _RESTARTS,
    "PriorityClass.preemptionPolicy": ("PreemptLowerPriority", "Never"),
    "SeccompProfile.type": ("RuntimeDefault", "Localhost", "Unconfined"),
    "ServicePort.protocol": ("TCP", "UDP", "SCTP"),
    "ServiceSpec.externalTrafficPolicy": ("Cluster", "Local"),
    "ServiceSpec.ipFamilyPolicy": ("SingleStack", "PreferDualStack", "RequireDualStack"),
    "ServiceSpec.sessionAffinity": ("None", "ClientIP"),
    "ServiceSpec.type": ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName"),
    "StatefulSetSpec.podManagementPolicy": ("OrderedReady", "Parallel"),
    "StatefulSetUpdateStrategy.type": ("RollingUpdate", "OnDelete"),
    "Toleration.effect": ("", "NoSchedule", "PreferNoSchedule", "NoExecute"),
    "Toleration.operator": ("Exists", "Equal", "Gt", "Lt"),
    "TopologySpreadConstraint.whenUnsatisfiable": ("DoNotSchedule", "ScheduleAnyway"),
    "VolumeMount.mountPropagation": ("None", "HostToContainer", "Bidirectional"),
}
"""Whole sets (kubernetes: `staging/src/k8s.io/api/core/v1/types.go`; mind-cluster: `ascend-operator`)."""
_NEEDED = {"ConfigMapVolumeSource": "name", "SecretVolumeSource": "secretName", "Container": "image"}
"""What the types let out, and the validation asks for."""
_PLAIN = {
    "str": "text",
    "int": "number",
    "bool": "switch",
    "float": "any",
    "object": "any",
    "datetime": "text",
    "bytes": "text",
}
_OF_SCHEMA = {"string": "text", "integer": "number", "boolean": "switch"}
_HEAD = """\
# The fields of Kubernetes' objects, by `python -m tests.authoring.kubernetes`: of each type its fields and what they take; `!` stands
# behind one that must be there. `text`, `number` and `switch` are values, `any` is not looked at, `[T]` a list, and `{T}` a table
# whose keys are names. `ranges` says what numbers may be, by the names of fields, and `words` what texts may be. A kind is called with its `apiVersion`.
"""


def _of_package(models: Path, name: str, found: dict[str, dict[str, str]]) -> str:
    """Put a type of the package and all that it needs into `found`; return what it is called."""
    called = re.sub(r"\A(?:Core)?V1", "", name)
    if called in found:
        return called
    fields = found[called] = {}
    file = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    text = (models / f"{file}.py").read_text(encoding="utf-8")
    tables = {match[1]: dict(_TYPED.findall(match[2])) for match in _TABLES.finditer(text)}
    optional = frozenset(_OPTIONAL.findall(text))
    for own, key in tables["attribute_map"].items():
        said = "any" if key in _QUANTITIES or key == "status" else _type(models, tables["openapi_types"][own], found)
        fields[key] = said + "!" * (own.strip("_") not in optional or _NEEDED.get(called) == key)
    return called


def _type(models: Path, said: str, found: dict[str, dict[str, str]]) -> str:
    if (inner := re.fullmatch(r"List\[(.+)\]", said)) is not None:
        return f"[{_type(models, inner[1], found)}]"
    if (inner := re.fullmatch(r"Dict\[str, (.+)\]", said)) is not None:
        return f"{{{_type(models, inner[1], found)}}}"
    return _PLAIN.get(said) or _of_package(models, said, found)


def _of_schema(schema: Mapping[str, Any], name: str, found: dict[str, dict[str, str]]) -> str:
    """Put the types of a definition into `found`; a pod stays Kubernetes' own."""
    properties = schema.get("properties", {})
    if {"metadata", "spec"} == set(properties):
        return "PodTemplateSpec"
    if {"clusterIP", "ports", "selector"} <= set(properties):
        return "ServiceSpec"
    if "." in name and {"apiVersion", "kind", "metadata", "spec"} <= set(properties):
        return "PersistentVolumeClaim"
    if properties:
        fields = found.setdefault(name, {})
        for key, inner in properties.items():
            if "." in name or key not in ("status", "apiVersion", "kind", "metadata"):
                said = _of_schema(inner, f"{name}.{key}", found)
                if "workload" in properties and inner.get("x-kubernetes-preserve-unknown-fields"):
                    said = _WORKLOAD
                fields[key] = said + "!" * (key in schema.get("required", ()))
        return name
    if schema.get("type") == "array":
        return f"[{_of_schema(schema['items'], name, found)}]"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"{{{_of_schema(schema['additionalProperties'], name, found)}}}"
    whole = not schema.get("x-kubernetes-int-or-string")
    return _OF_SCHEMA.get(schema.get("type", ""), "any") if whole else "any"


def _definitions(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the kinds that a file defines and that we look at, with their schemas."""
    for each in yaml.safe_load_all(text):
        if not each or each.get("kind") != "CustomResourceDefinition":
            continue
        kind, group = each["spec"]["names"]["kind"], each["spec"]["group"]
        for version in each["spec"]["versions"]:
            if _FURTHER.get(kind) == f"{group}/{version['name']}":
                yield kind, version["schema"]["openAPIV3Schema"]


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path)
    parser.add_argument("definitions", type=Path, nargs="*")
    arguments = parser.parse_args()
    found: dict[str, dict[str, str]] = {}
    kinds = {f"{kind} {version}": _of_package(arguments.models, f"V1{kind}", found) for kind, version in _KINDS.items()}
    found[_WORKLOAD] = {key: said.rstrip("!") for each in _WORKLOADS for key, said in found[each].items()}
    for file in arguments.definitions:
        for kind, schema in _definitions(file.read_text(encoding="utf-8")):
            name = f"{kind}s" if kind in found else kind
            _of_schema(schema, name, found)
            head = {"apiVersion": "text", "kind": "text", "metadata": "ObjectMeta", "status": "any"}
            found[name] = {**head, **found[name]}
            kinds[f"{kind} {_FURTHER[kind]}"] = name
    ranges = [f"{name} = [{low}, {high}]" for name, (low, high) in sorted(_RANGES.items())]
    lines = [
        _HEAD,
        "[ranges]",
        *ranges,
        "",
        "[words]",
        *(f'"{name}" = {json.dumps(taken)}' for name, taken in _WORDS.items()),
        "",
        "[kinds]",
        *(f'"{kind}" = "{name}"' for kind, name in sorted(kinds.items())),
        "",
        "[types]",
    ]
    for name, fields in sorted(found.items()):
        said = " ".join(f"{key}:{what}" for key, what in sorted(fields.items()))
        wrapped = textwrap.wrap(said, 130, break_long_words=False, break_on_hyphens=False)
        key = f'"{name}"' if "." in name else name
        lines += [f'{key} = "{said}"'] if len(wrapped) < 2 else [f'{key} = """', *wrapped, '"""']
    _FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
