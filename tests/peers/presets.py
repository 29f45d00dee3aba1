"""Reads the YAML presets of Huawei's `msprechecker`: what each expects of a setting, a variable, or the machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

_SECTIONS = {
    "conf/config.json": "ms_config",
    "conf/ms_controller.json": "ms_controller",
    "conf/ms_coordinator.json": "ms_coordinator",
    "env": "env",
}
_ENVIRONMENT = re.compile(r"mindie_\w+_env\Z")
_PART = re.compile(r"(?:deploy_config|mindie_\w+_config)\Z")
_MACHINE = frozenset({"sys", "ascend", "network"})
_REFERRED = re.compile(r"(?P<file>[\w/]+\.(?:json|yaml))(?P<rest>.*)")
_VARIABLE = re.compile(r"'(\w+)'")


class Expectation(NamedTuple):
    """What a preset expects of one place."""

    line: int
    section: str
    """The file as `.cmate` files call it; empty for what only the machine tells."""
    path: str
    kind: str
    """`eq`, `enum`, `range`, `path` and others; empty for an expression."""
    value: object
    severity: str


def expectations(file: Path) -> Iterator[Expectation]:
    """Yield what a preset expects, in the order of the file."""
    root = yaml.compose(file.read_text(encoding="utf-8"))
    assert isinstance(root, yaml.MappingNode)
    yield from _keys(root, "user_config")


def _keys(root: yaml.MappingNode, around: str) -> Iterator[Expectation]:
    """Yield what the keys of a file's or a section's top expect: `ref` gives places names, `ref.NAME` is about one."""
    referred: dict[str, tuple[str, str]] = {}
    for key, value in root.value:
        name = str(key.value)
        if name == "ref":
            for each in _plain(value):  # type: ignore[attr-defined]
                referred[each["as"]] = _place(each, around)
        elif name.startswith("ref."):
            yield from _expected(value, *referred[name.removeprefix("ref.")])
        elif around == "mies_config":
            yield from _expected(value, around, name)
        elif name == "mies_config":
            yield from _keys(value, name)
        elif name in _MACHINE:
            yield from _expected(value, "", name)
        elif name.startswith("deployment/"):
            yield from _expected(value, Path(name).stem, "")
        elif _ENVIRONMENT.match(name) or _PART.match(name):
            yield from _expected(value, "mindie_env" if name.endswith("_env") else "user_config", name)
        else:
            yield from _expected(value, _SECTIONS[name], "")


def _place(referred: Mapping[str, str], around: str) -> tuple[str, str]:
    """Return the file and the path that a name stands for: of a list the variable or the volume that `where` names."""
    variable = _VARIABLE.search(referred.get("where", ""))
    match = _REFERRED.match(referred["from"])
    if match is None:
        return around, referred["from"]
    section = _SECTIONS.get(match["file"]) or Path(match["file"]).stem
    return section, variable[1] if variable else match["rest"].lstrip(".")


def _expected(node: yaml.Node, section: str, path: str) -> Iterator[Expectation]:
    if isinstance(node, yaml.SequenceNode):
        for number, each in enumerate(node.value):
            yield from _expected(each, section, f"{path}[{number}]")
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == "expected":
                yield from _leaf(node, value, section, path)
            elif isinstance(value, (yaml.MappingNode, yaml.SequenceNode)):
                yield from _expected(value, section, f"{path}.{key.value}" if path else str(key.value))


def _leaf(node: yaml.MappingNode, expected: yaml.Node, section: str, path: str) -> Iterator[Expectation]:
    said = _plain(expected)
    around = _plain(node)
    assert isinstance(said, dict)
    assert isinstance(around, dict)
    # Each item of a list, such as the variables of a container, has a test of its own.
    for each in said.get("contains_all") or ():
        named = _VARIABLE.search(each["case"])
        assert named is not None
        yield Expectation(node.start_mark.line + 1, section, named[1], "enum", each["case"], each["severity"])
    if said.get("contains_all"):
        return
    inner = said.get("case", said.get("then", said))
    kind = str(inner.get("type", "")) if isinstance(inner, dict) else ""
    value = inner.get("value") if isinstance(inner, dict) else inner
    severity = str(around.get("severity", said.get("severity", "")))
    yield Expectation(node.start_mark.line + 1, section, path, kind, value, severity)


def _plain(node: yaml.Node) -> object:
    return yaml.SafeLoader("").construct_document(node)
