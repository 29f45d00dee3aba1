"""JSON as npu-lsp prints it, for people and programs."""

from __future__ import annotations

from npu_lsp.text.terminal import printable


def as_json(content: object, *, lines: bool = True) -> str:
    """Return `content` with a line for each of its parts, or in one, and a line end behind it.

    What a file says controls no terminal and is no command in the log of a CI system, and is the same text to whoever reads
    the JSON.
    """
    import json  # half of the commands never need it

    def escape(char: str) -> str:
        return char if char == "\n" else json.dumps(char)[1:-1]

    return printable(json.dumps(content, ensure_ascii=False, indent=2 if lines else None), escape, "\\u0023") + "\n"
