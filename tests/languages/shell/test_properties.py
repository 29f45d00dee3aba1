"""What holds for any text: no crash, no range off its text, and an edited script reads as a fresh one."""

from __future__ import annotations

from functools import partial

from hypothesis import example, given
from hypothesis import settings as configured
from hypothesis import strategies as st

from npu_lsp.languages import cursor, read
from npu_lsp.languages.model import ParseResult, Setting
from npu_lsp.languages.shell.writer import WRITER
from npu_lsp.languages.writers import Added
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span, apply_edits
from tests.languages.shell.found import flags, reading, script
from tests.robustness.steps import many_steps

_PER_CHARACTER = 1_000
"""Steps that a text may take for each of its characters: no limit that a right change meets, one that a hang does."""

SCRIPT = """\
#!/bin/bash
# npu-lsp: ignore[NPU301]
set -e
export ASCEND_GLOBAL_LOG_LEVEL=3 HCCL_IF_IP="1.2.3.4"
soc=Ascend310P3
opts="--log=info --debug_dir=/tmp/中文"
args=(--framework=5 "--out_nodes=a:0;b:1")
convert() {
  for bs in 1 4; do
    if ! atc --model="$1" --soc_version=$soc \\
        --output="out_${bs}" $opts "${args[@]}" \\
        --input_shape="data:${bs},3,224,224" \\
        --precision_mode=force_fp16 > "log_$bs" 2>&1; then
      echo "atc --failed=1 😀" && exit 1
    fi
  done
}
case $1 in
  a) convert a.onnx ;;
  *) cat <<EOF
atc --usage=1
EOF
  ;;
esac
x=$(/usr/local/bin/atc -mode 1 --om ./a.om --json=`pwd`/a.json)
cmd="atc --model=$1 $opts --soc_version=$soc"
eval "$cmd" && bash -c "cd /x; atc $opts --soc_version=$soc --in='$soc' --log=\\$soc"
bash <<END
export HCCL_Y=$soc
atc --soc_version=${soc} --log=\\$soc $opts `pwd`
END
unset HCCL_IF_IP
bash -c "atc --single='x y'" || TASK_QUEUE_ENABLE=1 python3 run.py
"""
PIECES = [
    *"ab=-\"'\\ $\n;|&(){}<>`#\t\r,:😀中\0\u2028\ufeff",
    "atc ",
    "--log=info ",
    " \\\n",
    "\r\n",
    "export HCCL_X=1\n",
    "<<EOF\n",
    "EOF\n",
    "if ",
    "fi\n",
    "$(",
    "${",
    "--in=a:1;b:2 ",
    "“",
    "soc=Ascend910\n",
    'opts+=" --x=1"\n',
    "read soc\n",
    "export HCCL_Y\n",
    "unset HCCL_Y\n",
    "set -- --a=b\n",
    ". ./env.sh\n",
    "# npu-lsp: ignore\n",
    "f() {\n",
    "x",
    "1",
]
EDIT = st.tuples(st.integers(0, 2000), st.integers(0, 40), st.lists(st.sampled_from(PIECES), max_size=4))


def edited(document: Document, edit: tuple[int, int, list[str]]) -> Document:
    at, length, pieces = edit
    at %= len(document.text) + 1
    return document.edited(Span(at, min(len(document.text), at + length)), "".join(pieces))


def check(document: Document, found: ParseResult) -> None:
    """Assert that what was found stands where it says."""
    text = document.text
    for number, block in enumerate(found.blocks):
        assert block.id == number
        inside(text, block.head, block.span, block.command)
        for setting in block.settings:
            check_setting(text, setting)
    for mistake in found.syntax:
        inside(text, mistake.span, *(edit.span for edit in mistake.edits))
        apply_edits(text, mistake.edits)
    for comment in found.comments:
        assert "npu-lsp:" in text[comment.span.start : comment.span.end]


def check_setting(text: str, setting: Setting) -> None:
    value = setting.value
    inside(text, setting.key, setting.own, setting.statement, value.span, value.content, value.origin)
    assert text[setting.key.start : setting.key.end].strip()
    assert setting.key.start >= setting.own.start
    if value.known and value.content is not None:
        assert text[value.content.start : value.content.end] == value.data


def inside(text: str, *spans: Span | None) -> None:
    for span in spans:
        assert span is None or 0 <= span.start <= span.end <= len(text)


@given(st.lists(EDIT, min_size=1, max_size=6))
@configured(max_examples=150)
@example([(0, 2000, [])])
def test_edits_never_break_anything(edits: list[tuple[int, int, list[str]]]) -> None:
    document = script(SCRIPT)
    read(document)
    for edit in edits:
        document = edited(document, edit)
        found = read(document)
        check(document, found)
        assert found == reading(document.text)


