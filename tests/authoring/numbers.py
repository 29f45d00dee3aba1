"""Tells which numbers of errors the catalog lacks: `python -m tests.authoring.numbers CHECKOUT`, a Git repository of CANN's runtime.

The headers of AscendCL, HCCL and the driver and the table of codes are read at `--ref`; what the catalog doesn't know is printed, a line each.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from npu_lsp.catalog.load import load

_RESULTS = (
    "include/external/acl/acl_base_rt.h",
    "include/external/acl/error_codes/rt_error_codes.h",
    "include/external/acl/error_codes/ge_error_codes.h",
)
_HCCL = "src/queue_schedule/common/hccl/hccl_types.h"
_TABLE = "src/dfx/error_manager/error_code.json"
_RESULT = re.compile(r"\b(ACL_\w+)\s*(?:=|\s)\s*(\d{6})\b")
_HCCL_RESULT = re.compile(r"\b(HCCL_E_\w+)\s*=\s*(\d+)")
_CODE = re.compile(r'"ErrCode":\s*"([EW][0-9A-Z]\d{4})"', re.IGNORECASE)


def missing(checkout: Path, ref: str) -> Iterator[str]:
    """Yield the numbers of a checkout that nothing in the catalog explains, each with its name."""
    codes = load().error_codes
    for path in _RESULTS:
        yield from (
            f"{number} {name}" for name, number in _RESULT.findall(_text(checkout, ref, path)) if not codes.find(number)
        )
    for name, number in _HCCL_RESULT.findall(_text(checkout, ref, _HCCL)):
        if "RESERVED" not in name and codes.find(f"hccl-result-{number}") is None:
            yield f"{number} {name}"
    yield from (code for code in _CODE.findall(_text(checkout, ref, _TABLE)) if codes.find(code) is None)


def _text(checkout: Path, ref: str, path: str) -> str:
    return subprocess.run(
        ["git", "-C", str(checkout), "show", f"{ref}:{path}"], check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--ref", default="HEAD")
    arguments = parser.parse_args()
    sys.stdout.writelines(f"{line}\n" for line in missing(arguments.checkout, arguments.ref))
