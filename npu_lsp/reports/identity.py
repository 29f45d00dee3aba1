"""How other programs want paths and what tells one finding from another when lines move."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path, PurePath

from npu_lsp.checking.report import ReportedFinding, Result


def project_path(path: str, result: Result) -> str:
    """Return `path` relative to the project's root with `/`; an absolute one where it lies outside."""
    if not result.root:
        return PurePath(os.path.normpath(path)).as_posix()
    whole = PurePath(os.path.normpath(os.path.join(result.here, path)))  # noqa: PTH118 - keeps links as they are
    return (whole.relative_to(result.root) if whole.is_relative_to(result.root) else whole).as_posix()


def uri(path: str) -> str:
    """Return a project path as a URI: relative, or `file:` for an absolute one."""
    from urllib.parse import quote

    if PurePath(path).is_absolute():
        return Path(path).as_uri()
    return quote(path.encode("utf-8", "surrogateescape"))


def fingerprints(entries: Iterable[ReportedFinding], result: Result) -> list[str]:
    """Return for each entry a word that is its own and stays when lines above it come or go.

    It is made from the path, the code, the option, the text of the line, and the number among entries that share these.
    """
    seen: dict[tuple[str, ...], int] = {}
    found: list[str] = []
    for entry in entries:
        at = entry.place.line - entry.source_line
        line = entry.source[at].strip() if 0 <= at < len(entry.source) else ""
        key = (project_path(entry.path, result), entry.code, entry.option or "", line or entry.message)
        number = seen[key] = seen.get(key, -1) + 1
        found.append(sha256("\0".join((*key, str(number))).encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return found
