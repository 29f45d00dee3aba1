"""Slips that the shell takes in silence: where they are told, and that their edits mend them."""

from __future__ import annotations

from npu_lsp.languages.model import SyntaxFault
from npu_lsp.text.spans import apply_edits
from tests.languages.shell.found import cut, flags, reading
from tests.together import together

MENDED = [
    # kind, text, where it is told, mended text
    ("lost-backslash", "atc --model=a\n  --log=info\n", "--log", "atc --model=a \\\n  --log=info\n"),
    ("lost-backslash", "atc --model=a \\\n --log=b\n -soc=c \\\n --e1=f\n", "-soc", None),
    ("lost-backslash", "atc --model=a\n\n  --log=info\n", "--log", "atc --model=a \\\n  --log=info\n"),
    ("lost-backslash", "atc --model=a\r\n  --log=info\r\n", "--log", "atc --model=a \\\r\n  --log=info\r\n"),
    ("lost-backslash", "atc --model=a # why\n  --log=info\n", "# why", "# why\natc --model=a \\\n  --log=info\n"),
    ("lost-backslash", "atc --model=a \\ # why\n  --b1=c\n", "\\ # why", "# why\natc --model=a \\\n  --b1=c\n"),
    ("lost-backslash", "atc --model=a \\# why\n  --b1=c\n", "\\# why", "# why\natc --model=a \\\n  --b1=c\n"),
    ("lost-backslash", "atc --model=a\n  # why\n  --log=info\n", "--log", "# why\natc --model=a \\\n  --log=info\n"),
    ("lost-backslash", "x && \\\natc --model=a # why\n  --log=info\n", "# why", None),
    ("blank-after-backslash", "atc --model=a \\ # why\nls\n", "\\ # why", "atc --model=a  # why\nls\n"),
    (
        "lost-backslash",
        "if x; then\n  atc --model=a \\\n    # --old=1 \\\n    --log=info\nfi\n",
        "# --old=1 \\",
        "if x; then\n  # --old=1 \\\n  atc --model=a \\\n    --log=info\nfi\n",
    ),
    ("blank-after-backslash", "atc --model=a \\ \n  --log=info\n", "\\ ", "atc --model=a \\\n  --log=info\n"),
    ("blank-after-backslash", "atc --model=a \\\t \n--log=info\n", "\\\t ", "atc --model=a \\\n--log=info\n"),
    ("blank-after-backslash", "atc --model=a \\  \nls\n", "\\  ", "atc --model=a\nls\n"),
    ("trailing-backslash", "atc --model=a \\\nexit 0\n", "\\", "atc --model=a\nexit 0\n"),
    ("trailing-backslash", "atc --model=a \\\n  fi\n", "\\", "atc --model=a\n  fi\n"),
    ("trailing-backslash", "atc --model=a \\\natc --model=b\n", "\\", "atc --model=a\natc --model=b\n"),
    ("trailing-backslash", "atc --model=a \\\npython3 x.py --log=1\n", "\\", "atc --model=a\npython3 x.py --log=1\n"),
    ("trailing-backslash", "atc --model=a \\\nX=1\n", "\\", "atc --model=a\nX=1\n"),
    ("space-before-equals", "atc --log =info --m1=1\n", "--log =info", "atc --log=info --m1=1\n"),
    ("space-before-equals", "atc --log = info --m1=1\n", "--log = info", "atc --log=info --m1=1\n"),
    ("space-after-equals", "atc --model= ./x --m1=1\n", "--model= ./x", "atc --model=./x --m1=1\n"),
    ("space-after-equals", 'atc --model= "$x" --m1=1\n', '--model= "$x"', 'atc --model="$x" --m1=1\n'),
    ("double-equals", "atc --log==info\n", "==", "atc --log=info\n"),
    ("double-equals", "export ASCEND_X==3\n", "==", "export ASCEND_X=3\n"),
    ("double-equals", "ASCEND_X==3 python3 x.py\n", "==", "ASCEND_X=3 python3 x.py\n"),
    ("export-space", "export ASCEND_X = 3\n", "ASCEND_X = 3", "export ASCEND_X=3\n"),
    ("export-space", "export ASCEND_X =3\n", "ASCEND_X =3", "export ASCEND_X=3\n"),
    ("export-space", "export ASCEND_X= 3\n", "ASCEND_X= 3", "export ASCEND_X=3\n"),
    ("export-space", "export ASCEND_X= /a/b\n", "ASCEND_X= /a/b", "export ASCEND_X=/a/b\n"),
    ("export-space", "ASCEND_X = 3\n", "ASCEND_X = 3", "ASCEND_X=3\n"),
    ("fullwidth", "atc —log=info\n", "—", "atc --log=info\n"),
    ("fullwidth", "atc –-log=info\n", "–-", "atc --log=info\n"),
    ("fullwidth", "atc --log=“info”\n", "“info”", 'atc --log="info"\n'),
    ("fullwidth", "atc --in=“a：1，2；b：3”\n", "“a：1，2；b：3”", 'atc --in="a:1,2;b:3"\n'),
    ("fullwidth", 'atc --in="a：1，2"\n', "：1，", 'atc --in="a:1,2"\n'),
    ("fullwidth", "atc --log=info\u3000--m1=1\n", "\u3000", "atc --log=info --m1=1\n"),
    ("fullwidth", "atc --log=a$｛b｝c\n", "｛b｝", "atc --log=a${b}c\n"),
    ("fullwidth", "atc --log＝info\n", "＝", "atc --log=info\n"),
    ("fullwidth", "export ASCEND_X=‘3’\n", "‘3’", "export ASCEND_X='3'\n"),
    ("repeated-command", "atc atc --log=info\n", "atc", "atc --log=info\n"),
    ("repeated-command", "sudo atc /usr/bin/atc --log=info\n", "/usr/bin/atc", "sudo atc --log=info\n"),
    ("unbalanced-quote", 'atc --log="info \\\n  --model=a\nls\n', '"', 'atc --log="info" \\\n  --model=a\nls\n'),
    ("unbalanced-quote", 'atc --log="info --model=a\nls\n', '"', 'atc --log="info" --model=a\nls\n'),
    ("unbalanced-quote", 'atc --log=info" \\\n  --model="a"\nls\n', '"', 'atc --log=info \\\n  --model="a"\nls\n'),
    ("unbalanced-quote", "atc --log='info\nls\n", "'", "atc --log='info'\nls\n"),
    ("unbalanced-quote", 'export ASCEND_X="3\nls\n', '"', 'export ASCEND_X="3"\nls\n'),
    ("unquoted-separator", "atc --in=a:1,2;b:3 --m1=1\n", "a:1,2;b:3", 'atc --in="a:1,2;b:3" --m1=1\n'),
    ("unquoted-separator", "atc --in=a:1;b:3;c:4\n", "a:1;b:3;c:4", 'atc --in="a:1;b:3;c:4"\n'),
    ("unquoted-separator", "atc --dims=1,2;3,4\n", "1,2;3,4", 'atc --dims="1,2;3,4"\n'),
    ("unquoted-separator", "atc --cores=2|4\n", "2|4", 'atc --cores="2|4"\n'),
    ("glued-lines", "atc --log=info\\\n--model=a\n", "--model", "atc --log=info \\\n--model=a\n"),
    ("glued-lines", 'atc --in="a:1"\\\r\n--model=a\r\n', "--model", 'atc --in="a:1" \\\r\n--model=a\r\n'),
    ("unquoted-separator", "atc --in=$n:1;b:3\n", "$n:1;b:3", None),
]
FINE = [
    "atc --log=in\\\nfo\n",
    "atc --log=info\\\n  --model=a\n",
    "atc <the same as atc>\n",
    "atc ${x\\_y\\} --log=info\n",
    "atc --model=a \\\n  --log=info\n",
    "atc --model=a \\\n\nls\n",
    "atc --model=a\nls --log=info\n",
    "atc --model=a\n-- x\n",
    "atc --model=a; ls\n",
    "atc --model=a;ls\n",
    "atc --model=a|tee log\n",
    "atc --model=a&\n",
    "atc --model=a>log\n",
    "atc --model \\\n  a\n",
    "atc --model= --log=info\n",
    "atc --model=$x $y\n",
    "atc --model=a $x\n",
    'atc --in="a:1;\\\nb:3" --log=info\n',
    'atc --in="a:1\nb:3"\n',
    "atc --model=/模型/中文，名.onnx\n",
    "atc --model=a # “注释”，：\n",
    "export MY_X==3\n",
    "export ASCEND_X=3 HCCL_Y=4\n",
    "export ASCEND_X= HCCL_Y=4\n",
    "ASCEND_X= python3 x.py\n",
    "[ ASCEND_X == 3 ]\n",
    "if [[ ASCEND_X = 3 ]]; then :; fi\n",
    "echo 'atc atc'\n",
    "# atc —x\n",
]


