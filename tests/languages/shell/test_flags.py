"""Flags: every form that ATC's parser takes, with exact places."""

from __future__ import annotations

from npu_lsp.languages.model import Form
from tests.languages.shell.found import UNKNOWN, blocks, cut, flags, settings, value
from tests.together import together


@together(
    ("flag", "name", "data"),
    [
        ("--log=info", "log", "info"),
        ("--log info", "log", "info"),
        ("-log=info", "log", "info"),
        ("-log info", "log", "info"),
        ("--soc-version=x", "soc_version", "x"),
        ("-soc-version=x", "soc_version", "x"),
        ("--soc_ver=x", "soc_ver", "x"),
        ('--log="info"', "log", "info"),
        ("--log='info'", "log", "info"),
        ("'--log=info'", "log", "info"),
        ('"--log=info"', "log", "info"),
        ('--log "info"', "log", "info"),
        ('--"log"=info', "log", "info"),
        ('--log=in"fo"', "log", "info"),
        ("--log=in\\\nfo", "log", "info"),
        ("--log=a\\ b", "log", "a b"),
        ('--log="a\\"b"', "log", 'a"b'),
        ("--log=$'info'", "log", "info"),
        ("--log=", "log", ""),
        ('--log=""', "log", ""),
        ("--log", "log", UNKNOWN),
        ("--log=$1", "log", UNKNOWN),
        ('--log="a${b}c"', "log", UNKNOWN),
        ("--log=$(cat x)", "log", UNKNOWN),
        ("--log=`cat x`", "log", UNKNOWN),
        ("--log=$((1+2))", "log", UNKNOWN),
        ("--log={a,b}", "log", UNKNOWN),
        ("--log=<a path>", "log", UNKNOWN),
        ("--log=a:-1,3;", "log", "a:-1,3"),
        ("-h", "h", UNKNOWN),
        ("--help", "help", UNKNOWN),
        ("--中文=值", "中文", "值"),
    ],
)
def test_a_flag_in_each_form(flag: str, name: str, data: str) -> None:
    assert flags(f"atc {flag}") == [[(name, data)]]


@together(
    ("flag", "key", "value_text", "content", "own"),
    [
        ("--log=info", "--log", "info", "info", "--log=info"),
        ('--log="in fo"', "--log", '"in fo"', "in fo", '--log="in fo"'),
        ('"--log=in fo"', "--log", "in fo", "in fo", '"--log=in fo"'),
        ("-log  'info'", "-log", "'info'", "info", "-log  'info'"),
        ("--log \\\n  info", "--log", "info", "info", "--log \\\n  info"),
        ('--log="$x"', "--log", '"$x"', None, '--log="$x"'),
        ('"--log="$x', "--log", "$x", None, '"--log="$x'),
        ('"--log=$x/y"', "--log", "$x/y", None, '"--log=$x/y"'),
        ('--log=a"b"', "--log", 'a"b"', None, '--log=a"b"'),
        ("--log=", "--log", "", "", "--log="),
        ("--log", "--log", "", None, "--log"),
    ],
)
def test_places_are_exact(flag: str, key: str, value_text: str, content: str | None, own: str) -> None:
    text = f"echo 😀中文\natc --a=1 {flag}"
    setting = list(settings(text))[1]
    assert cut(text, setting.key) == key
    assert cut(text, setting.value.span) == value_text
    assert cut(text, setting.own) == own
    if content is None:
        assert setting.value.content is None
    else:
        assert cut(text, setting.value.content) == content
        assert setting.value.data == content


def test_flags_over_continuation_lines() -> None:
    for end in ("\n", "\r\n"):
        text = f"atc --model=a \\{end}    --framework=5 \\{end}\t--output=b{end}ls --no=1{end}"
        assert flags(text) == [[("model", "a"), ("framework", "5"), ("output", "b")]]


def test_a_backslash_at_the_very_end_is_nothing() -> None:
    assert flags("atc --log=info \\") == [[("log", "info")]]
    assert flags("atc --log=info\\") == [[("log", "info")]]


def test_a_comment_ends_the_command() -> None:
    assert flags("atc --log=info # --model=a\n") == [[("log", "info")]]
    assert flags("atc --log=info#x\n") == [[("log", "info#x")]]


def test_redirections_are_no_values() -> None:
    assert flags("atc --log=info 2>&1 --model a &>log") == [[("log", "info"), ("model", "a")]]
    assert flags("atc --log=info >$OUT --model=a 2>/dev/null") == [[("log", "info"), ("model", "a")]]


