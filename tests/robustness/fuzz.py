"""Fuzzes everything for as long as one likes: `python -m tests.robustness.fuzz --minutes 10 --seed 1`."""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Callable

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from tests.lsp.wire import Wire
from tests.robustness import configuration, reading
from tests.robustness.session import Storm

CAPABILITIES = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}


def main() -> None:
    """Fuzz; print each failure with its seed, and exit with 1 where there was one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("reading", "session", "configuration"))
    parser.add_argument("--stop-after", type=int, default=20, help="failures after which it ends")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    analyzer = Analyzer(Config(), all_rules)
    parts: dict[str, Callable[[int], int]] = {
        "reading": lambda seed: reading.walk(seed, analyzer),
        "session": session,
        "configuration": configuration.walk,
    }
    shares = {"reading": 20, "session": 1, "configuration": 10}
    if arguments.only:
        parts = {arguments.only: parts[arguments.only]}
    done = dict.fromkeys(parts, 0)
    failures = 0
    seed, end = arguments.seed * 1_000_000, time.monotonic() + arguments.minutes * 60
    while time.monotonic() < end and failures < arguments.stop_after:
        for name, walk in parts.items():
            for _ in range(shares[name]):
                seed += 1
                try:
                    done[name] += walk(seed)
                except Exception as error:  # whatever goes wrong is what is looked for
                    failures += 1
                    print(f"{name}, seed {seed}: {type(error).__name__}: {str(error)[:2000]}", flush=True)
    print(", ".join(f"{name}: {count} steps" for name, count in done.items()) + f"; {failures} failures")
    raise SystemExit(1 if failures else 0)


def session(seed: int, operations: int = 300) -> int:
    """Run one storm against a server of its own."""
    with Wire() as wire:
        wire.initialize(CAPABILITIES, initializationOptions={"select": ["NPU"]})
        Storm(wire, seed, closely=True).run(operations)
        assert wire.leave() == 0
    return operations


if __name__ == "__main__":
    main()
