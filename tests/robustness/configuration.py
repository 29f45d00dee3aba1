"""Fuzzes what reads configuration, catalog files and the files that options point to."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.extend import extended
from npu_lsp.catalog.load import load
from npu_lsp.config.errors import ConfigError
from npu_lsp.config.read import read
from npu_lsp.linter.configuration import Config
from tests.robustness.steps import steps
from tests.robustness.texts import edit, edited

MANY = 1_000_000
_CONFIG = """\
select = ["NPU1", "NPU203"]
ignore = ["unknown-option"]
exclude = ["build/**", "*.gen.py"]
language = "zh"
known = ["my_*"]
max-file-size = 5_000_000

[severity]
NPU101 = "warning"

[target]
cann = "8.0"
products = ["a2"]

[per-file-ignores]
"tests/**" = ["NPU2"]
"""
_CATALOG = """\
[[option]]
name = "my_option"
summary = { en = "Does something.", zh = "做些事。" }
source = "my page"
[option.session]
slot = "s"
values = ["a", "b"]
"""
_WORDS = (
    "[",
    "]",
    "[[",
    "{",
    "}",
    '"',
    "'",
    "=",
    "\n",
    "1e999",
    "nan",
    "-0",
    "1979-05-27",
    "true",
    "[]",
    "{}",
    "a.b.c = 1\n",
    '"""',
    "\\u0000",
    "x" * 50,
)
_KEYS = (
    "select",
    "ignore",
    "exclude",
    "target",
    "severity",
    "known",
    "catalog",
    "extend",
    "language",
    "baseline",
    "max-file-size",
    "per-file-ignores",
)
_VALUES = (
    "3",
    "true",
    "[]",
    "{}",
    '""',
    "[1]",
    '["**/**/**"]',
    '"' + "*" * 300 + '"',
    "[[[[]]]]",
    "-1",
    "1979-05-27",
    '"\\u0000"',
    '"/dev/zero"',
    '["/dev/zero"]',
    '"."',
    '["."]',
)


def walk(seed: int) -> int:
    """Break one configuration and one catalog file; nothing but the error that says so may come of it."""
    rng = random.Random(f"configuration {seed}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "npu-lsp.toml"
        more = folder / "my-options.toml"
        file.write_bytes(_broken(rng, _CONFIG))
        more.write_bytes(_broken(rng, _CATALOG))
        said = ["nothing is wrong"]

        def work() -> None:
            nonlocal said
            try:
                read(file, Config())
            except ConfigError as error:
                said = [str(problem) for problem in error.problems]
            try:
                extended(load(), (more,))
            except CatalogError as error:
                said.append(str(error))

        assert steps(work) < MANY, "slow"
        assert all(said), "an error that says nothing"
    return 1


def _broken(rng: random.Random, text: str) -> bytes:
    for _ in range(rng.randrange(1, 5)):
        what = rng.random()
        if what < 0.3:
            text = f"{rng.choice(_KEYS)} = {rng.choice(_VALUES)}\n" + text
        elif what < 0.6:
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(_WORDS) + text[at:]
        else:
            text = edited(text, edit(rng, text))
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.1:
        at = rng.randrange(len(data) + 1)
        data = data[:at] + rng.randbytes(3) + data[at:]
    return data
