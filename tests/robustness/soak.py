"""A long day: `python -m tests.robustness.soak` does 100,000 things with 200 documents, and watches memory and latency."""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import pairwise

from npu_lsp.text.kinds import Kind
from tests.benchmarks.client import resident
from tests.lsp.wire import SERVE, Wire
from tests.robustness.fuzz import CAPABILITIES
from tests.robustness.session import LANGUAGES, Storm
from tests.robustness.texts import texts

GROWTH = 3.0
"""MB that memory may grow in the second half.

In the first one parts come that are loaded when they are asked for, and long texts leave holes, which later ones fill: some 6,000
operations go by before there are no more of them, however little is in use.
"""
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


def _see_all(wire: Wire) -> None:
    """Show the server every text that a storm may open, once: which rare one it opens when is chance, and each may load a part."""
    for number, (kind, text) in enumerate((*texts(), (Kind.PYTHON, NEWER))):
        uri = f"untitled:{number}"
        wire.open(uri, text, LANGUAGES.get(kind, "shellscript"))
        wire.diagnostics(uri)
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def soak(operations: int, documents: int, seed: int) -> float:
    """Do it, and return how many MB the server grows by between the middle and the end, but for single steps.

    Edits make texts longer and longer, so memory is looked at when all documents are closed.
    """
    with Wire(SERVE) as wire:
        wire.initialize(CAPABILITIES)
        _see_all(wire)
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
    return growth(sizes[len(sizes) // 2 :])


def growth(sizes: list[float]) -> float:
    """How many MB sizes grow by from the first to the last, but for what comes once and for what is given back.

    A part that is loaded late, or one long text, is a step: the two largest don't count. What is taken and given back in turn shows in
    no floor, the least of all sizes from there on; what is never freed lifts floor after floor.
    """
    floors = [min(sizes[at:]) for at in range(len(sizes))]
    steps = sorted(after - before for before, after in pairwise(floors))
    return statistics.mean(steps[:-2]) * len(steps)


def _latency(wire: Wire, uri: str) -> float:
    start = time.perf_counter()
    wire.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 5}})
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
