"""NPU236: a path that is read in a container where nothing is mounted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from npu_lsp.catalog.near import slip_of
from npu_lsp.linter.context import Context
from npu_lsp.linter.deployment.manifests import containers, manifests, texts
from npu_lsp.linter.deployment.parts import Deployment, deployment_of, manifest_in
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.rule import Rule, Valid, told
from npu_lsp.linter.values import text_of
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind

_MODEL = "BackendConfig.ModelDeployConfig.ModelConfig."
_EPLB = f"{_MODEL}models.deepseekv2.eplb."
_MOUNTS = "deploy_mount_path."
_SERVER = "server_init.yaml"
"""The file that `deploy_ac_job.py` makes those of the servers of (mindie-motor: `deploy_scripts/deploy_ac_job.py`)."""
_READ = ("CONFIG_FROM_CONFIGMAP_PATH", "CONFIG_FROM_CONFIG_FILE_PATH", "GLOBAL_RANK_TABLE_FILE_PATH", "CONFIGMAP_PATH")
"""Variables with a path that `boot.sh` reads (mindie-motor: `deploy_scripts/boot_helper/boot.sh`; mindie-pymotor: `startup/common.sh`)."""
_PODS = (
    "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n        - name: a\n"
    '          env:\n            - name: ASCEND_GLOBAL_LOG_LEVEL\n              value: "3"\n'
    "            - name: CONFIG_FROM_CONFIGMAP_PATH\n              value: {}\n"
    "          volumeMounts:\n            - name: data\n              mountPath: /mnt/configmap/boot.sh\n"
)


def _config(path: str) -> str:
    return (
        '{"deploy_config": {"p_pod_npu_num": 8, "d_pod_npu_num": 8, "weight_mount_path": "/weights"},\n "mindie_server_prefill_config": '
        f'{{"BackendConfig": {{"ModelDeployConfig": {{"ModelConfig": [{{"modelWeightPath": "{path}"}}]}}}}}}}}\n'
    )


class PathNotMounted(Rule):
    """A path that is read in a container where nothing is mounted.

    ## What it does
    Compares the weights and the map of experts that the servers of a deployment read with what its files mount, and paths in
    variables of `boot.sh` with the mounts of their container.

    ## Why is this bad?
    The file isn't there inside of the container, and the server doesn't start.

    ## Example
    ```yaml
    env:
      - name: CONFIG_FROM_CONFIGMAP_PATH
        value: /mnt/configmap
    volumeMounts:
      - name: boot-bash-script
        mountPath: /mnt/config_map/boot.sh
    ```

    Use instead:
    ```yaml
    env:
      - name: CONFIG_FROM_CONFIGMAP_PATH
        value: /mnt/configmap
    volumeMounts:
      - name: boot-bash-script
        mountPath: /mnt/configmap/boot.sh
    ```
    """

    code = "NPU236"
    title = Text(en="Path that is mounted nowhere", zh="容器内路径未挂载")
    severity = Severity.WARNING
    messages = {
        "server": Text(
            en='"{option}" is {value}, and nothing is mounted there: the servers get {mounted}.',
            zh="“{option}”为 {value}，但该路径未挂载，Server 容器挂载了 {mounted}。",
        ),
        "variable": Text(
            en="{option} is {value}, and nothing is mounted there in this container.",
            zh="{option} 为 {value}，但该容器未挂载此路径。",
        ),
    }
    examples_in = Kind.YAML
    VALID = (
        _PODS.format("/mnt/configmap"),
        Valid(_config("/elsewhere/a"), Kind.MINDIE),
        Valid(_config("/weights/a"), Kind.MINDIE, files={f"deployment/{_SERVER}": _PODS.format("/a")}),
    )
    INVALID = (
        _PODS.format("«/mnt/config-map»"),
        _PODS.format("«/mnt/configmpa»").replace("CONFIG_FROM_", "").replace("/boot.sh\n", "\n")
        + "            - name: mnt\n              mountPath: /mnt\n",
        told(_config("«/weigths/a»"), kind=Kind.MINDIE, files={f"deployment/{_SERVER}": _PODS.format("/a")}),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for found in manifests(context):
            for each in containers(found):
                mounts = [entry.text for entry in each.mounts]
                for name in _READ:
                    entry = each.variables.get(name)
                    if (
                        entry is not None
                        and mounts
                        and entry.text.startswith("/")
                        and not _is_there(entry.text, mounts)
                    ):
                        yield self.finding(context, entry.span, "variable", option=name, value=entry.text)
        deployment = deployment_of(context)
        if deployment is not None and "deploy" in deployment.parts and context.document.path:
            yield from self._servers(deployment, context)

    def _servers(self, deployment: Deployment, context: Context) -> Iterator[Finding]:
        mounted = _mounted(deployment, Path(context.document.path).absolute().parent)
        for role in ("prefill", "decode") if mounted else ():
            level = deployment.get(role, f"{_EPLB}level")
            balanced = level is not None and level.setting.value.known and level.setting.value.data != 0
            for name in (f"{_MODEL}modelWeightPath", *((f"{_EPLB}expert_map_file",) if balanced else ())):
                placed = deployment.get(role, name)
                path = text_of(placed.setting.value) if placed is not None else None
                if placed is None or not placed.own or not path or not path.startswith("/") or "$" in path:
                    continue
                if not any(_is_below(path, each) for each in mounted):
                    shown = ", ".join(mounted[:4])
                    span = placed.setting.value.inside
                    yield self.finding(context, span, "server", of=placed.setting, value=path, mounted=shown)


def _mounted(deployment: Deployment, folder: Path) -> list[str]:
    """Return what the servers get, what the configuration adds first; nothing where that isn't known. A mount with `$` isn't made."""
    document = manifest_in(folder / "deployment", _SERVER)
    if document is None:
        return []
    added: list[str] = []
    for name, placed in deployment.parts["deploy"].settings.items():
        is_mount = name.startswith((f"{_MOUNTS}prefill", f"{_MOUNTS}decode")) and name.count(".") > 1
        if name in ("weight_mount_path", "mindie_container_log_path") or is_mount:
            path = text_of(placed.setting.value)
            if path is None and "$" not in name:
                return []
            added += [path] if path is not None and path.startswith("/") and "$" not in path else []
    given = [entry.text for found in texts(document) for each in containers(found) for entry in each.mounts]
    return list(dict.fromkeys((*added, *given)))


def _is_there(path: str, mounts: Sequence[str]) -> bool:
    """Return whether something is mounted at a path, above or below it; a path that is a letter off another is meant for that."""
    return (path in mounts or slip_of(path, mounts) is None) and any(
        _is_below(path, each) or _is_below(each, path) for each in mounts
    )


def _is_below(path: str, folder: str) -> bool:
    return f"{path.rstrip('/')}/".startswith(f"{folder.rstrip('/')}/")
