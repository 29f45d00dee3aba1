"""What an edit leaves as it is isn't read again, and what is read is what the new text alone says."""

from __future__ import annotations

import re

import pytest
from tree_sitter import Node

from npu_lsp.languages import read
from npu_lsp.languages.shell import reader, tree
from npu_lsp.languages.shell.commands import read_simple
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span
from tests.benchmarks.scripts import conversion_script
from tests.languages.shell.found import reading, script

_EDIT = re.compile(r"«(?P<old>[^»→]*)→(?P<new>[^»→]*)»")


class Work:
    """Counts the scripts that are parsed and the commands that are read."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.parsed = self.commands = 0
        parse = tree._parsed

        def parsing(code: bytes) -> object:
            self.parsed += 1
            return parse(code)

        def reading_simple(*given: object, **named: object) -> object:
            self.commands += 1
            return read_simple(*given, **named)  # type: ignore[arg-type]

        patch.setattr(tree, "_parsed", parsing)
        patch.setattr(reader, "read_simple", reading_simple)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(monkeypatch)


def edited(marked: str) -> Document:
    """Return a script that was read and then edited, as each `«old→new»` in `marked` says."""
    document = script(_EDIT.sub(lambda match: match["old"], marked))
    read(document)
    tree.tree_of(document)
    for match in reversed(list(_EDIT.finditer(marked))):
        start = len(_EDIT.sub(lambda match: match["old"], marked[: match.start()]))
        document = document.edited(Span(start, start + len(match["old"])), match["new"])
    return document


def shape(node: Node) -> list[object]:
    """Return what a tree holds, and where."""
    return [node.type, node.start_byte, node.end_byte, node.has_error, *map(shape, node.children)]


def typed(document: Document, at: int) -> Document:
    """Return the document with a letter more at `at`, read."""
    document = document.edited(Span(at, at), "x")
    read(document)
    return document


@pytest.mark.parametrize("copies", [1, 20])
def test_a_key_reads_the_command_that_it_changes_and_no_other(copies: int, work: Work) -> None:
    made = conversion_script(150)
    document = script(made.text * copies)
    read(document)
    for place, commands in ((made.value, 1), (made.word, 0)):
        at = document.offset(place.line, place.column, "utf-16")
        work.parsed = work.commands = 0
        for more in range(4):
            document = typed(document, at + more)
        assert (work.parsed, work.commands) == (0, 4 * commands)
    assert read(document) == reading(document.text)


def test_a_new_line_reads_no_command_that_was_there(work: Work) -> None:
    made = conversion_script(150)
    document = script(made.text)
    read(document)
    work.parsed = work.commands = 0
    end = document.line_span(made.word.line).end
    read(document.edited(Span(end, end), "\nexport HCCL_IF_IP=1.2.3.4"))
    assert (work.parsed, work.commands) == (1, 1)


@pytest.mark.parametrize(
    "marked",
    [
        # What a command asks.
        "soc=«A→B»\natc --soc_version=$soc\n",
        "«→soc=B\n»soc=A\natc --soc_version=$soc\n",
        "soc=A\n«→if x; then\n»atc --soc_version=$soc\n«→fi\n»",
        "soc=A\natc --soc_version=$soc\n«→soc=B\n»",
        "soc=A\n«→read soc\n»atc --soc_version=$soc\n",
        "soc=A\n# «→x»\natc --soc_version=$soc\n",
        "opts=--log=«info→debug»\natc $opts\n",
        "«→opts='--a=b --c=d'\n»atc $opts --log=info\n",
        "T=«atc→aoe»\n$T --log=info\n",
        'run() { «echo →»"$@"\n}\nrun atc --log=info\n',
        "set -- --log=«info→debug»\natc $@\n",
        # Where it stands.
        "«→if x; then\n»atc --log=info\n",
        "if x; then «→y;»\natc --log=info\nfi\n",
        "f() {\natc --log=info\n}\n«→g() {\n»export HCCL_X=1\n«→}\n»",
        "«→echo\n»if x; then\nexport HCCL_X=1\nelse\natc --log=info\nfi\n",
        "true «&&→||» atc --log=info\n",
        "x=$(atc --log=info«→ --y=1»)\n",
        "«→x=1 »# export HCCL_X=1\n",
        "«#→»export HCCL_X=1\n",
        # What lies below and around it.
        "atc --log=info\n«echo→--y=1»\n",
        "atc --log=info\n\n# why\n\n«→--y=1»\n",
        "atc --log=info«→\n--y=1»",
        "echo\n«atc --log=info→atc --log=debug»\n",
        "«export HCCL_X=1→export HCCL_X=2»\n",
        "atc --log=info\n«#→--y=1» why\n",
        "atc --log=info «→\\»\n--y=1\n",
        'echo "atc --x=1" «→| bash»\n',
        'atc --log="a«"→»\natc --log="b"\n',
        "export HCCL_X=«→'»1\nexport HCCL_Y='2'\n",
        "bash <<EOF\natc --log=«info→debug»\nEO«F→»\n",
        "bash <<EOF\natc --log=info\nEO«F→»\nexport HCCL_X=1\n",
        "export HCCL_X=1\n«→unset HCCL_X\n»",
        "HCCL_X=1\n«→export HCCL_X\n»",
        "HCCL_X=1\n«→set -a\n»",
        "export HCCL_X=1\n«→. ./env.sh\n»",
        "export HCCL_X=1\n# «→npu-lsp: ignore»\n",
        "export HCCL_X=1«→\r»\nexport HCCL_Y=1\n",
        "export HCCL_X=1 -p='a\n\nb\n --y«y→»=b'\n",
        pytest.param("atc --log=info\n" + "# why\n" * 1000 + "«→--y=1»\n", id="far below"),
        "«→echo\n»atc --log=info stray\n",
    ],
)
def test_what_is_kept_is_what_the_text_says(marked: str) -> None:
    for text in (marked, marked.replace("\n", "\r\n"), "# 中文😀\n" + marked):
        document = edited(text)
        found = read(document)
        assert found == reading(document.text)
        # It moves on with what comes after it, too.
        for at in (0, len(document.text)):
            further = document.edited(Span(at, at), "echo\n")
            assert read(further) == reading(further.text)


@pytest.mark.parametrize(
    "marked",
    [
        "atc --log=inf«→o» --x=1\n",
        "atc --log=«info→debug»\n",
        "atc --in«→put_shape=a:1,2»\n",
        'atc --input_shape="a:1«,3→;b:2»"\n',
        "atc --input_shape='a:1«,3→;b:2 c»'\n",
        "atc --om=$dir/a«→1».om --x=1\n",
        "atc --x 1«→2» --y\n",
        "ec«→h»o a\n",
        "X=inf«o→» Y=1\n",
        "# wh«→y not»\n",
        'echo "中文«→中»"\n',
    ],
)
def test_a_word_that_grows_needs_no_parser(marked: str, work: Work) -> None:
    document = edited(f"if x; then\n{marked}fi\nf() {{ atc --x=1; }}\n")
    work.parsed = 0
    moved = shape(tree.tree_of(document).root_node)
    assert work.parsed == 0
    assert moved == shape(tree.fresh_tree(tree.code_of(document.text)).root_node)


@pytest.mark.parametrize(
    "marked",
    [
        "if x; then\nf«→i»\nfi\n",
        "if x; then\nf«i→»\nfi\n",
        "for x in a; do echo; don«e→»; done\n",
        "x«→=» atc --log=info\n",
        "x-y«-z→»=1 atc --log=info\n",
        "--l«→=» x\n",
        "_«→a»:b x\n",
        "echo a«→ »b\n",
        "echo a«→\\»\n",
        "echo a«→#b»\n",
        "echo a«→$b»\n",
        "echo 1«→x»\n",
        "«ec→xy»ho a\n",
        "1«x→» y\n",
        "echo a\\«→ »b\n",
        "atc --«m→0»<<)odel=a.onnx $m}ore\n",
        "[[ a == b«→x1»{ ]] && [ c -lt 1 ]\n",
        "echo a\\« →b»b\n",
        "echo -«-→1»\n",
        'echo " «y→»"\n',
        "echo 1«x→»\n",
        "echo 12«→>»a\n",
        "echo -n«1→» a\n",
        "[ -n«1→» a ]\n",
        "[[ $x == a«→*» ]]\n",
        "case $x in a«→|b») echo ;; esac\n",
        "f«→g»() { echo; }\n",
        'echo " «→x»y"\n',
        "echo 'a'«→b»\n",
        "echo '«→'»'\n",
        'echo "a«→$»b"\n',
        "x=`pwd`\n# it«→`»\n",
        "x=`pwd`\n# it`«x→»\n",
        "x=`pwd`\necho 'it«→`» a' b\n",
        "echo `pwd` 'it' # a «`→»b`\n",
        "echo `pwd` 'it' # a `b«`→»\n",
        "# a«→\n»b\n",
        "#a\r«b→»\n",
        "cat <<EOF\na\nEO«→F»\nb\nEOF\n",
        "cat <<E«→F»\na\nEF\n",
        "echo $((a«→+»1)) ${a«→#»b}\n",
        "a[«→b»]=1\n",
    ],
)
def test_a_moved_tree_is_that_of_the_text(marked: str) -> None:
    document = edited(marked)
    assert shape(tree.tree_of(document).root_node) == shape(tree.fresh_tree(tree.code_of(document.text)).root_node)
