"""Where a log pauses for hours."""

from __future__ import annotations

import pytest

from npu_lsp.checking.logs import runs
from npu_lsp.checking.logs.runs import RunSpans
from npu_lsp.checking.logs.stamps import When, seconds_from_start
from npu_lsp.checking.logs.stretches import Stretches

LINE = "2026-11-{:02} {:02}:{:02}:00 step\n"


def stretches_of(*pieces: str) -> list[tuple[int, bool]]:
    """Return the lines of each stretch, and whether it begins behind a pause."""
    stretches = Stretches()
    return [(part.count(b"\n"), begins) for piece in pieces for part, begins in stretches.of(piece.encode())]


def test_a_log_is_cut_where_nothing_was_written_for_hours() -> None:
    morning = "".join(LINE.format(2, hour, minute) for hour in range(6, 11) for minute in range(0, 60, 7))
    evening = morning.replace("-02 ", "-03 ")
    lines = morning.count("\n")
    assert stretches_of(morning) == [(lines, False)]
    assert stretches_of(morning + evening) == [(lines, False), (lines, True)]
    assert stretches_of(morning, evening) == [(lines, False), (lines, True)]
    # What has no time is taken with what stands behind it: it is read once more.
    assert stretches_of(morning + "Traceback\n" * 3 + evening) == [(lines, False), (lines + 3, True)]
    assert stretches_of("no time\n" * 9) == [(9, False)]


def test_a_line_a_day_is_looked_at_as_often_as_there_are_days() -> None:
    days = "".join(LINE.format(day, 6, 0) for day in range(1, 29))
    assert stretches_of(days) == [(1, day > 1) for day in range(1, 29)]
    assert sum(count for count, _ in stretches_of(days + "x" * 100_000)) == 28


def test_of_a_log_of_many_processes_each_is_looked_at_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    spans, asked = RunSpans(), []

    def counted(when: When) -> float:
        asked.append(when)
        return seconds_from_start(when)

    monkeypatch.setattr(runs, "seconds_from_start", counted)
    for number in range(200):
        spans.failed("train.log", f"rank {number}", (11, 2, 10, 0, 0, number), "EI0006")
    (run,) = spans.runs()
    assert (len(run.processes), len(asked) < 1000) == (200, True)
