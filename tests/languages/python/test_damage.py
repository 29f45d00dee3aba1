"""Code that is being typed: what is whole is read, wherever the damage is."""

from __future__ import annotations

from npu_lsp.languages import read
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.together import together

LINE = 'op.parameter_map["precision_mode"].s = b"origin"\n'


@together(
    "damaged",
    [
        "config = tf.ConfigProto(\n",
        "def train(\n    ",
        "x = foo(a,\n    ",
        "values = [1, 2\n",
        "values = {'a': [1, (2,\n        ",
        "name = 'no end\n",
        'text = """no end\n',
        "if x ==\n    ",
        "print 'Python 2'\n",
        "class :\n    ",
        "x = = 1\n",
        "op.parameter_map[\n",
        'op.parameter_map["a"].\n',
        "$ what is this?\n",
    ],
)
def test_the_next_statement_is_read(damaged: str) -> None:
    text = damaged + LINE
    reading = read(Document(text, kind=Kind.PYTHON))
    found = [setting for block in reading.blocks for setting in block.settings if setting.name == "precision_mode"]
    assert [text[s.key.start : s.key.end] for s in found] == ["precision_mode"]
    assert found[0].value.data == "origin"


def test_a_target_behind_a_backslash_is_no_damage() -> None:
    text = 'x = \\\n    op.parameter_map["precision_mode"].s = b"origin"\n'
    reading = read(Document(text, kind=Kind.PYTHON))
    assert not reading.damaged
