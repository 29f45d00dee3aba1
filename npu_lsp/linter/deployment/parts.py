"""A deployment of MindIE or PyMotor: which files belong to the one that is checked, and what each part of them sets.

Beside `user_config.json` there is the environment that it names; beside `config.json` of a server there are those of the controller,
the coordinator and the node manager. Nothing else is looked for, nothing is read through a link, and nothing above the folder of the
files themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.languages.config_formats.entries import members
from npu_lsp.languages.config_formats.json_files import tree
from npu_lsp.languages.model import Setting
from npu_lsp.linter.context import Context
from npu_lsp.linter.values import text_of
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_LARGEST = 1 << 20
PROCESSES = (
    *("controller", "coordinator", "engine_encode", "engine_prefill", "engine_decode", "engine_union"),
    *("kv_cache_pool", "kv_conductor", "mf_store"),
)
"""What has an environment of its own in PyMotor's `env.json` (mindie-pymotor: `examples/deployer/lib/utils.py`, `set_env_to_shell`)."""
ROLES = {
    "mindie_server_prefill_config": "prefill",
    "mindie_server_decode_config": "decode",
    "mindie_common_env": "env_common",
    "mindie_ms_controller_env": "env_controller",
    "mindie_ms_coordinator_env": "env_coordinator",
    "mindie_server_prefill_env": "env_prefill",
    "mindie_server_decode_env": "env_decode",
    "motor_engine_prefill_config": "motor_p",
    "motor_engine_decode_config": "motor_d",
    "motor_engine_encode_config": "motor_e",
    "motor_engine_union_config": "motor_hybrid",
    **{f"motor_{part}_env": f"env_motor_{part}" for part in (*PROCESSES, "common")},
}
"""What a part is, by the key that it stands under (mindie-motor: `deploy_ac_job.py`; mindie-pymotor: `lib/utils.py`)."""
_OF_SURFACE = {
    Surface.MINDIE: "server",
    Surface.MINDIE_DEPLOY: "deploy",
    Surface.MS_CONTROLLER: "controller",
    Surface.MS_COORDINATOR: "coordinator",
    Surface.NODE_MANAGER: "node_manager",
}
"""What a file of its own is."""
DEPLOYED = (Surface.MINDIE_DEPLOY, *(surface for surface in _OF_SURFACE if surface is not Surface.MINDIE_DEPLOY))
"""Files of one deployment: what stands in one of them is often meant for another."""
_MOTOR = {**_OF_SURFACE, Surface.PYMOTOR: "motor"}
_BESIDE = ("config.json", "ms_controller.json", "ms_coordinator.json", "node_manager.json")
_ENVIRONMENT = re.compile('"(?:mindie|motor)_common_env"')
_USER_CONFIGS = ("user_config.json", "user_config_base_A3.json", "user_config_a3.json")
"""Names of the file that names an environment (mindie-motor: `deploy_scripts`)."""


class Placed(NamedTuple):
    """A setting of a part, and whether it stands in the file that is checked."""

    setting: Setting
    own: bool
    file: str
    """The name of its file."""


class ConfigPart(NamedTuple):
    """One part of a deployment."""

    settings: Mapping[str, Placed]
    """By their names; of several with one name the last one counts."""
    head: Span
    """Where it begins."""
    own: bool
    """It stands in the file that is checked."""
    called: str = ""
    """The key that it stands under; empty for a whole file."""
    twice: tuple[Setting, ...] = ()
    """Variables that stand once more further down."""


class Deployment:
    """The parts of a deployment, as far as they could be found."""

    def __init__(self, parts: Mapping[str, ConfigPart], *, laid_over: bool = False) -> None:
        self.parts = parts
        self.laid_over = laid_over
        """A `user_config.json` above says otherwise what these files say."""

    def get(self, role: str, name: str) -> Placed | None:
        """Return where the part called `role` sets `name`; `None` where nothing does, or no such part was found."""
        part = self.parts.get(role)
        return part.settings.get(name) if part is not None else None


def deployment_of(context: Context) -> Deployment | None:
    """Return the deployment that the file belongs to; `None` where it belongs to none."""
    return _DEPLOYMENT(context)


def deployment_beside(document: Document) -> Deployment:
    """Return what `user_config.json` and `conf` say, beside a file or above its folder; the first one is laid over the others."""
    if not document.path:
        return Deployment({})
    here = Path(document.path).absolute().parent
    found = _deployment_in(here)
    return found if found.parts else _deployment_in(here.parent)


