"""What an edit leaves as it is isn't parsed again, and the tree is what the new text alone says."""

from __future__ import annotations

import re

import pytest
from tree_sitter import Node

from npu_lsp.document import Document
from npu_lsp.readers import read
from npu_lsp.readers.shell import tree
from npu_lsp.spans import Span
from tests.readers.shell.found import script

_EDIT = re.compile(r"«(?P<old>[^»→]*)→(?P<new>[^»→]*)»")


class Work:
    """Counts the scripts that are parsed."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.parsed = 0
        parse = tree._parsed

        def parsing(code: bytes) -> object:
            self.parsed += 1
            return parse(code)

        patch.setattr(tree, "_parsed", parsing)


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
        "1«x→» y\n",
        "echo a\\«→ »b\n",
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
