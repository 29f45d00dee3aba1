"""JSON as npu-lsp prints it, for people and programs."""

from __future__ import annotations


def as_json(content: object) -> str:
    """Return `content` with a line for each of its parts, and a line end behind it."""
    import json  # half of the commands never need it

    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
