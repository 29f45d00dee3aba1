"""How much there is to read in a text, and which names are looked at."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.languages import density, variable_names
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_PIECES = ("HCCL_BUFFSIZE", "atc", "h", "parameter_map", "\n", " ", "=1", "CPU_AFINITY_CONF", "_ID", "DEVICE", "é", '"')
_TEXTS = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)


@given(_TEXTS)
def test_there_are_at_most_as_many_names_as_parts_of_names(text: str) -> None:
    names = list(variable_names.named(density._VARIABLE, text))
    assert len(names) <= variable_names.most_names(text)


@given(_TEXTS, _TEXTS, st.data())
def test_an_edit_changes_the_count_by_what_it_adds_and_takes_away(text: str, new: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    before = Document(text, kind=Kind.SHELL)
    too_many = density._at_most(before) - density.words_of_interest(text)
    after = before.edited(Span(start, end), new)
    assert after.before is not None
    assert density._at_most(after) == density.words_of_interest(after.text) + too_many


@given(_TEXTS)
def test_names_are_those_of_the_whole_text(text: str) -> None:
    pattern = density._VARIABLE
    found = [match.span() for match in variable_names.named(pattern, text)]
    assert found == [match.span() for match in pattern.finditer(text) if is_variable(match.group())]