def _deployment_in(folder: Path) -> Deployment:
    parts: dict[str, ConfigPart] = {}
    for where, name in (
        *((folder, each) for each in _USER_CONFIGS[:1]),
        *((folder / "conf", each) for each in _BESIDE),
    ):
        for role, part in _parts_of(where, name, Kind.MINDIE):
            laid = parts.get(role)
            parts[role] = part if laid is None else part._replace(settings={**part.settings, **laid.settings})
    return Deployment(parts)


def manifest_in(folder: Path, name: str) -> Document | None:
    """Return the Kubernetes file `name` of a folder, where it can be read."""
    return surroundings.once(_open, folder, name, Kind.YAML)


def _find(context: Context) -> Deployment | None:
    document = context.document
    own = dict(_parts(document, own=True))
    if not own:
        return None
    parts = own
    laid_over = False
    if document.path:
        path = Path(document.path).absolute()
        above = path.parent.parent
        laid_over = "deploy" not in own and any(surroundings.is_file(above / each) for each in _USER_CONFIGS)
        for role, part in _others(own, path.parent, path.name):
            parts.setdefault(role, part)
    return Deployment(parts, laid_over=laid_over)


_DEPLOYMENT = Memoized(_find)


def _parts(document: Document, *, own: bool) -> Iterator[tuple[str, ConfigPart]]:
    """Yield what a file has, by role."""
    file = Path(document.path).name
    if document.kind is Kind.JSON:
        # Every variable counts, also one that only a deployment sets.
        node, mistakes = tree(document) if _ENVIRONMENT.search(document.text) else (None, ())
        for each in node.members if node is not None and not mistakes else ():
            if each.key in ROLES:
                inner = tuple(members(Surface.ENV, each.node))
                settings = {setting.name: Placed(setting, own, file) for setting in inner}
                twice = tuple(setting for setting in inner if settings[setting.name].setting is not setting)
                yield ROLES[each.key], ConfigPart(settings, each.key_span, own, each.key, twice)
        return
    parsed = read(document)
    for block in parsed.blocks if not parsed.damaged else ():
        # A server's configuration under a name that nobody reads is no part.
        alone = not block.receiver or block.surface is not Surface.MINDIE
        role = ROLES.get(block.receiver) or (_MOTOR.get(block.surface, "") if alone else "")
        # What a script or a page sets is no part of a deployment, nor is the command that an engine gets.
        if role or block.surface in _OF_SURFACE or (document.kind is Kind.MINDIE and block.surface.row.file):
            settings = {setting.name: Placed(setting, own, file) for setting in block.settings}
            yield role, ConfigPart(settings, block.head, own, block.receiver)


def _others(own: Mapping[str, ConfigPart], folder: Path, name: str) -> Iterator[tuple[str, ConfigPart]]:
    """Yield what the files have that belong to one in `folder`."""
    if any("motor" in role for role in own):
        return  # What `deploy.py` is given are two files, and neither says of the other.
    if "deploy" in own:
        yield from _parts_of(folder, _environment(own), Kind.JSON)
    elif any(role.startswith("env_") for role in own):
        for above in (folder.parent, folder):
            for each in _USER_CONFIGS:
                found = _parts_of(above, each, Kind.MINDIE)
                named = _environment(dict(found))
                if named is not None and above / named == folder / name:
                    yield from found
                    return
    else:
        for each in _BESIDE:
            if each != name:
                yield from _parts_of(folder, each, Kind.MINDIE)


def _environment(parts: Mapping[str, ConfigPart]) -> str | None:
    """Return the file that `deploy_config` names as the environment, as it is written."""
    placed = parts["deploy"].settings.get("mindie_env_path") if "deploy" in parts else None
    return text_of(placed.setting.value) if placed is not None else None


def _parts_of(folder: Path, name: str | None, kind: Kind) -> Sequence[tuple[str, ConfigPart]]:
    """Return what the file has that `name` is, seen from `folder`: it is read once in a run, whoever asks."""
    return surroundings.once(_read_parts, folder, name, kind) if name else ()


def _read_parts(folder: Path, name: str, kind: Kind) -> Sequence[tuple[str, ConfigPart]]:
    document = _open(folder, name, kind)
    return tuple(_parts(document, own=False)) if document is not None else ()


def _open(folder: Path, name: str, kind: Kind) -> Document | None:
    """Return the file that `name` is, seen from `folder`, where it is below it, small and reached by no link."""
    data = surroundings.content_below(folder, name, _LARGEST)
    return Document(data.decode("utf-8", "replace"), kind=kind, path=str(folder / name)) if data is not None else None
