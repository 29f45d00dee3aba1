"""The examples of the READMEs, and what is found in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from npu_lsp.text.bilingual import Language
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
NAME = "docs/examples"


def shown() -> str:
    """Return the scripts as blocks of code."""
    return "\n".join(
        f"```sh\n# {path.name}\n{path.read_text('utf-8')}```\n" for path in sorted((ROOT / NAME).glob("*.sh"))
    )


def report(language: Language) -> str:
    """Return what the command of the READMEs says about them, as it stands in a terminal."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ASCEND_")} | {"COLUMNS": "100"}
    command = [sys.executable, "-m", "npu_lsp", "check", "--isolated", "--no-cache", "--lang", language, NAME]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    if done.returncode != 1:
        raise RuntimeError(done.stderr or "nothing is found in the examples")
    return f"```text\n{done.stdout}```\n"
