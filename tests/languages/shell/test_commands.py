"""Which commands are found, and what is none."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import SyntaxFault
from npu_lsp.text.spans import apply_edits
from tests.languages.shell.found import UNKNOWN, blocks, cut, flags, reading, settings
from tests.together import together

FOUND = [
    "atc --log=info",
    "/usr/local/Ascend/latest/bin/atc --log=info",
    "${ASCEND_HOME_PATH}/bin/atc --log=info",
    '"${ASCEND_HOME_PATH}/bin/atc" --log=info',
    "ATC=/opt/bin/atc\n$ATC --log=info",
    'ATC="${ATC:-atc}"\n"${ATC}" --log=info',
    "ATC=$(which atc)\n$ATC --log=info",
    "ATC=$(command -v atc)\n$ATC --log=info",
    "$(which atc) --log=info",
    "`which atc` --log=info",
    '"$(command -v atc 2>/dev/null)" --log=info',
    "${ATC:-atc} --log=info",
    "${ATC:=/usr/bin/atc} --log=info",
    "$SUDO atc --log=info",
    "${PREFIX} /usr/bin/atc --log=info",
    "cd x && bash <<EOF\natc --log=info\nEOF\n",
    "bash <<EOF && ls\natc --log=info\nEOF\n",
    "cd x && sudo bash -s <<'EOF' > log || exit\natc --log=info\nEOF\n",
    "bash <<< 'atc --log=info'",
    'sudo bash -s <<< "cd x && atc --log=info" | tee log',
    "echo 'atc --log=info' | bash",
    'echo "cd x; atc --log=info" | sudo sh -x',
    'su - user -c "atc --log=info" -s /bin/bash',
    "su --command='ls' user; runuser -u user -c 'cd x; atc --log=info' -- user",
    'a=(atc)\na[${#a[@]}]=--log=info\n"${a[@]}"',
    "coproc atc --log=info",
    "trap 'atc --log=info' EXIT",
    'run() { echo "+ $*"; "$@"; }\nrun atc --log=info',
    'run_it()\n{\n  if ! "$@"; then exit 1; fi\n}\nrun_it sudo atc --log=info',
    'function run {\n  time "${@}"\n}\nrun atc --log=info',
    "ssh -p 22 user@host <<'EOF'\natc --log=info\nEOF\n",
    "cat <<EOF | bash\natc --log=info\nEOF\n",
    "cat <<'EOF' | sudo -u x /bin/sh -s\natc --log=info\nEOF\n",
    "if [ -x /a/atc ]; then ATC=/a/atc; else ATC=atc; fi\n$ATC --log=info",
    "sudo atc --log=info",
    "sudo -E -u root atc --log=info",
    "env atc --log=info",
    "env LC_ALL=C atc --log=info",
    "LC_ALL=C atc --log=info",
    "time atc --log=info",
    "time -p atc --log=info",
    "nohup atc --log=info &",
    "timeout 600 atc --log=info",
    "timeout -k 5 10m atc --log=info",
    "nice -n 10 atc --log=info",
    "taskset -c 0-3 atc --log=info",
    "exec atc --log=info",
    "command atc --log=info",
    "eval atc --log=info",
    'eval "atc --log=info"',
    "stdbuf -oL atc --log=info",
    "numactl -C 0-7 atc --log=info",
    "srun -n 1 atc --log=info",
    "docker exec -it box atc --log=info",
    "docker run --rm img bash -c 'atc --log=info'",
    "python3 -m ge.pyatc --log=info",
    "sudo -E python3.11 -u -m ge.pyatc --log=info",
    "docker run --rm img python3 -m ge.pyatc --log=info",
    "$PYTHON -m ge.pyatc --log=info",
    "find . -exec python3 -m ge.pyatc --log=info \\;",
    "parallel python3 -m ge.pyatc --log=info ::: a b",
    "pyatc --log=info",
    'ssh host "cd /x && atc --log=info"',
    "bash -c 'atc --log=info'",
    'bash -lc "cd /x && atc --log=info"',
    "bash <<EOF\natc --log=info\nEOF\n",
    "bash -s <<'EOF'\natc --log=info\nEOF\n",
    "run() {\n  atc --log=info\n}\n",
    "function run {\n  atc --log=info\n}\n",
    "for m in a b; do atc --log=info; done",
    "for m in a b\ndo\n  atc --log=info\ndone\n",
    "while read m; do atc --log=info; done < list",
    "if ! atc --log=info; then exit 1; fi",
    "if atc --log=info; then :; fi",
    "! atc --log=info",
    "atc --log=info | tee log",
    "cd x | atc --log=info",
    "cd x && atc --log=info",
    "cd x || atc --log=info",
    "cd x; atc --log=info",
    "out=$(atc --log=info)",
    'out="$(cd x && atc --log=info)"',
    "out=`atc --log=info`",
    "(cd x; atc --log=info)",
    "{ atc --log=info; }",
    "case $1 in\n  a) atc --log=info ;;\nesac\n",
    "atc --log=info > log 2>&1",
    "atc > log --log=info",
    "\ufeffatc --log=info\n",
    "cmd='atc --log=info'\n$cmd",
    'convert="atc --log=info"\n${convert}\n',
    'convert="atc --log=info"\neval $convert\n',
    "convert='atc --log=info'\n. common.sh\n",
    "one='atc --log=info'\n. common.sh\nif x; then\n  convert=${one}\nelse convert=\"$one\"; fi\nrun\n",
    'set -- --log=info\natc "$@"\n',
    'f() {\n  set -- --log=info\n  atc "$@"\n}\n',
    "echo 转换模型；atc --log=debug\natc --log=info # 转换",
    "ls | xargs -n 1 atc --log=info",
    "#!/bin/zsh\nfor f (a b) { atc --log=info }\n",
    "#!/bin/ksh\nfunction run { atc --log=info; }\n",
]
NOT_FOUND = [
    "# atc --log=info",
    "ls # atc --log=info",
    "echo atc --log=info",
    'echo "atc --log=info"',
    "printf '%s\\n' 'atc --log=info'",
    "cat <<EOF\natc --log=info\nEOF\n",
    "cat <<EOF | grep sh\natc --log=info\nEOF\n",
    "ssh host ls <<EOF\natc --log=info\nEOF\n",
    'log() { echo "$@"; }\nlog atc --log=info',
    "unknown atc --log=info",
    "${PREFIX} atc",
    "path=$(which atc)",
    "bash run.sh <<< 'atc --log=info'",
    "bash -c 'cat' <<< 'atc --log=info'",
    "grep x <<< 'atc --log=info'",
    "echo 'atc --log=info' | grep bash",
    "echo 'atc --log=info' > run.sh",
    "usage='atc --log=info'\n. common.sh\necho $usage\n",
    "one='atc --log=info'\n. common.sh\ntwo=${one}2\n",
    "which atc",
    "command -v atc",
    "type atc",
    "for tool in atc python3; do which $tool; done",
    "cd /usr/local/atc",
    "cp atc /usr/bin",
    "my_atc --log=info",
    "atc.sh --log=info",
    "./atc/run --log=info",
    "python3 atc.py --log=info",
    "[ -x atc ] && echo yes",
    "if [[ $tool == atc ]]; then :; fi",
    "atc() { :; }",
    "tool=atc",
    "case $1 in atc) ls ;; esac",
    "alias atc",
    "grep -- 'atc --log=info' file",
    "usage='atc --log=info'\necho \"$usage\"\n",
]


@together("text", FOUND)
def test_a_command_is_found(text: str) -> None:
    assert flags(text) == [[("log", "info")]]


@together("text", NOT_FOUND)
def test_what_is_no_command_is_left_alone(text: str) -> None:
    assert blocks(text) == []


def test_head_and_command_are_where_they_stand() -> None:
    text = 'cd x && sudo env A=1 "/opt/bin/atc" --log=info \\\n  --framework=5 >log 2>&1 && ls'
    (block,) = blocks(text)
    assert cut(text, block.head) == "/opt/bin/atc"
    assert cut(text, block.command) == 'sudo env A=1 "/opt/bin/atc" --log=info \\\n  --framework=5 >log 2>&1'
    assert [cut(text, s.statement) for s in block.settings] == [cut(text, block.command)] * 2


def test_aoe_is_a_surface_of_its_own() -> None:
    (block,) = blocks("aoe --framework=5 --model=a.onnx --job_type=2", Surface.AOE)
    assert [s.name for s in block.settings] == ["framework", "model", "job_type"]


def test_blocks_count_in_the_order_of_the_text() -> None:
    found = reading("export HCCL_X=1\natc --log=info\nnote=$(atc --log=error)\nA=1 atc --log=debug\n")
    assert [block.id for block in found.blocks] == [0, 1, 2, 3]
    assert [block.span.start for block in found.blocks] == sorted(block.span.start for block in found.blocks)


@together(
    "text",
    [
        'atc --log=info "$@"',
        "atc --log=info $*",
        'set -- --mode=0\nf() { atc --log=info "$@"; }',
        'if x; then set -- --log=info; fi\natc "$@"',
        'set -- --mode=0\nshift\natc --log=info "$@"',
        'eval set -- $x\natc --log=info "$@"',
        'atc --log=info "${@:2}"',
        "atc --log=info $EXTRA",
        'atc --log=info "${EXTRA[@]}"',
        "a=(--mode=0)\na[0]=--mode=1\natc --log=info ${a[@]}",
        "ls | xargs atc --log=info",
        "extra=$(cat flags)\natc --log=info $extra",
        "for extra in a b; do atc --log=info $extra; done",
    ],
)
def test_a_command_that_gets_more_than_can_be_seen_is_open(text: str) -> None:
    assert [block.open for block in blocks(text)] == [True]


@together(
    "text",
    ["atc --log=info", 'atc --log="$LEVEL"', "atc --log $LEVEL", "args=()\natc ${args[@]}", "set -- --a=b\natc $@"],
)
def test_a_command_that_is_all_there_is_closed(text: str) -> None:
    assert [block.open for block in blocks(text)] == [False]


@together(
    ("text", "said"),
    [
        ("opts=\"--input_shape='a:1,2;b:3'\"\neval atc $opts", "a:1,2;b:3"),
        ("cmd='atc --input_shape=\"a:1,2\"'\neval $cmd", "a:1,2"),
        ('cmd=\'atc --input_shape="a:1,2"\'\neval "$cmd"', "a:1,2"),
        ("cmd='atc --input_shape=\"a:1,2\"'\n$cmd", '"a:1,2"'),
        ("cmd='atc --input_shape=$shape'\neval $cmd", UNKNOWN),
        ("atc --input_shape=$[1+2]", UNKNOWN),
    ],
)
def test_quotes_that_a_variable_holds(text: str, said: str) -> None:
    assert flags(text) == [[("input_shape", said)]]
    for setting in settings(text, Surface.ATC):
        if setting.value.content is not None:
            assert cut(text, setting.value.content) == setting.value.data


def test_a_wide_blank_behind_the_name() -> None:
    (mistake,) = reading("atc\u3000--log=info\n").syntax
    assert mistake.kind == SyntaxFault.FULLWIDTH
    assert apply_edits("atc\u3000--log=info\n", mistake.edits) == "atc --log=info\n"
