"""JSON as npu-lsp prints it, for people and programs."""

from __future__ import annotations

from npu_lsp.text.terminal import without_commands


def as_json(content: object, *, lines: bool = True) -> str:
    """Return `content` with a line for each of its parts, or in one, and a line end behind it.

    What a file says is no command in the log of a CI system, and the same text to whoever reads the JSON.
    """
    import json  # half of the commands never need it

    return without_commands(json.dumps(content, ensure_ascii=False, indent=2 if lines else None), "\\u0023") + "\n"
