"""Asks MindSpore about calls: JSON in, one a line, and out comes its version, then whether each call is refused.

Runs under an interpreter that has MindSpore, and imports nothing of npu-lsp. Nothing needs a device: what MindSpore would leave
out for another device than Ascend is checked all the same.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main() -> None:
    """Answer each line with null, or with what MindSpore says of it."""
    import mindspore  # type: ignore[import-not-found]
    from mindspore import context

    context._check_target_specific_cfgs = lambda *_: True
    sys.stdout.write(json.dumps(mindspore.__version__) + "\n")
    for line in sys.stdin:
        name, arguments = json.loads(line)
        told: Any = None
        try:
            if name == "set_auto_parallel_context":
                mindspore.reset_auto_parallel_context()
            getattr(mindspore, name)(**arguments)
        except Exception as error:  # whatever it raises is its answer
            told = f"{type(error).__name__}: {error}"
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
