"""Does something again whenever one of some files changes. It looks at them now and then: that works everywhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from npu_lsp.checking.walking import Walk
from npu_lsp.commands.language import told
from npu_lsp.config.discover import NAMES, Discovery
from npu_lsp.config.errors import ConfigError
from npu_lsp.text.dependencies import Fingerprint, look

_PAUSE = 0.3
"""Seconds between two looks, at the least."""
_SHARE = 5
"""So many times as long as a look took nothing is done: in a large tree, too, a processor has other things to do."""
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"

State = Mapping[str, Fingerprint]


def watch(check: Callable[[], Iterable[str]], discovery: Callable[[], Discovery], paths: Sequence[str]) -> int:
    """Call `check`, which returns what else it depends on, and again after each change; an interrupt ends it."""
    while True:
        # First: what changes while we check is to be checked again.
        before = _state(discovery, paths, ())
        if sys.stdout.isatty():
            sys.stdout.write(_CLEAR)
            sys.stdout.flush()
        others = tuple(check())
        before = {**{path: look(path) for path in others}, **before}
        print(
            told("Watching for changes; Ctrl-C ends it.", "正在监视文件变化，按 Ctrl-C 结束。"),
            file=sys.stderr,
            flush=True,
        )
        _wait(before, lambda others=others: _state(discovery, paths, others))  # type: ignore[misc]


def _wait(before: State, now: Callable[[], State]) -> None:
    took = 0.0
    while True:
        time.sleep(max(_PAUSE, took * _SHARE))
        start = time.monotonic()
        if now() != before:
            return
        took = time.monotonic() - start


def _state(discovery: Callable[[], Discovery], paths: Sequence[str], others: Iterable[str]) -> State:
    """Return what the files look like that a run would read: those of `paths`, configurations, and `others`."""
    here = os.getcwd()
    found: dict[str, Fingerprint] = {path: look(path) for path in others}
    try:
        walk = Walk(discovery(), here)
        found |= {each.absolute: look(each.absolute) for each in walk.files(paths)}
    except (ConfigError, OSError):
        # It is broken until somebody changes it.
        folders = [os.path.abspath(path) for path in paths]
    else:
        used = [config.path for config in walk.configs if config.path is not None]
        own = [file for config in walk.configs for file in config.catalog]
        found |= {os.fspath(path): look(path) for path in (*used, *own)}
        found |= {path: look(path) for path in walk.missing}
        folders = [*walk.folders]
    return found | {path: look(path) for folder in folders for path in _configurations(folder)}


def _configurations(folder: str) -> list[str]:
    return [os.path.join(folder, name) for name in NAMES]
