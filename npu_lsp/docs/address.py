"""Where the page of a rule stands on the web: among the pages whose address the package names as its documentation."""

from __future__ import annotations

from functools import cache

_UNNAMED = "/OWNER/"
"""What stands in the place of a name as long as nobody has published the project."""


def rule_url(code: str) -> str | None:
    """Return the address of a rule's page; `None` where the package that is installed names none, and for a house rule."""
    documentation = _documentation() if code.startswith("NPU") else None
    return f"{documentation}/rules.md#{code}" if documentation else None


@cache
def _documentation() -> str | None:
    from importlib import metadata

    try:
        named = metadata.metadata("npu-lsp").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return None
    pages = dict(each.split(", ", 1) for each in named if ", " in each)
    address = pages.get("Documentation", "")
    return None if _UNNAMED in address else address or None
