"""TF Adapter: arguments of `NPURunConfig` and its kin, tables of TF 2, and what the plugin takes for a missing key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import libcst as cst

from npu_lsp.catalog.model import Surface
from tests.authoring.defaults.history import Defaults, Name, of_code
from tests.authoring.defaults.tables import table_of
from tests.authoring.python_tree import code, method, parse, walk
from tests.authoring.releases import Releases

BRANCHES = {
    "r1.5.1": "5.0.2",
    "r1.6.0": "5.0.3",
    "r1.7.0": "5.0.4",
    "r1.8.0": "5.1.RC1",
    "r1.9.0": "5.1.RC2",
    "r1.10.0": "6.0.RC1",
    "r1.11.0": "6.0.0",
    "r1.12.0": "6.3.RC1",
    "r1.13.0": "6.3.RC2",
    "r1.14.1": "7.0.RC1",
    "r1.15.0": "7.0.0",
    # Of the newer repository.
    "tfa_v0.0.48_9.0.0": "9.0.0",
}
"""The release branch or tag of each CANN version; the other branches hold trials and repairs."""
_RUN_CONFIG = "tf_adapter/python/npu_bridge/estimator/npu/npu_config.py"
_PLUGIN = "tf_adapter/util/npu_attrs.cc"
_OF_PARAMETERS = "::SetNpuOptimizerAttr("
_TABLES = "tf_adapter_2.x/python/npu_device/configs/"
_WHOLE = "NPURunConfig"
_ASKED = re.compile(r"params\.(?:count|at)\(\"(\w+)\"\)")
_GIVEN = re.compile(
    r"^[^\S\n]+(?:std::string|bool|float|(?:u?int\d*_t|u?int))\s+(\w+)\s*=\s*(\"[^\"]*\"|-?[\d.]+|true|false)[LU]*;",
    re.MULTILINE,
)


def read(releases: Releases) -> Iterator[tuple[str, Defaults]]:
    """Yield the defaults of each version that `releases` have."""
    for ref, version in BRANCHES.items():
        found: dict[Name, str | None] = {}
        found.update(_arguments(releases.text(ref, _RUN_CONFIG) or ""))
        found.update(_missing(releases.text(ref, _PLUGIN) or ""))
        trees = (parse(releases.text(ref, path) or "") for path in releases.files(ref, _TABLES))
        table = table_of((tree for tree in trees if tree is not None), "NpuConfig")
        found.update({(Surface.GLOBAL_OPTIONS, name): default for name, default in table.items()})
        if found:
            yield version, found


def _arguments(text: str) -> Iterable[tuple[Name, str | None]]:
    tree = parse(text)
    for node in walk(tree) if tree is not None else ():
        if not isinstance(node, cst.ClassDef):
            continue
        made = method(node, "__init__")
        for each in made.params.params if made is not None else ():
            prefix = "" if node.name.value == _WHOLE else f"{node.name.value}."
            if each.default is not None:
                yield (Surface.RUN_CONFIG, prefix + each.name.value), of_code(code(each.default))


def _missing(text: str) -> Iterable[tuple[Name, str | None]]:
    """Yield what variables are given before the map of a session is asked for the key of the same name."""
    text = text[text.find(_OF_PARAMETERS) :]
    asked = set(_ASKED.findall(text))
    for match in _GIVEN.finditer(text):
        if match[1] in asked and match[2] != '""':
            yield (Surface.SESSION, match[1]), match[2].strip('"')
