"""Judges a report of pip-audit: `audited.py REPORT` ends with 0 after an audit that found nothing, 1 after one that found something, 3 without one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

NO_AUDIT = 3
DIRECT = {"pygls", "lsprotocol", "libcst", "tree-sitter", "tree-sitter-bash", "ahocorasick-rs", "pyyaml"}
"""What npu-lsp needs everywhere: a report without one of these is about something else."""
OWN = "npu-lsp"
"""Isn't known anywhere before it is published."""


def judged(packages: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """Return the exit code and what is to be said."""
    known = [(p["name"], p["version"], found) for p in packages for found in p.get("vulns", [])]
    lines = [
        f"{name} {version}: {found['id']}, mended in {', '.join(found['fix_versions']) or 'no version'}"
        for name, version, found in known
    ]
    names = {_normal(package["name"]) for package in packages}
    asked = {_normal(package["name"]) for package in packages if "vulns" in package}
    lines.append(f"{len(asked)} of {len(names)} packages looked up, {len(known)} vulnerabilities known.")
    missing = sorted((names | DIRECT) - asked - {OWN})
    if missing:
        lines.append(f"No audit: nobody was asked about {', '.join(missing)}.")
    return (1 if known else NO_AUDIT if missing else 0), lines


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def main() -> None:
    """Print what is to be said of the report that is named."""
    try:
        packages = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["dependencies"]
        code, lines = judged(packages)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        code, lines = NO_AUDIT, [f"No audit: the report can't be read ({error})."]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.exit(code)


if __name__ == "__main__":
    main()
