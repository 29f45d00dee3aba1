"""Changes to flags and variables in shell scripts."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages import read
from npu_lsp.languages.model import Setting
from npu_lsp.languages.shell.writer import WRITER
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, apply_edits
from tests.languages.hosts.found import find
from tests.together import together

Change = Callable[[Document, Setting], tuple[Edit, ...]]


def script(text: str) -> Document:
    return Document(text, kind=Kind.SHELL, path="convert.sh")


def changed(text: str, name: str, change: Change) -> str | None:
    """Return `text` with a change to one setting made, and prove that it parses as well as before."""
    document = script(text)
    _, setting = find(document, name)
    assert writer_for(setting) is WRITER
    edits = change(document, setting)
    if not edits:
        return None
    result = apply_edits(text, edits)
    assert has_error(result) <= has_error(text)
    return result


def has_error(text: str) -> bool:
    from npu_lsp.languages.shell.tree import code_of, fresh_tree

    return fresh_tree(code_of(text)).root_node.has_error


@together(
    ("text", "old", "new", "expected"),
    [
        ("atc --soc_verison=a", "soc_verison", "soc_version", "atc --soc_version=a"),
        ("atc -soc_verison=a", "soc_verison", "soc_version", "atc -soc_version=a"),
        ("atc --soc-verison=a", "soc_verison", "soc_version", "atc --soc-version=a"),
        ('atc "--soc_verison=a"', "soc_verison", "soc_version", 'atc "--soc_version=a"'),
        ("atc --out-node a", "out_node", "out_nodes", "atc --out-nodes a"),
        ("export ASCEND_X=1", "ASCEND_X", "ASCEND_Y", "export ASCEND_Y=1"),
        ("ASCEND_X=1 ls", "ASCEND_X", "ASCEND_Y", "ASCEND_Y=1 ls"),
        (': "${ASCEND_X:=1}"', "ASCEND_X", "ASCEND_Y", ': "${ASCEND_Y:=1}"'),
        ('opts="--log=a --aa=b"\natc $opts', "aa", "bb", 'opts="--log=a --bb=b"\natc $opts'),
        ('atc --"aa"=b', "aa", "bb", None),
    ],
)
def test_rename(text: str, old: str, new: str, expected: str | None) -> None:
    assert changed(text, old, lambda document, setting: WRITER.rename(document, setting, new)) == expected


@together(
    ("text", "value", "expected"),
    [
        ("atc --log=a", "b", "atc --log=b"),
        ("atc --log=a", 5, "atc --log=5"),
        ("atc --log=a", True, "atc --log=true"),
        ("atc --log a", "b", "atc --log b"),
        ("atc --log", "b", "atc --log=b"),
        ("atc --log= --aa=1", "b", "atc --log=b --aa=1"),
        ('atc --log="a"', "b", 'atc --log="b"'),
        ("atc --log='a'", "b", "atc --log='b'"),
        ("atc --log=a", "b c", 'atc --log="b c"'),
        ("atc --log=a", "b;c", 'atc --log="b;c"'),
        ("atc --log=a", 'b"$c', 'atc --log="b\\"\\$c"'),
        ('atc --log="a"', 'b"c', 'atc --log="b\\"c"'),
        ("atc --log='a'", "b'c", 'atc --log="b\'c"'),
        ("atc --log=$x", "b", "atc --log=b"),
        ('atc --log="$x"', "b", "atc --log=b"),
        ('atc "--log=a"', "b c", 'atc "--log=b c"'),
        ('atc "--log=$x"', "b c", 'atc "--log=b c"'),
        ("atc '--log=a'", "b c", "atc '--log=b c'"),
        ('atc --log=a"b"', "c", "atc --log=c"),
        ('opts="--log=a --aa=1"\natc $opts', "b", 'opts="--log=b --aa=1"\natc $opts'),
        ('opts="--log=a --aa=1"\natc $opts', "b c", None),
        ("args=(--log=a)\natc ${args[@]}", "b c", 'args=(--log="b c")\natc ${args[@]}'),
        ('bash -c "atc --log=a"', "b", 'bash -c "atc --log=b"'),
        ('bash -c "atc --log=a"', "b c", 'bash -c "atc --log=\\"b c\\""'),
        ("bash -c 'atc --log=a'", "b c", "bash -c 'atc --log=\"b c\"'"),
        ("bash -c 'atc --log=a'", "b'c", None),
        ("bash -c 'atc '--log=a", "b c", None),
        ("bash <<EOF\natc --log=a\nEOF", "b$c", 'bash <<EOF\natc --log="b\\\\\\$c"\nEOF'),
        ("bash <<'EOF'\natc --log=a\nEOF", "b$c", "bash <<'EOF'\natc --log=\"b\\$c\"\nEOF"),
        ('soc=a\nbash -c "atc --log=$soc"', "b", 'soc=a\nbash -c "atc --log=b"'),
        ('x="$(atc --log=a)"', "b c", 'x="$(atc --log="b c")"'),
        ("atc --log=中文😀a", "b", "atc --log=b"),
    ],
)
def test_set_value(text: str, value: Scalar, expected: str | None) -> None:
    assert changed(text, "log", lambda document, setting: WRITER.set_value(document, setting, value)) == expected


@together(
    ("text", "value", "expected"),
    [
        ("export ASCEND_X=1", "b c", 'export ASCEND_X="b c"'),
        ("export ASCEND_X='1'", "2", "export ASCEND_X='2'"),
        ('export "ASCEND_X=1"', "2 3", 'export "ASCEND_X=2 3"'),
        ("export ASCEND_X=", "2", "export ASCEND_X=2"),
        (': "${ASCEND_X:=1}"', "2", ': "${ASCEND_X:=2}"'),
    ],
)
def test_set_variable(text: str, value: Scalar, expected: str | None) -> None:
    assert changed(text, "ASCEND_X", lambda document, setting: WRITER.set_value(document, setting, value)) == expected


@together(
    ("text", "expected"),
    [
        ("atc --log=a", 'atc --log="${HOME}/x"'),
        ("atc --log='a b'", 'atc --log="${HOME}/x"'),
        ('atc --log="a"', 'atc --log="${HOME}/x"'),
        ('atc "--log=a"', 'atc "--log=${HOME}/x"'),
        ("atc '--log=a'", None),
        ("atc --log", 'atc --log="${HOME}/x"'),
        ('opts="--log=a --aa=1"\natc $opts', 'opts="--log=${HOME}/x --aa=1"\natc $opts'),
        # The quotes around the value end and begin the text around the command.
        ('c="atc --log="a" --aa=1"\n$c', None),
        ('c="atc --log="a" "\n$c', None),
    ],
)
def test_set_expression(text: str, expected: str | None) -> None:
    result = changed(text, "log", lambda document, setting: WRITER.set_expression(document, setting, "${HOME}/x"))
    assert result == expected


@together(
    ("text", "base", "expected"),
    [
        ("atc --log=a", "", "atc --log=x.ini"),
        ("atc --log=a", "HOME", 'atc --log="${HOME}/x.ini"'),
        ("atc --log=a", "script", 'atc --log="$(dirname "$0")/x.ini"'),
        ('atc "--log=a"', "script", 'atc "--log=$(dirname "$0")/x.ini"'),
        ('cd "$(dirname "$0")"\natc --log=a', "script", 'cd "$(dirname "$0")"\natc --log=x.ini'),
    ],
)
def test_set_path(text: str, base: str, expected: str) -> None:
    result = changed(text, "log", lambda document, setting: WRITER.set_path(document, setting, "x.ini", base=base))
    assert result == expected


@together(
    ("text", "names", "expected"),
    [
        ("atc --aa=1 --log=a --bb=2", "log", "atc --aa=1 --bb=2"),
        ("atc --log=a --bb=2", "log", "atc --bb=2"),
        ("atc --bb=2 --log=a\nls\n", "log", "atc --bb=2\nls\n"),
        ("atc --bb=2 --log a >x\n", "log", "atc --bb=2 >x\n"),
        ("atc --aa=1 \\\n  --log=a \\\n  --bb=2\n", "log", "atc --aa=1 \\\n  --bb=2\n"),
        ("atc --aa=1 \\\n  --log=a\nls\n", "log", "atc --aa=1\nls\n"),
        ("atc --aa=1 \\\n  --log=a \\\n\nls\n", "log", "atc --aa=1 \\\n\nls\n"),
        ("atc \\\n  --log=a\nls\n", "log", "atc\nls\n"),
        ("atc \\\r\n  --aa=1 \\\r\n  --log=a\r\n", "log", "atc \\\r\n  --aa=1\r\n"),
        ("atc --aa=1 \\\n  --log=a --cc=3 \\\n  --bb=2\n", "log", "atc --aa=1 \\\n  --cc=3 \\\n  --bb=2\n"),
        ("atc --aa=1 \\\n  --cc=3 --log=a \\\n  --bb=2\n", "log", "atc --aa=1 \\\n  --cc=3 \\\n  --bb=2\n"),
        ("atc --aa=1 \\\n  --log=a > x 2>&1\n", "log", "atc --aa=1 \\\n  > x 2>&1\n"),
        ("atc --aa=1 \\\n  --log \\\n  a \\\n  --bb=2\n", "log", "atc --aa=1 \\\n  --bb=2\n"),
        ("atc --aa=1 \\\n  --log=a \\\n  --bb=2\n", "log bb", "atc --aa=1\n"),
        ("atc --aa=1 \\\n  --log=a \\\n  --bb=2\n", "aa log", "atc \\\n  --bb=2\n"),
        ("atc --aa=1 \\\n  --log=a \\\n  --bb=2\n", "aa bb", "atc \\\n  --log=a\n"),
        ("atc --aa=1 --log=a --bb=2", "aa bb", "atc --log=a"),
        ("if ! atc --aa=1 --log=a; then x; fi", "log", "if ! atc --aa=1; then x; fi"),
        ('atc "--log=a b" --aa=1', "log", "atc --aa=1"),
        ('opts="--log=a --aa=1"\natc $opts', "log", 'opts="--aa=1"\natc $opts'),
        ('opts="--aa=1 --log=a"\natc $opts', "log", 'opts="--aa=1"\natc $opts'),
        ("args=(\n  --log=a\n  --aa=1\n)\natc ${args[@]}", "log", "args=(\n  --aa=1\n)\natc ${args[@]}"),
        ('c="atc --log="a" --aa=1"\n$c', "log", None),
        ("export ASCEND_X=1\nls\n", "ASCEND_X", "ls\n"),
        ("ls\nexport ASCEND_X=1 # why\n", "ASCEND_X", "ls\n"),
        ("export ASCEND_X=1 HCCL_Y=2\n", "ASCEND_X", "export HCCL_Y=2\n"),
        ("export ASCEND_X=1 HCCL_Y=2\n", "HCCL_Y", "export ASCEND_X=1\n"),
        ("export ASCEND_X=1 HCCL_Y=2\nls\n", "ASCEND_X HCCL_Y", "ls\n"),
        ("declare -x ASCEND_X=1\nls\n", "ASCEND_X", "ls\n"),
        ("ASCEND_X=1 ls\n", "ASCEND_X", "ls\n"),
        ("ASCEND_X=1 HCCL_Y=2 ls\n", "HCCL_Y", "ASCEND_X=1 ls\n"),
        ("env ASCEND_X=1 ls\n", "ASCEND_X", "env ls\n"),
        ("docker run -e ASCEND_X=1 -e A=1 image\n", "ASCEND_X", "docker run -e A=1 image\n"),
        ("docker run --env=ASCEND_X=1 image\n", "ASCEND_X", "docker run image\n"),
        ("mpirun -n 8 -x ASCEND_X=1 atc --log=info\n", "ASCEND_X", "mpirun -n 8 atc --log=info\n"),
        ("cd x; export ASCEND_X=1; ls\n", "ASCEND_X", "cd x; ls\n"),
        ("cd x; export ASCEND_X=1\nls\n", "ASCEND_X", "cd x\nls\n"),
        ("cd x && export ASCEND_X=1 && ls\n", "ASCEND_X", "cd x && : && ls\n"),
        ("if x; then\n  export ASCEND_X=1\nfi\n", "ASCEND_X", "if x; then\n  :\nfi\n"),
        ("if x; then export ASCEND_X=1; fi\n", "ASCEND_X", "if x; then :; fi\n"),
        ("if x; then\n  ls\n  export ASCEND_X=1\nfi\n", "ASCEND_X", "if x; then\n  ls\nfi\n"),
        ("f() {\n  export ASCEND_X=1\n}\n", "ASCEND_X", "f() {\n  :\n}\n"),
        (
            "case $1 in\n  a)\n    export ASCEND_X=1\n    ;;\nesac\n",
            "ASCEND_X",
            "case $1 in\n  a)\n    :\n    ;;\nesac\n",
        ),
        (': "${ASCEND_X:=1}"\nls\n', "ASCEND_X", "ls\n"),
        ("docker run \\\n  -e ASCEND_X=1 \\\n  -e B=2 \\\n  a\n", "ASCEND_X", "docker run \\\n  -e B=2 \\\n  a\n"),
        ("docker run \\\n  -e B=2 -e ASCEND_X=1 \\\n  a\n", "ASCEND_X", "docker run \\\n  -e B=2 \\\n  a\n"),
        ("export \\\n  ASCEND_X=1 \\\n  HCCL_B=1\n", "ASCEND_X", "export \\\n  HCCL_B=1\n"),
        ("export HCCL_B=1 \\\n  ASCEND_X=1\nls\n", "ASCEND_X", "export HCCL_B=1\nls\n"),
        ("export HCCL_B=1 \\\n  ASCEND_X=1 # why\nls\n", "ASCEND_X", "export HCCL_B=1 # why\nls\n"),
        ("export HCCL_B=1 \\\n  ASCEND_X=1 HCCL_C=1\nls\n", "ASCEND_X", "export HCCL_B=1 \\\n  HCCL_C=1\nls\n"),
        ("export HCCL_B=1 \\\n  ASCEND_X=1 && ls\n", "ASCEND_X", "export HCCL_B=1 && ls\n"),
        ("ASCEND_X=1 \\\n  python x.py\n", "ASCEND_X", "  python x.py\n"),
        ("HCCL_B=1 \\\nASCEND_X=1 \\\npython x.py\n", "ASCEND_X", "HCCL_B=1 \\\npython x.py\n"),
        ("ls; ASCEND_X=1 \\\n  python x.py\n", "ASCEND_X", "ls; python x.py\n"),
        ("export A=1 \\\n  ASCEND_X=1 \\\n  HCCL_B=1\nls\n", "ASCEND_X HCCL_B", "export A=1\nls\n"),
        ("(ASCEND_X=1 ls)\n", "ASCEND_X", "(ls)\n"),
        ("x=$(ASCEND_X=1 ls)\n", "ASCEND_X", "x=$(ls)\n"),
        ("srun --export=ALL,ASCEND_X=1 python x.py\n", "ASCEND_X", "srun --export=ALL python x.py\n"),
        ("srun --export=ALL,ASCEND_X=1,A=1 python x.py\n", "ASCEND_X", "srun --export=ALL,A=1 python x.py\n"),
    ],
)
def test_remove(text: str, names: str, expected: str | None) -> None:
    document = script(text)
    settings = [find(document, name)[1] for name in names.split()]
    edits = WRITER.remove(document, settings)
    if expected is None:
        assert edits == ()
        return
    result = apply_edits(text, edits)
    assert result == expected
    assert has_error(result) <= has_error(text)


@together(
    ("text", "after", "value", "expected"),
    [
        ("atc --aa=1\n", "aa", "2", "atc --aa=1 --new_one=2\n"),
        ("atc --aa=1 --bb=2 >x\n", "aa", "2", "atc --aa=1 --new_one=2 --bb=2 >x\n"),
        ("atc --aa 1\n", "aa", "2", "atc --aa 1 --new_one 2\n"),
        ("atc -aa=1\n", "aa", "2", "atc -aa=1 -new_one=2\n"),
        ("atc --a-a=1\n", "a-a", "2", "atc --a-a=1 --new-one=2\n"),
        ("atc --aa=1\n", "aa", "b c", 'atc --aa=1 --new_one="b c"\n'),
        ("atc --aa=1 \\\n    --bb=2\n", "aa", "2", "atc --aa=1 \\\n    --new_one=2 \\\n    --bb=2\n"),
        ("atc --aa=1 \\\n    --bb=2\n", "bb", "2", "atc --aa=1 \\\n    --bb=2 \\\n    --new_one=2\n"),
        ("atc --aa=1 \\\n    --bb=2 >x\n", "bb", "2", "atc --aa=1 \\\n    --bb=2 \\\n    --new_one=2 >x\n"),
        ("atc \\\r\n\t--bb=2\r\nls\r\n", "bb", "2", "atc \\\r\n\t--bb=2 \\\r\n\t--new_one=2\r\nls\r\n"),
        ('opts="--aa=1"\natc $opts\n', "aa", "2", 'opts="--aa=1 --new_one=2"\natc $opts\n'),
        ("args=(--aa=1)\natc ${args[@]}\n", "aa", "2", "args=(--aa=1 --new_one=2)\natc ${args[@]}\n"),
        (
            "args=(\n  --aa=1\n)\natc ${args[@]}\n",
            "aa",
            "2",
            "args=(\n  --aa=1\n  --new_one=2\n)\natc ${args[@]}\n",
        ),
        ('bash -c "atc --aa=1"', "aa", "2", 'bash -c "atc --aa=1 --new_one=2"'),
        ("export ASCEND_X=1\nls\n", "ASCEND_X", "2", "export ASCEND_X=1\nexport new_one=2\nls\n"),
        ("  declare -x ASCEND_X=1", "ASCEND_X", "2", "  declare -x ASCEND_X=1\n  declare -x new_one=2"),
        ("ASCEND_X=1 ls\n", "ASCEND_X", "2", "ASCEND_X=1 new_one=2 ls\n"),
        ("cd x && export ASCEND_X=1 && ls\n", "ASCEND_X", "2", "cd x && export ASCEND_X=1 new_one=2 && ls\n"),
    ],
)
def test_add(text: str, after: str, value: Scalar, expected: str) -> None:
    document = script(text)
    block, setting = find(document, after)
    result = apply_edits(text, WRITER.add(document, block, setting, Added("new_one", value)))
    assert result == expected
    assert has_error(result) <= has_error(text)


def test_add_to_an_empty_command() -> None:
    document = script('cd x && "/opt/bin/atc" >log\n')
    (block,) = read(document).blocks
    edits = WRITER.add(document, block, None, Added("log", "info"))
    assert apply_edits(document.text, edits) == 'cd x && "/opt/bin/atc" --log=info >log\n'


@pytest.mark.parametrize(
    ("text", "renamed", "value", "removed", "added"),
    [
        (
            'os.system("atc --aa=1 --bb=2")',
            'os.system("atc --aa=1 --cc=2")',
            'os.system("atc --aa=1 --bb=x")',
            'os.system("atc --aa=1")',
            'os.system("atc --aa=1 --bb=2 --dd=4")',
        ),
        (
            'os.system(f"atc --aa={x} --bb=2 --ee={y}")',
            'os.system(f"atc --aa={x} --cc=2 --ee={y}")',
            'os.system(f"atc --aa={x} --bb=x --ee={y}")',
            'os.system(f"atc --aa={x} --ee={y}")',
            'os.system(f"atc --aa={x} --bb=2 --dd=4 --ee={y}")',
        ),
        (
            'subprocess.run(["atc", "--aa=1", "--bb=2"])',
            'subprocess.run(["atc", "--aa=1", "--cc=2"])',
            'subprocess.run(["atc", "--aa=1", "--bb=x"])',
            'subprocess.run(["atc", "--aa=1"])',
            None,
        ),
    ],
)
def test_commands_in_python(text: str, renamed: str, value: str, removed: str, added: str | None) -> None:
    document = Document(f"import os, subprocess\n{text}\n", kind=Kind.PYTHON)
    block, setting = find(document, "bb")
    edits = {
        renamed: WRITER.rename(document, setting, "cc"),
        value: WRITER.set_value(document, setting, "x"),
        removed: WRITER.remove(document, [setting]),
        added: WRITER.add(document, block, setting, Added("dd", "4")),
    }
    for expected, change in edits.items():
        result = apply_edits(document.text, change).splitlines()[1]
        assert result == (expected or text)
    # What quotes or escapes would be needed for is written where that is certain: in one plain literal.
    quoted = apply_edits(document.text, WRITER.set_value(document, setting, 'a "b"'))
    assert quoted == document.text or 'atc --aa=1 --bb="a \\"b\\""' in ast.literal_eval(quoted.split("system(")[1][:-2])


@together(
    ("text", "left"),
    [
        ('words = ["atc", "--aa=1", "--bb=2", "--cc=3"]', ["atc", "--aa=1", "--cc=3"]),
        ('words = ["atc", "--bb=2", "--cc=3"]', ["atc", "--cc=3"]),
        ('words = ["atc", "--aa=1", "--bb=2"]', ["atc", "--aa=1"]),
        ('words = ["atc", "--bb=2",]', ["atc"]),
        ('words = ["atc", "--bb", "2", "--cc=3"]', ["atc", "--cc=3"]),
        ('words = ["atc", "--cc=3", "--bb", "2"]', ["atc", "--cc=3"]),
        ('words = ("atc", "--bb=2")', ["atc"]),
        ('words = ["atc",\n    "--aa=1",\n    "--bb=2",  # why\n    "--cc=3",\n]', ["atc", "--aa=1", "--cc=3"]),
        ('words = ["atc",\n    "--aa=1",\n    "--bb",\n    "2",\n]', ["atc", "--aa=1"]),
        ('words = ["atc", "--aa=1"] + ["--bb=2"]', ["atc", "--aa=1"]),
        ('words = ["atc", "--aa=1"]\nwords += ["--bb=2", "--cc=3"]', ["atc", "--aa=1", "--cc=3"]),
        ('words = ["atc", "--aa=1"]\nwords.extend(["--bb=2"])', ["atc", "--aa=1"]),
        ('more = ["--bb=2", "--cc=3"]\nwords = ["atc", *more]', ["atc", "--cc=3"]),
        # It may be put in where a call must be given something.
        ('words = ["atc", "--aa=1"]\nwords.append("--bb=2")', ["atc", "--aa=1", "--bb=2"]),
        ('words = ["atc", "--aa=1"]\nwords.insert(1, "--bb=2")', ["atc", "--bb=2", "--aa=1"]),
        ('words = ["atc", "--aa=1"]\nwords[1] = "--bb=2"', ["atc", "--bb=2"]),
        ('words = "atc --aa=1 --bb=2 --cc=3".split()', ["atc", "--aa=1", "--cc=3"]),
    ],
)
def test_words_of_lists_in_python_are_taken_out_with_their_commas(text: str, left: list[str]) -> None:
    document = Document(f"import subprocess\n{text}\nsubprocess.run(words)\n", kind=Kind.PYTHON)
    found = [s for block in read(document).blocks for s in block.settings if s.name == "bb"]
    after = apply_edits(document.text, WRITER.remove(document, found)) if found else document.text
    made: dict[str, list[str]] = {}
    exec("\n".join(after.splitlines()[1:-1]), made)  # noqa: S102 - lists of words
    assert found
    assert list(made["words"]) == left