@together(("kind", "text", "where", "mended"), MENDED)
def test_a_slip_is_told_and_mended(kind: str, text: str, where: str, mended: str | None) -> None:
    found = [mistake for mistake in reading(text).syntax if mistake.kind != SyntaxFault.CRLF]
    assert [(mistake.kind, cut(text, mistake.span)) for mistake in found] == [(kind, where)]
    if mended is None:
        return
    assert apply_edits(text, found[0].edits) == mended
    assert [m.kind for m in reading(mended).syntax if m.kind != "crlf"] == []


@together("text", FINE)
def test_correct_scripts_have_none(text: str) -> None:
    assert reading(text).syntax == ()


def test_a_cut_command_is_told_once_for_each_reason() -> None:
    text = "atc --model=a\n --log=b\n --soc=c \\ \n --e1=f\nls\n"
    found = reading(text).syntax
    assert [(m.kind, cut(text, m.span)) for m in found] == [
        ("lost-backslash", "--log=b\n --soc"),
        ("blank-after-backslash", "\\ "),
    ]
    mended = apply_edits(text, tuple(edit for mistake in found for edit in mistake.edits))
    assert flags(mended) == [[("model", "a"), ("log", "b"), ("soc", "c"), ("e1", "f")]]


def test_a_cut_command_is_open() -> None:
    (block,) = reading("atc --model=a\n  --log=info\n").blocks
    assert block.open