@given(st.lists(EDIT, max_size=3), st.integers(0, 2000))
@configured(max_examples=100)
def test_a_cursor_anywhere(edits: list[tuple[int, int, list[str]]], at: int) -> None:
    document = script(SCRIPT)
    for edit in edits:
        document = edited(document, edit)
    check_cursor(document, at % (len(document.text) + 1))


def test_a_cursor_at_each_place() -> None:
    document = script(SCRIPT)
    for at in range(len(SCRIPT) + 1):
        check_cursor(document, at)


def check_cursor(document: Document, at: int) -> None:
    found = cursor(document, at)
    if found is not None:
        assert found.replace.start <= at <= found.replace.end <= len(document.text)
        assert found.typed == document.text[found.replace.start : at]
        line = document.line_span(document.line_of(at))
        assert line.start <= found.replace.start


@given(st.lists(EDIT, max_size=3))
@configured(max_examples=100)
def test_changes_never_break_anything(edits: list[tuple[int, int, list[str]]]) -> None:
    document = script(SCRIPT)
    for edit in edits:
        document = edited(document, edit)
    for block in read(document).blocks:
        for setting in block.settings:
            for change in (
                WRITER.rename(document, setting, "other_name"),
                WRITER.set_value(document, setting, 'a "b" $c'),
                WRITER.set_expression(document, setting, "${HOME}/x"),
                WRITER.remove(document, [setting]),
                WRITER.add(document, block, setting, Added("other_name", "v")),
            ):
                apply_edits(document.text, change)


@given(st.text(max_size=200))
@configured(max_examples=100)
def test_any_text(text: str) -> None:
    for each in (text, f"atc {text}", f'atc --x="{text}', f"export HCCL_X={text}\natc\n"):
        document = script(each)
        check(document, read(document))
        cursor(document, len(each))


def test_line_ends_change_nothing() -> None:
    for end in ("\r\n", "\r"):
        other = SCRIPT.replace("\n", end)
        assert flags(other) == flags(SCRIPT)
        assert [c.own_line for c in reading(other).comments] == [True]


def test_indentation_and_comments_change_nothing() -> None:
    indented = SCRIPT.replace("\n    ", "\n\t\t")
    assert flags(indented) == flags(SCRIPT)
    commented = SCRIPT.replace("set -e\n", "set -e # why\n# atc --old=1\n")
    assert flags(commented) == flags(SCRIPT)


def work(document: Document) -> None:
    read(document)
    for offset in (0, 10, len(document.text) // 2, len(document.text)):
        cursor(document, offset)


def test_hostile_texts_take_no_time() -> None:
    texts = [
        "atc " + "(" * 5000,
        "atc " + "$(" * 5000,
        "atc " + "${" * 5000,
        "atc " + '"' * 5001,
        "atc " + "`" * 5001,
        "atc --x='" * 2000,
        'atc --x="' * 2000,
        "atc --x=" + "a" * 1_000_000,
        "atc " + "--x=1 \\\n" * 20_000,
        "atc " + "--x=1\n" * 5_000,
        "export HCCL_X=1; " * 5_000,
        "x=$x$x\n" * 2_000 + "atc $x\n",
        "a=$b\nb=$a\n" * 50 + "atc $a $b\n",
        "atc --x=1 <<EOF\n" * 2_000,
        "\0" * 100_000 + "atc --x=1",
        "export HCCL_X=${" * 3_000,
        "if atc --x=1; then\n" * 1_000,
        "atc --x=$(" * 3_000,
        'atc --x="$(' * 1_500,
        "x=`atc " * 3_001,
        "bash -c 'atc " * 2_001,
        'eval "atc ' * 2_001,
        "bash <<EOF\natc --x=1\n" * 1_000,
        "model='atc --x=1'\n$model\n" * 1_000,
        "=" * 100_000 + "atc --x=1",
        "A" * 200_000 + "=1 atc --x=1",
        " " * 200_000 + "atc --x=1",
        "atc \\ \n--x=1 \\ \n" * 3_000,
        "# npu-lsp:" * 20_000 + "\natc --x=1",
    ]
    for text in texts:
        document = Document(text, kind=Kind.SHELL)
        again = Document(text, kind=Kind.SHELL)
        tasks = (partial(work, each) for each in (document, again))
        assert not many_steps(partial(next, tasks), 5_000_000 + _PER_CHARACTER * len(text)), text[:40]
        check(document, read(document))
