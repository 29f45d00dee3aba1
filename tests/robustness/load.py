"""A storm of typing: `python -m tests.robustness.load` makes 10,000 changes in 50 open documents, 1,000 a second."""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.lsp.uris import to_path
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.benchmarks.scripts import training_script
from tests.lsp.wire import RULES, Wire
from tests.robustness.fuzz import CAPABILITIES
from tests.robustness.session import Mirror, Storm

_LINES = 300


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of it."""

    changes: int
    requests: int
    seconds: float
    """From the first change to the last answer and the last diagnostics."""


def main() -> None:
    """Run the load and print what came of it; an assertion fails where something didn't."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=50)
    arguments = parser.parse_args()
    print(load(arguments.seconds, arguments.rate, arguments.documents))


def load(seconds: float, rate: int, documents: int) -> Loaded:
    """Type and ask at that rate at most; prove that each request is answered and that the last diagnostics are right.

    There are as many changes as fit into `seconds` at that rate; a machine with other things to do takes longer.
    """
    rng = random.Random(1)
    with Wire() as wire:
        wire.initialize(CAPABILITIES)
        storm = Storm(wire, 1, documents)
        mirrors = []
        for number in range(documents):
            script = training_script(_LINES, number)
            mirrors.append(Mirror(f"file:///nowhere/{number}.py", Kind.PYTHON, script.text))
            wire.open(mirrors[-1].uri, script.text)
            wire.diagnostics(mirrors[-1].uri)
        storm.open = mirrors
        begun = time.monotonic()
        changes = requests = 0
        while changes < seconds * rate:
            if changes > (time.monotonic() - begun) * rate:
                time.sleep(0.001)
                continue
            storm.change(rng.choice(mirrors))
            changes += 1
            if changes % 10 == 0:
                storm.ask(rng.choice(mirrors))
                requests += 1
        storm.settle()
        analyzer = Analyzer(Config(select=RULES), all_rules)
        for mirror in mirrors:
            _prove_last_diagnostics(wire, mirror, analyzer)
        took = time.monotonic() - begun
        assert wire.leave() == 0
    return Loaded(changes, requests, took)


def _prove_last_diagnostics(wire: Wire, mirror: Mirror, analyzer: Analyzer) -> None:
    # One change more has an answer that can be told from all that may still be under way.
    mirror.version += 1
    start = {"line": 0, "character": 0}
    wire.change(mirror.uri, mirror.version, {"range": {"start": start, "end": start}, "text": "#\n"})
    shown = wire.diagnostics(mirror.uri, mirror.version)
    document = Document("#\n" + mirror.document.text, path=to_path(mirror.uri), kind=mirror.document.kind)
    places = [document.position(f.span.start, "utf-16") for f in analyzer.findings(document) if not f.suppressed]
    starts = [(d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in shown]
    assert starts == places, f"{mirror.uri}: {starts} instead of {places}"


if __name__ == "__main__":
    main()
