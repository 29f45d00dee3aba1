"""What an editor is told about texts: `python -m tests.lsp.asking NAME TEXT SIGN ...` prints it as JSON, asked in front of a sign of each."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from npu_lsp.languages.detection import detect
from npu_lsp.languages.registry import BY_KIND
from tests.lsp.wire import Wire


def asked(wire: Wire, name: str, text: str, sign: str) -> dict[str, list[str]]:
    """Return the codes of the diagnostics, and what is completed and explained one character into `sign`."""
    uri = (Path.cwd() / name).as_uri()
    before = text[: text.index(sign) + 1]
    line = before.count("\n")
    place = {
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": len(before) - before.rfind("\n") - 1},
    }
    wire.open(uri, text, next(iter(BY_KIND[detect(name, text)].editor_ids), "json"))
    found = wire.diagnostics(uri)
    completed: Any = wire.request("textDocument/completion", place)["result"]
    items = completed["items"] if isinstance(completed, dict) else completed or []
    hover: Any = wire.request("textDocument/hover", place)["result"]
    return {
        "diagnostics": sorted(str(each["code"]) for each in found),
        "completions": sorted(item["label"] for item in items),
        "hover": [hover["contents"]["value"]] if hover else [],
    }


if __name__ == "__main__":
    words = iter(sys.argv[1:])
    with Wire() as server:
        server.initialize(initializationOptions={"select": ["ALL"]})
        json.dump([asked(server, *question) for question in zip(words, words, words, strict=True)], sys.stdout)
