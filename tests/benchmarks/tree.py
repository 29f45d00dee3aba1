"""A repository of scripts on disk, the same for the same seed: as many and as large as in a public model zoo."""

from __future__ import annotations

import random
from pathlib import Path

from tests.benchmarks.scripts import conversion_script, plain_module, plain_shell, training_script

WITH_OPTIONS = 0.04
_SHELL = 0.12
_MEAN = 7_500
_VARIETY = 400


def grow(folder: Path, files: int, seed: int = 1) -> int:
    """Write so many files below `folder`, 7.5 kB each on average, and return how many bytes they have."""
    rng = random.Random(f"tree {seed}")
    python = [plain_module(rng, 4_000) for _ in range(_VARIETY)]
    shell = [plain_shell(rng, 1_500) for _ in range(_VARIETY)]
    training = [training_script(180, n).text for n in range(20)]
    conversion = [conversion_script(60, n).text for n in range(20)]
    total = 0
    for number in range(files):
        is_shell = rng.random() < _SHELL
        parts = [rng.choice(shell if is_shell else python)]
        size = rng.lognormvariate(0, 0.9) * _MEAN * (0.2 if is_shell else 0.55)
        while sum(map(len, parts)) < size:
            parts.append(rng.choice(shell if is_shell else python))
        if rng.random() < WITH_OPTIONS:
            parts.append(rng.choice(conversion if is_shell else training))
        text = "".join(parts)
        path = folder / f"model_{number // 200}" / f"part_{number // 20 % 10}"
        if number % 20 == 0:
            path.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        (path / f"file_{number}{'.sh' if is_shell else '.py'}").write_bytes(data)
        total += len(data)
    return total
