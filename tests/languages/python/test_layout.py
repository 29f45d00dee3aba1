"""Blanks, backslashes, line ends and comments between the tokens of a statement say nothing: what is found stands where it did."""

from __future__ import annotations

import io
import tokenize

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from npu_lsp.languages import read
from npu_lsp.languages.python.lines.logical_lines import rescan, scan
from npu_lsp.languages.python.tree.statement import parse
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import TextChange
from tests.together import together

STATEMENTS = (
    'op.parameter_map["precision_mode"].s = "force_fp16"',
    'op.parameter_map["precision_mode"].s = tf.compat.as_bytes("force_fp16")',
    'op.parameter_map["enable_dump"].b = True; op.parameter_map["dump_step"].s = b"0|5"',
    'run = NPURunConfig(precision_mode="force_fp16", iterations_per_loop=10)',
    'os.environ["ASCEND_GLOBAL_LOG_LEVEL"] = "3"',
    "npu.global_options().dump_config.enable_dump = True",
)
OPENINGS = (
    *(
        "",
        "\\\n",
        "\\\n\\\r\n",
        "\f",
        "\ufeff",
        "\ufeff\\\n",
        "y = 1\n\\\n",
        "y = 1;\\\n ",
        "# a\\\n",
        "\\\n# b\n",
        "\\\n\n",
    ),
    *(
        "if x:\n    y = 1\n\\\n    ",
        "if x:\n    y = 1\n    \\\n  ",
        "if x:\n\ty = 1\n\t\\\n\\\n",
        "if x: \\\n",
        "if x:\\\r\n\t",
    ),
    *(
        "if x: y\nelse: \\\n",
        "if x: y\nelse \\\n : \\\n ",
        "if x: y\nelif \\\n z:\\\n",
        "try: \\\n ",
        "for i in \\\n j: \\\n ",
    ),
    *(
        "try: y\nexcept \\\n E: \\\n",
        "try: y\nfinally:\f\\\n",
        "with a \\\n as b: \\\n  ",
        "@\\\n a\ndef f(): \\\n  ",
        "class A: \\\n",
    ),
)
BETWEEN = ("", " ", "\t", "\f", " \\\n", "\\\r\n  ", " \\\r ", "\\\n\\\n\t")
INSIDE = (*BETWEEN, "\n", "\r\n\t", " # )\n", "\n\f\n  ", "#\\\n")


def _told(text: str) -> list[tuple[str, str, str]]:
    """Return the name of each setting, and what stands at the places of its key and its value."""
    found = read(Document(text, path="", kind=Kind.PYTHON)).settings
    return [(s.name, text[slice(*s.key)], text[slice(*s.value.span)]) for s in found]


def _tokens(statement: str) -> list[tuple[str, bool]]:
    """Return the tokens of a statement, and whether each stands inside of brackets."""
    depth, found = 0, []
    for token in tokenize.generate_tokens(io.StringIO(statement).readline):
        depth -= token.string in {")", "]", "}"}
        if token.string:
            found.append((token.string, depth > 0))
        depth += token.string in {"(", "[", "{"}
    return found[:-1] if not found[-1][0].strip() else found


@effort(max_examples=150)
@given(st.sampled_from(OPENINGS), st.sampled_from(STATEMENTS), st.data())
def test_what_stands_between_tokens_moves_nothing_else(opening: str, statement: str, data: st.DataObject) -> None:
    pieces = [opening]
    for number, (token, inside) in enumerate(_tokens(statement)):
        if number:
            pieces.append(data.draw(st.sampled_from(INSIDE if inside else BETWEEN)))
        pieces.append(token)
    text = "".join(pieces) + data.draw(st.sampled_from(["\n", "", "  # end\n", " ;\n", "\r\n", " \\\n\n"]))
    wanted = [told for told in _told(statement) if told[0]]
    assert _whole(_told(text)) == _whole(wanted)


def _whole(told: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Return what is told without the blanks inside: a value is a call as well."""
    return [
        (name, key, "".join(value.replace("# )", "").replace("#\\", "").replace("\\", "").split()))
        for name, key, value in told
    ]


@together("opening", OPENINGS)
def test_what_is_joined_to_a_statement_is_none_of_it(opening: str) -> None:
    assert _told(opening + STATEMENTS[0] + "\n") == _told(STATEMENTS[0])


@pytest.mark.parametrize(
    ("text", "indents"),
    [
        ("if x:\n    y = 1\n\\\n    z = 2\n", [0, 4, 4]),
        ("if x:\n    y = 1\n    \\\n  z = 2\n", [0, 4, 4]),
        ("if x:\n\ty = 1\n\\\n\\\n\tz = 2\n", [0, 8, 8]),
        ("if x:\n    y = 1\n\\\nz = 2\n", [0, 4, 0]),
        ("\\\n\nx\n  \\\n# y\n\\\n", [0]),
    ],
)
def test_the_first_joined_line_that_is_indented_counts(text: str, indents: list[int]) -> None:
    # As Python says.
    assert scan(text).indents == indents


_JOINS = (
    "\\\n",
    "    ",
    "  ",
    "\n",
    "a = 1\n",
    "if x:\n",
    "f(",
    "\\",
    "\r\n",
    "\t",
    "\f",
    "# c \\\n",
    "'''",
    ")",
    "\\\r\n",
)


@effort(max_examples=400)
@given(
    st.lists(st.sampled_from(_JOINS), min_size=3, max_size=14),
    st.floats(0, 1),
    st.integers(0, 5),
    st.sampled_from(["", *_JOINS]),
)
def test_joined_lines_are_rescanned_as_they_are_scanned(pieces: list[str], place: float, length: int, new: str) -> None:
    text = "".join(pieces)
    start = int(place * len(text))
    end = min(len(text), start + length)
    after = text[:start] + new + text[end:]
    assert rescan(scan(text), after, TextChange(start, end, start + len(new))).lines == scan(after)


def test_a_statement_that_is_not_written_back_as_it_stands_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = "op.parameter_map['a'].b  =  True"
    assert parse(statement) is not None
    from npu_lsp.languages.python.tree.statement import NodeSpans

    add = NodeSpans.add_token
    monkeypatch.setattr(NodeSpans, "add_token", lambda self, value: add(self, value.strip(" ")))
    assert parse(f"{statement} ;\\\n x") is None


_PLAIN_OPENINGS = [each for each in OPENINGS if not set(each) & {"\\", "\f", "\r"}]
_PLAIN_INSIDE = ("", " ", "\t", "  ", "\n", "\n\t", " # )\n", "\n\n  ")


@effort(max_examples=150)
@given(st.sampled_from(STATEMENTS), st.data())
def test_what_has_plain_blanks_alone_is_written_back_as_it_stands(statement: str, data: st.DataObject) -> None:
    """Its places are worked out when they are asked for: whether libcst knows them must not be in doubt by then."""
    pieces = [data.draw(st.sampled_from(_PLAIN_OPENINGS))]
    for token, inside in _tokens(statement):
        pieces += [token, data.draw(st.sampled_from(_PLAIN_INSIDE if inside else _PLAIN_INSIDE[:4]))]
    text = "".join(pieces) + data.draw(st.sampled_from(["\n", "", "  # end\n", " ;\n", ";x = 1", "\n\n"]))
    lines = scan(text)
    found = [parse(text[start:end]) for start, end in zip(lines.starts, lines.ends, strict=True)]
    assert found
    assert all(each is not None and each.is_proven for each in found)
