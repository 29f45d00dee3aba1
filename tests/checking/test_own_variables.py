"""Variables of a user's own catalog are looked for like ours, in every kind of file, before it is parsed."""

from __future__ import annotations

from pathlib import Path

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.sought import sought
from npu_lsp.catalog.spelling import spelling
from npu_lsp.languages.variable_names import is_variable, learn, stems
from tests.checking.command import check

_OPTIONS = (
    '[options.OUR_VARIABLE]\nsummary = "Ours."\n[options.OUR_VARIABLE.env]\ntype = "string"\nvalues = ["a", "b"]\n'
)


_TEXTS = {
    "run.sh": "export {}={}\n",
    "start.sh": "{}={} python a.py\n",
    "Dockerfile": "FROM a\nENV {}={}\n",
    "run.py": 'import os\nos.environ["{}"] = "{}"\n',
    "page.md": "```sh\nexport {}={}\n```\n",
}
_SAID = {("OUR_VARIABLE", "a"): None, ("OUR_VARIABLE", "c"): "NPU104", ("OUR_VARIABEL", "a"): "NPU101"}


def test_its_slips_and_values_are_told(tmp_path: Path) -> None:
    (tmp_path / "options.toml").write_text(_OPTIONS)
    wanted = []
    for number, ((variable, value), code) in enumerate(_SAID.items()):
        # Each in a folder of its own, as if it were alone: what is said elsewhere is not said less for that.
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in _TEXTS.items():
            (folder / name).write_text(text.format(variable, value))
            wanted += [(f"{number}/{name}", code)] if code else []
    for configured, told in (("", []), ('catalog = ["options.toml"]\n', wanted)):
        (tmp_path / "npu-lsp.toml").write_text(configured)
        ran = check(".", cwd=tmp_path)
        assert sorted((f["path"], f["code"]) for f in ran.findings) == sorted(told)


def test_what_no_reader_takes_for_a_variable_is_not_learnt() -> None:
    learn(("größe_der_liste", "our_small_name", "A", "SIZE?"))
    assert not any(map(is_variable, ("größe_der_liste", "our_small_name", "A", "SIZE?")))


def test_what_is_looked_for_stands_in_the_catalog() -> None:
    names = load().names(Surface.ENV)
    made = sought(names, spelling(names, load().plain("other_variables")))
    assert set(stems().words) >= set(made.stems)
    assert tuple(map(tuple, load().store.part("sought"))) == made
