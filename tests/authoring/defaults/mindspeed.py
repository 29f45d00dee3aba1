"""MindSpeed: arguments of training scripts, by release branch."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from npu_lsp.catalog.model import Surface
from tests.authoring.defaults.history import Defaults, of_code
from tests.authoring.python_tree import code, literal, parse, walk
from tests.authoring.releases import Releases

BRANCHES = {
    "2.0.0_core_r0.8.0": "2.0.0",
    "2.1.0_core_r0.8.0": "2.1.0",
    "2.2.0_core_r0.12.1": "2.2.0",
    "2.3.0_core_r0.12.1": "2.3.0",
    "26.0.0_core_r0.12.1": "26.0.0",
    "26.1.0_core_r0.12.1": "26.1.0",
}
"""The release branch of each version for the Megatron that most of them have in common."""
_SOURCE = "mindspeed"
_ADD = "add_argument"


def read(releases: Releases) -> Iterator[tuple[str, Defaults]]:
    """Yield the defaults of each version that `releases` have."""
    for ref, version in BRANCHES.items():
        found: dict[str, set[str | None]] = {}
        for path in releases.holding(ref, _ADD, _SOURCE):
            tree = parse(releases.text(ref, path) or "") if path.endswith(".py") else None
            for node in walk(tree) if tree is not None else ():
                if isinstance(node, cst.Call) and code(node.func).endswith(f".{_ADD}"):
                    for name, default in _argument(node):
                        found.setdefault(name, set()).add(default)
        if found:
            yield version, {(Surface.MINDSPEED, name): each.pop() for name, each in found.items() if len(each) == 1}


def _argument(call: cst.Call) -> Iterator[tuple[str, str | None]]:
    name = literal(call.args[0].value) if call.args else None
    given = {each.keyword.value: code(each.value) for each in call.args if each.keyword is not None}
    if isinstance(name, str) and name.startswith("--"):
        yield name[2:], of_code(given["default"]) if "default" in given else None
