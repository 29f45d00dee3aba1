"""Variables that a script puts into the environment."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.languages.model import Form
from npu_lsp.languages.triggers import may_match
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.languages.shell.found import UNKNOWN, blocks, cut, exports, flags, settings
from tests.together import together

LEVEL = "ASCEND_GLOBAL_LOG_LEVEL"


@together(
    ("text", "value"),
    [
        (f"export {LEVEL}=3", "3"),
        (f'export {LEVEL}="3"', "3"),
        (f"export {LEVEL}='3' # quiet", "3"),
        (f'export "{LEVEL}=3"', "3"),
        (f"export {LEVEL}=", ""),
        (f"export {LEVEL}=$1", UNKNOWN),
        (f"export {LEVEL}=${{1:-3}}", UNKNOWN),
        (f"level=3\nexport {LEVEL}=$level", "3"),
        (f"export {LEVEL}=~/log", UNKNOWN),
        (f"declare -x {LEVEL}=3", "3"),
        (f"typeset -x {LEVEL}=3", "3"),
        (f"declare -gx {LEVEL}=3", "3"),
        (f"{LEVEL}=3\nexport {LEVEL}", "3"),
        (f"export {LEVEL}\n{LEVEL}=3", "3"),
        (f"readonly {LEVEL}=3; export {LEVEL}", "3"),
        (f"{LEVEL}=3\nif [ ${LEVEL} -gt 0 ]; then export {LEVEL}; fi", UNKNOWN),
        (f"{LEVEL}=3\n[ -n $x ] && export {LEVEL}", UNKNOWN),
        (f"if [ -n $x ]; then {LEVEL}=3; export {LEVEL}; fi", "3"),
        (f"declare {LEVEL}=3\nexport {LEVEL}", "3"),
        (f"set -a\n{LEVEL}=3\nset +a", "3"),
        (f"{LEVEL}=3 python3 train.py", "3"),
        (f"env {LEVEL}=3 python3 train.py", "3"),
        (f"sudo {LEVEL}=3 python3 train.py", "3"),
        (f': "${{{LEVEL}:=3}}"', "3"),
        (f": ${{{LEVEL}=3}}", "3"),
        (f"bash -c 'export {LEVEL}=3; python3 train.py'", "3"),
        (f"docker run -it -e {LEVEL}=3 image python3 train.py", "3"),
        (f"docker run --env {LEVEL}=3 --env=MY_{LEVEL}=1 image", "3"),
        (f"podman run --env={LEVEL}=3 image", "3"),
        (f"docker run -e A=1 --env={LEVEL}='3' image", "3"),
        (f"docker exec -e {LEVEL}=$1 box atc --log=info", UNKNOWN),
        (f"srun -N 2 --export=ALL,A=1,{LEVEL}=3 python3 train.py", "3"),
        (f"sbatch --export=ALL,{LEVEL}=3,A=1 train.sh", "3"),
        (f"mpirun -np 8 -x PATH -x {LEVEL}=3 python3 train.py", "3"),
        (f"apptainer exec --env {LEVEL}=3 image python3 train.py", "3"),
        (f"ssh host A=1 {LEVEL}=3 atc --log=info", "3"),
        (f"echo 'export {LEVEL}=3' >> ~/.bashrc", "3"),
        (f'echo "export {LEVEL}=$1" | sudo tee /x; echo "export {LEVEL}=3" > $HOME/.bash_profile', "3"),
        (f"cat >> ~/.bashrc <<'EOF'\nexport {LEVEL}=3\nEOF\n", "3"),
        (f"sudo tee -a /etc/profile <<'EOF'\nexport {LEVEL}=3\nEOF\n", "3"),
        (f"bash <<< 'export {LEVEL}=3; python3 train.py'", "3"),
        (f"cd x && export {LEVEL}=3", "3"),
        (f"f() {{\n  export {LEVEL}=3\n}}", "3"),
        (f"if [[ $1 -gt 3 && 5 -lt $2 ]]; then export {LEVEL}=3; fi", "3"),
    ],
)
def test_a_variable_is_found(text: str, value: str) -> None:
    assert exports(text) == [(LEVEL, value)]
    (setting,) = settings(text, Surface.ENV)
    assert setting.form is Form.ASSIGNMENT
    assert cut(text, setting.key) == LEVEL


@together(
    "text",
    [
        f"# export {LEVEL}=3",
        f"echo export {LEVEL}=3",
        f"echo '{LEVEL}=3'",
        f"{LEVEL}=3",
        f"export -n {LEVEL}=3",
        f"unset {LEVEL}",
        f"if [ ${LEVEL} = 3 ]; then :; fi",
        f"cat <<EOF\nexport {LEVEL}=3\nEOF\n",
        f"export MY_{LEVEL}=3",
        "export PATH=/usr/bin",
        f"declare {LEVEL}=3",
        f"docker run -e {LEVEL} image",
        f"echo 'export {LEVEL}=3' >> notes.txt",
        f"srun --export={LEVEL}=3 python3 train.py",
        f"srun --export=ALL,{LEVEL} python3 train.py",
        f"srun python3 train.py --exports=ALL,{LEVEL}=3",
        f"mpirun -n 8 python3 train.py {LEVEL}=3",
        f"python3 train.py --{LEVEL}=3",
    ],
)
def test_what_sets_nothing_is_left_alone(text: str) -> None:
    assert exports(text) == []


def test_several_in_one_export() -> None:
    text = f'export A=1 {LEVEL}=3 HCCL_IF_IP="1.2.3.4"\n'
    assert exports(text) == [(LEVEL, "3"), ("HCCL_IF_IP", "1.2.3.4")]
    one, two = settings(text)
    assert cut(text, one.own) == f"{LEVEL}=3"
    assert cut(text, two.own) == 'HCCL_IF_IP="1.2.3.4"'
    assert cut(text, one.statement) == text.rstrip("\n")


def test_the_exports_of_a_script_are_one_block() -> None:
    text = f"export {LEVEL}=3\nls\nexport HCCL_IF_IP=1\n"
    (block,) = blocks(text, Surface.ENV)
    assert [s.name for s in block.settings] == [LEVEL, "HCCL_IF_IP"]
    assert not block.open
    assert cut(text, block.span) == text.rstrip("\n")


def test_a_sourced_set_up_leaves_it_open() -> None:
    (block,) = blocks(f"source /usr/local/Ascend/set_env.sh\nexport {LEVEL}=3\n", Surface.ENV)
    assert block.open
    (block,) = blocks(f". set_env.sh\nexport {LEVEL}=3\n", Surface.ENV)
    assert block.open


def test_variables_in_front_of_a_command_are_a_block_of_their_own() -> None:
    text = f"export HCCL_IF_IP=1\n{LEVEL}=3 atc --log=info\n"
    first, second = blocks(text, Surface.ENV)
    assert [s.name for s in first.settings] == ["HCCL_IF_IP"]
    assert [s.name for s in second.settings] == [LEVEL]
    assert second.open
    assert cut(text, second.command) == f"{LEVEL}=3 atc --log=info"
    assert len(blocks(text)) == 1


def test_what_a_launcher_passes_on_is_no_setting_of_its_own() -> None:
    text = f"mpirun -n 8 -x PATH -x {LEVEL}=3 -env HCCL_IF_IP=1 --host a python3 train.py\n"
    assert [s.name for s in settings(text, Surface.MPIRUN)] == ["n", "host"]
    assert [s.name for s in settings(text, Surface.ENV)] == [LEVEL, "HCCL_IF_IP"]


def test_branches_exclude_each_other() -> None:
    from npu_lsp.languages.branches import dominates, exclusive

    text = """\
