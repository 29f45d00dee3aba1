"""What holds for all tests."""

from __future__ import annotations

import gc
import logging
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

collect_ignore_glob = ["cases/*"]
"""Files that tests read: some are named as tests of other projects are."""

# Nothing that is found in a text depends on how long that takes here; how that grows with the text is a matter of tests.robustness.
settings.register_profile("patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# A run that a shell has put into the background ignores Ctrl-C, and so does every process that it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave alone what is there until the end, the tests themselves among it: to go through it again and again is a tenth of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(autouse=True)
def log_as_it_was() -> Iterator[None]:
    """Have a command that a test runs in its own process leave the log as it was, for tests that look at theirs."""
    logger = logging.getLogger("npu_lsp")
    handlers, propagate, level = logger.handlers[:], logger.propagate, logger.level
    yield
    logger.handlers[:], logger.propagate = handlers, propagate
    logger.setLevel(level)
