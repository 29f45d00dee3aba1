"""NPU234: a Kubernetes file of which one part doesn't go with another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import VALUES, keys, manifests, quantity
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import whole
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

if TYPE_CHECKING:
    from npu_lsp.languages.hosts.manifest import ManifestEntry

_RESOURCE = "huawei.com/"
_KNOWN = ("Ascend910", "Ascend310", "Ascend310P")
"""What the device plugin of MindCluster calls whole NPUs."""
_BARE = re.compile(r"[^A-Za-z0-9]")
_PORTS = range(30000, 32768)
_SHM = "/dev/shm"  # noqa: S108
_EXECUTABLE = 0o111
_RUN = r"(?:{}-c[\"']?,[ \t\r\n]{{0,40}}[\"']|(?<!\\)[\n;&|(]|\\n)[ \t\r\n]{{0,40}}{}(?![\w./-])"
"""How a shell is told to run a file itself."""
_FIRST = r"\[[ \t\r\n]{0,40}[\"']?|"
"""In front of what a command begins with; any other word of it is an argument: `["bash", "/boot.sh"]`."""
_SHARED_BYTES = 64 << 20
"""What a container has at /dev/shm unless something else is mounted there."""


def _pod(requests: int, limits: int, name: str = "huawei.com/Ascend910", mount: str = "data") -> str:
    return (
        "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n"
        '      env:\n        - name: ASCEND_GLOBAL_LOG_LEVEL\n          value: "3"\n'
        f"      resources:\n        requests:\n          {name}: {requests}\n        limits:\n          {name}: {limits}\n"
        f"      volumeMounts:\n        - name: {mount}\n          mountPath: /data\n"
        "  volumes:\n    - name: data\n      hostPath:\n        path: /data\n"
    )


def _deployment(block: str) -> str:
    return (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  annotations:\n"
        f'    sp-block: "{block}"\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n        - name: a\n'
        '          env:\n            - name: ASCEND_GLOBAL_LOG_LEVEL\n              value: "3"\n'
        "          resources:\n            requests:\n              huawei.com/Ascend910: 16\n"
    )


_SHARED = (
    _pod(8, 8)
    .replace("mountPath: /data", "mountPath: /dev/shm")
    .replace("hostPath:\n        path: /data", "emptyDir:\n        medium: Memory\n        sizeLimit: {}")
)
_BOOT = (
    _pod(8, 8)
    .replace(
        "      resources",
        '      command: ["/bin/bash", "-c", "\\n          {run}; \\n      "]\n      resources'.replace("\\n", "\n"),
    )
    .replace("mountPath: /data", "mountPath: /mnt/boot.sh\n          subPath: boot.sh")
    .replace("hostPath:\n        path: /data", "configMap:\n        name: boot\n        defaultMode: {mode}")
)
_SERVICE = (
    "apiVersion: v1\nkind: Service\nspec:\n  ports:\n    - nodePort: {}\n      port: 1025\n"
    '---\napiVersion: v1\nkind: ConfigMap\ndata:\n  ASCEND_GLOBAL_LOG_LEVEL: "3"\n'
)


class ManifestNumbers(Rule):
    """A Kubernetes file with NPUs of which one part doesn't go with another.

    ## What it does
    Compares NPUs that are requested with their limit, `sp-block` of a Deployment with the NPUs of its pods, mounts with
    volumes, and the mode of a mounted script with the command that runs it; looks at names of NPUs and at node ports.

    ## Why is this bad?
    Kubernetes refuses the file, or the pods wait for ever.

    ## Example
    ```yaml
    resources:
      requests:
        huawei.com/Ascend910: 8
      limits:
        huawei.com/Ascend910: 4
    ```

    Use instead:
    ```yaml
    resources:
      requests:
        huawei.com/Ascend910: 8
      limits:
        huawei.com/Ascend910: 8
    ```
    """

    code = "NPU234"
    title = Text(en="Kubernetes file that contradicts itself", zh="Kubernetes 部署文件自相矛盾")
    severity = Severity.ERROR
    messages = {
        "limit": Text(
            en='"{option}" is {value} in limits and {other} in requests, and Kubernetes refuses the file. Make them the same.',
            zh="“{option}”的 limits 为 {value}，requests 为 {other}，Kubernetes 会拒绝该文件，两者须一致。",
        ),
        "resource": Text(
            en='No device plugin has "{option}", and the pods wait for ever. Write "{near}".',
            zh="设备插件没有资源“{option}”，Pod 会一直等待调度，应为“{near}”。",
        ),
        "mount": Text(
            en='No volume is called "{option}", and Kubernetes refuses the file.',
            zh="volumes 中没有“{option}”，Kubernetes 会拒绝该文件。",
        ),
        "block": Text(
            en='"sp-block" is {value}, but the pods have {other} NPUs. Make them the same.',
            zh="“sp-block”为 {value}，但 Pod 共有 {other} 张卡，两者须一致。",
        ),
        "shared": Text(
            en="`/dev/shm` gets {value} here, less than the 64Mi that a container has without it. Without a unit it is bytes.",
            zh="此处 /dev/shm 只有 {value}，小于容器默认的 64Mi；不带单位时以字节计。",
        ),
        "run": Text(
            en='The command runs "{option}", and nobody may execute it with mode {value}: the container stops. Write 0550.',
            zh="启动命令直接执行“{option}”，但权限 {value} 不含执行位，容器会退出。请写 0550。",
        ),
        "port": Text(
            en="Node ports are from 30000 to 32767 unless the cluster says otherwise: {value} is refused.",
            zh="nodePort 默认范围为 30000~32767，{value} 会被拒绝。",
        ),
    }
    examples_in = Kind.YAML
    VALID = (
        _pod(8, 8),
        _SHARED.format("1Gi"),
        _SHARED.format(0),
        # Kubernetes chooses one for 0.
        _SERVICE.format(0),
        # What belongs nowhere is no limit.
        _pod(8, 8) + "huawei.com/Ascend910: 4\n",
        _deployment("16") + "huawei.com/Ascend910: 4\n",
        _deployment("16"),
        _SERVICE.format(31015),
        _BOOT.format(run="/mnt/boot.sh", mode="0550"),
        _BOOT.format(run="/mnt/boot.sh", mode=360),
        _BOOT.format(run="bash /mnt/boot.sh", mode="0440"),
        *(
            Valid(
                _BOOT.replace('["/bin/bash", "-c", "\n          {run}; \n      "]', command).format(mode="0440"),
                Kind.YAML,
            )
            for command in ('["bash", "/mnt/boot.sh"]', '["bash"]\n      args: ["/mnt/boot.sh"]')
        ),
        # The file has a mode of its own.
        _BOOT.format(run="/mnt/boot.sh", mode="0440\n        items:\n          - key: a\n            mode: 0550"),
    )
    INVALID = (
        Invalid(_SHARED.format(16), ("16",), ("warning",), kind=Kind.YAML),
        Invalid(_pod(8, 4), ("4",), ("error",), kind=Kind.YAML),
        Invalid(_pod(8, 8, "huawei.com/Ascend-910"), ("8", "8"), ("error", "error"), kind=Kind.YAML),
        _pod(8, 8, mount="«dada»"),
        told(_deployment("«8»"), "warning", Kind.YAML),
        Invalid(_SERVICE.format(3101), ("3101",), ("warning",), kind=Kind.YAML),
        _BOOT.format(run="/mnt/boot.sh", mode="«0440»"),
        (
            _BOOT.replace('"/bin/bash", "-c", "\n          {run}; \n      "', '"{run}"').format(
                run="/mnt/boot.sh", mode="«0440»"
            )
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for found in manifests(context):
            yield from self._look(found, context)
        for part in keys(context):
            yield from self._run(part, context)

    # branches: one arm for each kind of entry.
    def _look(self, found: Sequence[ManifestEntry], context: Context) -> Iterator[Finding]:
        by_path = {entry.path: entry for entry in found}
        volumes = {entry.path[:-3] for entry in found if entry.path[-3:-2] == ("volumes",)}
        names = {(e.path[:-3], e.text) for e in found if e.path[-3:-2] == ("volumes",) and e.path[-1] == "name"}
        for entry in found:
            key = entry.path[-1]
            if key.startswith(_RESOURCE):
                yield from self._resource(entry, by_path, context)
            elif key == "name" and entry.path[-3:-2] == ("volumeMounts",):
                pod = entry.path[:-5]
                if pod in volumes and (pod, entry.text) not in names:
                    yield self.finding(context, entry.span, "mount", option=entry.text)
            elif key == "nodePort" and (port := whole(entry.text)) is not None and port not in (0, *_PORTS):
                yield self.finding(context, entry.span, "port", severity=Severity.WARNING, value=entry.text)
            elif key == "sizeLimit" and _is_little(entry, by_path):
                yield self.finding(context, entry.span, "shared", severity=Severity.WARNING, value=entry.text)
            elif entry.path == ("metadata", "annotations", "sp-block") and by_path.get(("kind",)) is not None:
                yield from self._block(entry, found, by_path, context)

    def _resource(
        self, entry: ManifestEntry, by_path: dict[tuple[str, ...], ManifestEntry], context: Context
    ) -> Iterator[Finding]:
        name = entry.path[-1].removeprefix(_RESOURCE)
        near = next((each for each in _KNOWN if _BARE.sub("", name).lower() == each.lower() and name != each), None)
        if near is not None:
            yield self.finding(context, entry.span, "resource", option=entry.path[-1], near=_RESOURCE + near)
        elif entry.path[-2:-1] == ("limits",):
            other = by_path.get((*entry.path[:-2], "requests", entry.path[-1]))
            counts = {whole(each.text) for each in (entry, other) if each is not None}
            if other is not None and len(counts - {None}) > 1:
                yield self.finding(
                    context, entry.span, "limit", option=entry.path[-1], value=entry.text, other=other.text
                )

    def _run(self, part: Sequence[ManifestEntry], context: Context) -> Iterator[Finding]:
        """Look for files of ConfigMaps that a command runs itself, and that nobody may execute."""
        by_path = {entry.path: entry for entry in part if entry.kind in VALUES}
        own = {
            path[: at + 1]
            for path in by_path
            if path[-1] == "mode"
            for at, key in enumerate(path)
            if key == "configMap"
        }
        modes = {
            (entry.path[:-4], name.text): entry
            for entry in by_path.values()
            if entry.path[-2:] == ("configMap", "defaultMode")
            and (name := by_path.get((*entry.path[:-2], "name"))) is not None
            and (mode := _mode(entry.text)) is not None
            and not mode & _EXECUTABLE
            and entry.path[:-1] not in own
        }
        ends = (*(entry.key.start for entry in part[1:]), len(context.document.text)) if modes else ()
        commands: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for entry, end in zip(part, ends, strict=False):
            if entry.path[-1] in ("command", "args"):
                first = _FIRST if entry.path[-1] == "command" else ""
                commands.setdefault(entry.path[:-1], []).append((first, context.document.text[entry.key.end : end]))
        for mount in by_path.values() if commands else ():
            volume = by_path.get((*mount.path[:-1], "name")) if mount.path[-1] == "mountPath" else None
            of = (mount.path[:-5], volume.text) if volume is not None else None
            if of in modes and any(
                mount.text in said and re.search(_RUN.format(first, re.escape(mount.text)), said)
                for first, said in commands.get(mount.path[:-3], ())
            ):
                entry = modes.pop(of)
                yield self.finding(context, entry.span, "run", option=mount.text, value=entry.text)

    def _block(
        self,
        entry: ManifestEntry,
        found: Sequence[ManifestEntry],
        by_path: dict[tuple[str, ...], ManifestEntry],
        context: Context,
    ) -> Iterator[Finding]:
        """Compare where the file says all: a job's own script fills in the numbers of others."""
        replicas = by_path.get(("spec", "replicas"))
        if by_path[("kind",)].text != "Deployment" or replicas is None:
            return
        npus = [e.text for e in found if e.path[-1].startswith(_RESOURCE) and e.path[-2:-1] == ("requests",)]
        pods, each, said = whole(replicas.text), whole(npus[0]) if len(npus) == 1 else None, whole(entry.text)
        if pods is not None and each is not None and said is not None and said != pods * each:
            yield self.finding(
                context, entry.span, "block", severity=Severity.WARNING, value=entry.text, other=pods * each
            )


def _is_little(entry: ManifestEntry, by_path: dict[tuple[str, ...], ManifestEntry]) -> bool:
    """Return whether a limit makes the shared memory of a container less than what it has anyway."""
    volume, size = entry.path[:-2], quantity(entry.text)
    name, medium = by_path.get((*volume, "name")), by_path.get((*entry.path[:-1], "medium"))
    # None at all is no limit.
    if not size or size >= _SHARED_BYTES or name is None or medium is None or medium.text != "Memory":
        return False
    mounted = (
        (*each.path[:-1], "name") for each in by_path.values() if each.path[-1] == "mountPath" and each.text == _SHM
    )
    return any(path in by_path and by_path[path].text == name.text for path in mounted)


def _mode(text: str) -> int | None:
    """Return the mode that a number of YAML writes: octal with a 0 in front."""
    return int(text, 8) if re.fullmatch(r"0o?[0-7]{1,4}", text) else whole(text)
