"""Asks MindSpore about arguments of `set_context`: JSON in, one a line, and out comes whether each is refused.

Runs under an interpreter that has MindSpore, and imports nothing of npu-lsp. Nothing needs a device: what MindSpore would leave
out for another device than Ascend is checked all the same.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main() -> None:
    """Answer each line with null, or with what MindSpore says of it."""
    from mindspore import context, set_context  # type: ignore[import-not-found]

    context._check_target_specific_cfgs = lambda *_: True
    for line in sys.stdin:
        arguments: dict[str, Any] = json.loads(line)
        told = None
        try:
            set_context(**arguments)
        except Exception as error:  # whatever it raises is its answer
            told = f"{type(error).__name__}: {error}"
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
