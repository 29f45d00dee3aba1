"""Tells which numbers of errors the catalog lacks: `python -m tests.authoring.numbers CHECKOUT`, a Git repository of CANN's runtime.

The headers of AscendCL, HCCL and the driver and the table of codes are read at `--ref`, of `--mooncake CHECKOUT` the statuses of its store and
of its transfer engine; what the catalog doesn't know is printed, a line each. HCCP's and DVPP's numbers stand in no public header.
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
_DRIVER = "pkg_inc/driver/ascend_hal_error.h"
_STATUSES = ("mooncake-store/include/types.h", "mooncake-transfer-engine/include/error.h")
_ASKED_WRONG = re.compile(
    r"^OBJECT_|REPLICA|INVALID|_NOT_FOUND|ALREADY|_NOT_EXIST|INTERNAL|_OUT_OF_RANGE|OVERFLOW|OVERLAPPED|NOT_IMPLEMENTED|SUPPORTED"
    r"|SERIALIZE|BATCH_BUSY|PARTIAL_WRITE|OFFLOADING|TENANT_NOT|CLOCK"
)
"""Statuses of a program that asks wrongly, or for what isn't there in the course of things: no setting mends them."""
_RESULT = re.compile(r"\b(ACL_\w+)\s*(?:=|\s)\s*(\d{6})\b")
_HCCL_RESULT = re.compile(r"\b(HCCL_E_\w+)\s*=\s*(\d+)")
_DRIVER_RESULT = re.compile(r"\b(DRV_ERROR_\w+)\s*=\s*(\w+)")
_STATUS = re.compile(r"^\s+([A-Z_]+)\s*=\s*-\d+|#define (ERR_[A-Z_]+) \(-\d+\)", re.MULTILINE)
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
    phrases = dict(codes.phrases)
    for name, number in _DRIVER_RESULT.findall(_text(checkout, ref, _DRIVER)):
        if int(number, 0) and f"drvRetCode={int(number, 0)}{{|}}" not in phrases:
            yield f"{number} {name}"
    yield from (code for code in _CODE.findall(_text(checkout, ref, _TABLE)) if codes.find(code) is None)


def missing_statuses(checkout: Path, ref: str) -> Iterator[str]:
    """Yield the statuses of Mooncake that a setting may mend and no signature tells."""
    told = [phrase for phrase, _ in load().error_codes.phrases]
    for path in _STATUSES:
        for name in filter(None, (one or other for one, other in _STATUS.findall(_text(checkout, ref, path)))):
            if not _ASKED_WRONG.search(name) and name not in told:
                yield name


def _text(checkout: Path, ref: str, path: str) -> str:
    return subprocess.run(
        ["git", "-C", str(checkout), "show", f"{ref}:{path}"], check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--ref", default="HEAD")
    parser.add_argument("--mooncake", type=Path)
    arguments = parser.parse_args()
    sys.stdout.writelines(f"{line}\n" for line in missing(arguments.checkout, arguments.ref))
    if arguments.mooncake is not None:
        sys.stdout.writelines(f"{line}\n" for line in missing_statuses(arguments.mooncake, "HEAD"))
