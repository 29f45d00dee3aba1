"""Where the keys and values of a configuration stand, whatever is typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.config.mistakes import mistakes
from npu_lsp.config.outline import outline
from npu_lsp.config.retarget import retargeted
from npu_lsp.text.spans import apply_edits
from tests.robustness.steps import multiplied

WHOLE = """\
# what the code must run on
target = { cann = "8.0", products = ["a2", 'a3'] } # 中😀
select = [
  "NPU1", # c
  "unknown-option",
]
per-file-ignores."*.py" = ["ALL"]

[severity]
NPU101 = "info"
"NPU102" = 'hint'

[tool.npu-lsp]
cache = true
max-file-size = 1_000
"""
TEXTS = st.one_of(
    st.builds(
        lambda start, end, new: WHOLE[:start] + new + WHOLE[max(start, end) :],
        st.integers(0, len(WHOLE)),
        st.integers(0, len(WHOLE)),
        st.text("[]{}=.,\"'#\\ \t\r\n中a1", max_size=6),
    ),
    st.text("[]{}=.,\"'#\\ \t\r\n中a1", max_size=60),
)


def test_what_a_file_says_is_where_it_stands() -> None:
    made = outline(WHOLE)
    values = {piece.path: piece.text for piece in made.pieces if piece.part == "value"}
    assert values == {
        ("target", "cann"): "8.0",
        ("target", "products", 0): "a2",
        ("target", "products", 1): "a3",
        ("select", 0): "NPU1",
        ("select", 1): "unknown-option",
        ("per-file-ignores", "*.py", 0): "ALL",
        ("severity", "NPU101"): "info",
        ("severity", "NPU102"): "hint",
        ("tool", "npu-lsp", "cache"): "true",
        ("tool", "npu-lsp", "max-file-size"): "1_000",
    }
    assert [WHOLE[span.start : span.end] for span in made.comments] == ["# what the code must run on", "# 中😀", "# c"]


@given(TEXTS, st.integers(0, 400))
def test_nothing_that_is_typed_is_in_the_way(text: str, offset: int) -> None:
    made = outline(text)
    for piece in made.pieces:
        assert text[piece.span.start : piece.span.end] == piece.text
    spot = made.spot(min(offset, len(text)))
    if spot is not None:
        assert spot.replace.covers(min(offset, len(text)))
        assert not {"\n", "\r"} & set(text[spot.replace.start : spot.replace.end])
    for name in ("npu-lsp.toml", "pyproject.toml"):
        for found in mistakes(text, name, None, "en"):
            assert 0 <= found.span.start <= found.span.end <= len(text)
            for fix in found.fixes:
                apply_edits(text, fix.edits)
    apply_edits(text, retargeted(text, (), {"cann": "8.0"}, ["a2"]))


def test_no_text_takes_long() -> None:
    """Each grows with its length and not faster: a hundred thousand signs are a moment."""
    for part in ("[", "a=[", "{", '"', "a.", "a=[\n", "'''", "#", "a\n", "a=[#\n", "[a.b\n", "a={b=", ",", "a=''\n"):

        def outlined(number: int, part: str = part) -> Callable[[], object]:
            text = part * number
            return lambda: outline(text).spot(len(text))

        assert multiplied(outlined, 4_000 // len(part)) is None, part


def test_no_path_is_in_the_way(tmp_path: Path) -> None:
    for path in ("~nobody-is-called-so/x", "/dev/zero", "a\\u0000b", "a/" * 5000, "a" * 5000, "."):
        for text in (f'extend = "{path}"\n', f'catalog = ["{path}"]\n'):
            assert [
                "there is no file" in found.message for found in mistakes(text, "npu-lsp.toml", tmp_path, "en")
            ] == [True]
