"""Which files settings name, and what kind of file each is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.languages import read
from npu_lsp.linter.files.referenced import pointers, referenced
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together


def named(text: str, kind: Kind = Kind.SHELL) -> list[tuple[str, Kind]]:
    found = pointers(read(Document(text, kind=kind)), load())
    return [(pointer.written, pointer.kind) for pointer in found]


NAMED = [
    ("--fusion_switch_file=a.cfg", Kind.FUSION_SWITCH),
    ("--op_precision_mode=a.cfg", Kind.OP_PRECISION),
    ("--modify_mixlist=a.cfg", Kind.MIXLIST),
    ("--customize_dtypes=a.cfg", Kind.CUSTOMIZE_DTYPES),
    ("--keep_dtype=a.cfg", Kind.KEEP_DTYPE),
    ("--compression_optimize_conf=a.cfg", Kind.COMPRESSION),
    ("--singleop=a.cfg", Kind.SINGLE_OP),
    ("--insert_op_conf=a.cfg", Kind.AIPP),
]


@together(("flag", "kind"), NAMED)
def test_every_option_with_a_file(flag: str, kind: Kind) -> None:
    assert named(f"atc {flag}\n") == [("a.cfg", kind)]


def test_in_python() -> None:
    text = 'op.parameter_map["fusion_switch_file"].s = tf.compat.as_bytes("/a/b.cfg")\n'
    assert named(text, Kind.PYTHON) == [("/a/b.cfg", Kind.FUSION_SWITCH)]
    assert named('NPURunConfig(modify_mixlist="x.json")\n', Kind.PYTHON) == [("x.json", Kind.MIXLIST)]


def test_the_file_in_a_cache_folder() -> None:
    assert named("atc --op_compiler_cache_dir=cache\n") == [(str(Path("cache") / "op_cache.ini"), Kind.OP_CACHE)]


@together("value", ["$DIR/a.cfg", "~/a.cfg", "'*.cfg'", "/dev/stdin", "''", "a" * 5000, "`pwd`/a"])
def test_what_cannot_be_known_is_no_file(value: str) -> None:
    assert named(f"atc --fusion_switch_file={value}\n") == []


def test_of_thousands_the_first_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(201):
        (tmp_path / f"{number}.cfg").touch()
    text = "".join(f"atc --insert_op_conf={number}.cfg\n" for number in range(201))
    reading = read(Document(text, kind=Kind.SHELL))
    assert list(referenced(reading, load(), str(tmp_path)))[-1] == str(tmp_path / "199.cfg")
    monkeypatch.setattr("npu_lsp.linter.files.referenced._MOST_SETTINGS", 3)
    assert [pointer.written for pointer in pointers(reading, load())] == ["0.cfg", "1.cfg", "2.cfg"]


def test_only_files_that_exist(tmp_path: Path) -> None:
    (tmp_path / "a.cfg").write_text("ALL:off\n")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    flags = "--fusion_switch_file=a.cfg --insert_op_conf=folder --keep_dtype=pipe --modify_mixlist=none.json"
    reading = read(Document(f"atc {flags}\n", kind=Kind.SHELL))
    assert referenced(reading, load(), str(tmp_path)) == {str(tmp_path / "a.cfg"): Kind.FUSION_SWITCH}
