"""How KV caches go from one server to another, as the JSON of `--kv-transfer-config` says: its connectors and the sizes in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from npu_lsp.languages.json.tree import Node, parse
from npu_lsp.languages.model import Setting
from npu_lsp.linter.launch.launch import Launch, whole
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_OPTION = "kv-transfer-config"
_TOP = "kv_transfer_config."
_EXTRA = "kv_connector_extra_config"
_SIDES = {"kv_producer": "prefill", "kv_consumer": "decode"}
_DEEPEST = 3


class TransferField(NamedTuple):
    """A value of the JSON and its place in the file."""

    data: object
    span: Span


class Connector(NamedTuple):
    """One connector of a server."""

    name: str
    role: str | None
    """`kv_producer`, `kv_consumer` or `kv_both`; `None`: nobody says it."""
    fields: dict[str, TransferField]
    """Its plain values by their paths: `engine_id`, `prefill.tp_size`."""
    within: bool = False
    """True: it is one of several in another one."""
    complete: bool = False
    """True: all of its JSON is known, so that what `fields` lacks isn't there."""

    @property
    def side(self) -> str | None:
        """`prefill` or `decode`; `None`: both, or nobody says it."""
        return _SIDES.get(self.role or "")


@Memoized
def connectors(launch: Launch) -> tuple[Connector, ...]:
    """Return the connectors that a launch sets up, those inside of another one, too, where the JSON is known as a whole."""
    return tuple(_set_up(launch))


def _set_up(launch: Launch) -> Iterator[Connector]:
    keys = [each for each in launch.keys if each.name.startswith(_TOP)]
    setting = launch.setting(_OPTION)
    if setting is not None and isinstance(setting.value.data, str):
        node, problem = parse(setting.value.data)
        if node is not None and problem is None:
            yield from _connectors(node, _Places(node, setting, keys), None)
        return
    fields = {
        each.name.removeprefix(_TOP).removeprefix(f"{_EXTRA}."): TransferField(each.value.data, each.value.inside)
        for each in keys
        if each.value.known and "connectors" not in each.name
    }
    name, role = (fields[key].data if key in fields else None for key in ("kv_connector", "kv_role"))
    if isinstance(name, str):
        yield Connector(name, str(role) if role is not None else None, fields)


class _Places:
    """Where the values of the JSON stand in the file: as the settings of its keys say, else as that of the whole does."""

    def __init__(self, root: Node, setting: Setting, keys: Sequence[Setting]) -> None:
        self._setting = setting
        members = list(_members(root))
        ordered = sorted(keys, key=lambda each: each.key)
        same = [path for path, _ in members] == [each.name.removeprefix(_TOP) for each in ordered]
        self._by_node = (
            {id(node): each.value.inside for (_, node), each in zip(members, ordered, strict=True)} if same else {}
        )

    def field(self, node: Node) -> TransferField:
        """Return a value with its place."""
        content = self._setting.value.content
        if id(node) in self._by_node:
            return TransferField(node.data, self._by_node[id(node)])
        if content is None:
            return TransferField(node.data, self._setting.value.span)
        start, end = node.exact or node.span
        return TransferField(node.data, Span(content.start + start, content.start + end))


def _members(node: Node, above: str = "") -> Iterator[tuple[str, Node]]:
    """Yield all members of an object and of what is in it, with their paths, in the order of the text."""
    for member in node.members:
        yield f"{above}{member.key}", member.node
        yield from _members(member.node, f"{above}{member.key}.")
    for item in node.items:
        yield from _members(item, above)


def _connectors(node: Node, places: _Places, role: str | None, depth: int = 0) -> Iterator[Connector]:
    members = {member.key: member.node for member in node.members}
    role = str(members["kv_role"].data) if "kv_role" in members else role
    extra = {member.key: member.node for member in members[_EXTRA].members} if _EXTRA in members else {}
    name = members["kv_connector"].data if "kv_connector" in members else None
    if isinstance(name, str):
        fields = {key: places.field(each) for key, each in members.items() if not each.members}
        for part in ("prefill", "decode"):
            sizes = extra[part].members if part in extra else ()
            fields |= {f"{part}.{size.key}": places.field(size.node) for size in sizes}
        yield Connector(name, role, fields, within=depth > 0, complete=True)
    for each in extra["connectors"].items if "connectors" in extra and depth < _DEEPEST else ():
        yield from _connectors(each, places, role, depth + 1)


def of_mooncake(connector: Connector) -> bool:
    """Return whether a connector is one of Mooncake, which reads the sizes, and takes a port for each process.

    https://github.com/vllm-project/vllm-ascend/tree/v0.18.0/vllm_ascend/distributed/kv_transfer/kv_p2p
    """
    return "Mooncake" in connector.name


def number(connector: Connector, name: str) -> tuple[int, Span] | None:
    """Return a whole number of a connector with its place."""
    field = connector.fields.get(name)
    found = whole(field.data) if field is not None else None
    return (found, field.span) if found is not None and field is not None else None
