"""TorchAir: the tables of its configuration, by release branch."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from tests.authoring.defaults.history import Defaults
from tests.authoring.defaults.tables import table_of
from tests.authoring.python_tree import parse
from tests.authoring.releases import Releases

BRANCHES = {
    "6.0.rc1": "8.0.RC1",
    "6.0.rc2": "8.0.RC2",
    "6.0.rc3": "8.0.RC3",
    "6.0.0": "8.0.0",
    "7.0.0": "8.1.RC1",
    "7.1.0": "8.2.RC1",
    "7.2.0": "8.3.RC1",
    "7.3.0": "8.5.0",
    "26.0.0": "9.0.0",
}
"""The CANN that each branch goes with, as torch_npu's table of versions pairs branches of the same names."""
_TABLES = "python/torchair/configs/"


def read(releases: Releases) -> Iterator[tuple[str, Defaults]]:
    """Yield the defaults of each version that `releases` have."""
    for ref, version in BRANCHES.items():
        trees = (parse(releases.text(ref, path) or "") for path in releases.files(ref, _TABLES))
        table = table_of((tree for tree in trees if tree is not None), "CompilerConfig")
        if table:
            yield version, {(Surface.TORCHAIR, name): default for name, default in table.items()}
