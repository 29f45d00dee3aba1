"""Variables of a user's own catalog are looked for like ours, in every kind of file, before it is parsed."""

from __future__ import annotations

from pathlib import Path

import pytest

from npu_lsp.languages.variable_names import is_variable, learn
from tests.checking.command import npu_lsp

_OPTIONS = (
    '[options.OUR_VARIABLE]\nsummary = "Ours."\n[options.OUR_VARIABLE.env]\ntype = "string"\nvalues = ["a", "b"]\n'
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", "export {}={}\n"),
        ("start.sh", "{}={} python a.py\n"),
        ("Dockerfile", "FROM a\nENV {}={}\n"),
        ("run.py", 'import os\nos.environ["{}"] = "{}"\n'),
        ("page.md", "```sh\nexport {}={}\n```\n"),
    ],
)
def test_its_slips_and_values_are_told(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "options.toml").write_text(_OPTIONS)
    for variable, value in (("OUR_VARIABLE", "a"), ("OUR_VARIABLE", "c"), ("OUR_VARIABEL", "a")):
        (tmp_path / name).write_text(text.format(variable, value))
        codes = []
        for configured in ("", 'catalog = ["options.toml"]\n'):
            (tmp_path / "npu-lsp.toml").write_text(configured)
            ran = npu_lsp("check", "--output-format", "concise", ".", cwd=tmp_path)
            codes.append([word for word in ran.out.split() if word.startswith("NPU")])
        told = {"c": "NPU104"}.get(value) or ("NPU101" if variable != "OUR_VARIABLE" else None)
        assert codes == [[], [told] if told else []], (variable, value)


def test_what_no_reader_takes_for_a_variable_is_not_learnt() -> None:
    learn(("größe_der_liste", "our_small_name", "A", "SIZE?"))
    assert not any(map(is_variable, ("größe_der_liste", "our_small_name", "A", "SIZE?")))
