"""Checks a text from stdin as if it were a file."""

from __future__ import annotations

import os
from typing import BinaryIO, NamedTuple

from npu_lsp.checking import stderr
from npu_lsp.checking.checked import Checked, Request
from npu_lsp.checking.checker import Checker
from npu_lsp.checking.report import order
from npu_lsp.checking.run import Outcome
from npu_lsp.checking.walking import Candidate, Found
from npu_lsp.config.discover import Discovery
from npu_lsp.config.verify import verify
from npu_lsp.languages.detection import detect
from npu_lsp.languages.triggers import may_match
from npu_lsp.text.kinds import Kind

_HEAD = 2048
"""Bytes of a text that hold its first line."""


class Piped(NamedTuple):
    """The result of checking the text on stdin."""

    outcome: Outcome
    data: bytes
    """The text after fixing, or as it came; what is still in the stream belongs behind it."""


def check_stdin(stream: BinaryIO, name: str | None, here: str, request: Request, discovery: Discovery) -> Piped:
    """Check what `stream` has as the file `name`, which need not exist.

    Raises `ConfigError` where the configuration of its folder can't be used.
    """
    path = name or "-"
    absolute = os.path.normpath(os.path.join(here, name)) if name else os.path.join(here, "-")
    config = discovery.config_for(os.path.dirname(absolute))
    verify(config, stderr.warn)
    told = detect(path, "") if name else None
    limit = config.size_limit(told)
    data = stream.read(limit + 1)
    kind = told or _kind(data)
    candidate = Candidate(path, absolute, None if kind is Kind.OTHER else kind, 0, explicit=True)
    outcome = Outcome((), 1, (), False, [(Found.of(candidate), config)])
    if config.force_exclude and config.excludes(absolute):
        return Piped(outcome._replace(files=0), data)
    checker = Checker([config], request)
    done = checker.sift_data(candidate, data) if len(data) <= limit else checker.too_large(candidate, len(data))
    if not isinstance(done, Checked):
        done = checker.analyse(candidate, done)
    outcome = outcome._replace(
        entries=tuple(sorted(done.entries, key=order)),
        mended={path: done.fixed} if done.fixed else {},
        diffs=((path, done.diff),) if done.diff else (),
        failed=done.failed,
    )
    return Piped(outcome, data if done.data is None else done.data)


def _kind(data: bytes) -> Kind:
    """Return what a text without a name is: Python, as for other linters, unless it can only be a shell script."""
    head, _, _ = data.partition(b"\n")
    kind = detect("-", head[:_HEAD].decode("latin-1"))
    if kind is not Kind.OTHER:
        return kind
    if may_match(Kind.PYTHON, data) or not may_match(Kind.SHELL, data):
        return Kind.PYTHON
    from npu_lsp.languages.python.tree.soundness import is_python

    return Kind.PYTHON if is_python(data.decode("utf-8", "replace")) else Kind.SHELL
