"""A deployment of MindIE: which files belong to the one that is checked, and what each part of them sets.

Beside `user_config.json` there is the environment that it names; beside `config.json` of a server there are those of the controller,
the coordinator and the node manager. Nothing else is looked for, nothing is read through a link, and nothing above the folder of the
files themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.languages.json.tree import parse
from npu_lsp.languages.model import Setting
from npu_lsp.languages.sidecar.entries import members
from npu_lsp.linter.context import Context
from npu_lsp.linter.values import text_of
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text.document import Document
from npu_lsp.text.kept import Derived
from npu_lsp.text.kinds import Kind
from npu_lsp.text.links import behind_link

_LARGEST = 1 << 20
_ROLES = {
    "mindie_server_prefill_config": "prefill",
    "mindie_server_decode_config": "decode",
    "mindie_common_env": "env_common",
    "mindie_ms_controller_env": "env_controller",
    "mindie_ms_coordinator_env": "env_coordinator",
    "mindie_server_prefill_env": "env_prefill",
    "mindie_server_decode_env": "env_decode",
}
"""What a part is, by the key that it stands under (mindie-motor: `deploy_ac_job.py`)."""
_OF_SURFACE = {
    Surface.MINDIE: "server",
    Surface.MINDIE_DEPLOY: "deploy",
    Surface.MS_CONTROLLER: "controller",
    Surface.MS_COORDINATOR: "coordinator",
    Surface.NODE_MANAGER: "node_manager",
}
"""What a file of its own is."""
_BESIDE = ("config.json", "ms_controller.json", "ms_coordinator.json", "node_manager.json")
_ENVIRONMENT = '"mindie_common_env"'
_USER_CONFIGS = ("user_config.json", "user_config_base_A3.json", "user_config_a3.json")
"""Names of the file that names an environment (mindie-motor: `deploy_scripts`)."""


class Placed(NamedTuple):
    """A setting of a part, and whether it stands in the file that is checked."""

    setting: Setting
    own: bool
    file: str
    """The name of its file."""


Part = Mapping[str, Placed]
"""The settings of a part by their names; of several with one name the last one counts."""


class Deployment:
    """The parts of a deployment, as far as they could be found."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self.parts = parts

    def get(self, role: str, name: str) -> Placed | None:
        """Return where the part called `role` sets `name`; `None` where nothing does, or no such part was found."""
        return self.parts.get(role, {}).get(name)


def deployment_of(context: Context) -> Deployment | None:
    """Return the deployment that the file belongs to; `None` where it belongs to none."""
    return _DEPLOYMENT(context)


def _find(context: Context) -> Deployment | None:
    document = context.document
    own = dict(_parts(document, own=True))
    if not own:
        return None
    parts = own
    if document.path:
        path = Path(document.path).absolute()
        for each in _others(own, path.parent, path.name):
            for role, part in _parts(each, own=False):
                parts.setdefault(role, part)
    return Deployment(parts)


_DEPLOYMENT = Derived(_find)


def _parts(document: Document, *, own: bool) -> Iterator[tuple[str, Part]]:
    """Yield what a file has, by role."""
    file = Path(document.path).name
    if document.kind is Kind.JSON:
        # Every variable counts, also one that only a deployment sets.
        node, problem = parse(document.text) if _ENVIRONMENT in document.text else (None, None)
        for each in node.members if node is not None and problem is None else ():
            if each.key in _ROLES:
                inner = members(Surface.ENV, each.node)
                yield _ROLES[each.key], {setting.name: Placed(setting, own, file) for setting in inner}
        return
    reading = read(document)
    for block in reading.blocks if not reading.damaged else ():
        # A server's configuration under a name that nobody reads is no part.
        alone = not block.receiver or block.surface is not Surface.MINDIE
        role = _ROLES.get(block.receiver) or (_OF_SURFACE.get(block.surface, "") if alone else "")
        yield role, {setting.name: Placed(setting, own, file) for setting in block.settings}


def _others(own: Mapping[str, Part], folder: Path, name: str) -> Iterator[Document]:
    """Yield the files that belong to one in `folder`."""
    if "deploy" in own:
        yield from _open(folder, _environment(own), Kind.JSON)
    elif any(role.startswith("env_") for role in own):
        for above in (folder.parent, folder):
            for each in _USER_CONFIGS:
                for found in _open(above, each, Kind.MINDIE):
                    named = _environment(dict(_parts(found, own=False)))
                    if named is not None and above / named == folder / name:
                        yield found
                        return
    else:
        for each in _BESIDE:
            if each != name:
                yield from _open(folder, each, Kind.MINDIE)


def _environment(parts: Mapping[str, Part]) -> str | None:
    """Return the file that `deploy_config` names as the environment, as it is written."""
    placed = parts.get("deploy", {}).get("mindie_env_path")
    return text_of(placed.setting.value) if placed is not None else None


def _open(folder: Path, name: str | None, kind: Kind) -> Iterator[Document]:
    """Yield the file that `name` is, seen from `folder`, where it is below it, small and reached by no link."""
    if not name or name.startswith("/") or ".." in name or "\0" in name:
        return
    path = folder / name
    if not surroundings.is_file(path) or behind_link(path, folder):
        return
    data = surroundings.content(path, _LARGEST, links=False)
    if data is not None:
        yield Document(data.decode("utf-8", "replace"), kind=kind, path=str(path))
