"""The table of what is told of the assertions of `msprechecker` holds: `tests/peers/prechecker.py` makes it."""

from __future__ import annotations

from pathlib import Path

from npu_lsp.catalog.load import load
from npu_lsp.catalog.recipes import recipes
from npu_lsp.rules import rule_for
from npu_lsp.text.toml import read

_ROWS = read(Path(__file__).parents[1] / "peers" / "prechecker.toml")["assertions"]
_SHARE = 0.9
"""Of what files tell, so much is told or advised: of the rule files, and of the older presets in YAML."""


def test_each_assertion_has_a_row() -> None:
    assert len({(row["file"], row["line"], row["setting"]) for row in _ROWS}) == len(_ROWS) == 910


def test_rows_name_what_there_is() -> None:
    known = recipes(load())
    for row in _ROWS:
        by = row.get("by", "")
        if row["verdict"] == "rule":
            assert rule_for(by) is not None, row
        elif row["verdict"] == "advice":
            assert by in known, row
        else:
            assert row["verdict"] in ("machine", "silent", "wrong"), row
            assert bool(by) == (row["verdict"] == "wrong"), row


def test_most_of_what_files_tell_is_told_or_advised() -> None:
    for kind in (".cmate", ".yaml"):
        static = [row for row in _ROWS if row["file"].endswith(kind) and row["verdict"] not in ("machine", "wrong")]
        told = [row for row in static if row["verdict"] in ("rule", "advice")]
        assert len(told) >= _SHARE * len(static), kind
