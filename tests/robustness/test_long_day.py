"""Short versions of `tests.robustness.soak` and `tests.robustness.load`; by hand they go on for longer."""

from __future__ import annotations

import pytest

from tests.robustness.load import load
from tests.robustness.soak import GROWTH, growth, soak

FLAT = (
    # Up and down in turn, which a median of the steps took for growth; a spike; a part that is loaded late; a spike at the end.
    (162.5, 164.1, 169.8, 164.2, 165.3, 163.9, 165.1, 163.9, 163.7, 164.9),
    (160.0, 161.2, 160.0, 161.2, 160.0, 161.2, 160.0, 161.2, 160.0, 161.2),
    (160.0, 160.0, 160.0, 160.0, 166.0, 166.0, 166.0, 166.0, 166.0, 169.0),
)
GROWING = (
    # A little all the time; the same with what comes and goes; the same with a late part.
    (160.0, 160.4, 160.8, 161.2, 161.6, 162.0, 162.4, 162.8, 163.2, 163.6),
    (160.0, 161.6, 160.8, 162.4, 161.6, 163.2, 162.4, 164.0, 163.2, 164.8),
    (160.0, 160.4, 160.8, 161.2, 167.6, 168.0, 168.4, 168.8, 169.2, 169.6),
)


@pytest.mark.parametrize("sizes", FLAT)
def test_what_is_given_back_and_what_comes_once_is_no_growth(sizes: tuple[float, ...]) -> None:
    assert growth(list(sizes)) < GROWTH


@pytest.mark.parametrize("sizes", GROWING)
def test_what_is_never_freed_is_growth(sizes: tuple[float, ...]) -> None:
    assert growth(list(sizes)) > GROWTH


def test_memory_stays_flat() -> None:
    # With 6,000 the second half began before the holes between long-lived things had found their size.
    assert soak(operations=12_000, documents=20, seed=3) < GROWTH


def test_every_request_of_a_storm_is_answered() -> None:
    done = load(seconds=1.5, rate=300, documents=10)
    assert (done.changes, done.requests) == (450, 45)
