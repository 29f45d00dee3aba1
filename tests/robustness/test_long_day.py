"""Short versions of `tests.robustness.soak` and `tests.robustness.load`; by hand they go on for longer."""

from __future__ import annotations

from tests.robustness.load import load
from tests.robustness.soak import GROWTH, soak


def test_memory_stays_flat() -> None:
    # With 6,000 the second half began before the holes between long-lived things had found their size.
    assert soak(operations=12_000, documents=20, seed=3) < GROWTH


def test_every_request_of_a_storm_is_answered() -> None:
    done = load(seconds=1.5, rate=300, documents=10)
    assert (done.changes, done.requests) == (450, 45)
