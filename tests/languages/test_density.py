"""How much there is to read in a text, and which names are looked at."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from npu_lsp.languages import density, variable_names
from npu_lsp.languages.variable_names import is_variable

_PIECES = ("HCCL_BUFFSIZE", "atc", "h", "parameter_map", "\n", " ", "=1", "CPU_AFINITY_CONF", "_ID", "DEVICE", "é", '"')
_TEXTS = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)


@given(_TEXTS)
def test_there_are_at_most_as_many_names_as_parts_of_names(text: str) -> None:
    names = list(variable_names.named(density._VARIABLE, text))
    assert len(names) <= variable_names.most_names(text)


@given(_TEXTS)
def test_names_are_those_of_the_whole_text(text: str) -> None:
    pattern = density._VARIABLE
    found = [match.span() for match in variable_names.named(pattern, text)]
    assert found == [match.span() for match in pattern.finditer(text) if is_variable(match.group())]
