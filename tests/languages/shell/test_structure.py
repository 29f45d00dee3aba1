"""What bash takes and the parser stumbles over: the script around it is read as if nothing were there."""

from __future__ import annotations

import shutil
import subprocess

from npu_lsp.languages.shell.structure import in_letters
from npu_lsp.languages.shell.tree import code_of, fresh_tree
from tests.languages.shell.found import reading
from tests.together import together

STUMBLES = [
    'if [[$a == ""]]; then ls; fi',
    "if [ ! -f $P ] && [ $# == 6 ]; then ls; fi\nenv > env.log\npython3 x.py &> log &",
    "for((i=$((a*b));i<$((((c+1))*8));i++)); do ls; done",
    "for ((i=0; i<8; i++)) { ls; }",
    "x=${arg: -1}y ${a:$((b))}",
    'pids[$a-$b]="$a $!"',
    "$1='ppi'",
    "if [ [ $1 -eq 'a' ] -o [ $1 -eq 'b' ] ]; then ls; fi",
    "unsetenv() { ls; }",
    "x=`pwd`/../\necho `cut -d' ' -f1 <<< \"$x\"`  # it's `here`",
    "exec 3<>$x",
]
SCRIPT = """\
if a; then
  export HCCL_A=1
else
  export HCCL_B=2
fi
{}
opts="--log=info"
while b; do
  atc --mode=0 $opts
done
"""


@together("line", STUMBLES)
def test_what_stands_around_is_read(line: str) -> None:
    text = SCRIPT.format(line)
    if bash := shutil.which("bash"):
        assert subprocess.run([bash, "-n"], input=text.encode(), check=False, capture_output=True).returncode == 0
    found = reading(text)
    around = {s.name: s.branch for block in found.blocks for s in block.settings if s.name.startswith("HCCL")}
    assert [arm.kind for branch in around.values() for arm in branch] == [0, 0]
    assert around["HCCL_A"] != around["HCCL_B"]
    flags = [
        (s.name, s.value.data, len(s.branch)) for block in found.blocks for s in block.settings if s.name[0] != "H"
    ]
    assert flags == [("mode", "0", 1), ("log", "info", 0)]
    assert not found.damaged


def test_all_keep_their_places() -> None:
    text = SCRIPT.format("\n".join(STUMBLES)) + "atc --x=$(bash -c 'atc --y=1') \\\n"
    plain = in_letters(text)
    assert len(plain) == len(text)
    assert [at for at, char in enumerate(text) if char == "\n"] == [at for at, char in enumerate(plain) if char == "\n"]
    assert not fresh_tree(code_of(plain)).root_node.has_error


def test_a_number_that_a_loop_counts_is_no_variable_of_the_environment() -> None:
    found = reading("export RANK_ID=0\nfor((RANK_ID=$((a*b));RANK_ID<$((((c+1))*8));RANK_ID++)); do ls; done\n")
    assert [[s.name for s in block.settings] for block in found.blocks] == [["RANK_ID"]]


@together(
    ("above", "below"),
    [
        ("v=1\nexport HCCL_A=$v\n", "v=2\n"),
        ("HCCL_A=1\n", "export HCCL_A\n"),
        ("export HCCL_A=1\n", "unset HCCL_A\n"),
        ("v=1\nexport HCCL_A=$v\n", "read v\n"),
    ],
)
def test_what_stands_below_and_changes_what_is_above_is_seen(above: str, below: str) -> None:
    rest = "echo a\n" * 20
    assert reading(above + rest + below).blocks != reading(above + rest).blocks
    commented = "# " + below
    assert reading(above + rest + commented).blocks == reading(above + rest).blocks


def test_what_no_shell_takes_is_damage() -> None:
    assert reading("if a; then\nexport HCCL_A=1\n").damaged
    assert reading('atc --x="a\natc --y=b\n').damaged
