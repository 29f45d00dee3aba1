"""Tables of options as TF Adapter 2 and TorchAir write them.

They are `self.name = OptionValue(default, allowed)` in classes that hold one another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from tests.authoring.defaults.history import of_code
from tests.authoring.python_tree import code, method, positional, walk

_VALUE = "OptionValue"
_DEPRECATED = "DeprecatedValue"


def table_of(trees: Iterable[cst.Module], root: str) -> dict[str, str | None]:
    """Return the default of each option of the class `root`; those of classes in it have dots."""
    classes = {node.name.value: node for tree in trees for node in walk(tree) if isinstance(node, cst.ClassDef)}
    return dict(_options(classes, root, "", ()))


def _options(
    classes: dict[str, cst.ClassDef], name: str, prefix: str, above: tuple[str, ...]
) -> Iterator[tuple[str, str | None]]:
    made = method(classes[name], "__init__") if name in classes and name not in above else None
    for node in walk(made.body) if made is not None else ():
        target = node.targets[0].target if isinstance(node, cst.Assign) else None
        call = node.value if isinstance(node, cst.Assign) else None
        if not isinstance(target, cst.Attribute) or code(target.value) != "self" or not isinstance(call, cst.Call):
            continue
        kind, given = code(call.func), positional(call)
        if kind.endswith(_VALUE) and given:
            yield prefix + target.attr.value, of_code(code(given[0]))
        elif kind == _DEPRECATED:
            yield prefix + target.attr.value, None
        else:
            yield from _options(classes, kind, f"{prefix}{target.attr.value}.", (*above, name))
