"""A long day: `python -m tests.robustness.soak` does 100,000 things with 200 documents, and watches memory and latency."""

from __future__ import annotations

import argparse
import statistics
import time

from tests.benchmarks.client import resident
from tests.lsp.wire import SERVE, Wire
from tests.robustness.fuzz import CAPABILITIES
from tests.robustness.session import Storm

GROWTH = 3.0
"""MB that memory may grow in the second half: in the first one parts come that are loaded when they are asked for."""
NEWER = 'op.parameter_map["precision_mode"].s = f"{a["x"]}"\n'
"""What an older Python doesn't read: the parser that does stays, and when a storm brings such a line is chance."""


def main() -> None:
    """Run the soak, print a line for each twentieth of it, and exit with 1 where memory grew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    grown = soak(arguments.operations, arguments.documents, arguments.seed)
    print(f"memory grew by {grown:.1f} MB after warm-up; {GROWTH:.0f} are allowed")
    raise SystemExit(0 if grown < GROWTH else 1)


def soak(operations: int, documents: int, seed: int) -> float:
    """Do it, and return by how many MB the server grew between the middle and the end.

    Edits make texts longer and longer, so memory is looked at when all documents are closed.
    """
    with Wire(SERVE) as wire:
        wire.initialize(CAPABILITIES)
        wire.open("untitled:newer.py", NEWER)
        wire.diagnostics("untitled:newer.py")
        wire.notify("textDocument/didClose", {"textDocument": {"uri": "untitled:newer.py"}})
        storm = Storm(wire, seed, documents)
        sizes: list[float] = []
        step = max(1, operations // 20)
        for part in range(20):
            begun = time.monotonic()
            for _ in range(step):
                storm.step()
            storm.settle()
            spent = (time.monotonic() - begun) / step
            latency = statistics.median(_latency(wire, storm.open[0].uri) for _ in range(50))
            storm.close()
            sizes.append(resident(wire.process.pid))
            done = (part + 1) * step
            print(
                f"{done:>7}: {sizes[-1]:6.1f} MB, {spent * 1e3:5.2f} ms each, hover {latency * 1e3:.2f} ms", flush=True
            )
        assert wire.leave() == 0
    # What lies around at one time or another differs, so the least of some is taken; and a part that is loaded late, or one
    # long text, is a step, while what is never freed grows in each of two spans.
    middle, later, last = (min(sizes[begin : begin + 4]) for begin in (8, 12, 16))
    return 2 * min(later - middle, last - later)


def _latency(wire: Wire, uri: str) -> float:
    start = time.perf_counter()
    wire.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 5}})
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
