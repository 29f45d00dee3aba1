"""What the command says on stderr about its own work. Logging is imported when there is something to say."""

from __future__ import annotations

import os

_state = {"verbose": False, "ready": False}


def start(*, verbose: bool) -> None:
    """Say problems from now on, and everything that is done when `verbose`."""
    _state.update(verbose=verbose, ready=False)
    if verbose:
        listen()


def listen() -> None:
    """Send the log of the whole program to stderr; call it before anything is imported that logs."""
    if _state["ready"]:
        return
    _state["ready"] = True
    import logging
    import sys

    from npu_lsp.checking.brief import Brief

    verbose = _state["verbose"]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Brief(verbose))
    logger = logging.getLogger("npu_lsp")
    logger.handlers[:] = [handler]
    logger.propagate = False
    logger.setLevel(logging.DEBUG if verbose else logging.WARNING)


def warn(message: str, *arguments: object) -> None:
    """Say that something is not as it should be."""
    _log("warning", message, *arguments)


def debug(message: str, *arguments: object) -> None:
    """Say what is done, to who wants to know."""
    if _state["verbose"]:
        _log("debug", message, *arguments)


def fail(message: str, *arguments: object) -> None:
    """Say that an error of ours happened; call it where the exception is caught."""
    _log("exception", message, *arguments)


def reason(error: OSError) -> str:
    """Return what an error of the operating system says."""
    return error.strerror or str(error) or os.strerror(error.errno or 0)


def told(error: OSError) -> str:
    """Return what an error of the operating system says, and of which file."""
    return f"{error.filename}: {reason(error)}" if isinstance(error.filename, str) else reason(error)


def _log(level: str, message: str, *arguments: object) -> None:
    listen()
    import logging

    getattr(logging.getLogger("npu_lsp.check"), level)(message, *arguments)
