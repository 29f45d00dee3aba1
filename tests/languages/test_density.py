"""How much there is to read in a text is known after a change without counting all of it again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.languages import density, variable_names
from npu_lsp.languages.density import words_of_interest
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_PIECES = ("HCCL_BUFFSIZE", "atc", "h", "parameter_map", "\n", " ", "=1", "CPU_AFINITY_CONF", "_ID", "DEVICE", "é", '"')
_TEXTS = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)


@given(_TEXTS, st.lists(st.tuples(st.integers(0, 100), st.integers(0, 12), _TEXTS), max_size=4))
def test_a_change_counts_what_it_changes(text: str, changes: list[tuple[int, int, str]]) -> None:
    document = Document(text, kind=Kind.PYTHON)
    for at, length, more in changes:
        density._counted(document)
        start = min(at, len(document.text))
        document = document.edited(Span(start, min(start + length, len(document.text))), more)
        assert density._counted(document) == words_of_interest(document.text)


@given(_TEXTS)
def test_names_are_those_of_the_whole_text(text: str) -> None:
    pattern = density._VARIABLE
    found = [match.span() for match in variable_names.named(pattern, text)]
    assert found == [match.span() for match in pattern.finditer(text) if is_variable(match.group())]
