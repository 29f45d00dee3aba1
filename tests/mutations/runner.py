"""Runs tests again and again in processes that begin where most of the program is loaded: `python -m tests.mutations.runner`.

Reads a line of arguments for pytest, as JSON, and answers with its exit code. What is changed must not be loaded before.
"""

from __future__ import annotations

import json
import os
import pkgutil
import signal
import sys
from importlib import import_module

_LOADED = ("text", "catalog", "languages")
_LONGEST = 600
"""Seconds of the processor after which a change is taken to make the program hang: that is noticed, too."""


def main() -> None:
    """Load what no change is made in, and answer until nothing more is asked."""
    import npu_lsp
    from npu_lsp.catalog.load import load

    for name in ("pytest", "hypothesis", "libcst", "tree_sitter_bash"):
        import_module(name)
    for room in _LOADED:
        for module in pkgutil.walk_packages([f"{npu_lsp.__path__[0]}/{room}"], f"npu_lsp.{room}."):
            import_module(module.name)
    load()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _run(json.loads(line))
        print(os.waitpid(child, 0)[1], flush=True)


def _run(arguments: list[str]) -> None:
    signal.setitimer(signal.ITIMER_PROF, _LONGEST)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    code = 1
    try:
        import pytest

        code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *arguments]))
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
