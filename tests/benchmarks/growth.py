"""What a script and a tree cost as they grow: the cost of a line and of a file should stay what it is."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.configuration import Config
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.benchmarks.command_line import cold
from tests.benchmarks.scripts import plain_module, training_script
from tests.benchmarks.tree import grow

LINES = (1_000, 10_000, 100_000, 1_000_000)
FILES = (10, 100, 1_000, 10_000, 100_000)
_LINE = 40
"""Characters of a line of the scripts that are made."""


def by_lines(sizes: Sequence[int] = LINES, seed: int = 1) -> Iterator[tuple[int, float]]:
    """Yield how many lines a script has, and the seconds of the processor that its first analysis takes.

    The options stand in the middle; what stands around them sets nothing.
    """
    analyzer = Analyzer(Config(), all_rules)
    core = training_script(min(sizes), seed).text
    around = plain_module(random.Random(seed), 1_000 * _LINE)
    analyzer.findings(Document(core, kind=Kind.PYTHON))
    for lines in sizes:
        more = around * ((lines - core.count("\n")) // around.count("\n") // 2)
        text = more + core + more
        start = time.process_time()
        analyzer.findings(Document(text, kind=Kind.PYTHON))
        yield text.count("\n"), time.process_time() - start


def by_files(folder: Path, sizes: Sequence[int] = FILES, seed: int = 1) -> Iterator[tuple[int, float]]:
    """Yield how many files a tree has, and the seconds of the processors that a check of it without a cache takes."""
    for files in sizes:
        tree = folder / f"growth_{files}"
        grow(tree, files, seed)
        yield files, cold(tree).work
