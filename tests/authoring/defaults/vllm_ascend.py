"""vLLM-Ascend: variables and keys of `additional_config`, by release tag."""

from __future__ import annotations

from collections.abc import Iterator

from tests.authoring.defaults.history import Defaults, of_code
from tests.authoring.releases import Releases
from tests.authoring.vllm_ascend import reads_of


def read(releases: Releases) -> Iterator[tuple[str, Defaults]]:
    """Yield the defaults of each release."""
    for tag in releases.tags():
        found = reads_of(releases, tag).read
        yield tag.lstrip("v"), {name: of_code(each.default) if each.default else None for name, each in found.items()}