export HCCL_A=0
if [ $1 ]; then
  export HCCL_A=1
elif [ $2 ]; then
  export HCCL_A=2
else
  export HCCL_A=3
fi
case $1 in
  a) export HCCL_B=1 ;;
  b) export HCCL_B=2 ;;
esac
[ $1 ] && export HCCL_C=1 || export HCCL_C=2
for i in 1 2; do export HCCL_D=1; done
f() { export HCCL_E=1; }
g() { export HCCL_E=2; }
if export HCCL_F=1; then :; fi
"""
    found = {f"{s.name}={s.value.data}": s.branch for s in settings(text)}
    arms = [found[f"HCCL_A={n}"] for n in range(4)]
    assert arms[0] == ()
    assert all(exclusive(arms[a], arms[b]) for a in range(1, 4) for b in range(1, 4) if a != b)
    assert not any(exclusive(arms[0], arm) for arm in arms)
    assert exclusive(found["HCCL_B=1"], found["HCCL_B=2"])
    assert not exclusive(found["HCCL_B=1"], arms[1])
    assert exclusive(found["HCCL_C=1"], found["HCCL_C=2"])
    assert not dominates(found["HCCL_D=1"], ())
    assert exclusive(found["HCCL_E=1"], found["HCCL_E=2"])
    assert dominates(found["HCCL_F=1"], ())


def test_a_mistyped_variable_is_looked_at() -> None:
    assert exports("export ASCEND_GLOBL_LOG_LEVEL=3") == [("ASCEND_GLOBL_LOG_LEVEL", "3")]


def test_a_variable_that_only_the_catalog_tells_is_looked_at() -> None:
    from npu_lsp.catalog.load import load

    for name in load().names(Surface.ENV):
        assert is_variable(name)
    assert not is_variable("MY_OWN")


@pytest.mark.parametrize("text", ["export GLOG_v=3\n", "MS_SUBMODULE_LOG_v='{PARSER:2}' python train.py\n"])
def test_names_may_end_in_small_letters(text: str) -> None:
    data = text.encode()
    assert may_match(Kind.SHELL, data)
    assert len(read(Document(text, kind=Kind.SHELL)).blocks) == 1


def test_lines_behind_a_condition_are_statements_of_their_own() -> None:
    """tree-sitter-bash takes all lines up to the next bracket for a part of the second test."""
    text = (
        f"if [ ! -f $a ] && [ $# == 3 ]\nthen\n  exit 1\nfi\nexport {LEVEL}=3\ncd ./a || exit\nenv > b\n"
        "if [ $# == 2 ]\nthen\n  a > log 2>&1 &\nelse\n  b\nfi\n"
    )
    assert exports(text) == [(LEVEL, "3")]


@together("command", ['bash -c "$command"', 'eval "$command"', 'bash -c "$command" a', '"$command"', 'sh -c "a $b"'])
def test_what_a_stored_command_is_given(command: str) -> None:
    """Whatever it is."""
    assert exports(f"HCCL_BUFFSIZE=1 \\\n  HCCL_EXEC_TIMEOUT=2 {command}\n") == [
        ("HCCL_BUFFSIZE", "1"),
        ("HCCL_EXEC_TIMEOUT", "2"),
    ]


@pytest.mark.parametrize("behind", ["(1/2/3) says which", "(1)", "(x y)", "("])
@pytest.mark.parametrize("start", ["export ", "declare -x ", ""])
def test_a_bracket_right_behind_a_value(start: str, behind: str) -> None:
    """A manual names values so; a shell has no such word, so what was meant isn't known."""
    assert exports(f"{start}{LEVEL}=0/{behind} python a.py\n")[:1] in ([], [(LEVEL, UNKNOWN)])
    assert flags(f"atc --log=in{behind}\n") == [[("log", UNKNOWN)]]


@together("text", ["({x}=0)", "a && ({x}=0; b)", "b={x}; {x}=0 (c)", "a=(1 2) {x}=0"])
def test_a_bracket_elsewhere_leaves_a_value_known(text: str) -> None:
    assert ("HCCL_BUFFSIZE", "0") in exports(text.replace("{x}", "export HCCL_BUFFSIZE") + "\n")
