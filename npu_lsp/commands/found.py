"""In which form a command says what it found."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TextIO

from npu_lsp.commands.language import chosen
from npu_lsp.commands.output import write_out
from npu_lsp.text.terminal import as_json

if TYPE_CHECKING:
    from npu_lsp.reports.style import Style
    from npu_lsp.reports.table import Table


def style_for(choice: str, stream: TextIO, *, file: bool = False) -> Style:
    """Return how `stream` looks under `--color CHOICE`; a file has no colours unless they are asked for, and no width."""
    from npu_lsp.reports.style import Style, wants_colour

    terminal = not file and stream.isatty()
    return Style(wants_colour(choice, terminal, {} if file else os.environ), _columns(stream) if terminal else None)


def _columns(terminal: TextIO) -> int | None:
    """Return the width of a terminal in cells; `None` where neither `COLUMNS` nor the terminal tells."""
    try:
        return int(os.environ.get("COLUMNS") or os.get_terminal_size(terminal.fileno()).columns) or None
    except (OSError, ValueError):
        return None


def write_found(
    arguments: argparse.Namespace,
    content: Callable[[], dict[str, Any]],
    table: Callable[[], Table],
    text: Callable[[Style], Iterable[str]],
) -> None:
    """Write what was found as `--format` asks: as JSON, as a table of any form, else as `text` that has the style of `--color`."""
    if arguments.format == "json":
        write_out([as_json({"version": 1, **content()})])
        return
    from npu_lsp.reports.table import FORMS

    if arguments.format in FORMS:
        write_out(FORMS[arguments.format](table(), chosen()))
    else:
        write_out(text(style_for(getattr(arguments, "color", "never"), sys.stdout)))
