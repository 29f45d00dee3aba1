"""What holds for all tests."""

from __future__ import annotations

import gc
import logging
import os
import signal
from collections.abc import Generator, Iterator
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

collect_ignore_glob = ["cases/*"]
"""Files that tests read: some are named as tests of other projects are."""

# Nothing that is found in a text depends on how long that takes here; how that grows with the text is a matter of tests.robustness.
settings.register_profile("patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# Images for containers often have it set: each of the hundreds of processes that tests start would compile all modules anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A run that a shell has put into the background ignores Ctrl-C, and so does every process that it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Who imports it first decides how: tests that name libcst themselves have it as readers do.
import_module("npu_lsp.languages.python.concrete")

_FIRST = (
    "tests/editors/test_vscode.py",
    "tests/editors/test_vscode_fresh.py",
    "tests/test_contributing.py",
    "tests/editors/",
    "tests/robustness/",
    "tests/languages/",
    "tests/rules/",
    "tests/checking/",
    "tests/lsp/",
)
"""What takes longest comes first, so that no process is left with it at the end; what waits stands beside what computes."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put what takes longest first, where several processes share the work."""
    if hasattr(config, "workerinput"):
        places = {start: number for number, start in enumerate(_FIRST)}
        items.sort(
            key=lambda item: next((places[start] for start in _FIRST if item.nodeid.startswith(start)), len(_FIRST))
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where all that tests need was installed (`.ci/run`), one that is skipped for want of something has failed."""
    report = yield
    if report.skipped and "NPU_LSP_EVERY_TEST" in os.environ:
        report.outcome = "failed"
        report.longrepr = f"skipped, where every test is to run: {report.longrepr}"
    return report


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Have one process more than there are processors: a test that waits for an editor or a server leaves one idle."""
    number = yield
    return number if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else number + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each file to one process: a session that its tests share begins once."""
    if config.getoption("dist") != "load":
        return None
    config.option.loadscopereorder = False
    return import_module("xdist.scheduler").LoadFileScheduling(config, log)


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
