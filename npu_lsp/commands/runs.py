"""What several commands ask of a run: what is found below paths, and what is said of paths that aren't there."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from npu_lsp.checking import stderr
from npu_lsp.checking.checked import Request
from npu_lsp.checking.progress import Progress
from npu_lsp.checking.run import Outcome, Plan, processors, run
from npu_lsp.commands.arguments import discovery
from npu_lsp.commands.language import chosen
from npu_lsp.config.discover import Discovery
from npu_lsp.text.bilingual import Text

CHECKED = Request()
BOTH = Request(inventory=True)
"""List the settings, and check them."""
LISTED = Request(inventory=True, check=False)
"""List the settings, right or wrong."""
LAUNCHED = Request(check=False, launches=True)
"""List what commands and calls start."""
_MISSING = Text(en="{path}: there is nothing of that name", zh="{path}：没有匹配的文件或目录")


def ran(
    paths: Sequence[str],
    arguments: argparse.Namespace,
    request: Request,
    *,
    here: str | None = None,
    found: Discovery | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Return what a run finds below `paths`, all of it new. Raises `ConfigError`.

    `here` is what shown paths are relative to: the current folder, where none is given. `found` finds the configurations, where
    they aren't those of the command line.
    """
    plan = Plan(
        paths,
        here or os.getcwd(),
        request._replace(language=chosen()),
        jobs=getattr(arguments, "jobs", None) or processors(),
        cache=False,
    )
    return run(plan, found or discovery(arguments), progress or Progress(None))


def tell_missing(outcome: Outcome) -> int:
    """Say on stderr which of the paths aren't there; return the exit code that they ask for, 2 or 0."""
    for path in outcome.missing:
        stderr.wrong(_MISSING, path=path)
    return 2 if outcome.missing else 0
