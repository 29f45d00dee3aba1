"""ATC: the definitions of its flags, by release tag."""

from __future__ import annotations

import re
from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from tests.authoring.defaults.history import Defaults
from tests.authoring.releases import Releases, release_of

# The second took the place of the first.
_DEFINITIONS = ("api/atc/main_impl.cc", "api/atc/atc_flags.cc")
_FLAG = re.compile(r"DEFINE_(?:bool|string|int32)\((\w+),\s*(\"[^\"]*\"|[^,\s]+),")


def read(releases: Releases) -> Iterator[tuple[str, Defaults]]:
    """Yield the defaults of each release; those of a beta count as its release's."""
    for tag in releases.tags():
        text = "".join(releases.text(tag, path) or "" for path in _DEFINITIONS)
        found = {flag: default.strip('"') for flag, default in _FLAG.findall(text)}
        if found:
            yield release_of(tag), {(Surface.ATC, flag): default or None for flag, default in found.items()}
