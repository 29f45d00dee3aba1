"""Commands that a script starts. What puts them together is loaded with the first one: few scripts start any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from npu_lsp.languages.python.following.call_contexts import CallContexts
from npu_lsp.languages.python.recognisers.starts import WORDS, Starts
from npu_lsp.languages.python.recognisers.written_commands import WORD as EXPORT
from npu_lsp.languages.python.recognisers.written_commands import commands
from npu_lsp.languages.python.view import SourceView

if TYPE_CHECKING:
    from npu_lsp.languages.python.recognisers.command_blocks import Commands


def find(view: SourceView, contexts: CallContexts) -> None:
    """Add a block for each command of a tool that the script starts."""
    found: Commands | None = None
    starts = Starts(view)
    for line in view.lines_with(*WORDS, *sorted(starts.imported)):
        for call in line.statement.calls:
            started = starts.of(call.node)
            if started is None:
                continue
            if found is None:
                from npu_lsp.languages.python.recognisers.command_blocks import Commands

                found = Commands(view, contexts)
            found.add(line, call, started)
    for line in view.lines_with(EXPORT):
        for node, inline in commands(line):
            if found is None:
                from npu_lsp.languages.python.recognisers.command_blocks import Commands

                found = Commands(view, contexts)
            found.add_text(line, node, inline=inline)