def test_a_swallowed_command_is_read_on_its_own() -> None:
    assert flags("atc --model=a \\\natc --log=info\n") == [[("model", "a")], [("log", "info")]]
    assert flags("atc --model=a \\\npython3 x.py --log=info\n") == [[("model", "a")]]


def test_what_follows_an_unclosed_quote_is_read() -> None:
    text = 'atc --log="info \\\n  --model=a\necho "done"\nif true; then\n  atc --log=error\nfi\n'
    assert flags(text) == [[("log", "?"), ("model", "a")], [("log", "error")]]


def test_a_command_in_quotes_goes_on_below() -> None:
    """Its flags are its own, and the quote that ends it isn't that of a next flag's value."""
    text = 'msprof --application="python3 a.py --model b.om \\\n  --loop 3" \\\n  --output=o\n'
    (block,) = reading(text).blocks
    assert [setting.name for setting in block.settings] == ["application", "output"]
    lost = 'atc --model="a.onnx --framework=5 \\\n  --output="o"\n'
    assert [name for name, _ in flags(lost)[0]] == ["model", "framework", "output"]
    lost = 'atc --model="a.onnx --framework=5 \\\n  --output "o"\n'
    assert [name for name, _ in flags(lost)[0]] == ["model", "framework", "output"]


def test_carriage_returns_are_told_once() -> None:
    text = "#!/bin/bash\r\natc --log=info\r\nls\r\n"
    (mistake,) = reading(text).syntax
    assert (mistake.kind, cut(text, mistake.span)) == ("crlf", "#!/bin/bash")
    assert mistake.arguments["lines"] == "3"
    assert apply_edits(text, mistake.edits) == text.replace("\r\n", "\n")
    assert reading("#!/bin/bash\r\nls\r\n").syntax == ()
