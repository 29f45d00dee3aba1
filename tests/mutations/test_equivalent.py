"""What is listed as no mistake is a change that can still be made."""

from __future__ import annotations

from tests.mutations.__main__ import equivalent
from tests.mutations.mutants import mutants


def test_what_is_listed_is_there() -> None:
    listed = equivalent()
    files = {change.partition(" ")[0] for change in listed}
    assert listed <= {mutant.name for file in files for mutant in mutants(file)}
