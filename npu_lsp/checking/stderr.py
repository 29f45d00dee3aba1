"""What the command says on stderr about its own work. Logging is imported when there is something to say."""

from __future__ import annotations

from npu_lsp.text.bilingual import Language, Text, in_language, say
from npu_lsp.text.small_file import reason
from npu_lsp.text.terminal import shown

_state = {"verbose": False, "ready": False}
_language: list[Language] = ["en"]


def start(*, verbose: bool, language: Language = "en") -> None:
    """Say problems from now on, and everything that is done when `verbose`."""
    _state.update(verbose=verbose, ready=False)
    speak(language)
    if verbose:
        listen()


def speak(language: Language) -> None:
    """Say it in `language` from now on."""
    _language[0] = language


def listen() -> None:
    """Send the log of the whole program to stderr; call it before anything is imported that logs."""
    if _state["ready"]:
        return
    _state["ready"] = True
    import logging
    import sys

    from npu_lsp.checking.compact import Compact

    verbose = _state["verbose"]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Compact(verbose, lambda: _language[0]))
    logger = logging.getLogger("npu_lsp")
    logger.handlers[:] = [handler]
    logger.propagate = False
    logger.setLevel(logging.DEBUG if verbose else logging.WARNING)


def warn(message: Text, /, **arguments: object) -> None:
    """Say that something is not as it should be."""
    _log("warning", message, arguments)


def wrong(message: Text, /, **arguments: object) -> None:
    """Say what makes a run end as a failure."""
    _log("error", message, arguments)


def tell(*lines: str) -> None:
    """Say something in lines without a mark in front, whatever names and messages of others are in them."""
    import sys

    sys.stderr.write("".join(f"{shown(line)}\n" for line in lines))


def debug(message: str, /, **arguments: object) -> None:
    """Say what is done, to who wants to know: in English only, as it goes into reports of bugs."""
    if _state["verbose"]:
        _log("debug", message, arguments)


def fail(message: Text, /, **arguments: object) -> None:
    """Say that an error of ours happened; call it where the exception is caught."""
    _log("exception", message, arguments)


def told(error: OSError) -> str:
    """Return what an error of the operating system says, and of which file."""
    said = reason(error).to(_language[0])
    return f"{error.filename}: {said}" if isinstance(error.filename, str) else said


def _log(level: str, message: Text | str, arguments: dict[str, object]) -> None:
    listen()
    import logging

    said = say(message, _language[0])
    if arguments:
        said = said.format_map(in_language(arguments, _language[0]))
    getattr(logging.getLogger("npu_lsp.check"), level)("%s", said)
