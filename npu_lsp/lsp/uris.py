"""URIs of documents: what to look them up by, and which file they name.

A client gets its URIs back as it wrote them; these forms are for us alone.
"""

from __future__ import annotations

import os
from functools import lru_cache
from urllib.parse import quote, unquote, urlsplit

from npu_lsp.text import lazy_re as re

_LONGEST = 4096
"""Characters of a path that a file can have; whoever looks for a configuration goes through all of its folders."""
_DRIVE = re.compile(r"/[A-Za-z]:(?=/|$)")


@lru_cache(maxsize=4096)
def key(uri: str) -> str:
    """Return a form that is the same for every spelling of one URI: `%3A` or `:`, `C:` or `c:`, `中` or `%E4%B8%AD`."""
    scheme, colon, rest = uri.partition(":")
    if not colon:
        return uri
    rest = unquote(rest, errors="surrogateescape")
    if scheme.lower() == "file":
        path = rest.removeprefix("//")
        if _DRIVE.match(path):
            path = path[:1] + path[1].lower() + path[2:]
        return f"file://{path}"
    return f"{scheme.lower()}:{rest}"


def to_path(uri: str) -> str:
    """Return the path of the file that `uri` names, empty for everything that is not a file on this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if parts.scheme.lower() != "file":
        return ""
    path = unquote(parts.path, errors="surrogateescape")
    if "\0" in path or len(path) > _LONGEST:
        return ""
    if parts.netloc and parts.netloc.lower() != "localhost":
        # A share of another machine; only Windows has a path for it.
        return f"\\\\{unquote(parts.netloc)}{path}".replace("/", "\\") if os.name == "nt" else ""
    if _DRIVE.match(path):
        path = path[1].lower() + path[2:]
    return path.replace("/", "\\") if os.name == "nt" else path


def from_path(path: str | os.PathLike[str]) -> str:
    """Return the URI of the file at an absolute `path`."""
    text = os.fspath(path)
    if os.name == "nt":
        text = text.replace("\\", "/")
        if text.startswith("//"):
            return "file:" + quote(text, errors="surrogateescape")
    if not text.startswith("/"):
        text = "/" + text
    return "file://" + quote(text, errors="surrogateescape")


def name_of(uri: str) -> str:
    """Return the last part of the path in `uri`, whatever its scheme: enough to tell the kind of file."""
    return unquote(uri.partition("?")[0].partition("#")[0]).replace("\\", "/").rpartition("/")[2]
