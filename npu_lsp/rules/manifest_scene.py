"""NPU238: a Kubernetes file of MindIE that doesn't go with its own variables or with the configuration beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from npu_lsp.catalog.near import alike
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.constraints import plain, terms
from npu_lsp.linter.deployment.manifests import ManifestContainer, containers, manifests, quantity
from npu_lsp.linter.deployment.parts import Deployment, deployment_beside
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import whole
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

if TYPE_CHECKING:
    from npu_lsp.languages.hosts.manifest import ManifestEntry

_P, _D, _PORTS = "MINDIE_MS_P_RATE", "MINDIE_MS_D_RATE", "MINDIE_MS_GEN_SERVER_PORT"
_RINGS = "rings-config-"
"""What the names of rank tables begin with that MindCluster fills in (mind-cluster: `component/ascend-operator`)."""
_OTHER_MAPS = ("fault-config-", "reset-config-")
"""What the names of its other ConfigMaps for a job begin with (mind-cluster: `component/ascend-device-plugin`)."""
_REFERENCES = (("configMap", "name"), ("configMapRef", "name"), ("configMapKeyRef", "name"))
"""Where a pod names a ConfigMap: as a volume, and for variables."""
_NOTHING = re.compile(r"[ ]*value:[ ]*(?:(?:~|[nN]ull|NULL)[ ]*)?(?:#|\Z)")
_ENOUGH, _PYMOTOR = 2, "/pyMotor/"
_NEAR, _ALIKE = 0.86, 0.9
_LISTENS = ("predict_port", "manage_port", "external_port", "status_port")
_APART = ("pd_separate", "pd_disaggregation")
_A2 = ("800I_A2", ("module-910b-8", "module-910b-8-infer"))
"""A kind of server, and what its nodes are labelled as (mind-cluster: `ascend-for-volcano/common/util`)."""
_SERVERS = "mindie-server"
_COORDINATOR = "mindie-ms-coordinator"
_LEAST = 4 << 30
"""Bytes that a coordinator asks for at least (mindie-motor: `deploy_ac_job.py`, `check_coordinator_memory_config`)."""


def _pod(p: str = "1", d: str = "1", name: str = _D, npus: int = 8) -> str:
    return (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: mindie-server\nspec:\n  replicas: 1\n  template:\n    spec:\n"
        f'      containers:\n        - name: a\n          env:\n            - name: {_P}\n              value: "{p}"\n'
        f'            - name: {name}\n              value: "{d}"\n            - name: MINDIE_LOG_LEVEL\n              value: "INFO"\n'
        f"          resources:\n            requests:\n              huawei.com/Ascend910: {npus}\n"
        f"            limits:\n              huawei.com/Ascend910: {npus}\n"
    )


_SERVICE = (
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: rings-config-mindie-server\ndata:\n  ASCEND_GLOBAL_LOG_LEVEL: "3"\n'
    "---\napiVersion: v1\nkind: Service\nspec:\n  ports:\n    - targetPort: %s\n  selector:\n    app: mindie-server\n"
    "---\napiVersion: v1\nkind: Pod\nspec:\n  volumes:\n    - name: a\n      configMap:\n        name: %s\n"
)
_A2_CONFIG = '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "hardware_type": "800I_A2"}}\n'
_BESIDE = {
    "conf/ms_coordinator.json": '{"http_config": {"predict_port": "1025"}, "request_limit": {"max_requests": 1}}\n',
    "conf/ms_controller.json": '{"deploy_mode": "pd_separate", "mindie_server_control_port": 1026, "digs_prefill_slo": 1000}\n',
}


def _coordinator(memory: str) -> str:
    return (
        "apiVersion: mindxdl.gitee.com/v1\nkind: AscendJob\nmetadata:\n  labels:\n    app: mindie-ms-coordinator\nspec:\n  replicaSpecs:\n"
        "    Master:\n      template:\n        spec:\n          containers:\n            - name: ascend\n              env:\n"
        '                - name: ASCEND_GLOBAL_LOG_LEVEL\n                  value: "3"\n'
        f"              resources:\n                requests:\n                  memory: {memory}\n"
    )


def _map(name: str) -> str:
    head = f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n"
    return f'{head}  labels:\n    ring-controller.atlas: ascend-910b\ndata:\n  ASCEND_GLOBAL_LOG_LEVEL: "3"\n'


class ManifestScene(Rule):
    """A Kubernetes file of MindIE that doesn't go with its own variables or with the configuration beside it.

    ## What it does
    Looks at the shares of prefill and decode, at names of variables and of ConfigMaps close to those that MindIE's scripts know, at the
    memory of the coordinator, at the ports of services, at the kind and the number of servers, as far as `conf` and `user_config.json`
    beside say what they must be.

    ## Why is this bad?
    A process stops at its start, waits for one that never comes, or does without what was set.

    ## Example
    ```yaml
    env:
      - name: MINDIE_MS_P_RATE
        value: "0"
      - name: MINDIE_MS_D_RATE
        value: "1"
    ```

    Use instead:
    ```yaml
    env:
      - name: MINDIE_MS_P_RATE
        value: "0"
      - name: MINDIE_MS_D_RATE
        value: "0"
    ```

    ## Fix safety
    Unsafe: what had no effect has one then.
    """

    code = "NPU238"
    title = Text(en="Kubernetes file that doesn't suit its deployment", zh="Kubernetes 文件与部署不符")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "rates": Text(
            en='"{option}" is 0, which leaves the shares to MindIE, but "{other}" is {value}: both must be 0, or neither.',
            zh="“{option}”为 0（自动决策配比），但“{other}”为 {value}：两者须同时为 0 或同时不为 0。",
        ),
        "many": Text(
            en="{value} servers in all by MINDIE_MS_P_RATE and MINDIE_MS_D_RATE, and the pod has {other} NPUs.",
            zh="MINDIE_MS_P_RATE 与 MINDIE_MS_D_RATE 之和为 {value}，超过 Pod 的 {other} 张卡。",
        ),
        "switch": Text(
            en='"{option}" is {value}, and all but false counts as true.',
            zh="“{option}”为 {value}，除 false 外均视为 true。",
        ),
        "bare": Text(
            en='"{option}" has neither "value" nor "valueFrom": the container gets an empty text.',
            zh="“{option}”既没有“value”也没有“valueFrom”，容器中该变量为空。",
        ),
        "near": Text(
            en='The scripts of the deployment read no "{option}". Did you mean "{near}", which this container lacks?',
            zh="部署的脚本不读取“{option}”，是否应为该容器缺少的“{near}”？",
        ),
        "memory": Text(
            en="{value} is too little for a coordinator: {why}, and the deployment stops.",
            zh="Coordinator 的内存 {value} 不足：{why}，部署脚本报错退出。",
        ),
        "port": Text(
            en="Nobody listens at {value}: the ports of the coordinator are {other}.",
            zh="没有进程监听 {value}：Coordinator 的端口为 {other}。",
        ),
        "servers": Text(
            en='"deploy_mode" is {other}, which needs two servers, one for prefill and one for decode.',
            zh="“deploy_mode”为 {other}，至少需要一个 P 和一个 D，共 2 个 Server。",
        ),
        "rings": Text(
            en='"{value}" must begin with "{near}": MindCluster fills in no rank table of another name.',
            zh="“{value}”须以“{near}”开头，MindCluster 不会填写其他名称的 rank table。",
        ),
        "hardware": Text(
            en='No server of {other} is called "{value}", and the pods wait for ever. Write {near}.',
            zh="{other} 服务器的 accelerator-type 不是“{value}”，Pod 会一直等待调度，应为 {near}。",
        ),
        "map": Text(
            en='Neither this file nor a script of the deployment makes a ConfigMap "{value}". Did you mean "{near}"?',
            zh="该文件和部署的脚本都不创建名为“{value}”的 ConfigMap，是否应为“{near}”？",
        ),
    }
    examples_in = Kind.YAML
    VALID = (
        Valid(_SERVICE % (1025, "rings-config-mindie-server"), Kind.YAML, files=_BESIDE),
        _pod(),
        _pod("0", "0"),
        *(
            Valid(_pod().replace('value: "INFO"', given), Kind.YAML)
            for given in (
                *("valueFrom: {fieldRef: {fieldPath: metadata.name}}", "value: |\n                INFO", "<<: *level"),
                *("value: &level INFO", "$patch: delete", "# below\n              valueFrom: *level"),
            )
        ),
        _coordinator("12Gi"),
        # MindCluster's record of broken NPUs bears the same label.
        _map("fault-config-a"),
    )
    INVALID = (
        _pod("«0»"),
        _pod("«8»", npus=8),
        told(_pod(name="«MINDIE_MS_D_RATIO→MINDIE_MS_D_RATE»"), "warning unsafe", Kind.YAML),
        told(
            _pod()
            .replace("kind: Deployment", "kind: AscendJob")
            .replace(
                "      containers", "      nodeSelector:\n        accelerator-type: «module-910b-16»\n      containers"
            ),
            "warning",
            Kind.YAML,
            files={"user_config.json": _A2_CONFIG},
        ),
        Invalid(
            _pod().replace('              value: "INFO"\n', ""), ("MINDIE_LOG_LEVEL",), ("warning",), kind=Kind.YAML
        ),
        told(
            _pod().replace("- name: MINDIE_LOG_LEVEL", "- name: «MINDIE_LOG_LEVEL»").replace('"INFO"', "null"),
            "warning",
            Kind.YAML,
        ),
        _coordinator("«2Gi»"),
        _map("«ring-config-a»"),
        Invalid(_pod().replace("_D_RATE", "_GEN_SERVER_PORT"), ("1",), ("warning",), kind=Kind.YAML),
        Invalid(_pod().replace("MINDIE_MS_", "MS_"), ("1",), ("warning",), kind=Kind.YAML, files=_BESIDE),
        told(_SERVICE % (1025, "«ring-config-mindie-server→rings-config-mindie-server»"), "warning unsafe", Kind.YAML),
        Invalid(
            _SERVICE % (8080, "rings-config-mindie-server"), ("8080",), ("warning",), kind=Kind.YAML, files=_BESIDE
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        found = manifests(context)
        if not found:
            return
        beside = deployment_beside(context.document)
        maps = frozenset(
            entry.text
            for each in found
            if any(entry.path == ("kind",) and entry.text == "ConfigMap" for entry in each)
            for entry in each
            if entry.path == ("metadata", "name")
        )
        for entries in found:
            by_path = {entry.path: entry for entry in entries}
            yield from self._maps(entries, maps, context)
            yield from self._rings(by_path, context)
            yield from self._hardware(entries, beside, context)
            yield from self._service(entries, by_path, beside, context)
            yield from self._replicas(by_path, beside, context)
            for each in containers(entries):
                yield from self._variables(each, context)
                yield from self._memory(each, by_path, beside, context)

    def _variables(self, container: ManifestContainer, context: Context) -> Iterator[Finding]:
        yield from self._rates(container, context)
        yield from self._names(container, context)
        known = terms("scripts", context.catalog) | terms("env_common", context.catalog)
        for name, entry in container.names.items():
            is_known = name in known or context.catalog.option(Surface.ENV, name) is not None
            if is_known and _is_bare(entry, context.document):
                yield self.finding(context, entry.span, "bare", severity=Severity.WARNING, option=name)

    def _rates(self, container: ManifestContainer, context: Context) -> Iterator[Finding]:
        values = container.variables
        p, d = values.get(_P), values.get(_D)
        counts = [whole(each.text) for each in (p, d) if each is not None]
        if p is not None and d is not None and counts[0] is not None and counts[1] is not None:
            total = counts[0] + counts[1]
            if (counts[0] == 0) != (counts[1] == 0):
                (none, name), (some, other) = ((p, _P), (d, _D)) if counts[0] == 0 else ((d, _D), (p, _P))
                yield self.finding(context, none.span, "rates", option=name, other=other, value=some.text)
            elif container.npus is not None and total > container.npus:
                yield self.finding(
                    context, (p if counts[0] >= counts[1] else d).span, "many", value=total, other=container.npus
                )
        switch = values.get(_PORTS)
        if switch is not None and switch.text not in ("true", "false"):
            yield self.finding(
                context, switch.span, "switch", severity=Severity.WARNING, option=_PORTS, value=switch.text
            )

    def _names(self, container: ManifestContainer, context: Context) -> Iterator[Finding]:
        made = "pods" if _PYMOTOR in context.document.text else "scripts"
        known = terms(made, context.catalog) | terms("env_common", context.catalog)
        if sum(name in known for name in container.names) < _ENOUGH:
            return
        free = known - container.names.keys()
        for name, entry in container.names.items():
            if name in known or context.catalog.guess(Surface.ENV, name) or context.catalog.option(Surface.ENV, name):
                continue
            near = alike(name, free, _NEAR)
            if near is not None and not context.catalog.of_others(Surface.ENV, name):
                fixes = self.renamed_at(context, entry.span, near)
                yield self.finding(
                    context, entry.span, "near", severity=Severity.WARNING, fixes=fixes, option=name, near=near
                )

    def _memory(
        self,
        container: ManifestContainer,
        by_path: Mapping[tuple[str, ...], ManifestEntry],
        beside: Deployment,
        context: Context,
    ) -> Iterator[Finding]:
        app = by_path.get(("metadata", "labels", "app"))
        entry = by_path.get((*container.pod, "resources", "requests", "memory"))
        kind = by_path.get(("kind",))
        if app is None or app.text != _COORDINATOR or entry is None or kind is None or kind.text != "AscendJob":
            return
        size = quantity(entry.text)
        requests = _number(beside, "coordinator", "request_limit.max_requests")
        body = _number(beside, "coordinator", "request_limit.body_limit")
        needed = int(requests * body * (1 << 20) * 1.2) if requests and body else 0
        if size is not None and size < max(_LEAST, needed):
            why = (
                f"max_requests {requests} × body_limit {body} MB × 1.2 = {needed / (1 << 30):.1f}Gi"
                if needed > _LEAST
                else ">= 4Gi"
            )
            yield self.finding(context, entry.span, "memory", value=entry.text, why=why)

    def _service(
        self,
        entries: Sequence[ManifestEntry],
        by_path: Mapping[tuple[str, ...], ManifestEntry],
        beside: Deployment,
        context: Context,
    ) -> Iterator[Finding]:
        kind, app = by_path.get(("kind",)), by_path.get(("spec", "selector", "app"))
        if kind is None or kind.text != "Service" or app is None or not app.text.startswith("mindie-"):
            return
        placed = [beside.get("coordinator", f"http_config.{name}") for name in _LISTENS]
        ports = [str(plain(each.setting.value)) for each in placed if each is not None]
        for entry in entries:
            if entry.path[-1] == "targetPort" and entry.text.isdigit() and ports and entry.text not in ports:
                yield self.finding(
                    context,
                    entry.span,
                    "port",
                    severity=Severity.WARNING,
                    value=entry.text,
                    other=", ".join(dict.fromkeys(ports)),
                )

    def _replicas(
        self, by_path: Mapping[tuple[str, ...], ManifestEntry], beside: Deployment, context: Context
    ) -> Iterator[Finding]:
        name, replicas = by_path.get(("metadata", "name")), by_path.get(("spec", "replicas"))
        single = any(entry.text == _P for entry in by_path.values())
        if name is None or name.text != _SERVERS or replicas is None or replicas.text not in ("0", "1") or single:
            return
        placed = beside.get("controller", "deploy_mode")
        mode = plain(placed.setting.value) if placed is not None else None
        if mode in _APART:
            yield self.finding(context, replicas.span, "servers", severity=Severity.WARNING, other=mode)

    def _rings(self, by_path: Mapping[tuple[str, ...], ManifestEntry], context: Context) -> Iterator[Finding]:
        kind, name = by_path.get(("kind",)), by_path.get(("metadata", "name"))
        ring = by_path.get(("metadata", "labels", "ring-controller.atlas"))
        if kind is None or kind.text != "ConfigMap" or ring is None or name is None:
            return
        if name.text.startswith((_RINGS, *_OTHER_MAPS)):
            return
        yield self.finding(context, name.span, "rings", value=name.text, near=_RINGS)

    def _hardware(self, entries: Sequence[ManifestEntry], beside: Deployment, context: Context) -> Iterator[Finding]:
        """Compare with `hardware_type`: the script writes the type of A3 into the files, and leaves that of A2 as it is."""
        placed = beside.get("deploy", "hardware_type")
        if placed is None or plain(placed.setting.value) != _A2[0] or not _is_filled_in(entries):
            return
        for entry in entries:
            if entry.path[-1] == "accelerator-type" and entry.text.startswith("module-") and entry.text not in _A2[1]:
                severity, near = Severity.WARNING, _A2[1][0]
                yield self.finding(
                    context, entry.span, "hardware", severity=severity, value=entry.text, other=_A2[0], near=near
                )

    def _maps(self, entries: Sequence[ManifestEntry], maps: frozenset[str], context: Context) -> Iterator[Finding]:
        used = {entry.text for entry in entries if entry.path[-2:] == ("configMap", "name")}
        made = terms("maps", context.catalog)
        known = maps | made if len(made & used) > 1 or _PYMOTOR in context.document.text else maps
        for entry in entries:
            if entry.path[-2:] in _REFERENCES and entry.text not in maps:
                near = alike(entry.text, maps if entry.text in made else known, _ALIKE)
                if near is not None:
                    fixes = self.renamed_at(context, entry.span, near)
                    yield self.finding(
                        context,
                        entry.span,
                        "map",
                        severity=Severity.WARNING,
                        fixes=fixes,
                        value=entry.text,
                        near=near,
                    )


def _is_filled_in(entries: Sequence[ManifestEntry]) -> bool:
    """Return whether a text is one of those that go with `user_config.json`; others are for `deploy.sh`."""
    return any(entry.path == ("kind",) and entry.text == "AscendJob" for entry in entries)


def _number(deployment: Deployment, role: str, name: str) -> int | None:
    placed = deployment.get(role, name)
    data = plain(placed.setting.value) if placed is not None else None
    return data if isinstance(data, int) and not isinstance(data, bool) else None


def _is_bare(name: ManifestEntry, document: Document) -> bool:
    """Return whether an item of a list has nothing but its name; what stands below it may be of any form, an alias or a patch."""
    number = document.line_of(name.key.start)
    column = name.key.start - document.line_span(number).start
    if document.line_text(number)[:column].strip() != "-":
        return False
    below = (document.line_text(each) for each in range(number + 1, document.line_count))
    told = (line for line in below if line.strip() and not line.lstrip().startswith("#") and not _NOTHING.match(line))
    said = next(told, "")
    return len(said) - len(said.lstrip(" ")) < column