def test_separator_tells_the_form() -> None:
    found = list(settings("atc --a1=1 --b1 2 --c1"))
    assert [s.separator for s in found] == ["=", " ", ""]
    assert {s.form for s in found} == {Form.FLAG}
    assert all(s.abbreviated for s in found)


def test_a_flag_does_not_take_a_flag() -> None:
    assert flags("atc --help --model=a") == [[("help", UNKNOWN), ("model", "a")]]


KNOWN = [
    "soc=Ascend310P3\n",
    'soc="Ascend310P3"\n',
    "export soc=Ascend310P3\n",
    "readonly soc=Ascend310P3\n",
    "chip=310P3; soc=Ascend${chip}\n",
    "soc=Ascend310P3 # the chip\n",
]
NOT_KNOWN = [
    "",
    "soc=$1\n",
    "soc=Ascend310; soc=Ascend310P3\n",
    "if true; then soc=Ascend310P3; fi\n",
    "[ $x ] && soc=Ascend310P3\n",
    "for soc in Ascend310P3; do :; done\n",
    "read soc\n",
    "soc=Ascend310P3; read -r a soc\n",
    "soc+=Ascend310P3\n",
    "soc=`cat soc`\n",
    'soc="${1:-Ascend310P3}"\n',
    "f() { soc=Ascend310P3; }\n",
    "soc=Ascend310P3 ls\n",
    "# soc=Ascend310P3\n",
    "echo soc=Ascend310P3\n",
    "soc=x; unset soc\n",
]


@together("before", KNOWN)
def test_a_variable_with_one_literal_is_known(before: str) -> None:
    text = before + 'atc --soc_version=$soc --output="out_${soc}"'
    assert flags(text) == [[("soc_version", "Ascend310P3"), ("output", "out_Ascend310P3")]]
    first = blocks(text)[0].settings[0]
    assert cut(text, first.value.span) == "$soc"
    assert first.value.content is None
    assert "310P3" in cut(text, first.value.origin) or "chip" in cut(text, first.value.origin)


@together("before", NOT_KNOWN)
def test_a_variable_that_may_hold_something_else_is_not(before: str) -> None:
    assert flags(before + "atc --soc_version=$soc") == [[("soc_version", UNKNOWN)]]


def test_a_later_assignment_says_nothing() -> None:
    assert flags("atc --soc_version=$soc\nsoc=Ascend310P3\n") == [[("soc_version", UNKNOWN)]]


def test_an_assignment_in_the_same_branch_counts() -> None:
    text = "if true; then\n  soc=Ascend310\n  atc --soc_version=$soc\nfi\n"
    assert flags(text) == [[("soc_version", "Ascend310")]]


def test_flags_in_variables_and_arrays() -> None:
    text = """\
opts="--log=info --framework 5"
args=(--model=a.onnx "--out_nodes=a;b")
args+=(--precision_mode=force_fp16)
atc $opts "${args[@]}" --output=b
"""
    assert flags(text) == [
        [
            ("log", "info"),
            ("framework", "5"),
            ("model", "a.onnx"),
            ("out_nodes", "a;b"),
            ("precision_mode", "force_fp16"),
            ("output", "b"),
        ]
    ]
    (block,) = blocks(text)
    assert not block.open
    assert [cut(text, s.own) for s in block.settings][:4] == [
        "--log=info",
        "--framework 5",
        "--model=a.onnx",
        '"--out_nodes=a;b"',
    ]
    assert cut(text, block.settings[0].statement) == 'opts="--log=info --framework 5"'


def test_a_variable_that_grows() -> None:
    text = 'opts="--log=info"\nopts="$opts --framework=5"\nopts+=" --model=a"\natc $opts\n'
    assert flags(text) == [[("log", "info"), ("framework", "5"), ("model", "a")]]
    assert flags('a=(--log=info)\na=("${a[@]}" --model=a)\natc "${a[@]}"\n') == [[("log", "info"), ("model", "a")]]


def test_an_assignment_takes_the_place_of_the_one_before() -> None:
    assert flags('opts="--log=info"\nopts="--log=error"\natc $opts\n') == [[("log", "error")]]


def test_flags_in_branches_keep_them() -> None:
    text = 'if [ $1 ]; then opts="--log=info"; else opts="--log=error"; fi\natc $opts\n'
    (block,) = blocks(text)
    assert [value(s) for s in block.settings] == ["info", "error"]
    assert len({s.branch for s in block.settings}) == 2


def test_quotes_inside_a_variable() -> None:
    # The inner quotes end and start the string again; the shell splits nothing there.
    text = 'convert="atc --input_shape="data:1,3" --log=info"\n$convert\n'
    assert flags(text) == [[("input_shape", "data:1,3"), ("log", "info")]]
